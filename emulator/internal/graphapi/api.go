// Package graphapi is the emulator's graph area: the project's schema over made-up data. The data are drawn from a seed
// and never change, because the schema has no mutations.
package graphapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// The limits of a query (assumed): the time to validate it grows with the square of its tokens, and its response can
// grow much faster. The library's largest query has 214 tokens.
const (
	maxTokens = 2500
	maxFields = 100_000
)

// API responds to queries. It is safe for concurrent use.
type API struct {
	schema  *ast.Schema
	root    object
	pageCap int
}

// New makes an API with given data, and made-up data beside them. pageCap is the largest page of a connection. More is
// lowered without an error.
func New(given fleet.Graph, pageCap int) *API {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: graph.Schema})
	// Only the three chains can be asked for: the schema is package graph's, and does not describe itself.
	schema.Query.Fields = slices.DeleteFunc(schema.Query.Fields, func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
	return &API{schema, object{
		"ethereum":        newChain("ethereum", given.Seed, pageCap, given.Ethereum),
		"ethereumSepolia": newChain("ethereumSepolia", given.Seed, pageCap, given.EthereumSepolia),
		"polygon":         newChain("polygon", given.Seed, pageCap, given.Polygon),
	}, pageCap}
}

// ServeHTTP serves one query. A query that the schema rejects is a 400 (observed), and everything else a 200.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Query         string         `json:"query"`
		OperationName string         `json:"operationName"`
		Variables     map[string]any `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || strings.TrimSpace(sent.Query) == "" {
		Reject(w, http.StatusBadRequest, "BAD_REQUEST", "the body is not a JSON object with a query")
		return
	}
	document, rejected := a.load(sent.Query)
	if len(rejected) > 0 {
		for _, e := range rejected {
			code := "INVALID_QUERY" // Assumed. The other code was observed.
			if e.Rule == "FieldsOnCorrectType" {
				code = "INVALID_FIELD"
			}
			e.Extensions = map[string]any{"code": code}
		}
		respond(w, http.StatusBadRequest, response{Errors: rejected})
		return
	}
	operation := document.Operations.ForName(sent.OperationName)
	if operation == nil {
		Reject(w, http.StatusBadRequest, "INVALID_QUERY", "the body does not name one of the queries in its document")
		return
	}
	variables, err := validator.VariableValues(a.schema, operation, sent.Variables)
	if err != nil {
		Reject(w, http.StatusBadRequest, "INVALID_QUERY", err.Error())
		return
	}
	x := execution{API: a, ctx: r.Context(), variables: variables}
	data := x.object(a.root, a.schema.Query, operation.SelectionSet, nil)
	if x.fields > maxFields {
		Reject(w, http.StatusBadRequest, "INVALID_QUERY", fmt.Sprintf("the response has more than %d fields", maxFields))
		return
	}
	respond(w, http.StatusOK, response{Data: data, Errors: x.errors})
}

// load parses and validates a query.
func (a *API) load(query string) (*ast.QueryDocument, gqlerror.List) {
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxTokens)
	if err != nil {
		return nil, gqlerror.List{gqlerror.WrapIfUnwrapped(err)}
	}
	return document, validator.ValidateWithRules(a.schema, document, nil)
}

// Reject writes a failure with a code, and without data.
func Reject(w http.ResponseWriter, status int, code, message string) {
	respond(w, status, response{Errors: gqlerror.List{failure(code, message)}})
}

// response is the body of a response.
type response struct {
	Data   any           `json:"data,omitempty"`
	Errors gqlerror.List `json:"errors,omitempty"`
}

func respond(w http.ResponseWriter, status int, body response) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // A client that has gone away needs no response.
}

// failure makes an error with a code.
func failure(code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}
