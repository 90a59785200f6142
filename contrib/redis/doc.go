// Package fleetredis coordinates programs on several machines through a shared Redis server (7 or newer):
//
//   - [Pacer] keeps all replicas within one request limit.
//   - [DedupStore] runs the callback of each webhook delivery once, on any replica.
//   - [Checkpoints] stores the position of a program that follows logs, so that another one can continue.
//
// Each takes a client of go-redis (single, cluster or ring) and leaves its settings alone:
//
//	shared := redis.NewClient(&redis.Options{Addr: "redis.internal:6379"})
//	pacer, err := fleetredis.NewPacer(shared, key, fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 50, Headroom: 10}})
//	if err != nil {
//		return err
//	}
//	options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key.Reveal())}
//	client, err := rpcfleet.New(append(options, pacer.ClientOptions()...)...)
//
// Every command ends with its context, and after [DefaultTimeout] if the options set no other timeout. Keys contain the
// SHA-256 hash of the account, webhook or checkpoint behind a prefix, "rpcfleet" by default; related keys share a
// cluster slot. No key and no error contains a secret.
//
// If Redis cannot be reached, a pacer fails the attempt or uses its fallback; a receiver responds to deliveries with
// 503 and runs no callback; saving a checkpoint fails. If a Redis server loses data, by a restart without persistence
// or a failover to a replica that lags behind, a repeated delivery runs again. "appendonly yes" with "appendfsync
// always" prevents this on a single server. "maxmemory-policy noeviction" prevents eviction: a full server rejects new
// deliveries and checkpoints, and keeps those in progress.
package fleetredis
