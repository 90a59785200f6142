package rpcfleet_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

const testKey = "made-up-key-0001"

// response is one line of a scripted server's script.
type responder func(w http.ResponseWriter, r *http.Request)

// says responds with a status and a body of JSON.
func says(status int, body string) responder { return saysAs("application/json", status, body) }

// saysAs responds with a status and a body of any type.
func saysAs(contentType string, status int, body string) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// cutShort promises more than it sends.
func cutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"data":{"id":"a"`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// hangsUp closes the connection without a response.
func hangsUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// request is what a scripted server saw.
type request struct {
	method, path, query, body string
	header                    http.Header
}

// script is a loopback server that responds line by line and repeats its last line.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	lines []responder
	seen  []request
}

// scripted starts a server with a script, and a client for it that retries without waiting.
func scripted(t testing.TB, lines ...responder) (*rpcfleet.Client, *script) {
	t.Helper()
	s := &script{lines: lines}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s.client(t), s
}

// client makes another client for the server; options come after the defaults.
func (s *script) client(t testing.TB, options ...rpcfleet.Option) *rpcfleet.Client {
	t.Helper()
	client, err := rpcfleet.New(append([]rpcfleet.Option{
		rpcfleet.WithBaseURL(s.URL), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4}),
	}, options...)...)
	require.NoError(t, err)
	return client
}

// ServeHTTP plays the next line.
func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.seen = append(s.seen, request{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, string(body), r.Header.Clone()})
	line := s.lines[min(len(s.seen), len(s.lines))-1]
	s.mu.Unlock()
	line(w, r)
}

// requests returns what the server has seen so far.
func (s *script) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.seen...)
}

// redirects responds with a redirect.
func redirects(to string) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

// writes sends a text that need not be HTTP.
func writes(text string) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}
