package emulator

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// Emulator is the service in memory. Use New to make one.
type Emulator struct {
	// APIKey is a key with the rights of an administrator: see [WithAPIKey].
	APIKey string
	// ViewerKey is a key without the rights of an administrator.
	ViewerKey string

	settings   settings
	operations *operationTable
	control    http.Handler // nil without WithAdminAPI.
	requests   atomic.Int64 // The number of requests so far.
	faults     faults
	calls      callHistory
	record     func(Exchange) // nil unless the run is recorded.
	memory     func() (*http.Transport, *http.Server)

	// mu guards the state and the limits. A request holds it only while its handler runs, and not while its body is
	// read or its response is written. So handlers need no locks. The graph area unlocks it: see serveGraph.
	mu     sync.Mutex
	state  *state
	limits []tokenBucket
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
	// The OpenAPI files describe bare lists in the alerts area. Wrapped ones cannot be checked against them.
	if !e.settings.alertsWrapped {
		e.record = recorder()
	}
	e.state = newState(&e.settings)
	e.limits = slices.Clone(e.settings.limits)
	e.operations = e.newOperations()
	e.memory = newMemory(e)
	if e.settings.controlled {
		e.control = e.newControl()
	}
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
	e.RemoveFaults()
	e.ResetCalls()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = newState(&e.settings)
	e.limits = slices.Clone(e.settings.limits)
}

// maxRequestBody is the largest request body that the emulator reads. The contract states no limit.
const maxRequestBody = 8 << 20

// ServeHTTP serves one request. The request need not come from a server: one of http.NewRequest works as well, and its
// body may be nil. A request to another host is rejected: see [WithHosts]. Every other response has an X-Request-Id,
// which counts the requests from "req-1" on, and a Date by the emulator's clock.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.knowsHost(r) {
		http.Error(w, "unknown host: see WithHosts, or -host of the program",
			http.StatusMisdirectedRequest)
		return
	}
	if e.control != nil && isControl(r) {
		e.control.ServeHTTP(w, r)
		return
	}
	w.Header().Set("X-Request-Id", "req-"+strconv.FormatInt(e.requests.Add(1), 10))
	w.Header().Set("Date", e.settings.clock().UTC().Format(http.TimeFormat))
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody)); err != nil {
			call := e.newCall(e.operations.classify(r, nil))
			call.Status = http.StatusBadRequest
			e.calls.add(call)
			reject(w, &serve.Error{Status: call.Status, Reason: "the body cannot be read"})
			return
		}
	}
	e.serve(w, r, body)
}

// serve applies the faults to a request, runs its handler, and responds.
func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	req := e.operations.classify(r.Clone(r.Context()), body)
	call := e.newCall(req)
	latency, injection := e.faults.apply(req)
	if latency > 0 && !wait(r.Context(), latency) {
		call.Fault = "latency"
		e.calls.add(call)
		panic(http.ErrAbortHandler) // The client has gone away.
	}
	response := &responseBuffer{header: w.Header(), status: http.StatusOK}
	effect, fault := e.run(req, injection, call, response)
	if e.record != nil && fault.name() == "" { // A fault may break the contract on purpose.
		e.record(Exchange{
			Method: r.Method, URL: r.URL.RequestURI(), RequestHeader: r.Header, RequestBody: body,
			Status: response.status, Header: response.header, Body: response.body.Bytes(),
		})
	}
	if effect.send != nil {
		effect.send(fault, w, r, response)
		return
	}
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

// run makes the response and records the call. It returns the fault that was applied and its effect, which may send
// the response in another way. Both are zero if no fault was applied.
func (e *Emulator) run(req requestData, injection *Injection, call Call, response *responseBuffer) (
	effectRule, Fault) {
	var active effectRule
	var fault Fault
	if injection != nil {
		fault = injection.fault
		active = effects[fault.Effect]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	call.Time = e.settings.clock()
	if active.instead != nil {
		active.instead(fault, req, response)
	} else {
		happened := active.takesRequest(req) && (active.ask == nil || active.ask(fault, &req))
		call.Executed = admit(e.limits, response.header, call.Time)
		if call.Executed {
			if r := withInfo(req.http, req.body); e.prepare(response, r, req) {
				e.operations.router.ServeHTTP(response, r)
			}
		} else {
			reject(response, &serve.Error{Status: http.StatusTooManyRequests, Reason: "too many requests"})
		}
		if happened && active.change != nil {
			happened = active.change(fault, req, response)
		}
		if injection != nil && !happened {
			injection.undo()
			active, fault = effectRule{}, Fault{}
		}
	}
	call.Fault = fault.name()
	if !active.silent {
		call.Status = response.status
	}
	e.calls.add(call)
	return active, fault
}

// requestInfo is all that handlers know about a request beside its generated record.
type requestInfo struct {
	body  []byte
	query url.Values
	// base is the address that the request was sent to, such as "http://127.0.0.1:40123".
	base string
	// These are the things that the path names: see Emulator.find.
	endpoint     *endpointData
	tag          *adminapi.Tag
	team         *teamData
	destination  *destination
	notification *notification
}

type infoKey struct{}

func withInfo(r *http.Request, body []byte) *http.Request {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	info := &requestInfo{body: body, query: r.URL.Query(), base: scheme + "://" + r.Host}
	r = r.WithContext(context.WithValue(r.Context(), infoKey{}, info))
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// infoOf returns the info of a request. It is there for every handler.
func infoOf(ctx context.Context) *requestInfo {
	found, _ := ctx.Value(infoKey{}).(*requestInfo)
	return found
}

// decodeBody decodes a request's body once more. The generated records do not keep unknown fields, and do not
// distinguish a missing field from a zero one.
func decodeBody[T any](ctx context.Context) (T, error) {
	var body T
	if err := json.Unmarshal(infoOf(ctx).body, &body); err != nil {
		return body, badRequest("the body is not acceptable")
	}
	return body, nil
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
	_, _ = r.body.Write(body) // A buffer's Write never fails.
}

// set sets a place in the body, and reports whether there was one.
func (r *responseBuffer) set(pointer string, value any) bool {
	body, changed := setLeaf(r.body.Bytes(), pointer, value)
	if changed {
		r.replace(body)
	}
	return changed
}
