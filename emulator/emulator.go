package emulator

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/broken"
)

// Emulator is the service in memory. Use New to make one.
type Emulator struct {
	// APIKey is a key with the rights of an administrator: see [WithAPIKey].
	APIKey string
	// ViewerKey is a key without the rights of an administrator: see [WithViewerKey].
	ViewerKey string

	settings   settings
	operations *operations
	routes     http.Handler
	control    http.Handler // nil unless it was asked for.
	requests   atomic.Int64 // The number of requests so far.
	faults     faults
	calls      calls
	memory     memory

	// mu guards the state. It is held while a request is carried out, and not while its body is read or its response
	// is written, so that a handler may use the state as if it were alone.
	mu    sync.Mutex
	state *state
	// limits are those of the service itself.
	limits requestLimits
}

// New makes an emulator with a fresh account: the chains of a small catalogue, some invoices and payments, no
// endpoints.
func New(options ...Option) *Emulator {
	settings := defaultSettings()
	for _, option := range options {
		option(&settings)
	}
	// The OpenAPI files have the lists of the alerts area bare: what is under data cannot be held against them.
	if record := recorder(); record != nil && !settings.alertsWrapped {
		settings.observers = append(settings.observers, record)
	}
	e := &Emulator{APIKey: settings.apiKey, ViewerKey: settings.viewerKey, settings: settings}
	e.state = newState(&e.settings)
	e.operations = newOperations()
	e.limits = requestLimits{
		{length: time.Second, limit: settings.perSecond, name: "Rps"}, {length: time.Minute, limit: settings.perMinute, name: "Rpm"},
	}
	e.routes = e.newRoutes()
	if settings.controlled {
		e.control = e.newControl()
	}
	e.calls.limit = settings.keptCalls
	for _, fault := range settings.faults {
		if _, err := e.Inject(fault); err != nil {
			panic(err)
		}
	}
	return e
}

// maxRequestBody is the largest request that the emulator reads. The contract states no limit.
const maxRequestBody = 8 << 20

// ServeHTTP carries out one request. It need not come from a server: a request of http.NewRequest, whose body may be
// nil, does as well. A request to another host is refused: see [WithHosts]. Every other response has an X-Request-Id,
// which counts the requests from "req-1" on.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.knowsHost(r) {
		http.Error(w, "the emulator is not reached by this host: see WithHosts, or -host of the program", http.StatusMisdirectedRequest)
		return
	}
	if e.control != nil && isControl(r) {
		e.control.ServeHTTP(w, r)
		return
	}
	if e.settings.paged && r.URL.Path == pagePath {
		e.servePage(w, r)
		return
	}
	w.Header().Set("X-Request-Id", "req-"+strconv.FormatInt(e.requests.Add(1), 10))
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody)); err != nil {
			e.refuseUnread(w, r)
			return
		}
	}
	e.serve(w, r, body)
}

// serve lets a request meet the faults, carries it out, and responds.
func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	a := e.operations.asked(r.Clone(r.Context()), body)
	call := e.newCall(a, w.Header().Get("X-Request-Id"))
	latency, met := e.faults.meet(a)
	if latency > 0 && !broken.Wait(r.Context(), latency) {
		call.Fault = "latency"
		e.calls.add(call)
		panic(http.ErrAbortHandler) // Nobody is there any more.
	}
	response := &response{header: w.Header(), status: http.StatusOK}
	effect, fault := e.carryOut(a, met, call, response)
	e.observe(r, body, response, fault.name())
	if effect.send != nil {
		effect.send(fault, w, r, response)
		return
	}
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

// carryOut makes the response and records the call. It returns the fault that the request has met, and what is left
// of its effect: how to send the response. Both are zero where there is none.
func (e *Emulator) carryOut(a asked, met *Injection, call keptCall, response *response) (effect, Fault) {
	var suffered effect
	var fault Fault
	if met != nil {
		fault = met.fault
		suffered = effects[fault.Effect]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	call.Time = e.settings.clock()
	if suffered.instead != nil {
		suffered.instead(fault, a, response)
	} else {
		happened := suffered.ask == nil || suffered.ask(fault, &a)
		request := a.request.WithContext(withReceived(a.request, a.body))
		request.Body = io.NopCloser(bytes.NewReader(a.body))
		call.CarriedOut = e.limits.admit(response.header, call.Time)
		if call.CarriedOut {
			e.routes.ServeHTTP(response, request)
		} else {
			writeFailure(response, http.StatusTooManyRequests, "too many requests")
		}
		if happened && suffered.change != nil {
			happened = suffered.change(fault, a, response)
		}
		if met != nil && !happened {
			met.giveBack()
			suffered, fault = effect{}, Fault{}
		}
	}
	call.Fault = fault.name()
	if !suffered.mute {
		call.Status = response.status
	}
	e.calls.add(call)
	return suffered, fault
}

// refuseUnread responds to a request whose body cannot be read.
func (e *Emulator) refuseUnread(w http.ResponseWriter, r *http.Request) {
	call := e.newCall(e.operations.asked(r, nil), w.Header().Get("X-Request-Id"))
	call.Status = http.StatusBadRequest
	e.calls.add(call)
	writeFailure(w, call.Status, "the body cannot be read")
}

// received is what a handler may want to know of a request beyond the generated record of it.
type received struct {
	body  []byte
	query url.Values
	// base is the address under which the emulator was reached, such as "http://127.0.0.1:40123".
	base string
}

type receivedKey struct{}

// withReceived leaves what was received with the request.
func withReceived(r *http.Request, body []byte) context.Context {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return context.WithValue(r.Context(), receivedKey{}, received{
		body:  body,
		query: r.URL.Query(),
		base:  scheme + "://" + r.Host,
	})
}

func receivedWith(ctx context.Context) received {
	request, _ := ctx.Value(receivedKey{}).(received)
	return request
}

// sent decodes the request's body once more, into a map as a rule. The generated records do not tell a key that they
// do not know from none at all, nor a false from an absence.
func sent[T any](ctx context.Context) (T, error) {
	var body T
	if err := json.Unmarshal(receivedWith(ctx).body, &body); err != nil {
		return body, badRequest("the body is not acceptable")
	}
	return body, nil
}

// response keeps a response until the state is free again.
type response struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if !r.begun {
		r.status, r.begun = status, true
	}
}

// Write implements http.ResponseWriter.
func (r *response) Write(p []byte) (int, error) {
	r.begun = true
	return r.body.Write(p)
}

// replace puts another body in the place of the one that was written, and returns true.
func (r *response) replace(body []byte) bool {
	r.body.Reset()
	_, _ = r.body.Write(body) // A buffer takes everything.
	return true
}
