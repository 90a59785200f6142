package webhooks_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// untouched is a body that must not be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

func (u untouched) Close() error { return nil }

// TestReceiver_refusesInvalidDeliveries spoils deliveries. Their headers are judged before the body is read. A refusal
// states its reason, and uses up no nonce; its cause is for the log alone.
func TestReceiver_refusesInvalidDeliveries(t *testing.T) {
	with := func(name string, values ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header[http.CanonicalHeaderKey(name)] = values }
	}
	at := func(offset time.Duration) func(*http.Request) {
		return func(r *http.Request) { sign(t, r, "n1", noon.Add(offset)) }
	}
	method := func(name string) func(*http.Request) { return func(r *http.Request) { r.Method = name } }
	length := func(bytes int64) func(*http.Request) { return func(r *http.Request) { r.ContentLength = bytes } }
	body := func(body io.Reader) func(*http.Request) {
		return func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(body), -1 }
	}
	text := func(text string) func(*http.Request) { return body(strings.NewReader(text)) }
	compressed := func(content string) func(*http.Request) {
		return func(r *http.Request) { text(content)(r); r.Header.Set("Content-Encoding", "gzip") }
	}
	signedText := func(method, content string) func(*http.Request) {
		return func(r *http.Request) { text(content)(r); r.Method = method; signFor(t, r, "n1", noon, content) }
	}
	const (
		notJSON, encoded   = "the payload is not JSON", "the body's Content-Encoding must be gzip"
		tooLarge, noMethod = "the body is too large", "a delivery is a POST or a GET"
		header             = "a header is missing or cannot be read|webhooks: unusable header: X-Qn-"
		unverified         = "the delivery is not verified|webhooks: the delivery is not verified"
		notNow             = "the timestamp is too far from the present"
	)
	for name, test := range map[string]struct {
		status int
		reason string // With the cause, if there is one.
		spoil  func(*http.Request)
	}{
		"HEAD":                        {405, noMethod, method("HEAD")},
		"another method":              {405, noMethod, method("PUT")},
		"no timestamp":                {400, header + "Timestamp is missing or dup", with("x-qn-timestamp")},
		"no nonce":                    {400, header + "Nonce is missing or dup", with("x-qn-nonce")},
		"no signature":                {400, header + "Signature is missing or dup", with("x-qn-signature")},
		"an empty nonce":              {400, header + "Nonce is missing or dup", with("x-qn-nonce", "")},
		"a nonce twice":               {400, header + "Nonce is missing or dup", with("x-qn-nonce", "n1", "n2")},
		"a timestamp of words":        {400, header + "Timestamp is not", with("x-qn-timestamp", "yesterday")},
		"a timestamp with a sign":     {400, header + "Timestamp is not", with("x-qn-timestamp", "+1773144000")},
		"a timestamp with a zero":     {400, header + "Timestamp is not", with("x-qn-timestamp", "01773144000")},
		"a timestamp without end":     {400, header + "Timestamp is not", with("x-qn-timestamp", "9999999999999999999")},
		"a timestamp in milliseconds": {401, notNow, with("x-qn-timestamp", "1773144000000")},
		"an old timestamp":            {401, notNow, at(-5*time.Minute - time.Second)},
		"a timestamp to come":         {401, notNow, at(5*time.Minute + time.Second)},
		"a very old timestamp":        {401, notNow, with("x-qn-timestamp", "1")},
		"an encoding":                 {415, encoded, with("Content-Encoding", "br")},
		"a second encoding":           {415, encoded, with("Content-Encoding", "identity", "gzip")},
		"a list of encodings":         {415, encoded, with("Content-Encoding", "gzip, gzip")},
		"a length that is too large":  {413, tooLarge, length(101)},

		"larger than said": {413, tooLarge, text(strings.Repeat(" ", 101))},
		"a broken body": {400, "the body cannot be read|made-up failure",
			body(iotest.ErrReader(errors.New("made-up failure")))},
		"a slow body": {408, "the body did not arrive in time|i/o timeout",
			body(iotest.ErrReader(os.ErrDeadlineExceeded))},
		"no gzip":                  {400, "the body cannot be read|gzip: invalid header", compressed("{}          ")},
		"half of a gzip":           {400, "the body cannot be read|unexpected EOF", compressed(zipped(t, payloadText)[:30])},
		"data after a gzip":        {400, "the body cannot be read|gzip: invalid header", compressed(zipped(t, "{}") + "0123456789")},
		"a gzip that is too large": {413, tooLarge, compressed(zipped(t, strings.Repeat(" ", 101)))},
		"many empty gzips":         {413, tooLarge, compressed(strings.Repeat(zipped(t, ""), 5))},
		"another payload":          {401, unverified, text("{}")},
		"another payload in gzip":  {401, unverified, compressed(zipped(t, "{}"))},
		"no payload":               {400, notJSON, signedText("POST", "")},
		"no UTF-8":                 {400, notJSON, signedText("POST", "\"\xff\"")},
		"a GET of one byte":        {400, notJSON, signedText("GET", "?")},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			runs := 0
			receiver := newReceiver(t, func(context.Context, *webhooks.Delivery) error { runs++; return nil },
				webhooks.WithClock(func() time.Time { return noon }), webhooks.WithMaxBody(100),
				webhooks.WithLogger(slog.New(slog.NewJSONHandler(&log, nil))))
			request := httptest.NewRequest(http.MethodPost, "/", nil)
			request.Body, request.ContentLength = untouched{t}, 100
			sign(t, request, "n1", noon)
			test.spoil(request)
			w := httptest.NewRecorder()
			receiver.ServeHTTP(w, request)
			reason, cause, _ := strings.Cut(test.reason, "|")
			assertRefused(t, w, log.Bytes(), test.status, reason, cause)
			judged := test.reason == notJSON || test.reason == unverified // When the body was read to its end.
			assert.Equal(t, !judged, w.Header().Get("Connection") == "close")
			assert.Equal(t, test.status == 405, w.Header().Get("Allow") == "GET, POST")
			assert.Equal(t, test.status == 415, w.Header().Get("Accept-Encoding") == "gzip")
			assert.Zero(t, runs)

			largest := "{}" + strings.Repeat(" ", 98)
			request = httptest.NewRequest(http.MethodPost, "/", strings.NewReader(largest))
			signFor(t, request, "n1", noon, largest)
			w = httptest.NewRecorder()
			receiver.ServeHTTP(w, request)
			assert.Equal(t, http.StatusOK, w.Code, "a refused delivery uses up no nonce")
		})
	}
}

// assertRefused checks the response to a delivery that was not accepted, and the line in the log.
func assertRefused(t *testing.T, w *httptest.ResponseRecorder, log []byte, status int, reason, cause string) {
	t.Helper()
	assert.Equal(t, status, w.Code)
	assert.Equal(t, reason+"\n", w.Body.String())
	assert.Equal(t, status == http.StatusServiceUnavailable, w.Header().Get("Retry-After") == "1")
	var line map[string]any
	require.NoError(t, json.Unmarshal(log, &line))
	assert.Equal(t, "webhooks: delivery rejected", line["msg"])
	assert.Equal(t, reason, line["reason"])
	assert.InDelta(t, status, line["status"], 0)
	if cause == "" {
		assert.Nil(t, line["error"])
	} else {
		assert.Contains(t, line["error"], cause)
	}
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	require.NoError(t, errOf(io.WriteString(w, text)))
	require.NoError(t, w.Close())
	return out.String()
}

// TestReceiver_refusesBeforeBodyArrives: the response comes at once although the body does not, and the connection
// closes soon.
func TestReceiver_refusesBeforeBodyArrives(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		head   string
	}{
		"an announced body": {401, "X-Qn-Timestamp: 1\r\nContent-Length: 1000"},
		"a large body":      {401, "X-Qn-Timestamp: 1\r\nContent-Length: 1000000"},
		"a body in chunks":  {401, "X-Qn-Timestamp: 1\r\nTransfer-Encoding: chunked"},
		"a body that waits": {401, "X-Qn-Timestamp: 1\r\nContent-Length: 1000\r\nExpect: 100-continue"},
		"too large a body":  {413, "Content-Length: 1048577"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				conn := dial(t, newReceiver(t, nil))
				conn.write(t, conn.head("n1", test.head))
				response := conn.response(t)
				assert.Equal(t, test.status, response.StatusCode)
				assert.Zero(t, time.Since(began))
				assert.True(t, response.Close, "Connection: close")
				conn.closes(t)
				assert.LessOrEqual(t, time.Since(began), 2*time.Second)
			})
		})
	}
}

// TestReceiver_refusalKeepsConnectionForSender: the connection of a sender that is still writing is not reset at once.
func TestReceiver_refusalKeepsConnectionForSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := dial(t, newReceiver(t, nil))
		conn.write(t, conn.head("n1", "X-Qn-Timestamp: 1\r\nContent-Length: 1000"))
		assert.Equal(t, http.StatusUnauthorized, conn.response(t).StatusCode)
		time.Sleep(500 * time.Millisecond)
		conn.write(t, strings.Repeat("x", 1000))
		conn.closes(t)
	})
}

// wrapper is a ResponseWriter that a handler around the Receiver may hand to it.
type wrapper struct{ http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func TestReceiver_slowBodyTimesOut(t *testing.T) {
	stall := func(*wire) {}
	trickle := func(conn *wire) {
		for {
			time.Sleep(time.Second)
			if _, err := io.WriteString(conn, " "); err != nil {
				return
			}
		}
	}
	for name, test := range map[string]struct {
		rest         func(*wire)
		server, want time.Duration
	}{
		"one that stalls":             {stall, 0, 10 * time.Second},
		"one that trickles in":        {trickle, 0, 10 * time.Second},
		"a shorter one of the server": {stall, 3 * time.Second, 3 * time.Second},
		"a longer one of the server":  {trickle, time.Minute, time.Minute},
	} {
		for _, length := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
			t.Run(name+", "+length, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					receiver := newReceiver(t, func(context.Context, *webhooks.Delivery) error {
						t.Error("the callback runs")
						return nil
					})
					server := &http.Server{ReadTimeout: test.server, Handler: http.HandlerFunc(
						func(w http.ResponseWriter, r *http.Request) { receiver.ServeHTTP(wrapper{w}, r) })}
					began := time.Now()
					conn := dialServer(t, server)
					conn.write(t, conn.head("n1", length)+"100\r\n")
					var sender sync.WaitGroup
					defer sender.Wait()
					sender.Go(func() { test.rest(conn) })
					response := conn.response(t)
					assert.Equal(t, http.StatusRequestTimeout, response.StatusCode)
					assert.Equal(t, test.want, time.Since(began))
					conn.closes(t)
					assert.LessOrEqual(t, time.Since(began), test.want+2*time.Second)
				})
			})
		}
	}
}

// TestReceiver_readTimeoutDoesNotBoundCallback: the time to read ends with the body. A refusal without a body to leave
// unread does not end the connection.
func TestReceiver_readTimeoutDoesNotBoundCallback(t *testing.T) {
	for body, payload := range map[string]string{
		"Content-Length: 2\r\n\r\n{}":                            "{}",
		"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n": "{}",
		"\r\n": "",
		"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n": "",
	} {
		t.Run(strconv.Quote(body), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := dial(t, newReceiver(t, func(ctx context.Context, d *webhooks.Delivery) error {
					assert.Equal(t, payload, string(d.Payload))
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(time.Hour):
						return nil
					}
				}))
				conn.write(t, strings.Replace(conn.head("n1", "X-Qn-Timestamp: 1"), "POST", "GET", 1))
				refusal := conn.response(t)
				assert.Equal(t, http.StatusUnauthorized, refusal.StatusCode)
				assert.Empty(t, refusal.Header.Get("Connection"))
				for _, nonce := range []string{"n1", "n2"} { // On the same connection.
					head := strings.TrimSuffix(conn.headAt(nonce, payload, "", time.Now()), "\r\n\r\n") + "\r\n"
					conn.write(t, strings.Replace(head, "POST", "GET", 1)+body)
					assert.Equal(t, http.StatusOK, conn.response(t).StatusCode)
				}
			})
		})
	}
}
