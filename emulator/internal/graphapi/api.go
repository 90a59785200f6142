// Package graphapi is the emulator's graph area: the project's schema over made-up data. The data are drawn from a seed
// and never change, because the schema has no mutations.
package graphapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// API responds to queries. It is safe for concurrent use.
type API struct {
	schema  *ast.Schema
	root    object
	pageCap int
}

// New makes an API over the data of a seed. pageCap is the largest page of a connection. More is lowered without an
// error. The first query of a chain makes its data.
func New(seed uint64, pageCap int) *API {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: graph.Schema})
	// Only the three chains can be asked for: the schema is package graph's, and does not describe itself.
	schema.Query.Fields = slices.DeleteFunc(schema.Query.Fields, func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
	root := object{}
	for _, name := range []string{"ethereum", "ethereumSepolia", "polygon"} {
		made := sync.OnceValue(func() object { return newChain(name, seed, pageCap) })
		root[name] = field(func(object) any { return made() })
	}
	return &API{schema, root, pageCap}
}

// Serve serves the query in a body. A query that the schema rejects is a 400 (observed), and everything else a 200.
func (a *API) Serve(ctx context.Context, w http.ResponseWriter, body []byte) {
	x := execution{API: a, ctx: ctx}
	operation, rejected := x.prepare(body)
	if rejected != nil {
		respond(w, http.StatusBadRequest, nil, rejected)
		return
	}
	data := x.object(a.root, a.schema.Query, operation.SelectionSet, nil)
	respond(w, http.StatusOK, data, x.errors)
}

// prepare reads a query and its variables, unless the schema rejects them.
func (x *execution) prepare(body []byte) (*ast.OperationDefinition, gqlerror.List) {
	var sent struct {
		Query, OperationName string
		Variables            map[string]any
	}
	if json.Unmarshal(body, &sent) != nil || strings.TrimSpace(sent.Query) == "" {
		return nil, failure("BAD_REQUEST", "the body is not a JSON object with a query")
	}
	document, errors := gqlparser.LoadQueryWithRules(x.schema, sent.Query, nil)
	for _, e := range errors {
		e.Extensions = map[string]any{"code": "INVALID_QUERY"} // Assumed. The other code was observed.
		if e.Rule == "FieldsOnCorrectType" {
			e.Extensions["code"] = "INVALID_FIELD"
		}
	}
	if errors != nil {
		return nil, errors
	}
	operation := document.Operations.ForName(sent.OperationName)
	if operation == nil {
		return nil, failure("INVALID_QUERY", "the body does not name one of the queries in its document")
	}
	variables, err := validator.VariableValues(x.schema, operation, sent.Variables)
	if err != nil {
		return nil, failure("INVALID_QUERY", err.Error())
	}
	x.variables = variables
	return operation, nil
}

// failure makes an error with a code.
func failure(code, message string) gqlerror.List {
	return gqlerror.List{{Message: message, Extensions: map[string]any{"code": code}}}
}

// Reject writes a failure with a code, and without data.
func Reject(w http.ResponseWriter, status int, code, message string) {
	respond(w, status, nil, failure(code, message))
}

func respond(w http.ResponseWriter, status int, data any, errors gqlerror.List) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct { // A client that has gone away needs no response.
		Data   any           `json:"data,omitempty"`
		Errors gqlerror.List `json:"errors,omitempty"`
	}{data, errors})
}
