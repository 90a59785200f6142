package webhooks_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/webhooks"
	"github.com/rpcfleet/rpcfleet-go/webhooks/replaytest"
)

// TestReceiver_runsDeliveryOnce: a repetition has the nonce and the signature of the first. A batch that comes again
// after a reorganization of its chain has its own, and is executed again although its range is the same.
func TestReceiver_runsDeliveryOnce(t *testing.T) {
	hook := listen(t, verifier(t, token))
	batch := func(nonce string) *http.Request {
		request := hook.signed(nonce)
		request.Header.Set("batch-start-range", "100")
		return request
	}
	assert.Equal(t, http.StatusOK, hook.status(batch("n1")))
	assert.Equal(t, http.StatusOK, hook.status(batch("n1")), "its sender lost the first response")
	prefixed, inGzip := batch("n1"), batch("n1")
	prefixed.Header.Set("x-qn-signature", "sha256="+prefixed.Header.Get("x-qn-signature"))
	assert.Equal(t, http.StatusOK, hook.status(prefixed))
	body := zipped(t, payloadText)
	inGzip.Body, inGzip.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	inGzip.Header.Set("Content-Encoding", "gzip")
	assert.Equal(t, http.StatusOK, hook.status(inGzip))
	assert.Len(t, hook.ran, 1)
	assert.Equal(t, http.StatusOK, hook.status(batch("n2")), "after a reorganization")
	assert.Equal(t, 2, len(hook.ran))
	assert.Equal(t, hook.ran[0].Batch, hook.ran[1].Batch)
	hook.now = hook.now.Add(time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(batch("n1")), "the same nonce, signed anew")
	assert.Equal(t, 3, len(hook.ran))

	hook.now = hook.now.Add(10 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")), "which makes the store forget the first")
	hook.now = hook.now.Add(-11 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, 5, len(hook.ran), "a clock that is set back: see the limits in SECURITY.md")
}

func TestReceiver_panicAllowsRedelivery(t *testing.T) {
	memory := &scriptedMemory{status: webhooks.ClaimGranted}
	assert.Panics(t, func() {
		memory.send(t.Context(), t, io.Discard, func(context.Context, *webhooks.Delivery) error { panic("made-up") })
	})
	assert.Equal(t, []webhooks.ClaimStatus{webhooks.ClaimFailed}, memory.settled)
}

func TestReceiver_noncesAreBoundedAndForgotten(t *testing.T) {
	hook := listen(t, verifier(t, token), webhooks.WithMaxTracked(2), webhooks.WithTolerance(time.Minute))
	// The first is signed a minute ahead, so that its timestamp is acceptable for two minutes.
	ahead := func() *http.Request {
		request := hook.signed("n1")
		sign(t, request, "n1", noon.Add(time.Minute))
		return request
	}
	assert.Equal(t, http.StatusOK, hook.status(ahead()))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")))
	response := hook.send(hook.signed("n3"))
	assert.Equal(t, http.StatusServiceUnavailable, response.Code)
	assert.Equal(t, "1", response.Header().Get("Retry-After"))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")), "what is remembered stays known")
	assert.Equal(t, 2, len(hook.ran))

	hook.now = hook.now.Add(2 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(ahead()), "still acceptable, and still known")
	assert.Equal(t, 2, len(hook.ran))
	hook.now = hook.now.Add(time.Second)
	assert.Equal(t, http.StatusUnauthorized, hook.status(ahead()))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")), "there is room again")
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n4")))
	assert.Equal(t, http.StatusServiceUnavailable, hook.status(hook.signed("n5")))
}

// TestReceiver_concurrentDuplicatesRunOnce sends 20 copies of 100 deliveries at once. All duplicates end before the ones
// that are executed.
func TestReceiver_concurrentDuplicatesRunOnce(t *testing.T) {
	const deliveries, copies = 100, 20
	var runs atomic.Int64
	leave := make(chan struct{})
	receiver := newReceiver(t, func(context.Context, *webhooks.Delivery) error {
		runs.Add(1)
		<-leave
		return nil
	})
	at := time.Now()
	send := func(i int) int {
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(payloadText))
		sign(t, request, fmt.Sprint("n", i), at)
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, request)
		return w.Code
	}
	statuses := make(chan int, deliveries*copies)
	for i := range deliveries * copies {
		go func() { statuses <- send(i % deliveries) }()
	}
	for range deliveries * (copies - 1) {
		require.Equal(t, http.StatusServiceUnavailable, <-statuses)
	}
	close(leave)
	for range deliveries {
		assert.Equal(t, http.StatusOK, <-statuses)
	}
	for i := range deliveries {
		assert.Equal(t, http.StatusOK, send(i))
	}
	assert.Equal(t, int64(deliveries), runs.Load())
}

func TestMemoryStore_meetsContract(t *testing.T) {
	replaytest.Run(t, func(t *testing.T) replaytest.Options {
		return replaytest.Options{Memory: webhooks.NewMemoryStore(3), Capacity: 3}
	})
}

func TestMemoryStore_forgetsSettledClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := webhooks.NewMemoryStore(1)
		claim := webhooks.Claim{Delivery: "d"}
		assert.Equal(t, webhooks.ClaimGranted, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		time.Sleep(24 * time.Hour)
		assert.Equal(t, webhooks.ClaimInProgress, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		require.NoError(t, memory.Settle(t.Context(), claim, webhooks.ClaimDone, time.Minute))
		for _, want := range []webhooks.ClaimStatus{webhooks.ClaimDone, webhooks.ClaimGranted} {
			time.Sleep(time.Minute)
			assert.Equal(t, want, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		}
	})
}

// scriptedMemory claims and settles as its script requires.
type scriptedMemory struct {
	status             webhooks.ClaimStatus
	claiming, settling error

	claimed, held []webhooks.Claim
	settled       []webhooks.ClaimStatus
	ttls          []time.Duration // Of claims and settlements.
	live          error           // Of the context that Settle was given.
}

func (m *scriptedMemory) Claim(_ context.Context, c webhooks.Claim, ttl time.Duration) (webhooks.ClaimStatus, error) {
	m.claimed, m.ttls = append(m.claimed, c), append(m.ttls, ttl)
	return m.status, m.claiming
}

func (m *scriptedMemory) Settle(ctx context.Context, c webhooks.Claim, as webhooks.ClaimStatus, ttl time.Duration) error {
	m.held, m.ttls = append(m.held, c), append(m.ttls, ttl)
	m.settled, m.live = append(m.settled, as), ctx.Err()
	return m.settling
}

// send delivers the nonce to a new receiver with this memory.
func (m *scriptedMemory) send(ctx context.Context, t *testing.T, log io.Writer, reply webhooks.Callback,
) *httptest.ResponseRecorder {
	t.Helper()
	receiver := newReceiver(t, reply, webhooks.WithDedupStore(m, time.Hour), webhooks.WithTolerance(time.Minute),
		webhooks.WithLogger(slog.New(slog.NewJSONHandler(log, nil))))
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(payloadText))
	sign(t, request, "n1", time.Now())
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, request)
	// Receivers of several versions of this library may share a store.
	sum := sha256.Sum256([]byte(request.Header.Get("x-qn-signature")))
	assert.Equal(t, hex.EncodeToString(sum[:]), m.claimed[len(m.claimed)-1].Delivery)
	return w
}

// TestReceiver_obeysDedupStore has deliveries that are not granted, or not accepted by their callback.
func TestReceiver_obeysDedupStore(t *testing.T) {
	broken := errors.New("made-up failure")
	require.NoError(t, webhooks.Permanent(nil))
	require.ErrorIs(t, webhooks.Permanent(broken), broken)
	failed, rejected := []webhooks.ClaimStatus{webhooks.ClaimFailed}, []webhooks.ClaimStatus{webhooks.ClaimRejected}
	const noRoom = "too many deliveries in a short time"
	for name, test := range map[string]struct {
		memory        scriptedMemory
		callback      error
		status        int
		reason, cause string
		settled       []webhooks.ClaimStatus
	}{
		"it cannot be reached": {scriptedMemory{status: webhooks.ClaimGranted, claiming: broken}, nil, 503,
			"the store of deliveries failed", "made-up failure", nil},
		"under way": {scriptedMemory{status: webhooks.ClaimInProgress}, nil, 503, "the delivery is in progress", "", nil},
		"rejected before": {scriptedMemory{status: webhooks.ClaimRejected}, nil, 422,
			"the callback rejected the delivery", "", nil},
		"no room":           {scriptedMemory{status: webhooks.ClaimStoreFull}, nil, 503, noRoom, "", nil},
		"an unknown status": {scriptedMemory{}, nil, 503, noRoom, "", nil},
		"the callback fails": {scriptedMemory{status: webhooks.ClaimGranted}, broken, 500, "the callback failed",
			"made-up failure", failed},
		"the callback does not want it": {scriptedMemory{status: webhooks.ClaimGranted},
			fmt.Errorf("outer: %w", webhooks.Permanent(broken)), 422, "the callback rejected the delivery", "made-up failure",
			rejected},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			w := test.memory.send(t.Context(), t, &log, func(context.Context, *webhooks.Delivery) error {
				assert.NotNil(t, test.settled, "the callback runs")
				return test.callback
			})
			assertRefused(t, w, log.Bytes(), test.status, test.reason, test.cause)
			assert.Equal(t, test.settled, test.memory.settled)
		})
	}
}

// TestReceiver_settlesClaimAfterDisconnect has senders that leave during the callback, at the second time with a memory
// that cannot be reached any more.
func TestReceiver_settlesClaimAfterDisconnect(t *testing.T) {
	memory := &scriptedMemory{status: webhooks.ClaimGranted}
	var log bytes.Buffer
	for _, memory.settling = range []error{nil, errors.New("no connection to the memory")} {
		assert.Empty(t, log.String())
		ctx, cancel := context.WithCancel(t.Context())
		w := memory.send(ctx, t, &log, func(ctx context.Context, _ *webhooks.Delivery) error {
			deadline, _ := ctx.Deadline()
			assert.WithinRange(t, deadline, time.Now(), time.Now().Add(time.Hour), "the timeout bounds the callback")
			cancel()
			assert.Error(t, ctx.Err())
			return nil
		})
		assert.Equal(t, http.StatusOK, w.Code)
		assert.NoError(t, memory.live)
	}
	assert.Contains(t, log.String(), `"level":"ERROR","msg":"webhooks: the result of a delivery was not stored",`+
		`"outcome":"done","error":"no connection to the memory"`)
	assert.Equal(t, []webhooks.ClaimStatus{webhooks.ClaimDone, webhooks.ClaimDone}, memory.settled)
	assert.Equal(t, memory.claimed, memory.held)
	assert.NotEqual(t, memory.claimed[0].Name, memory.claimed[1].Name)
	const keep = 2 * time.Minute // For as long as the timestamp can be acceptable.
	assert.Equal(t, []time.Duration{time.Hour, keep, time.Hour, keep}, memory.ttls)
}

func TestReceiver_timeoutEndsCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := &scriptedMemory{status: webhooks.ClaimGranted}
		w := memory.send(t.Context(), t, io.Discard, func(ctx context.Context, _ *webhooks.Delivery) error {
			began := time.Now()
			<-ctx.Done()
			assert.Equal(t, time.Hour, time.Since(began))
			return ctx.Err()
		})
		assert.Equal(t, http.StatusInternalServerError, w.Code)
		assert.Equal(t, []webhooks.ClaimStatus{webhooks.ClaimFailed}, memory.settled)
	})
}
