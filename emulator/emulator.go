package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

// Emulator is the service in memory. Use New to make one.
type Emulator struct {
	// APIKey is a key with the rights of an administrator: see [WithAPIKey].
	APIKey string
	// ViewerKey is a key without the rights of an administrator.
	ViewerKey string

	settings   settings
	operations *operationTable
	control    http.Handler
	requests   atomic.Int64 // The number of requests so far.
	memory     func() (*http.Transport, *http.Server)

	// mu guards what follows. A request holds it only while its handler runs, and not while its body is read or its
	// response is written. So handlers need no locks. The graph area unlocks it: see serveGraph.
	mu       sync.Mutex
	state    *state
	bucket   tokenBucket
	faults   []*Injection
	injected int    // The number of injections so far.
	calls    []Call // The latest.
}

// New makes an emulator with a fresh account: the chains of a small catalogue, some invoices and payments, no
// endpoints.
func New(options ...Option) *Emulator {
	e := &Emulator{
		ViewerKey: "emulator-viewer-key",
		settings:  settings{seed: 1, clock: time.Now, apiKey: "emulator-admin-key", pageCap: 250},
	}
	for _, option := range options {
		option(&e.settings)
	}
	e.APIKey = e.settings.apiKey
	e.operations, e.memory, e.control = newOperations(&e.settings), newMemory(e), e.newControl()
	e.Reset()
	for _, fault := range e.settings.faults {
		if _, err := e.Inject(fault); err != nil {
			panic(err)
		}
	}
	return e
}

// Reset puts a fresh account in the place of the present one, as New makes it, ends all faults, forgets all calls and
// fills the limits up. Options stay, but faults of [WithFaults] do not.
func (e *Emulator) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state, e.bucket, e.faults, e.calls = newState(&e.settings), e.settings.bucket, nil, nil
}

// maxRequestBody is the largest request body that the emulator reads. The contract states no limit.
const maxRequestBody = 8 << 20

// ServeHTTP serves one request. The request need not come from a server: one of http.NewRequest works as well, and its
// body may be nil. A request to another host is rejected: see [WithHosts]. Every other response has an X-Request-Id,
// which counts the requests from "req-1" on, and a Date by the emulator's clock.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.knowsHost(r) {
		http.Error(w, "unknown host: see WithHosts, or -host of the program", http.StatusMisdirectedRequest)
		return
	}
	if e.settings.controlled && isControl(r) {
		e.control.ServeHTTP(w, r)
		return
	}
	w.Header().Set("X-Request-Id", "req-"+strconv.FormatInt(e.requests.Add(1), 10))
	w.Header().Set("Date", e.settings.clock().UTC().Format(http.TimeFormat))
	var body []byte
	var unread error
	if r.Body != nil {
		body, unread = io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	}
	req := e.newRequest(r.Clone(r.Context()), body)
	req.unread = unread
	response := &responseBuffer{header: w.Header(), status: http.StatusOK}
	effect, fault := req.serve(response)
	if effect.send != nil {
		effect.send(fault, w, r, response)
		return
	}
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

// serve applies the faults to a request, makes the response and records the call. It returns the fault that was applied
// and its effect, which may send the response in another way. Both are zero if no fault was applied.
func (r *request) serve(response *responseBuffer) (effect effectRule, fault Fault) {
	call := r.newCall()
	latency, injection := r.applyFaults()
	gone := latency > 0 && !wait(r.http.Context(), latency)
	r.mu.Lock()
	defer r.mu.Unlock()
	if gone {
		call.Fault = "latency"
		r.record(call)
		panic(http.ErrAbortHandler) // The client has gone away.
	}
	if injection != nil {
		fault, effect = injection.fault, effects[injection.fault.Effect]
	}
	call.Time = r.settings.clock()
	if effect.unserved {
		fault.respond(r, response)
	} else {
		happened := (effect.pagings == nil || slices.Contains(effect.pagings, r.op.Paging)) &&
			(effect.ask == nil || effect.ask(fault, r))
		call.Executed = r.bucket.admit(response.header, call.Time)
		if call.Executed {
			r.respond(response)
		} else {
			reject(response, &serve.Error{Status: http.StatusTooManyRequests, Reason: "too many requests"})
		}
		if happened && effect.change != nil {
			happened = effect.change(fault, r, response)
		}
		if injection != nil && !happened {
			injection.fired--
			effect, fault = effectRule{}, Fault{}
		}
	}
	call.Fault = fault.name()
	if !effect.silent {
		call.Status = response.status
	}
	r.record(call)
	return effect, fault
}

// responseBuffer is an http.ResponseWriter that keeps the response in memory until the state is unlocked.
type responseBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *responseBuffer) Header() http.Header         { return r.header }
func (r *responseBuffer) WriteHeader(status int)      { r.status = status }
func (r *responseBuffer) Write(p []byte) (int, error) { return r.body.Write(p) }

func (r *responseBuffer) replace(body []byte) {
	r.body.Reset()
	r.body.Write(body)
}

// set sets a place in the body, and reports whether there was one.
func (r *responseBuffer) set(pointer string, value any) bool {
	body, changed := setLeaf(r.body.Bytes(), pointer, value)
	if changed {
		r.replace(body)
	}
	return changed
}

// Call is one request to the emulator with its outcome, without its headers. It must not be changed.
type Call struct {
	// Operation is the operation's id as in [Fault], or empty if the request belongs to none.
	Operation string `json:"operation"`
	// Method and Path are the request's own, the path unescaped.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Params are the path parameters by name.
	Params map[string]string `json:"params,omitempty"`
	// Query is the parsed query.
	Query url.Values `json:"query,omitempty"`
	// Body is the parsed JSON body, with numbers as float64. It is nil without a body, if it is not JSON, and if it is
	// larger than 64 KiB.
	Body any `json:"body,omitempty"`
	// Time is the time at which the request was served, by the emulator's clock.
	Time time.Time `json:"time"`
	// Executed reports whether the request reached the emulator's operation, which may have rejected it. It is false
	// if a fault prevented that.
	Executed bool `json:"executed"`
	// Status is the status that was sent, or 0 if none was.
	Status int `json:"status"`
	// Fault is the effect of the fault that was applied, "status" or "response" for a fault without an effect, or
	// empty.
	Fault string `json:"fault,omitempty"`
}

const (
	maxCallBody = 64 << 10
	maxCalls    = 10_000
)

// Calls returns the latest 10,000 calls of these operations, or of all without arguments, in the order in which they
// were served. A call is recorded before its response is sent. Calls panics for an unknown operation, because an
// assertion about a misspelled name would never fail.
func (e *Emulator) Calls(operations ...string) []Call {
	for _, id := range operations {
		if e.operations.byID[id] == nil {
			panic(fmt.Sprintf("emulator: Calls: unknown operation %q", id))
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(e.calls), func(call Call) bool {
		return len(operations) > 0 && !slices.Contains(operations, call.Operation)
	})
}

// ResetCalls forgets the calls so far.
func (e *Emulator) ResetCalls() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = nil
}

// record adds a call to the latest ones. The emulator is locked.
func (e *Emulator) record(call Call) {
	e.calls = append(e.calls, call)
	e.calls = e.calls[max(len(e.calls)-maxCalls, 0):]
}

// newCall makes a call without an outcome.
func (r *request) newCall() Call {
	call := Call{
		Operation: r.op.ID, Method: r.http.Method, Path: r.http.URL.Path, Params: r.params, Query: r.http.URL.Query(),
		Time: r.settings.clock(),
	}
	if len(r.body) <= maxCallBody {
		_ = json.Unmarshal(r.body, &call.Body) // Otherwise it stays nil.
	}
	return call
}

// Server is an emulator that listens on a loopback port.
type Server struct {
	*Emulator
	// URL is the base URL, such as "http://127.0.0.1:40123".
	URL string

	server *http.Server
}

// Start starts an emulator on a free loopback port. Close ends it. It panics if the machine has no free loopback port,
// as httptest.NewServer does: a test could not go on.
func Start(options ...Option) *Server {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("emulator: no loopback port: %v", err))
	}
	e := New(options...)
	s := &Server{
		Emulator: e, URL: "http://" + listener.Addr().String(),
		server: &http.Server{Handler: e, ReadHeaderTimeout: time.Minute},
	}
	go s.server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when Close is called.
	return s
}

// Close stops listening and closes the connections, the ones of [Emulator.Client] as well.
func (s *Server) Close() {
	_ = s.server.Close()
	s.Emulator.Close()
}

// ClientURL is a base address for the client of [Emulator.Client].
const ClientURL = "http://localhost"

// Client returns a client that sends all plain-http requests to the emulator, at any address, over HTTP/1.1 in
// memory, without a port or a socket. All clients of an emulator share their connections. [Emulator.Close] closes
// them.
//
//	service := emulator.New()
//	defer service.Close()
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL),
//		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))
//
// It works inside a testing/synctest bubble, where hours pass in milliseconds. Make and close the emulator inside the
// bubble too.
func (e *Emulator) Client() *http.Client {
	transport, _ := e.memory()
	return &http.Client{Transport: transport}
}

// Close closes the connections of the clients of [Emulator.Client], which cannot be used any more. An emulator without
// such clients need not be closed.
func (e *Emulator) Close() {
	_, server := e.memory()
	_ = server.Close() // This closes the other ends of the connections too.
}

// newMemory makes an HTTP server without a network and the transport to it, which start when they are first needed.
func newMemory(handler http.Handler) func() (*http.Transport, *http.Server) {
	return sync.OnceValues(func() (*http.Transport, *http.Server) {
		listener, server := pipe.Listen(), &http.Server{Handler: handler}
		go server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when Close is called.
		return &http.Transport{DialContext: listener.Dial, MaxIdleConnsPerHost: 100}, server
	})
}

// knowsHost reports whether a request names a host of the emulator. A request that came over no network, such as one
// to the handler in a test, may name any.
func (e *Emulator) knowsHost(r *http.Request) bool {
	local, networked := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !networked {
		return true
	}
	host := (&url.URL{Host: r.Host}).Hostname()
	if ip, err := netip.ParseAddr(host); err == nil && (ip.Unmap().IsLoopback() || local.IP.Equal(ip.AsSlice())) {
		return true
	}
	named := func(name string) bool { return strings.EqualFold(name, host) }
	return named("localhost") || slices.ContainsFunc(e.settings.hosts, named)
}
