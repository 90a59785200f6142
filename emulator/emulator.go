package emulator

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
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
