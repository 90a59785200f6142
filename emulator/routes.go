package emulator

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// adminHandlers implements the admin area's server interface. A method returns the success record of its operation, or
// an error. A refusal becomes the failure envelope.
type adminHandlers struct{ *Emulator }

// alertsHandlers implements the alerts area's server interface.
type alertsHandlers struct{ *Emulator }

var (
	_ adminapi.Server  = adminHandlers{}
	_ alertsapi.Server = alertsHandlers{}
)

// newRoutes makes the routes of all areas. It needs a router that prefers fixed parts of a path: http.ServeMux refuses
// DELETE /v0/endpoints/tags/{id} beside DELETE /v0/endpoints/{id}/ip_custom_header.
func (e *Emulator) newRoutes() http.Handler {
	router := chi.NewRouter()
	e.mountToolingPlane(router) // It takes session tokens instead of the API key.
	router.Group(func(router chi.Router) {
		router.Use(e.authenticate)
		adminapi.Mount(serve.Area{
			Router: router.With(e.find(refuse)), Mounted: e.operations.adder(refuse), Refuse: refuse,
		}, adminHandlers{e})
		alertsapi.Mount(serve.Area{
			Router: router.With(e.requireAlerts, e.find(refuseAlerts)),
			Prefix: strings.TrimRight(e.settings.alertsPath, "/"), Mounted: e.operations.adder(refuseAlerts),
			Refuse: refuseAlerts, WrapLists: e.settings.alertsWrapped,
		}, alertsHandlers{e})
		e.mountGraph(router)
	})
	return router
}

// find finds the thing that the path names, such as an endpoint, and leaves it in the request's info. It refuses a
// request for an unknown thing, and one that takes an administrator.
func (e *Emulator) find(refuse func(http.ResponseWriter, *http.Request, error)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := chi.URLParam(r, "id")
			if unescaped, err := url.PathUnescape(id); err == nil && r.URL.RawPath != "" {
				id = unescaped
			}
			about, pattern := info(r.Context()), chi.RouteContext(r.Context()).RoutePattern()
			if err := e.findIn(about, r.Method, pattern, id); err != nil {
				refuse(w, r, err)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func (e *Emulator) findIn(about *requestInfo, method, pattern, id string) (err error) {
	number, malformed := strconv.ParseInt(id, 10, 64)
	alerts, _ := strings.CutPrefix(pattern, strings.TrimRight(e.settings.alertsPath, "/"))
	under := func(prefix string) bool { return strings.HasPrefix(pattern, prefix) }
	numbered := under("/v0/endpoints/tags/{id}") || under("/v0/teams/{id}")
	switch {
	case about.role != administrator && (under("/v0/endpoints/bulk/") || under("/v0/endpoints/tags/{id}")):
		err = forbidden("this operation requires an administrator")
	case numbered && malformed != nil:
		err = badRequest("id must be a number")
	case under("/v0/endpoints/tags/{id}"):
		about.tag, err = e.state.tag(number)
	case under("/v0/teams/{id}"):
		about.team, err = byID(e.state.Teams, "team", number, func(t *team) int64 { return t.ID })
	case under("/v0/endpoints/{id}"):
		about.endpoint, err = e.state.endpoint(id)
		if err != nil && method == http.MethodGet && strings.HasSuffix(pattern, "/method-rate-limits") {
			err = &refusal{status: http.StatusNotFound, body: noMethodRateLimits}
		}
	case strings.HasPrefix(alerts, "/destinations/{id}"):
		about.destination, err = byID(e.state.Destinations, "destination", id, func(d *destination) string { return d.ID })
	case strings.HasPrefix(alerts, "/notifications/{id}"):
		about.notification, err = e.state.notification(id)
	}
	return err
}

// byID finds the thing with an id in a list.
func byID[T any, ID comparable](list []T, kind string, id ID, idOf func(T) ID) (T, error) {
	at := slices.IndexFunc(list, func(item T) bool { return idOf(item) == id })
	if at < 0 {
		var none T
		return none, notFound(kind + " not found")
	}
	return list[at], nil
}

// The operations that are not in the OpenAPI files.
const (
	graphOperation   = "graph"
	toolingOperation = "tooling"
	graphName        = "operationName" // The parameter of graphOperation.
)

// operations are all operations of the emulator.
type operations struct {
	byID    map[string]*operation
	byRoute map[string]*operation // By method and path template.
	router  *chi.Mux
}

type operation struct {
	serve.Operation

	params []string
	// refuse writes a failure in the form of the area.
	refuse func(http.ResponseWriter, *http.Request, error)
}

func newOperations() *operations {
	return &operations{byID: map[string]*operation{}, byRoute: map[string]*operation{}, router: chi.NewRouter()}
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// add adds an operation, which may have several paths. refuse writes its failures.
func (o *operations) add(op serve.Operation, refuse func(http.ResponseWriter, *http.Request, error)) {
	added := &operation{Operation: op, refuse: refuse}
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

// adder returns add for all operations of an area.
func (o *operations) adder(refuse func(http.ResponseWriter, *http.Request, error)) func(serve.Operation) {
	return func(op serve.Operation) { o.add(op, refuse) }
}

// hasParam reports whether the operation has a path parameter of that name. If the id is empty, any operation counts.
func (o *operations) hasParam(id, name string) bool {
	for _, op := range o.byID {
		if (id == "" || op.ID == id) && slices.Contains(op.params, name) {
			return true
		}
	}
	return false
}

// request is a request with its operation. Faults and calls are about it.
type request struct {
	http   *http.Request
	body   []byte
	op     *operation // nil if the path and the method belong to no operation.
	params map[string]string
}

// classify finds the operation of a request.
func (o *operations) classify(r *http.Request, body []byte) request {
	req := request{http: r, body: body}
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	match := chi.NewRouteContext()
	if !o.router.Match(match, r.Method, path) {
		return req
	}
	if req.op = o.byRoute[r.Method+" "+match.RoutePattern()]; req.op == nil {
		return req
	}
	req.params = make(map[string]string, len(req.op.params))
	for _, name := range req.op.params {
		value := match.URLParam(name)
		if plain, err := url.PathUnescape(value); err == nil && r.URL.RawPath != "" {
			value = plain
		}
		req.params[name] = value
	}
	if req.op.ID == graphOperation {
		req.params[graphName] = queryName(body)
	}
	return req
}

// id returns the operation's id, or "".
func (r *request) id() string {
	if r.op == nil {
		return ""
	}
	return r.op.ID
}

var namedQuery = regexp.MustCompile(`\bquery\s+(\w+)`)

// queryName returns the name of the query in a request of the graph area.
func queryName(body []byte) string {
	var sent struct {
		Query         string `json:"query"`
		OperationName string `json:"operationName"`
	}
	if json.Unmarshal(body, &sent) == nil && sent.OperationName == "" {
		if first := namedQuery.FindStringSubmatch(sent.Query); first != nil {
			return first[1]
		}
	}
	return sent.OperationName
}

// role decides which operations a key may use.
type role int

const (
	viewer role = iota + 1
	administrator
)

// authenticate refuses requests without a known key. The response is plain text, as observed.
func (e *Emulator) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := e.roleOf(r.Header.Get("X-Api-Key"))
		if caller == 0 {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		info(r.Context()).role = caller
		next.ServeHTTP(w, r)
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

// refusal is a failure with a status and the text of the envelope's error. Handlers return it as their error.
type refusal struct {
	status int
	reason string
	body   any // The body of the response, if it is not the failure envelope.
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

func badRequest(reason string) error { return &refusal{status: http.StatusBadRequest, reason: reason} }
func forbidden(reason string) error  { return &refusal{status: http.StatusForbidden, reason: reason} }
func notFound(reason string) error   { return &refusal{status: http.StatusNotFound, reason: reason} }

// refusalOf returns the refusal in an error. A request that cannot be read is a 400, and any other error a 500.
func refusalOf(err error) *refusal {
	var refused *refusal
	var unread *serve.RequestError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &unread):
		return &refusal{status: http.StatusBadRequest, reason: unread.Reason}
	}
	return &refusal{status: http.StatusInternalServerError, reason: "internal error"}
}

// refuse writes the response of a failed operation.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	refused := refusalOf(err)
	if refused.body != nil {
		writeJSON(w, refused.status, refused.body)
		return
	}
	writeFailure(w, refused.status, refused.reason)
}

// writeFailure writes the envelope of a failure, whose data is always null.
func writeFailure(w http.ResponseWriter, status int, reason string) {
	writeJSON(w, status, struct {
		Data  *struct{} `json:"data"`
		Error string    `json:"error"`
	}{Error: reason})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // A client that has gone away needs no response.
}
