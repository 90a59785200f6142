package emulator

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// Emulator is the service in memory. Use New to make one.
type Emulator struct {
	// APIKey is a key with the rights of an administrator: see [WithAPIKey].
	APIKey string
	// ViewerKey is a key without the rights of an administrator: see [WithViewerKey].
	ViewerKey string

	settings settings
	routes   http.Handler

	// mu guards the state. It is held while a request is carried out, and not while its body is read or its response
	// is written, so that a handler may use the state as if it were alone.
	mu    sync.Mutex
	state *state
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
	e.routes = e.newRoutes()
	return e
}

// maxRequestBody is the largest request that the emulator reads. The contract states no limit.
const maxRequestBody = 8 << 20

// ServeHTTP carries out one request. It need not come from a server: a request of http.NewRequest, whose body may be
// nil, does as well.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody)); err != nil {
			writeFailure(w, http.StatusBadRequest, "the body cannot be read")
			return
		}
	}
	request := r.Clone(withReceived(r, body))
	request.Body = io.NopCloser(bytes.NewReader(body))
	response := &response{header: w.Header(), status: http.StatusOK}
	e.handle(response, request)
	e.observe(r, body, response)
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

func (e *Emulator) handle(response *response, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.routes.ServeHTTP(response, r)
}

// response keeps a response until the state is free again.
type response struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *response) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *response) WriteHeader(status int) {
	if !a.begun {
		a.status, a.begun = status, true
	}
}

// Write implements http.ResponseWriter.
func (a *response) Write(p []byte) (int, error) {
	a.begun = true
	return a.body.Write(p)
}
