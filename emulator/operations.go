package emulator

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

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
