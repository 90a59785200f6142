package emulator

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// adminHandlers implements the admin area's server interface. Its methods are spread over the files of their subjects.
// A method returns the success record of its operation, or an error: a refusal becomes the failure envelope.
type adminHandlers struct{ *Emulator }

var _ adminapi.Server = adminHandlers{}

// newRoutes lays out all areas. The router prefers fixed parts, which the contract needs: with DELETE
// /v0/endpoints/tags/{id} beside DELETE /v0/endpoints/{id}/ip_custom_header, http.ServeMux refuses to start.
func (e *Emulator) newRoutes() http.Handler {
	router := chi.NewRouter()
	// The data plane of the tooling endpoint has session tokens of its own in place of the API key.
	e.mountToolingPlane(router)
	router.Group(func(router chi.Router) {
		router.Use(e.authenticate)
		e.mountAdmin(router)
		e.mountAlerts(router)
		e.mountGraph(router)
	})
	return router
}

// mountAdmin adds the operations of the admin area.
func (e *Emulator) mountAdmin(router chi.Router) {
	adminapi.Mount(serve.Area{
		Router: router, Mounted: e.operations.adder(refuse), RefuseRequest: refuseRequest, Refuse: refuse,
	}, adminHandlers{e})
}

// What is no operation of the OpenAPI files has names of its own.
const (
	graphOperation   = "graph"
	toolingOperation = "tooling"
	// graphName is the parameter of graphOperation.
	graphName = "operationName"
)

// operations knows all operations, and which one a request is of.
type operations struct {
	byID    map[string]*mounted
	byRoute map[string]*mounted // By method and path template.
	router  *chi.Mux
}

// mounted is an operation where the emulator has it.
type mounted struct {
	serve.Operation

	params []string
	// refuse writes a failure in the form of the area.
	refuse func(http.ResponseWriter, *http.Request, error)
}

func newOperations() *operations {
	return &operations{byID: map[string]*mounted{}, byRoute: map[string]*mounted{}, router: chi.NewRouter()}
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// add adds an operation whose failures are written by refuse. One may be added under several paths.
func (o *operations) add(op serve.Operation, refuse func(http.ResponseWriter, *http.Request, error)) {
	added := &mounted{Operation: op, refuse: refuse}
	for _, name := range parameter.FindAllStringSubmatch(op.Path, -1) {
		added.params = append(added.params, name[1])
	}
	if op.ID == graphOperation {
		added.params = []string{graphName}
	}
	o.byID[op.ID] = added
	o.byRoute[op.Method+" "+op.Path] = added
	o.router.Method(op.Method, op.Path, http.NotFoundHandler())
}

// adder is add for all operations of an area.
func (o *operations) adder(refuse func(http.ResponseWriter, *http.Request, error)) func(serve.Operation) {
	return func(op serve.Operation) { o.add(op, refuse) }
}

// hasParam reports whether the operation, or any if the id is empty, has a path parameter of that name.
func (o *operations) hasParam(id, name string) bool {
	for _, op := range o.byID {
		if (id == "" || op.ID == id) && slices.Contains(op.params, name) {
			return true
		}
	}
	return false
}

// asked is a request as the faults and the records of calls see it.
type asked struct {
	request *http.Request
	body    []byte
	// op is nil where the request is of no operation.
	op     *mounted
	params map[string]string
}

// asked finds out what a request is.
func (o *operations) asked(r *http.Request, body []byte) asked {
	a := asked{request: r, body: body}
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	match := chi.NewRouteContext()
	if !o.router.Match(match, r.Method, path) {
		return a
	}
	a.op = o.byRoute[r.Method+" "+match.RoutePattern()]
	if a.op == nil {
		return a
	}
	a.params = make(map[string]string, len(a.op.params))
	for _, name := range a.op.params {
		value := match.URLParam(name)
		if plain, err := url.PathUnescape(value); err == nil && r.URL.RawPath != "" {
			value = plain
		}
		a.params[name] = value
	}
	if a.op.ID == graphOperation {
		a.params[graphName] = nameOfQuery(body)
	}
	return a
}

// id is the operation's id, or empty.
func (a *asked) id() string {
	if a.op == nil {
		return ""
	}
	return a.op.ID
}

var queryName = regexp.MustCompile(`\bquery\s+(\w+)`)

// nameOfQuery is the name of the query that a request of the graph area is to run.
func nameOfQuery(body []byte) string {
	var sent struct {
		Query         string `json:"query"`
		OperationName string `json:"operationName"`
	}
	if json.Unmarshal(body, &sent) == nil && sent.OperationName == "" {
		if first := queryName.FindStringSubmatch(sent.Query); first != nil {
			return first[1]
		}
	}
	return sent.OperationName
}

// role is what a key may do.
type role int

const (
	viewer role = iota + 1
	administrator
)

type roleKey struct{}

// authenticate refuses requests without a known key, in plain text as the service was observed to, and leaves the
// caller's role with the request.
func (e *Emulator) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := e.roleOf(r.Header.Get("X-Api-Key"))
		if caller == 0 {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), roleKey{}, caller)))
	})
}

func (e *Emulator) roleOf(key string) role {
	switch {
	case key == "":
		return 0
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.settings.apiKey)) == 1:
		return administrator
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.settings.viewerKey)) == 1:
		return viewer
	}
	return 0
}

// isAdministrator reports whether the request's caller is one.
func isAdministrator(ctx context.Context) bool { return ctx.Value(roleKey{}) == administrator }

// rejection is a failure that the caller is told about: a status, and the text of the envelope's error. Handlers return
// it as their error, so that every failure of every operation is written in one place.
type refusal struct {
	status int
	reason string
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

func badRequest(reason string) error { return &refusal{http.StatusBadRequest, reason} }
func forbidden(reason string) error  { return &refusal{http.StatusForbidden, reason} }
func notFound(reason string) error   { return &refusal{http.StatusNotFound, reason} }

// requireAdministrator refuses callers without an administrator's rights.
func requireAdministrator(ctx context.Context) error {
	if isAdministrator(ctx) {
		return nil
	}
	return forbidden("this operation requires an administrator")
}

// refuse writes a failed operation's response: the refusal that the handler returned, and for any other error a 500.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	var refused *refusal
	if errors.As(err, &refused) {
		writeFailure(w, refused.status, refused.reason)
		return
	}
	writeFailure(w, http.StatusInternalServerError, "internal error")
}

// refuseRequest writes the response to a request whose parameters or body cannot be read.
func refuseRequest(w http.ResponseWriter, _ *http.Request, err error) {
	writeFailure(w, http.StatusBadRequest, err.Error())
}

func writeFailure(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(failure{Error: reason}) // The response is kept in memory: writing it cannot fail.
}

// failure is the envelope of an operation that failed: data is always null.
type failure struct {
	Data  *struct{} `json:"data"`
	Error string    `json:"error"`
}
