package alerts_test

import (
	"bytes"
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

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
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
	without := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
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
	const (
		notJSON, encoded   = "the payload is not JSON", "the body must not have a Content-Encoding"
		tooLarge, noMethod = "the body is too large", "a delivery is a POST or a GET"
		header             = "a header is missing or cannot be read|alerts: unusable header: x-qn-"
		unverified         = "the delivery is not verified|alerts: the delivery is not verified"
		notNow             = "the timestamp is too far from the present"
	)
	for name, test := range map[string]struct {
		status int
		reason string // With the cause, if there is one.
		spoil  func(*http.Request)
	}{
		"HEAD":                                 {405, noMethod, method("HEAD")},
		"another method":                       {405, noMethod, method("PUT")},
		"no timestamp":                         {400, header + "timestamp is missing", without("x-qn-timestamp")},
		"no nonce":                             {400, header + "nonce is missing", without("x-qn-nonce")},
		"no content hash":                      {400, header + "content-hash is missing", without("x-qn-content-hash")},
		"no signature":                         {400, header + "signature is missing", without("x-qn-signature")},
		"an empty nonce":                       {400, header + "nonce is missing", with("x-qn-nonce", "")},
		"a nonce twice":                        {400, header + "nonce is duplicate", with("x-qn-nonce", "n1", "n2")},
		"a timestamp of words":                 {400, header + "timestamp is not", with("x-qn-timestamp", "yesterday")},
		"a signature of no base64":             {400, header + "signature is not base64", with("x-qn-signature", "?")},
		"a signature with bits behind its end": {400, header, with("x-qn-signature", knownSignature[:42]+"F=")},
		"another signature":                    {401, unverified, with("x-qn-signature", "AAAA")},
		"another nonce":                        {401, unverified, with("x-qn-nonce", "n2")},
		"another content hash":                 {401, unverified, with("x-qn-content-hash", "hash-2")},
		"another timestamp":                    {401, unverified, with("x-qn-timestamp", "1773144001")},
		"an unknown token": {401, unverified, func(r *http.Request) {
			signBy(t, r, scalar.NewSecret("made-up-other-token"), "n1", noon)
		}},
		"an old timestamp":           {401, notNow, at(-5*time.Minute - time.Second)},
		"a timestamp to come":        {401, notNow, at(5*time.Minute + time.Second)},
		"a very old timestamp":       {401, notNow, at(-200 * 365 * 24 * time.Hour)},
		"an encoding":                {415, encoded, with("Content-Encoding", "gzip")},
		"a second encoding":          {415, encoded, with("Content-Encoding", "identity", "br")},
		"a list of encodings":        {415, encoded, with("Content-Encoding", "identity, gzip")},
		"a length that is too large": {413, tooLarge, length(101)},

		"larger than said": {413, tooLarge, text(strings.Repeat(" ", 101))},
		"a broken body": {400, "the body cannot be read|made-up failure",
			body(iotest.ErrReader(errors.New("made-up failure")))},
		"a slow body": {408, "the body did not arrive in time|i/o timeout",
			body(iotest.ErrReader(os.ErrDeadlineExceeded))},
		"no JSON":  {400, notJSON, text("")},
		"no UTF-8": {400, notJSON, text("\"\xff\"")},
		"a GET of one byte": {400, notJSON, func(r *http.Request) {
			text("?")(r)
			r.Method = http.MethodGet
		}},
		"another content": {401, "the content does not have the hash that was signed", func(r *http.Request) {
			text("{}")(r)
			r.URL.RawQuery = "2"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			runs := 0
			receiver := newReceiver(t, func(context.Context, *alerts.Delivery) error { runs++; return nil },
				alerts.WithClock(func() time.Time { return noon }), alerts.WithMaxBody(100),
				alerts.WithContentHash(func(r *http.Request, _ []byte) string { return "hash-1" + r.URL.RawQuery }),
				alerts.WithLogger(slog.New(slog.NewJSONHandler(&log, nil))))
			request := httptest.NewRequest(http.MethodPost, "/", nil)
			request.Body, request.ContentLength = untouched{t}, 100
			sign(t, request, "n1", noon)
			test.spoil(request)
			w := httptest.NewRecorder()
			receiver.ServeHTTP(w, request)
			reason, cause, _ := strings.Cut(test.reason, "|")
			assertRefused(t, w, log.Bytes(), test.status, reason, cause)
			judged := test.reason == notJSON || request.URL.RawQuery != "" // When the body was read to its end.
			assert.Equal(t, !judged, w.Header().Get("Connection") == "close")
			assert.Equal(t, test.status == 405, w.Header().Get("Allow") == "GET, POST")
			assert.Equal(t, test.status == 415, w.Header().Get("Accept-Encoding") == "identity")
			assert.Zero(t, runs)

			request = httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"+strings.Repeat(" ", 98)))
			sign(t, request, "n1", noon)
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
	assert.Equal(t, "alerts: delivery rejected", line["msg"])
	assert.Equal(t, reason, line["reason"])
	assert.InDelta(t, status, line["status"], 0)
	if cause == "" {
		assert.Nil(t, line["error"])
	} else {
		assert.Contains(t, line["error"], cause)
	}
}

// TestReceiver_refusesBeforeBodyArrives: the response comes at once although the body does not, and the connection
// closes soon.
func TestReceiver_refusesBeforeBodyArrives(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		head   string
	}{
		"an announced body": {401, "X-Qn-Nonce: other\r\nContent-Length: 1000"},
		"a large body":      {401, "X-Qn-Nonce: other\r\nContent-Length: 1000000"},
		"a body in chunks":  {401, "X-Qn-Nonce: other\r\nTransfer-Encoding: chunked"},
		"a body that waits": {401, "X-Qn-Nonce: other\r\nContent-Length: 1000\r\nExpect: 100-continue"},
		"too large a body":  {413, "X-Qn-Nonce: n1\r\nContent-Length: 1048577"},
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
		conn.write(t, conn.head("n1", "X-Qn-Nonce: other\r\nContent-Length: 1000"))
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
		rest    func(*wire)
		server  time.Duration
		options []alerts.ReceiverOption
		want    time.Duration
	}{
		"one that stalls":             {stall, 0, nil, 10 * time.Second},
		"one that trickles in":        {trickle, 0, nil, 10 * time.Second},
		"a time of one's own":         {stall, 0, []alerts.ReceiverOption{alerts.WithReadTimeout(time.Minute)}, time.Minute},
		"a shorter one of the server": {stall, 3 * time.Second, nil, 3 * time.Second},
		"a longer one of the server":  {trickle, time.Minute, nil, 10 * time.Second},
	} {
		for _, length := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
			t.Run(name+", "+length, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					runs := 0
					receiver := newReceiver(t, func(context.Context, *alerts.Delivery) error { runs++; return nil }, test.options...)
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
					assert.Zero(t, runs)

					again := dialServer(t, server)
					again.write(t, again.head("n1", "Content-Length: 2")+"{}")
					assert.Equal(t, http.StatusOK, again.response(t).StatusCode, "nothing is used up")
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
				conn := dial(t, newReceiver(t, func(ctx context.Context, d *alerts.Delivery) error {
					assert.Equal(t, payload, string(d.Payload))
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(time.Hour):
						return nil
					}
				}))
				conn.write(t, strings.Replace(conn.head("n1", "X-Qn-Nonce: other"), "POST", "GET", 1))
				refusal := conn.response(t)
				assert.Equal(t, http.StatusUnauthorized, refusal.StatusCode)
				assert.Empty(t, refusal.Header.Get("Connection"))
				for _, nonce := range []string{"n1", "n2"} { // On the same connection.
					head := strings.TrimSuffix(conn.head(nonce, ""), "\r\n\r\n") + "\r\n"
					conn.write(t, strings.Replace(head, "POST", "GET", 1)+body)
					assert.Equal(t, http.StatusOK, conn.response(t).StatusCode)
				}
			})
		})
	}
}

// slow is a body of which one byte comes every second.
type slow struct{}

func (slow) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	p[0] = ' '
	return 1, nil
}

// TestReceiver_timesOutWithoutWriterDeadlines: the bubble ends with a panic if a goroutine stays behind.
func TestReceiver_timesOutWithoutWriterDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		request := httptest.NewRequest(http.MethodPost, "/", slow{})
		sign(t, request, "n1", time.Now())
		w := httptest.NewRecorder()
		began := time.Now()
		newReceiver(t, nil).ServeHTTP(w, request)
		assert.Equal(t, http.StatusRequestTimeout, w.Code)
		assert.Equal(t, 11*time.Second, time.Since(began).Round(time.Second), "the read after the tenth is the last one")
	})
}
