package fleetredis

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// DedupStore is an [alerts.DedupStore] that receivers on several machines share. Use [NewDedupStore] to create
// one.
//
// A replica that is granted a delivery holds a lease on it. If it is killed, the replica that receives the delivery
// after the lease takes over with a greater fence, and the first replica can no longer confirm anything. Deliveries are
// remembered for a minute longer than a receiver asks for, because clocks of replicas may differ: see
// [alerts.WithTolerance] for a clock that is set back after that. If Redis cannot be reached or is at its maxmemory,
// Claim fails, and the receiver responds with 503; if the command was lost on its way back, the delivery is in progress
// until its lease ends. Settle retries until its context ends. It needs no more memory than the claim has taken. If
// Redis has lost the claim meanwhile, the outcome is stored nevertheless, unless another claim has been granted since.
type DedupStore struct {
	client  redis.UniversalClient
	key     string
	options DedupOptions
}

// DedupOptions configure a [DedupStore].
type DedupOptions struct {
	// Lease is how long a callback may take before another replica takes the delivery over, a minute by default.
	Lease time.Duration
	// MaxDeliveries is the largest number of deliveries that are remembered, 100,000 by default. Further ones get a 503.
	// Each takes about 700 bytes of the server.
	MaxDeliveries int
	// Prefix is the first part of all keys, "rpcfleet" by default. It must not contain braces.
	Prefix string
	// Timeout bounds a command, [DefaultTimeout] by default.
	Timeout time.Duration
}

// clockSkew is the largest difference between the clocks of replicas.
const clockSkew = time.Minute

var (
	//go:embed claim.lua
	claimSource string
	//go:embed settle.lua
	settleSource string

	claimScript  = redis.NewScript(claimSource)
	settleScript = redis.NewScript(settleSource)
)

// NewDedupStore returns a memory for the receivers of one webhook, identified by a name such as the destination's id.
func NewDedupStore(client redis.UniversalClient, webhook string, options DedupOptions) (*DedupStore, error) {
	switch {
	case client == nil:
		return nil, errors.New("fleetredis: the client must not be nil")
	case webhook == "":
		return nil, errors.New("fleetredis: the name of the webhook must not be empty")
	case options.Lease < 0 || options.Lease > 0 && options.Lease < time.Second:
		return nil, errors.New("fleetredis: the lease must be at least a second")
	case options.MaxDeliveries < 0:
		return nil, errors.New("fleetredis: the number of deliveries must not be negative")
	}
	if err := checkPrefix(options.Prefix); err != nil {
		return nil, err
	}
	options.Lease = cmp.Or(options.Lease, time.Minute)
	options.MaxDeliveries = cmp.Or(options.MaxDeliveries, 100_000)
	return &DedupStore{client, keyOf(options.Prefix, "dedup", webhook), options}, nil
}

// Claim implements [alerts.DedupStore].
func (m *DedupStore) Claim(ctx context.Context, delivery alerts.Identity, keep time.Duration) (alerts.Claim, error) {
	lease := m.options.Lease
	// The text identifies this claim: if its reply is lost, go-redis sends it again and the claim is granted.
	arguments := []any{
		delivery.Sum.String(), rand.Text(), lease.Milliseconds(), (keep + clockSkew).Milliseconds(), m.options.MaxDeliveries,
	}
	reply, err := bounded(ctx, m.options.Timeout, func(ctx context.Context) ([]any, error) {
		return claimScript.Run(ctx, m.client, m.keys(&delivery), arguments...).Slice()
	})
	if err != nil {
		return alerts.Claim{}, fmt.Errorf("fleetredis: claiming a delivery: %w", err)
	}
	claim := alerts.Claim{Delivery: delivery, TTL: keep}
	if len(reply) == 2 {
		name, _ := reply[0].(string)
		claim.Status = statusOf(name)
		claim.FencingToken, _ = reply[1].(int64)
	}
	switch claim.Status {
	case 0:
		return alerts.Claim{}, errors.New("fleetredis: claiming a delivery: unexpected reply")
	case alerts.ClaimGranted:
		claim.Lease = lease
	}
	return claim, nil
}

// statusOf returns the status with this text, which the scripts use, or 0.
func statusOf(text string) alerts.ClaimStatus {
	for status := alerts.ClaimGranted; status <= alerts.ClaimStoreFull; status++ {
		if status.String() == text {
			return status
		}
	}
	return 0
}

// Settle implements [alerts.DedupStore].
func (m *DedupStore) Settle(ctx context.Context, claim alerts.Claim, outcome alerts.ClaimStatus) error {
	if outcome != alerts.ClaimDone && outcome != alerts.ClaimRejected && outcome != alerts.ClaimFailed {
		return fmt.Errorf("fleetredis: a claim cannot be settled as %s", outcome)
	}
	arguments := []any{claim.Delivery.Sum.String(), claim.FencingToken, outcome.String(), (claim.TTL + clockSkew).Milliseconds()}
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		settled, err := bounded(ctx, m.options.Timeout, func(ctx context.Context) (bool, error) {
			return settleScript.Run(ctx, m.client, m.keys(&claim.Delivery), arguments...).Bool()
		})
		switch {
		case err == nil && settled:
			return nil
		case err == nil:
			return alerts.ErrClaimLost
		case sleep(ctx, wait) != nil:
			return fmt.Errorf("fleetredis: settling a delivery: %w", err)
		}
	}
}

// keys returns the keys of the scripts: the delivery, the last fence, the set of deliveries, and the keys.
func (m *DedupStore) keys(delivery *alerts.Identity) []string {
	keys := []string{m.key + ":delivery:" + delivery.Sum.String(), m.key + ":fence", m.key + ":all"}
	for _, key := range delivery.Keys {
		keys = append(keys, m.key+":key:"+key.String())
	}
	return keys
}
