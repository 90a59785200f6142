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

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/alerts/replaytest"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
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
		"full in a callback that refuses": {untroubled, full, alerts.Permanent(errors.New("no")), []int{422, 422, 422}, 1},
		"full in a callback that fails":   {untroubled, full, errors.New("no"), []int{500, 503, 500}, 2},
		"losing all in the callback":      {untroubled, lost, nil, []int{200, 200, 200}, 1},
		"losing all in one that refuses":  {untroubled, lost, alerts.Permanent(errors.New("no")), []int{422, 422, 422}, 1},
		"losing all in one that fails":    {untroubled, lost, errors.New("no"), []int{500, 500, 500}, 3},
		"losing all in a server that fills": {untroubled, func(s *server) error { return errors.Join(lost(s), full(s)) }, nil,
			[]int{200, 200, 200}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			shared := startRedis(t)
			memory := shared.memory(t, fleetredis.DedupOptions{})
			verifier := must(alerts.NewHMACVerifier([]scalar.Secret{key}, alerts.HeaderNames{}))(t)
			runs := 0
			receiver := must(alerts.NewReceiver(verifier, func(context.Context, *alerts.Delivery) error {
				runs++
				assert.NoError(t, test.during(shared))
				return test.outcome
			}, alerts.WithDedupStore(memory, time.Minute)))(t)
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

// TestDedupStore_lostClaimLeavesNewerClaim: after the loss the delivery, or one that shares a key with it, was granted
// anew.
func TestDedupStore_lostClaimLeavesNewerClaim(t *testing.T) {
	claimOf := func(hash, name string) alerts.Claim {
		headers := alerts.Headers{Nonce: "n", ContentHash: hash, Signature: "of " + hash}
		return alerts.Claim{Identity: headers.Identity(), Name: name}
	}
	lost := claimOf("h", "lost")
	for name, held := range map[string]alerts.Claim{
		"the same delivery": claimOf("h", "held"), "one of the same nonce": claimOf("other", "held"),
	} {
		for _, outcome := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimRejected, alerts.ClaimFailed} {
			t.Run(name+", "+string(outcome), func(t *testing.T) {
				shared := startRedis(t)
				memory := shared.memory(t, fleetredis.DedupOptions{})
				claim := func(c alerts.Claim) alerts.ClaimStatus {
					return must(memory.Claim(t.Context(), c, time.Minute))(t)
				}
				require.Equal(t, alerts.ClaimGranted, claim(lost))
				require.NoError(t, shared.FlushAll(t.Context()).Err())
				require.Equal(t, alerts.ClaimGranted, claim(held))
				require.NoError(t, memory.Settle(t.Context(), lost, outcome, time.Minute))
				require.NoError(t, memory.Settle(t.Context(), held, alerts.ClaimDone, time.Minute))
				assert.Equal(t, alerts.ClaimDone, claim(held))
				assert.Equal(t, alerts.ClaimConflict, claim(claimOf("third", "1")), "the nonce is the second one's")
			})
		}
	}
}

func TestDedupStore_hashesIdentity(t *testing.T) {
	shared := startRedis(t)
	memory := shared.memory(t, fleetredis.DedupOptions{Prefix: "mine"})
	headers := alerts.Headers{Nonce: "nonce-1", ContentHash: "hash-1", Signature: "signature-1"}
	claim := alerts.Claim{Identity: headers.Identity(), Name: "1"}
	// expire checks that the keys of the delivery are kept for this time.
	expire := func(most time.Duration) {
		keys := must(shared.Keys(t.Context(), "*").Result())(t)
		assert.Len(t, keys, 3)
		for _, key := range keys {
			assert.True(t, strings.HasPrefix(key, "mine:dedup:{"), key)
			for _, text := range []string{"destination-1", "nonce-1", "hash-1", "signature-1"} {
				assert.NotContains(t, key, text)
			}
			if !strings.HasSuffix(key, ":all") {
				left := must(shared.PTTL(t.Context(), key).Result())(t)
				assert.WithinRange(t, time.Time{}.Add(left), time.Time{}.Add(most-30*time.Second), time.Time{}.Add(most), key)
			}
		}
	}
	for range 2 { // As go-redis does if the first reply is lost.
		assert.Equal(t, alerts.ClaimGranted, must(memory.Claim(t.Context(), claim, time.Minute))(t))
	}
	expire(time.Minute)
	require.NoError(t, memory.Settle(t.Context(), claim, alerts.ClaimDone, time.Minute))
	expire(2 * time.Minute) // With a minute for the clocks of replicas.
}
