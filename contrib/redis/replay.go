package fleetredis

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// DedupStore is an [webhooks.DedupStore] that receivers on several machines share. Use [NewDedupStore] to create
// one.
//
// If a replica is killed during a callback, another one can claim the delivery after the timeout of
// [webhooks.WithDedupStore]. Deliveries are remembered for a minute longer than a receiver asks for, because clocks of
// replicas may differ: see [webhooks.WithTolerance] for a clock that is set back after that. If Redis cannot be reached
// or is at its maxmemory, Claim fails, and the receiver responds with 503; if the reply was lost, the delivery is in
// progress until the timeout. Settle retries until its context ends. It needs no more memory than the claim has taken.
// If Redis has lost the claim meanwhile, the outcome is stored nevertheless.
type DedupStore struct {
	client  redis.UniversalClient
	key     string
	options DedupOptions
}

// DedupOptions configure a [DedupStore].
type DedupOptions struct {
	// MaxDeliveries is the largest number of deliveries that are remembered, 100,000 by default. Further ones get a 503.
	// Each takes about 800 bytes of the server.
	MaxDeliveries int
	// Prefix is the first part of all keys, "rpcfleet" by default.
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

// NewDedupStore returns a memory for the receivers of one webhook, identified by a name such as its id.
func NewDedupStore(client redis.UniversalClient, webhook string, options DedupOptions) (*DedupStore, error) {
	switch {
	case client == nil:
		return nil, errors.New("fleetredis: the client must not be nil")
	case webhook == "":
		return nil, errors.New("fleetredis: the name of the webhook must not be empty")
	case options.MaxDeliveries < 0:
		return nil, errors.New("fleetredis: the number of deliveries must not be negative")
	}
	options.MaxDeliveries = cmp.Or(options.MaxDeliveries, 100_000)
	return &DedupStore{client, keyOf(options.Prefix, "dedup", webhook), options}, nil
}

// Claim implements [webhooks.DedupStore].
func (m *DedupStore) Claim(ctx context.Context, claim webhooks.Claim, ttl time.Duration) (webhooks.ClaimStatus, error) {
	status, err := bounded(ctx, m.options.Timeout, func(ctx context.Context) (string, error) {
		return claimScript.Run(ctx, m.client, m.keys(claim),
			claim.Delivery, claim.Name, ttl.Milliseconds(), m.options.MaxDeliveries).Text()
	})
	if err != nil {
		return "", fmt.Errorf("fleetredis: claiming a delivery: %w", err)
	}
	return webhooks.ClaimStatus(status), nil
}

// Settle implements [webhooks.DedupStore].
func (m *DedupStore) Settle(
	ctx context.Context, claim webhooks.Claim, outcome webhooks.ClaimStatus, ttl time.Duration,
) error {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		_, err := bounded(ctx, m.options.Timeout, func(ctx context.Context) (int, error) {
			return settleScript.Run(ctx, m.client, m.keys(claim),
				claim.Delivery, claim.Name, string(outcome), (ttl + clockSkew).Milliseconds()).Int()
		})
		if err == nil {
			return nil
		}
		if sleep(ctx, wait) != nil {
			return fmt.Errorf("fleetredis: settling a delivery: %w", err)
		}
	}
}

// keys returns the keys of the scripts: the set of deliveries, and the delivery.
func (m *DedupStore) keys(claim webhooks.Claim) []string {
	return []string{m.key + ":all", m.key + ":delivery:" + claim.Delivery}
}
