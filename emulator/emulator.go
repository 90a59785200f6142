package emulator

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

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
	control    http.Handler
	requests   atomic.Int64 // The number of requests so far.
	faults     faults
	calls      callHistory
	memory     func() (*http.Transport, *http.Server)

	// mu guards the state and the limits. A request holds it only while its handler runs, and not while its body is
	// read or its response is written. So handlers need no locks. The graph area unlocks it: see serveGraph.
	mu     sync.Mutex
	state  *state
	bucket tokenBucket
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
	e.state = newState(&e.settings)
	e.bucket = e.settings.bucket
	e.operations = newOperations(&e.settings)
	e.memory = newMemory(e)
	e.control = e.newControl()
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
	e.bucket = e.settings.bucket
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
	if e.settings.controlled && isControl(r) {
		e.control.ServeHTTP(w, r)
		return
	}
	w.Header().Set("X-Request-Id", "req-"+strconv.FormatInt(e.requests.Add(1), 10))
	w.Header().Set("Date", e.settings.clock().UTC().Format(http.TimeFormat))
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody)); err != nil {
			call := e.newRequest(r, nil).newCall()
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
	req := e.newRequest(r.Clone(r.Context()), body)
	call := req.newCall()
	latency, injection := e.faults.apply(req)
	if latency > 0 && !wait(r.Context(), latency) {
		call.Fault = "latency"
		e.calls.add(call)
		panic(http.ErrAbortHandler) // The client has gone away.
	}
	response := &responseBuffer{header: w.Header(), status: http.StatusOK}
	effect, fault := req.run(injection, call, response)
	if effect.send != nil {
		effect.send(fault, w, r, response)
		return
	}
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

// run makes the response and records the call. It returns the fault that was applied and its effect, which may send
// the response in another way. Both are zero if no fault was applied.
func (r *request) run(injection *Injection, call Call, response *responseBuffer) (effect effectRule, fault Fault) {
	if injection != nil {
		fault, effect = injection.fault, effects[injection.fault.Effect]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	call.Time = r.settings.clock()
	if effect.unserved {
		fault.respond(r, response)
	} else {
		happened := effect.takesRequest(r) && (effect.ask == nil || effect.ask(fault, r))
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
			injection.undo()
			effect, fault = effectRule{}, Fault{}
		}
	}
	call.Fault = fault.name()
	if !effect.silent {
		call.Status = response.status
	}
	r.calls.add(call)
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
