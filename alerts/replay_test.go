package alerts_test

import (
	"bytes"
	"context"
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

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/alerts/replaytest"
)

func TestReceiver_runsDeliveryOnce(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")), "its sender lost the first response")
	other := hook.signed("n1")
	other.Body, other.ContentLength = io.NopCloser(strings.NewReader("[]")), 2
	assert.Equal(t, http.StatusOK, hook.status(other), "the body of a repetition is not compared")
	hook.advance(time.Minute)
	assert.Equal(t, http.StatusConflict, hook.status(hook.signed("n1")), "the same nonce, signed anew")
	assert.Equal(t, 1, hook.runs())
	hook.advance(10 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")), "which makes the store forget the first")
	hook.advance(-11 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, 3, hook.runs(), "a clock that is set back: see the limits in SECURITY.md")
}

// The signed text has nothing between its parts, so that letters can be moved from one part to the next without
// breaking the signature. Such a delivery is not a duplicate: it is neither executed nor treated as one that was.
func TestReceiver_shiftedHeadersAreNotDuplicates(t *testing.T) {
	for name, moved := range map[string]struct{ stamp, nonce, hash string }{
		"from the nonce to the content hash":     {"1773144000", "nonce-1", "2hash-0"},
		"from the content hash to the nonce":     {"1773144000", "nonce-12h", "ash-0"},
		"from the content hash to the timestamp": {"01773144000", "nonce-12", "hash-"},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token))
			send := func(stamp, nonce, hash string) int {
				request := hook.signed(nonce)
				request.Header = headersOf(stamp, nonce, hash, signatureOf("nonce-12hash-01773144000"))
				return hook.status(request)
			}
			assert.Equal(t, http.StatusOK, send("1773144000", "nonce-12", "hash-0"))
			assert.Equal(t, http.StatusConflict, send(moved.stamp, moved.nonce, moved.hash))
			assert.Equal(t, http.StatusOK, send("1773144000", "nonce-12", "hash-0"))
			assert.Equal(t, 1, hook.runs())
		})
	}
}

func TestReceiver_identifiesDeliveryByNonceAndHash(t *testing.T) {
	type parts = [3]string // Nonce, content hash and signature.
	for _, test := range []struct {
		first, second parts
		status, runs  int
	}{
		{parts{"n", "h", "s"}, parts{"n", "h", "s"}, 200, 1}, {parts{"n", "h", "s"}, parts{"m", "h", "s"}, 409, 1},
		{parts{"n", "h", "s"}, parts{"n", "g", "s"}, 409, 1}, {parts{"n", "h", "s"}, parts{"n", "h", "r"}, 409, 1},
		{parts{"n", "h", "s"}, parts{"m", "h", "r"}, 200, 2}, {parts{"n", "h", "s"}, parts{"s", "h", "n"}, 200, 2},
		{parts{"n", "h", "s"}, parts{"n", "h", ""}, 409, 1}, {parts{"n", "h", "s"}, parts{"", "h", "s"}, 409, 1},
		{parts{"n", "", ""}, parts{"n", "", ""}, 200, 1}, {parts{"", "", "s"}, parts{"", "", "s"}, 200, 1},
		{parts{"", "h", ""}, parts{"", "h", ""}, 200, 2},
	} {
		t.Run(fmt.Sprint(test.first, test.second), func(t *testing.T) {
			hook := listen(t, byParts{nil})
			send := func(known parts) int {
				request := hook.signed("n1")
				for i, name := range []string{"nonce", "hash", "signature"} {
					request.Header.Set(name, known[i])
				}
				return hook.status(request)
			}
			assert.Equal(t, http.StatusOK, send(test.first))
			assert.Equal(t, test.status, send(test.second))
			assert.Equal(t, test.runs, hook.runs())
		})
	}
}

// TestReceiver_contentHashStopsShiftedTimestamp shows the gap in the observed scheme once the signature is forgotten,
// and that WithContentHash closes the gap: some digits of the content hash make one in milliseconds of a timestamp in
// seconds, and one in milliseconds is one in seconds without its first digits.
func TestReceiver_contentHashStopsShiftedTimestamp(t *testing.T) {
	for name, test := range map[string]struct {
		hash, stamp, movedHash, movedStamp string
	}{
		"into it":   {"hash-178", "1773144000", "hash-", "1781773144000"},
		"out of it": {"hash-1", "1771780000000", "hash-1177", "1780000000"},
	} {
		t.Run(name, func(t *testing.T) {
			signature := signatureOf("n1" + test.hash + test.stamp)
			genuine, moved := headersOf(test.stamp, "n1", test.hash, signature),
				headersOf(test.movedStamp, "n1", test.movedHash, signature)
			send := func(hook *webhook, header http.Header) int {
				hook.advance(must(byHMAC(t, token).Verify(header))(t).Timestamp.Sub(hook.clock()))
				request := hook.signed("n1")
				request.Header = header
				return hook.status(request)
			}
			open := listen(t, byHMAC(t, token))
			assert.Equal(t, http.StatusOK, send(open, genuine))
			assert.Equal(t, http.StatusOK, send(open, moved), "as HMACVerifier says")

			closed := listen(t, byHMAC(t, token),
				alerts.WithContentHash(func(*http.Request, []byte) string { return test.hash }))
			assert.Equal(t, http.StatusOK, send(closed, genuine))
			assert.Equal(t, http.StatusUnauthorized, send(closed, moved))
			assert.Equal(t, 1, closed.runs())
		})
	}
}

func TestReceiver_callbackErrorDecidesStatus(t *testing.T) {
	broken := errors.New("made-up inner detail")
	permanent := alerts.Permanent(broken)
	for _, test := range []struct {
		reply               error
		first, second, runs int
	}{
		{broken, 500, 200, 2}, {permanent, 422, 422, 1}, {fmt.Errorf("outer: %w", permanent), 422, 422, 1},
	} {
		hook := listen(t, byHMAC(t, token))
		hook.answers(func(context.Context, *alerts.Delivery) error { return test.reply })
		assert.Equal(t, test.first, hook.status(hook.signed("n1")))
		hook.answers(nil)
		assert.Equal(t, test.second, hook.status(hook.signed("n1")))
		assert.Equal(t, test.runs, hook.runs())
	}
	require.NoError(t, alerts.Permanent(nil))
	require.ErrorIs(t, permanent, broken)
	assert.Equal(t, broken.Error(), permanent.Error())
}

func TestReceiver_panicAllowsRedelivery(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	hook.answers(func(context.Context, *alerts.Delivery) error { panic(http.ErrAbortHandler) })
	require.Error(t, errOf(hook.Client().Do(hook.signed("n1"))))
	hook.answers(nil)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
}

func TestReceiver_duplicateInProgressIsAskedToRetry(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithMaxTracked(1))
	entered, leave := make(chan struct{}), make(chan error)
	defer close(leave) // The webhook closes only when nothing is under way.
	hook.answers(func(context.Context, *alerts.Delivery) error {
		close(entered)
		return <-leave
	})
	first := hook.signed("n1")
	answered := make(chan int)
	go func() {
		response, err := hook.Client().Do(first)
		if err != nil {
			close(answered)
			return
		}
		defer response.Body.Close()
		answered <- response.StatusCode
	}()
	<-entered
	// A 4xx could end the sender's efforts, and the first attempt may yet fail.
	assert.Equal(t, http.StatusServiceUnavailable, hook.status(hook.signed("n1")))
	status, text := hook.send(hook.signed("n2"))
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, text, "too many", "what is under way takes its room")
	leave <- errors.New("failed after all")
	assert.Equal(t, http.StatusInternalServerError, <-answered)
	hook.answers(nil)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, 2, hook.runs())
}

func TestReceiver_noncesAreBoundedAndForgotten(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithMaxTracked(2), alerts.WithTolerance(time.Minute))
	// The first is signed a minute ahead, so that its timestamp is acceptable for two minutes.
	hook.advance(time.Minute)
	ahead := hook.signed("n1")
	hook.advance(-time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(copyOf(t, ahead)))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")))
	response := must(hook.Client().Do(hook.signed("n3")))(t)
	response.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	assert.Equal(t, "1", response.Header.Get("Retry-After"))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")), "what is remembered stays known")
	assert.Equal(t, 2, hook.runs())

	hook.advance(2 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(copyOf(t, ahead)), "still acceptable, and still known")
	assert.Equal(t, 2, hook.runs())
	hook.advance(time.Second)
	assert.Equal(t, http.StatusUnauthorized, hook.status(copyOf(t, ahead)))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")), "there is room again")
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n4")))
	assert.Equal(t, http.StatusServiceUnavailable, hook.status(hook.signed("n5")))
}

// TestReceiver_concurrentDuplicatesRunOnce lets all duplicates end before the one delivery that is executed.
func TestReceiver_concurrentDuplicatesRunOnce(t *testing.T) {
	for name, body := range map[string]string{"with a body": payloadText, "without": ""} {
		t.Run(name, func(t *testing.T) {
			const copies = 2000
			var runs atomic.Int64
			leave := make(chan struct{})
			receiver := must(alerts.NewReceiver(byHMAC(t, token), func(_ context.Context, d *alerts.Delivery) error {
				assert.Equal(t, body == "", d.Payload == nil)
				runs.Add(1)
				<-leave
				return nil
			}))(t)
			stamp := alerts.Headers{Timestamp: time.Now(), Nonce: "n1", ContentHash: "h1"}
			send := func() *httptest.ResponseRecorder {
				request := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
				assert.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
				response := httptest.NewRecorder()
				receiver.ServeHTTP(response, request)
				return response
			}
			statuses := make(chan int, copies)
			for range copies {
				go func() { statuses <- send().Code }()
			}
			for range copies - 1 {
				require.Equal(t, http.StatusServiceUnavailable, <-statuses)
			}
			close(leave)
			assert.Equal(t, http.StatusOK, <-statuses)
			assert.Equal(t, http.StatusOK, send().Code)
			assert.Equal(t, int64(1), runs.Load())
		})
	}
}

func TestMemoryDedupStore_meetsContract(t *testing.T) {
	replaytest.Run(t, func(t *testing.T) replaytest.Options {
		return replaytest.Options{Memory: must(alerts.NewMemoryDedupStore(3))(t), Capacity: 3}
	})
	_, err := alerts.NewMemoryDedupStore(0)
	require.EqualError(t, err, "alerts: the store must have room for at least 1 delivery")
}

func TestMemoryDedupStore_forgetsSettledClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := must(alerts.NewMemoryDedupStore(1))(t)
		claim := alerts.Claim{Identity: (&alerts.Headers{Nonce: "n"}).Identity()}
		assert.Equal(t, alerts.ClaimGranted, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		time.Sleep(24 * time.Hour)
		assert.Equal(t, alerts.ClaimInProgress, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		require.NoError(t, memory.Settle(t.Context(), claim, alerts.ClaimDone, time.Minute))
		for _, want := range []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimGranted} {
			time.Sleep(time.Minute)
			assert.Equal(t, want, must(memory.Claim(t.Context(), claim, time.Minute))(t))
		}
	})
}

// scriptedMemory claims and settles as its script requires.
type scriptedMemory struct {
	status             alerts.ClaimStatus
	claiming, settling error

	claimed, held []alerts.Claim
	settled       []alerts.ClaimStatus
	ttls          []time.Duration // Of claims and settlements.
	live          error           // Of the context that Settle was given.
}

func (m *scriptedMemory) Claim(_ context.Context, c alerts.Claim, ttl time.Duration) (alerts.ClaimStatus, error) {
	m.claimed, m.ttls = append(m.claimed, c), append(m.ttls, ttl)
	return m.status, m.claiming
}

func (m *scriptedMemory) Settle(ctx context.Context, c alerts.Claim, as alerts.ClaimStatus, ttl time.Duration) error {
	m.held, m.ttls = append(m.held, c), append(m.ttls, ttl)
	m.settled, m.live = append(m.settled, as), ctx.Err()
	return m.settling
}

// send delivers the nonce to a new receiver with this memory.
func (m *scriptedMemory) send(ctx context.Context, t *testing.T, log io.Writer, reply alerts.Callback,
) *httptest.ResponseRecorder {
	t.Helper()
	receiver := newReceiver(t, reply, alerts.WithDedupStore(m, time.Hour), alerts.WithTolerance(time.Minute),
		alerts.WithLogger(slog.New(slog.NewJSONHandler(log, nil))))
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(payloadText))
	sign(t, request, "n1", time.Now())
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, request)
	return w
}

// TestReceiver_obeysDedupStore has deliveries that are not granted, or not accepted by their callback.
func TestReceiver_obeysDedupStore(t *testing.T) {
	broken := errors.New("made-up failure")
	failed, rejected := []alerts.ClaimStatus{alerts.ClaimFailed}, []alerts.ClaimStatus{alerts.ClaimRejected}
	const noRoom = "too many deliveries in a short time"
	for name, test := range map[string]struct {
		memory        scriptedMemory
		callback      error
		status        int
		reason, cause string
		settled       []alerts.ClaimStatus
	}{
		"it cannot be reached": {scriptedMemory{status: alerts.ClaimGranted, claiming: broken}, nil, 503,
			"the store of deliveries failed", "made-up failure", nil},
		"under way": {scriptedMemory{status: alerts.ClaimInProgress}, nil, 503, "the delivery is in progress", "", nil},
		"altered": {scriptedMemory{status: alerts.ClaimConflict}, nil, 409,
			"the nonce or the signature belongs to another delivery", "", nil},
		"rejected before": {scriptedMemory{status: alerts.ClaimRejected}, nil, 422,
			"the callback rejected the delivery", "", nil},
		"no room":           {scriptedMemory{status: alerts.ClaimStoreFull}, nil, 503, noRoom, "", nil},
		"an unknown status": {scriptedMemory{}, nil, 503, noRoom, "", nil},
		"the callback fails": {scriptedMemory{status: alerts.ClaimGranted}, broken, 500, "the callback failed",
			"made-up failure", failed},
		"the callback does not want it": {scriptedMemory{status: alerts.ClaimGranted}, alerts.Permanent(broken), 422,
			"the callback rejected the delivery", "made-up failure", rejected},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			w := test.memory.send(t.Context(), t, &log, func(context.Context, *alerts.Delivery) error {
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
	memory := &scriptedMemory{status: alerts.ClaimGranted}
	var log bytes.Buffer
	for _, memory.settling = range []error{nil, errors.New("no connection to the memory")} {
		assert.Empty(t, log.String())
		ctx, cancel := context.WithCancel(t.Context())
		w := memory.send(ctx, t, &log, func(ctx context.Context, _ *alerts.Delivery) error {
			deadline, _ := ctx.Deadline()
			assert.WithinRange(t, deadline, time.Now(), time.Now().Add(time.Hour), "the timeout bounds the callback")
			cancel()
			assert.Error(t, ctx.Err())
			return nil
		})
		assert.Equal(t, http.StatusOK, w.Code)
		assert.NoError(t, memory.live)
	}
	assert.Contains(t, log.String(), `"level":"ERROR","msg":"alerts: the result of a delivery was not stored",`+
		`"outcome":"done","error":"no connection to the memory"`)
	assert.Equal(t, []alerts.ClaimStatus{alerts.ClaimDone, alerts.ClaimDone}, memory.settled)
	assert.Equal(t, memory.claimed, memory.held)
	assert.NotEqual(t, memory.claimed[0].Name, memory.claimed[1].Name)
	const keep = 2 * time.Minute // For as long as the timestamp can be acceptable.
	assert.Equal(t, []time.Duration{time.Hour, keep, time.Hour, keep}, memory.ttls)
}

func TestReceiver_timeoutEndsCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := &scriptedMemory{status: alerts.ClaimGranted}
		w := memory.send(t.Context(), t, io.Discard, func(ctx context.Context, _ *alerts.Delivery) error {
			began := time.Now()
			<-ctx.Done()
			assert.Equal(t, time.Hour, time.Since(began))
			return ctx.Err()
		})
		assert.Equal(t, http.StatusInternalServerError, w.Code)
		assert.Equal(t, []alerts.ClaimStatus{alerts.ClaimFailed}, memory.settled)
	})
}

func TestReceiver_panicSettlesClaimAsFailed(t *testing.T) {
	memory := &scriptedMemory{status: alerts.ClaimGranted}
	assert.Panics(t, func() {
		memory.send(t.Context(), t, io.Discard, func(context.Context, *alerts.Delivery) error { panic("made-up") })
	})
	assert.Equal(t, []alerts.ClaimStatus{alerts.ClaimFailed}, memory.settled)
}

func TestReceivers_sharedStoreRunsDeliveryOnce(t *testing.T) {
	memory := must(alerts.NewMemoryDedupStore(10))(t)
	one, other := listen(t, byHMAC(t, token), alerts.WithDedupStore(memory, time.Minute)),
		listen(t, byHMAC(t, token), alerts.WithDedupStore(memory, time.Minute))
	request := one.signed("n1")
	assert.Equal(t, http.StatusOK, one.status(copyOf(t, request)))
	request.URL, request.Host = other.signed("n1").URL, ""
	assert.Equal(t, http.StatusOK, other.status(request))
	assert.Equal(t, 1, one.runs()+other.runs())
}
