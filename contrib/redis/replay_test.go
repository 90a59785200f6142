package fleetredis_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
	"github.com/rpcfleet/rpcfleet-go/webhooks/replaytest"
)

func TestDedupStore_meetsContract(t *testing.T) {
	shared := startRedis(t)
	replaytest.Run(t, func(t *testing.T) replaytest.Options {
		memory := must(fleetredis.NewDedupStore(shared, t.Name(), fleetredis.DedupOptions{MaxDeliveries: 3}))(t)
		return replaytest.Options{Memory: memory, Capacity: 3, Advance: func(by time.Duration) { shared.age(t, by) }}
	})
}

// TestDedupStore_failingServerRunsDeliveryOnce sends one delivery three times, and has the server get into trouble
// before the first or during its callback. Before the last one all is well again.
func TestDedupStore_failingServerRunsDeliveryOnce(t *testing.T) {
	full := func(shared *server) error { return shared.ConfigSet(context.Background(), "maxmemory", "1").Err() }
	lost := func(shared *server) error { return shared.FlushAll(context.Background()).Err() }
	untroubled := func(*server) error { return nil }
	for name, test := range map[string]struct {
		before, during func(*server) error
		outcome        error
		statuses       []int
		runs           int
	}{
		"full before the claim":           {full, untroubled, nil, []int{503, 503, 200}, 1},
		"full in the callback":            {untroubled, full, nil, []int{200, 200, 200}, 1},
		"full in a callback that refuses": {untroubled, full, webhooks.Permanent(errors.New("no")), []int{422, 422, 422}, 1},
		"full in a callback that fails":   {untroubled, full, errors.New("no"), []int{500, 503, 500}, 2},
		"losing all in the callback":      {untroubled, lost, nil, []int{200, 200, 200}, 1},
		"losing all in one that refuses":  {untroubled, lost, webhooks.Permanent(errors.New("no")), []int{422, 422, 422}, 1},
		"losing all in one that fails":    {untroubled, lost, errors.New("no"), []int{500, 500, 500}, 3},
		"losing all in a server that fills": {untroubled, func(s *server) error { return errors.Join(lost(s), full(s)) }, nil,
			[]int{200, 200, 200}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			shared := startRedis(t)
			memory := shared.memory(t, fleetredis.DedupOptions{})
			verifier := must(webhooks.NewVerifier([]scalar.Secret{key}))(t)
			runs := 0
			receiver := must(webhooks.NewReceiver(verifier, func(context.Context, *webhooks.Delivery) error {
				runs++
				assert.NoError(t, test.during(shared))
				return test.outcome
			}, webhooks.WithDedupStore(memory, time.Minute)))(t)
			hook := httptest.NewServer(receiver)
			defer hook.Close()
			require.NoError(t, test.before(shared))
			for i, want := range test.statuses {
				if i == len(test.statuses)-1 {
					require.NoError(t, shared.ConfigSet(t.Context(), "maxmemory", "0").Err())
				}
				assert.Equal(t, want, deliver(t, http.DefaultClient, hook.URL, 1), "delivery %d", i+1)
			}
			assert.Equal(t, test.runs, runs)
		})
	}
}

func TestDedupStore_keysHideTheWebhook(t *testing.T) {
	shared := startRedis(t)
	memory := shared.memory(t, fleetredis.DedupOptions{Prefix: "mine"})
	claim := webhooks.Claim{Delivery: "hash of a signature", Name: "1"}
	// expire checks that the key of the delivery is kept for this time.
	expire := func(most time.Duration) {
		keys := must(shared.Keys(t.Context(), "*").Result())(t)
		assert.Len(t, keys, 2)
		for _, key := range keys {
			assert.True(t, strings.HasPrefix(key, "mine:dedup:{"), key)
			assert.NotContains(t, key, "destination-1")
			if !strings.HasSuffix(key, ":all") {
				left := must(shared.PTTL(t.Context(), key).Result())(t)
				assert.WithinRange(t, time.Time{}.Add(left), time.Time{}.Add(most-30*time.Second), time.Time{}.Add(most), key)
			}
		}
	}
	for range 2 { // As go-redis does if the first reply is lost.
		assert.Equal(t, webhooks.ClaimGranted, must(memory.Claim(t.Context(), claim, time.Minute))(t))
	}
	expire(time.Minute)
	require.NoError(t, memory.Settle(t.Context(), claim, webhooks.ClaimDone, time.Minute))
	expire(2 * time.Minute) // With a minute for the clocks of replicas.
}
