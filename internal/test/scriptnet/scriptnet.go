// Package scriptnet serves HTTP from a script and records the requests.
package scriptnet

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Request is a recorded request.
type Request struct {
	Method, Path, Query, Body string // The escaped path, the query without its question mark.
	Header                    http.Header
	At                        time.Time
}

// Script is a handler that plays one line for each request. If there are no more lines, it plays the last one again. A
// request with an incomplete body plays no line.
type Script struct {
	mu    sync.Mutex
	lines []http.HandlerFunc
	next  int
	seen  []Request
}

// New returns a script.
func New(lines ...http.HandlerFunc) *Script { return &Script{lines: lines} }

// Play starts new lines with the next request.
func (s *Script) Play(lines ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines, s.next = lines, 0
}

// Requests returns the requests so far.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Headers returns the values of a header in the requests so far.
func (s *Script) Headers(name string) (values []string) {
	for _, r := range s.Requests() {
		values = append(values, r.Header.Values(name)...)
	}
	return values
}

// Gaps returns the times between the requests so far.
func (s *Script) Gaps() (gaps []time.Duration) {
	seen := s.Requests()
	for i := 1; i < len(seen); i++ {
		gaps = append(gaps, seen[i].At.Sub(seen[i-1].At))
	}
	return gaps
}

// ServeHTTP plays the next line.
func (s *Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body)) // For the line.
	s.mu.Lock()
	s.seen = append(s.seen, Request{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, string(body), r.Header.Clone(), at})
	line := s.lines[min(s.next, len(s.lines)-1)]
	s.next++
	s.mu.Unlock()
	line(w, r)
}

// Server plays a script on a loopback port.
type Server struct {
	*Script
	*httptest.Server
}

// Serve starts a server that ends with the test.
func Serve(t testing.TB, lines ...http.HandlerFunc) *Server {
	t.Helper()
	script := New(lines...)
	s := &Server{script, httptest.NewServer(script)}
	t.Cleanup(s.Close)
	return s
}
