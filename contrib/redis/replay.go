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

// ReplayMemory is an [alerts.ReplayMemory] that receivers on several machines share. Use [NewReplayMemory] to make one.
//
// A replica that is granted a delivery has a lease on it. If it is killed in the middle, whichever replica the delivery
// reaches after the lease takes it over, under a greater fence, and the first one, should it still be there after all,
// can confirm nothing any more. Deliveries are remembered for a minute longer than a receiver asks for, because clocks
// of replicas may differ. When Redis cannot be reached, or is at its maxmemory, Claim fails, and a receiver responds with
// 503. Settle tries until its context ends. It needs no more memory than the claim has taken, and a Redis that has lost
// the claim meanwhile remembers the outcome nevertheless, unless it has granted the delivery to another claim since.
type ReplayMemory struct {
	client  redis.UniversalClient
	key     string
	options ReplayOptions
}

// ReplayOptions are the options of a [ReplayMemory].
type ReplayOptions struct {
	// Lease is how long a delivery may be under way before another replica takes it over, and so how long a callback
	// may take: a minute unless set.
	Lease time.Duration
	// MaxDeliveries is how many deliveries are remembered at most, 100,000 unless set. Further ones get a 503. Each takes
	// some 700 bytes of the server.
	MaxDeliveries int
	// Prefix begins the keys, "rpcfleet" unless set. It must not contain braces.
	Prefix string
	// Timeout bounds a command, [DefaultTimeout] unless set.
	Timeout time.Duration
}

// clockSkew is by how much the clocks of replicas may differ.
const clockSkew = time.Minute

var (
	//go:embed claim.lua
	claimSource string
	//go:embed settle.lua
	settleSource string

	claimScript  = redis.NewScript(claimSource)
	settleScript = redis.NewScript(settleSource)
)

// standings are those that the scripts tell.
var standings = map[string]alerts.Standing{
	"granted": alerts.Granted, "underway": alerts.Underway, "carriedout": alerts.CarriedOut, "unwanted": alerts.Unwanted,
	"altered": alerts.Altered, "full": alerts.Full,
}

// outcomes are the names that the scripts have for them.
var outcomes = map[alerts.Standing]string{
	alerts.CarriedOut: "carriedout", alerts.Unwanted: "unwanted", alerts.Failed: "failed",
}

// NewReplayMemory makes a memory for the receivers of one webhook, which its name identifies, such as the id of the
// destination.
func NewReplayMemory(client redis.UniversalClient, webhook string, options ReplayOptions) (*ReplayMemory, error) {
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
	return &ReplayMemory{client, keyOf(options.Prefix, "replay", webhook), options}, nil
}

// Claim implements [alerts.ReplayMemory].
func (m *ReplayMemory) Claim(ctx context.Context, delivery alerts.Identity, keep time.Duration) (alerts.Claim, error) {
	lease := m.options.Lease
	// The text names this claim, so that one whose reply got lost is still its own when go-redis sends it again.
	arguments := []any{
		delivery.Whole.String(), rand.Text(), lease.Milliseconds(), (keep + clockSkew).Milliseconds(), m.options.MaxDeliveries,
	}
	reply, err := bounded(ctx, m.options.Timeout, func(ctx context.Context) ([]any, error) {
		return claimScript.Run(ctx, m.client, m.keys(&delivery), arguments...).Slice()
	})
	if err != nil {
		return alerts.Claim{}, fmt.Errorf("fleetredis: claiming a delivery: %w", err)
	}
	claim := alerts.Claim{Delivery: delivery, Keep: keep}
	if len(reply) == 2 {
		name, _ := reply[0].(string)
		claim.Standing = standings[name]
		claim.Fence, _ = reply[1].(int64)
	}
	switch claim.Standing {
	case 0:
		return alerts.Claim{}, errors.New("fleetredis: claiming a delivery: the reply makes no sense")
	case alerts.Granted:
		claim.Lease = lease
	}
	return claim, nil
}

// Settle implements [alerts.ReplayMemory].
func (m *ReplayMemory) Settle(ctx context.Context, claim alerts.Claim, outcome alerts.Standing) error {
	name := outcomes[outcome]
	if name == "" {
		return fmt.Errorf("fleetredis: a claim cannot be settled as %s", outcome)
	}
	arguments := []any{claim.Delivery.Whole.String(), claim.Fence, name, (claim.Keep + clockSkew).Milliseconds()}
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

// keys are those that the scripts use: of the delivery, of the last fence, of all deliveries, and of the marks.
func (m *ReplayMemory) keys(delivery *alerts.Identity) []string {
	keys := []string{m.key + ":delivery:" + delivery.Whole.String(), m.key + ":fence", m.key + ":all"}
	for _, mark := range delivery.Marks {
		keys = append(keys, m.key+":mark:"+mark.String())
	}
	return keys
}
