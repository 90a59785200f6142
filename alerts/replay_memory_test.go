package alerts_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/alerts/replaytest"
)

func TestMemoryDedupStore_meetsContract(t *testing.T) {
	replaytest.Run(t, func(t *testing.T) replaytest.Options {
		return replaytest.Options{Memory: must(alerts.NewMemoryDedupStore(3))(t), Capacity: 3}
	})
	_, err := alerts.NewMemoryDedupStore(0)
	require.EqualError(t, err, "alerts: the store must have room for at least 1 delivery")
	require.EqualError(t, alerts.ErrClaimLost, "alerts: the delivery was granted to another claim")
}

// TestClaimStatus_namesAndEnds names all of them. A claim ends in three of them alone.
func TestClaimStatus_namesAndEnds(t *testing.T) {
	memory := must(alerts.NewMemoryDedupStore(1))(t)
	claim := must(memory.Claim(t.Context(), (&alerts.Headers{Nonce: "n"}).Identity(), time.Minute))(t)
	for status, name := range map[alerts.ClaimStatus]string{
		0: "unknown", alerts.ClaimGranted: "granted", alerts.ClaimInProgress: "in progress", alerts.ClaimDone: "done",
		alerts.ClaimRejected: "rejected",
		alerts.ClaimFailed:   "failed", alerts.ClaimConflict: "conflict", alerts.ClaimStoreFull: "store full",
		alerts.ClaimStoreFull +
			1: "unknown",
	} {
		assert.Equal(t, name, status.String())
		switch status {
		case alerts.ClaimDone, alerts.ClaimRejected, alerts.ClaimFailed:
		default:
			require.EqualError(t, memory.Settle(t.Context(), claim, status), "alerts: a claim cannot be settled as "+name)
		}
	}
	require.NoError(t, memory.Settle(t.Context(), claim, alerts.ClaimFailed))
}

func TestMemoryDedupStore_forgetsExpiredClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := must(alerts.NewMemoryDedupStore(1))(t)
		id := (&alerts.Headers{Nonce: "n"}).Identity()
		claim := must(memory.Claim(t.Context(), id, time.Minute))(t)
		require.NoError(t, memory.Settle(t.Context(), claim, alerts.ClaimDone))
		for _, want := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimGranted} {
			time.Sleep(time.Minute)
			assert.Equal(t, want, must(memory.Claim(t.Context(), id, time.Minute))(t).Status)
		}
	})
}

// scriptedMemory claims and settles as its script requires.
type scriptedMemory struct {
	claim              alerts.Claim
	claiming, settling error
	settled            []alerts.ClaimStatus
	keep               time.Duration
	live               error // Of the context that Settle was given.
}

func (m *scriptedMemory) Claim(_ context.Context, _ alerts.Identity, keep time.Duration) (alerts.Claim, error) {
	m.keep = keep
	return m.claim, m.claiming
}

func (m *scriptedMemory) Settle(ctx context.Context, _ alerts.Claim, outcome alerts.ClaimStatus) error {
	m.settled, m.live = append(m.settled, outcome), ctx.Err()
	return m.settling
}

func TestReceiver_obeysDedupStore(t *testing.T) {
	broken := errors.New("no connection to the memory")
	granted := alerts.Claim{Status: alerts.ClaimGranted, FencingToken: 7, Lease: time.Hour}
	for name, test := range map[string]struct {
		memory   scriptedMemory
		callback error
		status   int
		runs     int
		settled  []alerts.ClaimStatus
	}{
		"it grants": {scriptedMemory{claim: granted}, nil, 200, 1,
			[]alerts.ClaimStatus{alerts.ClaimDone}},
		"the callback fails": {scriptedMemory{claim: granted}, broken, 500, 1,
			[]alerts.ClaimStatus{alerts.ClaimFailed}},
		"the callback does not want it": {scriptedMemory{claim: granted}, alerts.Permanent(broken), 422, 1,
			[]alerts.ClaimStatus{alerts.ClaimRejected}},
		"it cannot be reached": {scriptedMemory{claim: granted, claiming: broken}, nil, 503, 0, nil},
		"it cannot be reached any more": {scriptedMemory{claim: granted, settling: broken}, nil, 200, 1,
			[]alerts.ClaimStatus{alerts.ClaimDone}},
		"another took the delivery over": {scriptedMemory{claim: granted, settling: alerts.ErrClaimLost}, nil, 503, 1,
			[]alerts.ClaimStatus{alerts.ClaimDone}},
		"and this one had failed": {scriptedMemory{claim: granted, settling: alerts.ErrClaimLost}, broken, 500, 1,
			[]alerts.ClaimStatus{alerts.ClaimFailed}},
		"an unknown status": {scriptedMemory{}, nil, 503, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token), alerts.WithDedupStore(&test.memory), alerts.WithTolerance(time.Minute))
			hook.answers(func(ctx context.Context, d *alerts.Delivery) error {
				assert.Equal(t, int64(7), d.FencingToken)
				deadline, _ := ctx.Deadline()
				assert.WithinRange(t, deadline, time.Now(), time.Now().Add(time.Hour), "the lease bounds the callback")
				return test.callback
			})
			assert.Equal(t, test.status, hook.status(hook.signed("n1")))
			assert.Equal(t, test.runs, hook.runs())
			assert.Equal(t, test.settled, test.memory.settled)
			assert.Equal(t, 2*time.Minute, test.memory.keep, "for as long as the timestamp can be acceptable")
		})
	}
}

func TestReceiver_settlesClaimAfterDisconnect(t *testing.T) {
	memory := &scriptedMemory{claim: alerts.Claim{Status: alerts.ClaimGranted}}
	ctx, cancel := context.WithCancel(t.Context())
	receiver := must(alerts.NewReceiver(byHMAC(t, token), func(context.Context, *alerts.Delivery) error {
		cancel()
		return nil
	}, alerts.WithDedupStore(memory)))(t)
	request := newRequest(t)
	request.Method = http.MethodGet
	require.NoError(t,
		alerts.Signer{Token: token}.Sign(request.Header, alerts.Headers{Timestamp: time.Now(), Nonce: "n", ContentHash: "h"}))
	receiver.ServeHTTP(discard{}, request.WithContext(ctx))
	assert.Equal(t, []alerts.ClaimStatus{alerts.ClaimDone}, memory.settled)
	assert.NoError(t, memory.live)
}

type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func TestReceivers_sharedStoreRunsDeliveryOnce(t *testing.T) {
	memory := must(alerts.NewMemoryDedupStore(10))(t)
	one, other := listen(t, byHMAC(t, token), alerts.WithDedupStore(memory)),
		listen(t, byHMAC(t, token), alerts.WithDedupStore(memory))
	request := one.signed("n1")
	assert.Equal(t, http.StatusOK, one.status(copyOf(t, request)))
	request.URL, request.Host = other.signed("n1").URL, ""
	assert.Equal(t, http.StatusOK, other.status(request))
	assert.Equal(t, 1, one.runs()+other.runs())
}
