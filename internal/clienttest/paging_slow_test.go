package clienttest

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
)

// slow is a service inside a bubble. Its pages take the bubble's time, or less if the request ends before.
type slow struct {
	pages responder
	// delay is how long the page at an offset takes.
	delay func(offset int) time.Duration

	mu              sync.Mutex
	now, most, seen int
}

func evenly(delay time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return delay }
}

func (s *slow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	s.count(+1)
	defer s.count(-1)
	body, _ := io.ReadAll(r.Body) // The server notices the end of a request if the body has been read.
	r.Body = io.NopCloser(bytes.NewReader(body))
	select {
	case <-time.After(s.delay(offset)):
		s.pages(w, r)
	case <-r.Context().Done():
	}
}

func (s *slow) count(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now += change
	s.most = max(s.most, s.now)
	s.seen += max(change, 0)
}

// counts are the requests under way, the most that were at once, and all that came.
func (s *slow) counts() (now, most, seen int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.most, s.seen
}

// client makes a client for the service.
func (s *slow) client(t *testing.T, options ...rpcfleet.ClientOption) (*rpcfleet.Client, *openBodies) {
	bodies := &openBodies{next: pipenet.Serve(t, s).Transport}
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: bodies}),
	}, options...)...)
	require.NoError(t, err)
	return client, bodies
}

// openBodies is a transport that counts the bodies of responses that have not been closed.
type openBodies struct {
	next http.RoundTripper
	open atomic.Int64
}

func (o *openBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(req)
	if err == nil {
		o.open.Add(1)
		resp.Body = &countedBody{ReadCloser: resp.Body, open: &o.open}
	}
	return resp, err
}

// idle closes the connections that are not in use, and returns how many goroutines are left in bubbles, of which one
// runs at a time.
func (o *openBodies) idle() int {
	o.next.(*http.Transport).CloseIdleConnections()
	synctest.Wait()
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "synctest bubble ")
}

type countedBody struct {
	io.ReadCloser
	once sync.Once
	open *atomic.Int64
}

func (b *countedBody) Close() error {
	b.once.Do(func() { b.open.Add(-1) })
	return b.ReadCloser.Close()
}
