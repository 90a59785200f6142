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

// byParts is a caller's verifier. Its headers identify a delivery.
type byParts struct{}

func (byParts) Verify(header http.Header) (alerts.Headers, error) {
	return alerts.Headers{Nonce: header.Get("nonce"), ContentHash: header.Get("hash"), Signature: header.Get("signature")},
		nil
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
			hook := listen(t, byParts{})
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
	const notStored = `level=ERROR msg="alerts: the result of a delivery was not stored" outcome=done ` +
		`error="no connection to the memory"`
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
			var log bytes.Buffer
			hook := listen(t, byHMAC(t, token), alerts.WithDedupStore(&test.memory), alerts.WithTolerance(time.Minute),
				alerts.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
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
			assert.Equal(t, errors.Is(test.memory.settling, broken), strings.Contains(log.String(), notStored))
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
