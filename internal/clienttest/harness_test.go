package clienttest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
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
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func init() {
	transport.Released = func(body []byte) { copy(body, bytes.Repeat([]byte("!"), len(body))) }
}

const testKey = "made-up-key-0001"

// The lines of scripts, under short names.
type responder = http.HandlerFunc

var (
	respondJSON = scriptnet.JSON
	respond     = scriptnet.Typed
	truncate    = scriptnet.CutShort
	hangUp      = scriptnet.HangUp
	redirect    = scriptnet.Redirect
	respondRaw  = scriptnet.Raw
)

// ok responds with a body and status 200.
func ok(body string) responder { return respondJSON(http.StatusOK, body) }

// clientOf makes a client of a service, over a transport if it is not nil. Options come after the defaults.
func clientOf(t testing.TB, address string, over http.RoundTripper, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	defaults := with{rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(testKey)}
	if over != nil {
		defaults = append(defaults, rpcfleet.WithHTTPClient(&http.Client{Transport: over}))
	}
	return must(rpcfleet.New(append(defaults, options...)...))(t)
}

// script is a loopback server with a script, which makes clients for itself.
type script struct{ *scriptnet.Server }

// with are options of a client.
type with = []rpcfleet.ClientOption

// scripted starts a server with a script, and a client for it that retries without waiting.
func scripted(t testing.TB, lines ...responder) (*rpcfleet.Client, script) {
	t.Helper()
	return scriptedWith(t, nil, lines...)
}

// scriptedWith is scripted for a client with options.
func scriptedWith(t testing.TB, options with, lines ...responder) (*rpcfleet.Client, script) {
	t.Helper()
	s := script{scriptnet.Serve(t, lines...)}
	return s.client(t, options...), s
}

// client makes another client for the server; options come after the defaults.
func (s script) client(t testing.TB, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	return clientOf(t, s.URL, nil, append(with{
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4})}, options...)...)
}

// last returns the request that came last.
func (s script) last() scriptnet.Request {
	requests := s.Requests()
	return requests[len(requests)-1]
}

// tripper is an http.RoundTripper made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// later responds with a status, and a Retry-After if it is not empty.
func later(status int, retryAfter string) responder {
	refusal := respondJSON(status, `{"data":null,"error":"slow down"}`)
	if retryAfter == "" {
		return refusal
	}
	return withHeaders(refusal, "Retry-After", retryAfter)
}

// piped makes a client of a handler behind a pipe, for tests with a fake clock.
func piped(t *testing.T, handler http.Handler, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	return clientOf(t, "http://localhost", pipenet.Serve(t, handler).Transport,
		append(with{rpcfleet.WithoutRetries()}, options...)...)
}

// clocked is scripted behind a pipe, without retries.
func clocked(t *testing.T, lines ...responder) (*rpcfleet.Client, *scriptnet.Script) {
	t.Helper()
	script := scriptnet.New(lines...)
	return piped(t, script), script
}

// errorAs returns the error of a type that an error is or wraps. It fails the test if there is none.
func errorAs[T error](t testing.TB, err error, message ...any) (target T) {
	t.Helper()
	require.ErrorAs(t, err, &target, message...)
	return target
}

// must returns a result that has to be there.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

// errOf returns the error of a call, whatever its result.
func errOf[T any](_ T, err error) error { return err }

// onResult is a hook that gets the result of every call.
func onResult(do func(rpcfleet.Operation, rpcfleet.CallResult)) rpcfleet.ClientOption {
	return rpcfleet.WithCallHook(
		func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(result rpcfleet.CallResult) { do(op, result) }
		})
}

// first returns the error of the first step of an iteration.
func first[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		return err
	}
	return nil
}

// onAttempt is a hook that gets the result of every attempt.
func onAttempt(do func(rpcfleet.AttemptResult)) rpcfleet.ClientOption {
	return rpcfleet.WithAttemptHook(
		func(ctx context.Context, _ rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
			return ctx, do
		})
}

// logInto logs everything into a buffer.
func logInto(log *bytes.Buffer) rpcfleet.ClientOption {
	return rpcfleet.WithLogger(slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

// bubble runs a part of a test with a fake clock.
func bubble(t *testing.T, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, run) })
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	return must(url.Parse(address))(t)
}

// canceled is a context that has been canceled.
func canceled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// queryOf returns the parameters of a request.
func queryOf(t *testing.T, r scriptnet.Request) url.Values {
	t.Helper()
	return must(url.ParseQuery(r.Query))(t)
}

// over makes a client of a transport, which need not reach any network.
func over(t testing.TB, transport http.RoundTripper, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	return clientOf(t, "https://api.example.com", transport, options...)
}

// numbered returns ids with the numbers from first up to end.
func numbered(prefix string, first, end int) (ids []string) {
	for i := first; i < end; i++ {
		ids = append(ids, fmt.Sprint(prefix, i))
	}
	return ids
}

// list is a list of records that have nothing but an id.
func list(ids ...string) string {
	records := make([]string, len(ids))
	for i, id := range ids {
		records[i] = fmt.Sprintf(`{"id":%q}`, id)
	}
	return "[" + strings.Join(records, ",") + "]"
}

// page is a page of a listing, without a pagination record if the total is negative.
func page(ids []string, total, limit, offset int) string {
	pagination := ""
	if total >= 0 {
		pagination = fmt.Sprintf(`,"pagination":{"total":%d,"limit":%d,"offset":%d}`, total, limit, offset)
	}
	return `{"data":` + list(ids...) + pagination + `}`
}

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
	return clientOf(t, "http://127.0.0.1", bodies, options...), bodies
}

// openBodies is a transport that counts the requests under way, and the bodies of responses that have not been closed.
type openBodies struct {
	next          http.RoundTripper
	late          time.Duration // How long a request takes to notice that it is not wanted any more.
	running, open atomic.Int64
}

func (o *openBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	o.running.Add(1)
	defer o.running.Add(-1)
	resp, err := o.next.RoundTrip(req)
	if err != nil {
		time.Sleep(o.late)
		return nil, err
	}
	o.open.Add(1)
	resp.Body = &countedBody{ReadCloser: resp.Body, open: &o.open}
	return resp, nil
}

// idle closes the connections that are not in use, and returns how many goroutines are left in the only bubble.
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

// method calls a method of a service with arguments, and returns its results without the error.
type method func(context.Context, ...rpcfleet.CallOption) (reflect.Value, error)

func methodOf(f any, arguments ...any) method {
	return func(ctx context.Context, options ...rpcfleet.CallOption) (reflect.Value, error) {
		in := []reflect.Value{reflect.ValueOf(ctx)}
		for _, argument := range arguments {
			in = append(in, reflect.ValueOf(argument))
		}
		out := reflect.ValueOf(f).CallSlice(append(in, reflect.ValueOf(options)))
		err, _ := out[len(out)-1].Interface().(error)
		return out[0], err
	}
}
