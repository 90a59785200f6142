package emulator

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/keyvalueapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/webhooksapi"
)

// area is a group of operations with one form of failures.
type area struct {
	prefix string // Of the paths of the operations.
	gated  bool   // The plan of the account does not include the area.
	strict bool   // Only an administrator may write.
	reject func(http.ResponseWriter, *serve.Error)
}

// The paths of the areas. The admin area has none.
const (
	alertsPath   = "/alerts/rest/v1"
	webhooksPath = "/webhooks/rest/v1"
	keyValuePath = "/kv/rest/v1"
	streamsPath  = "/streams/rest/v1"
	graphPath    = "/graphql"
)

// The operations that are not in the OpenAPI files.
const (
	graphOperation   = "graph"
	toolingOperation = "tooling"
	graphName        = "operationName" // The parameter of graphOperation.
)

type operation struct {
	serve.Operation

	area   *area
	params []string // Of the path.
}

// unknownOperation has no id. Its failures are those of the admin area.
var unknownOperation = &operation{area: &area{reject: reject}}

// operationTable are all operations of the emulator.
type operationTable struct {
	byID    map[string]*operation
	byRoute map[string]*operation // By method and path template.
	// router prefers fixed parts of a path. http.ServeMux does not accept DELETE /v0/endpoints/tags/{id} beside
	// DELETE /v0/endpoints/{id}/ip_custom_header. It responds to unknown paths and methods only.
	router *chi.Mux
}

// newOperations makes the operations of all areas. Their server is a request: the server interface of an area says the
// method and the path of each operation, and what its handler returns.
func newOperations(s *settings) *operationTable {
	o := &operationTable{byID: map[string]*operation{}, byRoute: map[string]*operation{}, router: chi.NewRouter()}
	o.add(&area{reject: reject}, adminapi.Operations()...)
	o.add(&area{prefix: alertsPath, gated: s.alertsGated, reject: rejectAlerts}, alertsapi.Operations()...)
	o.add(&area{prefix: webhooksPath, strict: true, reject: rejectPlatform}, webhooksapi.Operations()...)
	o.add(&area{prefix: keyValuePath, strict: true, reject: rejectKeyValue}, keyvalueapi.Operations()...)
	o.add(&area{prefix: streamsPath, strict: true, reject: rejectPlatform}, streamsapi.Operations()...)
	o.add(&area{reject: rejectGraph},
		serve.Operation{ID: graphOperation, Method: http.MethodPost, Path: graphPath, Paging: "cursor"})
	o.byID[graphOperation].params = []string{graphName}
	for _, path := range []string{toolingPath + "{endpoint_id}", toolingPath + "{endpoint_id}/*"} {
		o.add(&area{reject: rejectTooling},
			serve.Operation{ID: toolingOperation, Method: http.MethodPost, Path: path, Paging: "none"})
	}
	return o
}

var (
	_ adminapi.Server    = (*request)(nil)
	_ alertsapi.Server   = (*request)(nil)
	_ webhooksapi.Server = (*request)(nil)
	_ keyvalueapi.Server = (*request)(nil)
	_ streamsapi.Server  = (*request)(nil)
)

var parameterRE = regexp.MustCompile(`\{(\w+)\}`)

func (o *operationTable) add(of *area, operations ...serve.Operation) {
	for _, op := range operations {
		op.Path = of.prefix + op.Path
		added := &operation{Operation: op, area: of}
		for _, name := range parameterRE.FindAllStringSubmatch(op.Path, -1) {
			added.params = append(added.params, name[1])
		}
		o.byID[op.ID], o.byRoute[op.Method+" "+op.Path] = added, added
		o.router.MethodFunc(op.Method, op.Path, http.NotFound)
	}
}

// request is a request with all that its handler knows about it. Its methods are the handlers.
type request struct {
	*Emulator

	http   *http.Request
	body   []byte
	unread error      // Of the body, if it cannot be read.
	op     *operation // unknownOperation if the path and the method belong to none.
	params map[string]string

	// These are the things that the path names: see find.
	endpoint     *endpointData
	tag          *adminapi.Tag
	team         *teamData
	destination  *alertsapi.Destination
	notification *notification
	webhook      *hook
	stream       *stream
}

// newRequest finds the operation of a request.
func (e *Emulator) newRequest(r *http.Request, body []byte) *request {
	made := &request{Emulator: e, http: r, body: body, op: unknownOperation}
	match := chi.NewRouteContext()
	if !e.operations.router.Match(match, r.Method, r.URL.EscapedPath()) {
		return made
	}
	made.op, made.params = e.operations.byRoute[r.Method+" "+match.RoutePattern()], map[string]string{}
	for _, name := range made.op.params {
		made.params[name], _ = url.PathUnescape(match.URLParam(name)) // The path is escaped correctly.
	}
	if made.op.ID == graphOperation {
		var sent struct{ OperationName string }
		_ = json.Unmarshal(body, &sent) // The graph area rejects an invalid body.
		made.params[graphName] = sent.OperationName
	}
	return made
}

// respond checks the key, finds the thing that the path names, runs the handler and writes its response. A missing key
// and a plan without an area have plain texts, as observed. The tooling endpoint takes session tokens instead of the
// key.
func (r *request) respond(w http.ResponseWriter) {
	switch {
	case r.unread != nil:
		reject(w, &serve.Error{Status: http.StatusBadRequest, Reason: "the body cannot be read"})
	case r.op == unknownOperation:
		r.operations.router.ServeHTTP(w, r.http)
	case r.op.ID == toolingOperation:
		r.serveTooling(w)
	case !r.administers(r.http) && r.http.Header.Get("X-Api-Key") != r.ViewerKey:
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	case r.op.area.gated:
		http.Error(w, "Forbidden", http.StatusForbidden)
	case r.op.ID == graphOperation:
		r.serveGraph(w)
	default:
		var body any
		err := r.find()
		if err == nil {
			body, err = r.op.Handle(r, &serve.Reader{Params: r.params, RawQuery: r.http.URL.RawQuery, Body: r.body})
		}
		switch text, isText := body.(string); {
		case err != nil:
			r.op.area.reject(w, serve.ErrorOf(err))
		case body == nil:
			w.WriteHeader(r.op.Status)
		case isText:
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = io.WriteString(w, text)
		default:
			writeJSON(w, r.op.Status, body)
		}
	}
}

// find finds the thing that the path names, such as an endpoint. It rejects a request for an unknown thing, and one
// that takes an administrator.
func (r *request) find() (err error) {
	id := r.params["id"]
	_, malformed := strconv.ParseInt(id, 10, 64)
	path := strings.TrimPrefix(r.op.Path, r.op.area.prefix)
	under := func(prefix string) bool { return strings.HasPrefix(path, prefix) }
	privileged := r.op.area.strict && r.op.Method != http.MethodGet || under("/v0/endpoints/bulk/") ||
		under("/v0/endpoints/tags/{id}")
	switch {
	case privileged && !r.administers(r.http):
		err = &serve.Error{Status: http.StatusForbidden, Reason: "this operation requires an administrator"}
	case malformed != nil && (under("/v0/endpoints/tags/{id}") || under("/v0/teams/{id}")):
		err = serve.BadRequest("id must be a number")
	case under("/v0/endpoints/tags/{id}"):
		r.tag, err = find(r.state.tags, "tag", id)
	case under("/v0/teams/{id}"):
		r.team, err = find(r.state.teams, "team", id)
	case under("/v0/endpoints/{id}"):
		r.endpoint, err = r.state.endpoint(id)
		if err != nil && r.op.ID == "listMethodRateLimits" {
			err = &serve.Error{Status: http.StatusNotFound, Body: noMethodRateLimits}
		}
	case under("/destinations/{id}"):
		r.destination, err = find(r.state.destinations, "destination", id)
	case under("/notifications/{id}"):
		r.notification, err = find(r.state.notifications, "notification", id)
	case under("/webhooks/{webhook_id}"):
		r.webhook, err = find(r.state.webhooks, "webhook", r.params["webhook_id"])
	case under("/streams/{stream_id}"):
		r.stream, err = find(r.state.streams, "stream", r.params["stream_id"])
	}
	return err
}

// administers reports whether a key has the rights of an administrator.
func (e *Emulator) administers(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Api-Key")), []byte(e.settings.apiKey)) == 1
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
func (r *request) serveGraph(w http.ResponseWriter) {
	if r.state.graph == nil {
		r.state.graph = graphapi.New(r.settings.seed, r.settings.pageCap)
	}
	graph := r.state.graph
	r.mu.Unlock()
	defer r.mu.Lock()
	graph.Serve(r.http.Context(), w, r.body)
}

// rejectGraph writes a failure of the graph area, in the form of GraphQL.
func rejectGraph(w http.ResponseWriter, failed *serve.Error) {
	graphapi.Reject(w, failed.Status, "INTERNAL_ERROR", failed.Reason)
}
