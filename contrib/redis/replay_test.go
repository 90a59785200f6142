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
			}, alerts.WithDedupStore(memory)))(t)
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

// TestDedupStore_lostClaimLeavesNewerClaim: after the loss the delivery, or one that shares a mark with it, was granted
// anew.
func TestDedupStore_lostClaimLeavesNewerClaim(t *testing.T) {
	first := alerts.Headers{Nonce: "n", ContentHash: "h", Signature: "s"}
	for name, test := range map[string]struct {
		second  alerts.Headers
		settled error
	}{
		"the same delivery":     {first, alerts.ErrClaimLost},
		"one of the same nonce": {alerts.Headers{Nonce: "n", ContentHash: "other", Signature: "other"}, nil},
	} {
		for _, outcome := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimRejected, alerts.ClaimFailed} {
			t.Run(name+", "+outcome.String(), func(t *testing.T) {
				shared := startRedis(t)
				memory := shared.memory(t, fleetredis.DedupOptions{})
				lost := must(memory.Claim(t.Context(), first.Identity(), time.Minute))(t)
				require.NoError(t, shared.FlushAll(t.Context()).Err())
				held := must(memory.Claim(t.Context(), test.second.Identity(), time.Minute))(t)
				require.Equal(t, alerts.ClaimGranted, held.Status)
				require.ErrorIs(t, memory.Settle(t.Context(), lost, outcome), test.settled)
				require.NoError(t, memory.Settle(t.Context(), held, alerts.ClaimDone))
				again := must(memory.Claim(t.Context(), test.second.Identity(), time.Minute))(t)
				assert.Equal(t, alerts.ClaimDone, again.Status)
				third := alerts.Headers{Nonce: "n", ContentHash: "third", Signature: "third"}
				again = must(memory.Claim(t.Context(), third.Identity(), time.Minute))(t)
				assert.Equal(t, alerts.ClaimConflict, again.Status, "the nonce is the second one's")
			})
		}
	}
}

func TestDedupStore_hashesIdentity(t *testing.T) {
	shared := startRedis(t)
	memory := shared.memory(t, fleetredis.DedupOptions{Prefix: "mine"})
	headers := alerts.Headers{Nonce: "nonce-1", ContentHash: "hash-1", Signature: "signature-1"}
	// expire checks that the keys of the delivery are kept for this time.
	expire := func(most time.Duration) {
		keys := must(shared.Keys(t.Context(), "*").Result())(t)
		assert.Len(t, keys, 5)
		for _, key := range keys {
			assert.True(t, strings.HasPrefix(key, "mine:dedup:{"), key)
			for _, text := range []string{"destination-1", "nonce-1", "hash-1", "signature-1"} {
				assert.NotContains(t, key, text)
			}
			if !strings.HasSuffix(key, ":fence") && !strings.HasSuffix(key, ":all") {
				left := must(shared.PTTL(t.Context(), key).Result())(t)
				assert.WithinRange(t, time.Time{}.Add(left), time.Time{}.Add(most-30*time.Second), time.Time{}.Add(most), key)
			}
		}
	}
	claim := must(memory.Claim(t.Context(), headers.Identity(), time.Minute))(t)
	expire(3 * time.Minute) // With the lease, and a minute for the clocks of replicas.
	require.EqualError(t, memory.Settle(t.Context(), claim, alerts.ClaimGranted), "fleetredis: a claim cannot be settled as granted")
	require.NoError(t, memory.Settle(t.Context(), claim, alerts.ClaimDone))
	expire(2 * time.Minute)
}
