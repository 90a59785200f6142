package emulator

import (
	"cmp"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// adminHandlers implements the admin area's server interface, which says the method and the path of each operation. A
// method returns the data of a success, or an error. A [serve.Error] becomes the failure envelope.
type adminHandlers struct{ *Emulator }

// alertsHandlers implements the alerts area's server interface.
type alertsHandlers struct{ *Emulator }

// newOperations makes the operations of all areas.
func (e *Emulator) newOperations() *operationTable {
	o := &operationTable{router: chi.NewRouter(),
		byID: map[string]*operationRoute{}, byRoute: map[string]*operationRoute{}}
	adminapi.Mount(serve.Area{Mount: o.add, Reject: reject}, adminHandlers{e})
	alertsapi.Mount(serve.Area{
		Mount: o.add, Prefix: alertsPath, Gated: e.settings.alertsGated,
		WrapLists: e.settings.alertsWrapped, Reject: rejectAlerts,
	}, alertsHandlers{e})
	o.add(serve.Area{Reject: rejectGraph}, serve.Operation{
		ID: graphOperation, Method: http.MethodPost, Path: graphPath, Paging: "cursor"}, e.serveGraph)
	for _, path := range []string{toolingPath + "{endpoint_id}", toolingPath + "{endpoint_id}/*"} {
		o.add(serve.Area{Reject: rejectTooling}, serve.Operation{
			ID: toolingOperation, Method: http.MethodPost, Path: path, Paging: "none"}, e.serveTooling)
	}
	return o
}

// prepare checks the key of a request, and finds the thing that its path names. If it rejects the request, it responds
// and returns false. A missing key and a plan without alerts have plain texts, as observed.
func (e *Emulator) prepare(w http.ResponseWriter, r *http.Request, req requestData) bool {
	if req.op == unknownOperation || req.op.ID == toolingOperation {
		return true // The tooling endpoint takes session tokens instead of the API key.
	}
	about := infoOf(r.Context())
	caller := e.roleOf(r.Header.Get("X-Api-Key"))
	switch {
	case caller == 0:
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return false
	case req.op.area.Gated:
		http.Error(w, "Forbidden", http.StatusForbidden)
		return false
	}
	err := e.find(about, req, caller)
	if err != nil {
		req.op.area.Reject(w, serve.ErrorOf(err))
	}
	return err == nil
}

// find finds the thing that the path names, such as an endpoint. It rejects a request for an unknown thing, and one
// that takes an administrator.
func (e *Emulator) find(about *requestInfo, req requestData, caller keyRole) (err error) {
	id := req.params["id"]
	number, malformed := strconv.ParseInt(id, 10, 64)
	pattern := strings.TrimPrefix(req.op.Path, req.op.area.Prefix)
	under := func(prefix string) bool { return strings.HasPrefix(pattern, prefix) }
	switch {
	case caller != administrator && (under("/v0/endpoints/bulk/") || under("/v0/endpoints/tags/{id}")):
		err = forbidden("this operation requires an administrator")
	case malformed != nil && (under("/v0/endpoints/tags/{id}") || under("/v0/teams/{id}")):
		err = badRequest("id must be a number")
	case under("/v0/endpoints/tags/{id}"):
		about.tag, err = e.state.tag(number)
	case under("/v0/teams/{id}"):
		about.team, err = byID(e.state.teams, "team", number, func(t *teamData) int64 { return t.ID })
	case under("/v0/endpoints/{id}"):
		about.endpoint, err = e.state.endpoint(id)
		if err != nil && req.op.ID == "listMethodRateLimits" {
			err = &serve.Error{Status: http.StatusNotFound, Body: noMethodRateLimits}
		}
	case under("/destinations/{id}"):
		about.destination, err = byID(e.state.destinations, "destination", id, func(d *destination) string { return d.ID })
	case under("/notifications/{id}"):
		about.notification, err = e.state.notification(id)
	}
	return err
}

// The paths of the areas. The admin area has none.
const (
	alertsPath = "/alerts/rest/v1"
	graphPath  = "/graphql"
)

// The operations that are not in the OpenAPI files.
const (
	graphOperation   = "graph"
	toolingOperation = "tooling"
	graphName        = "operationName" // The parameter of graphOperation.
)

// operationTable are all operations of the emulator.
type operationTable struct {
	byID    map[string]*operationRoute
	byRoute map[string]*operationRoute // By method and path template.
	// router prefers fixed parts of a path. http.ServeMux does not accept DELETE /v0/endpoints/tags/{id} beside
	// DELETE /v0/endpoints/{id}/ip_custom_header.
	router *chi.Mux
}

type operationRoute struct {
	serve.Operation

	params []string
	area   serve.Area
}

// unknownOperation has no id. Its failures are those of the admin area.
var unknownOperation = &operationRoute{area: serve.Area{Reject: reject}}

var parameterRE = regexp.MustCompile(`\{(\w+)\}`)

// add adds an operation, which may have several paths.
func (o *operationTable) add(area serve.Area, op serve.Operation, handler http.HandlerFunc) {
	added := &operationRoute{Operation: op, area: area}
	for _, name := range parameterRE.FindAllStringSubmatch(op.Path, -1) {
		added.params = append(added.params, name[1])
	}
	if op.ID == graphOperation {
		added.params = []string{graphName}
	}
	o.byID[op.ID] = added
	o.byRoute[op.Method+" "+op.Path] = added
	o.router.MethodFunc(op.Method, op.Path, handler)
}

// hasParam reports whether the operation has a path parameter of that name. If the id is empty, any operation counts.
func (o *operationTable) hasParam(id, name string) bool {
	for _, op := range o.byID {
		if (id == "" || op.ID == id) && slices.Contains(op.params, name) {
			return true
		}
	}
	return false
}

// requestData is a request with its operation. Faults and calls are about it.
type requestData struct {
	http   *http.Request
	body   []byte
	op     *operationRoute // unknownOperation if the path and the method belong to none.
	params map[string]string
}

// classify finds the operation of a request.
func (o *operationTable) classify(r *http.Request, body []byte) requestData {
	req := requestData{http: r, body: body, op: unknownOperation}
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	match := chi.NewRouteContext()
	if !o.router.Match(match, r.Method, path) {
		return req
	}
	req.op = cmp.Or(o.byRoute[r.Method+" "+match.RoutePattern()], unknownOperation)
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

// keyRole decides which operations a key may use.
type keyRole int

const (
	viewer keyRole = iota + 1
	administrator
)

func (e *Emulator) roleOf(key string) keyRole {
	switch {
	case key == "":
		return 0
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.settings.apiKey)) == 1:
		return administrator
	case subtle.ConstantTimeCompare([]byte(key), []byte(e.ViewerKey)) == 1:
		return viewer
	}
	return 0
}

func badRequest(reason string) error {
	return &serve.Error{Status: http.StatusBadRequest, Reason: reason}
}
func forbidden(reason string) error {
	return &serve.Error{Status: http.StatusForbidden, Reason: reason}
}
func notFound(reason string) error { return &serve.Error{Status: http.StatusNotFound, Reason: reason} }

// reject writes the envelope of a failure, whose data is always null, unless the error has a body of its own.
func reject(w http.ResponseWriter, failed *serve.Error) {
	body := failed.Body
	if body == nil {
		body = map[string]any{"data": nil, "error": failed.Reason}
	}
	writeJSON(w, failed.Status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // A client that has gone away needs no response.
}

// serveGraph serves the graph area: a GraphQL executor over made-up data, which come from the seed and never change.
// Each chain has five collections, the first of which has 5,000 tokens, with wallets, ERC-20 tokens and two months of
// events. Queries find their addresses. The data are made by the first query. The state is unlocked while a query is
// executed, so that other requests do not wait for a slow one.
func (e *Emulator) serveGraph(w http.ResponseWriter, r *http.Request) {
	if e.state.graph == nil {
		e.state.graph = graphapi.New(e.state.given, e.settings.pageCap)
	}
	graph := e.state.graph
	e.mu.Unlock()
	defer e.mu.Lock()
	graph.ServeHTTP(w, r)
}

// rejectGraph writes a failure of the graph area, in the form of GraphQL.
func rejectGraph(w http.ResponseWriter, failed *serve.Error) {
	graphapi.Reject(w, failed.Status, "INTERNAL_ERROR", failed.Reason)
}
