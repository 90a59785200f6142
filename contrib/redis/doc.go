// Package fleetredis lets programs on several machines act as one towards the service, through a Redis server (7 or
// newer) that they share:
//
//   - [Pacer] keeps all replicas together under one request limit.
//   - [ReplayMemory] has each delivery to a webhook carried out once, whichever replica it reaches.
//   - [Checkpoints] keeps where a program that follows logs has come to, so that another one goes on from there.
//
// Each takes a client of go-redis, single, cluster or ring, and leaves its settings alone:
//
//	shared := redis.NewClient(&redis.Options{Addr: "redis.internal:6379"})
//	pacer, err := fleetredis.NewPacer(shared, key, fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 50, Reserve: 10}})
//	if err != nil {
//		return err
//	}
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key.Reveal()), rpcfleet.WithPacer(pacer))
//
// Every command ends with its context, and after [DefaultTimeout] at the latest, unless the options say otherwise. What
// identifies an account, a webhook or a checkpoint stands in keys as a SHA-256 hash, behind a prefix, "rpcfleet" unless
// set; keys of one thing share a slot of a cluster. No key and no error holds a secret.
//
// When Redis cannot be reached, a pacer fails the attempt or hands over to a local one, as its options say; a receiver
// responds to deliveries with 503 and runs nothing; and a checkpoint is not saved, which is an error. What a Redis
// server loses, by a restart without persistence or by a failover to a replica that lags behind, is forgotten: a
// delivery that comes again is then carried out again. "appendonly yes" with "appendfsync always" keeps a single server
// from that, and "maxmemory-policy noeviction" from forgetting under pressure: a server at its maxmemory refuses further
// deliveries and checkpoints instead, and what is under way is remembered.
package fleetredis
