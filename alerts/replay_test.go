package alerts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
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
			receiver := must(alerts.NewReceiver(byHMAC(t, token), func(context.Context, *alerts.Delivery) error {
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
