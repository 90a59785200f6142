// Package graphapi is the emulator's graph area: the project's schema over made-up data. The data are drawn from a seed
// and never change, because the schema has no mutations.
package graphapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

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
	schema *ast.Schema
	root   object
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
		"ethereum":        newChain("ethereum", given.Seed, pageCap, given.Ethereum).node(),
		"ethereumSepolia": newChain("ethereumSepolia", given.Seed, pageCap, given.EthereumSepolia).node(),
		"polygon":         newChain("polygon", given.Seed, pageCap, given.Polygon).node(),
	}}
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
	x := execution{ctx: r.Context(), schema: a.schema, variables: variables}
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

// object is an object of the schema: its fields by name. It may have more than the schema, such as the ones that only
// filters use. Objects of an interface have their type in __typename.
type object map[string]any

// field is a field that is made on demand.
type field func(arguments) any

// arguments are the arguments of a field, as execution.read returns them. A missing one is nil.
type arguments map[string]any

func (a arguments) text(name string) string {
	text, _ := a[name].(string)
	return text
}

// input returns an input object, which is nil if it is missing.
func (a arguments) input(name string) arguments {
	input, _ := a[name].(map[string]any)
	return input
}

// failure makes an error with a code.
func failure(code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

// execution executes one query that the schema accepts.
type execution struct {
	ctx       context.Context
	fields    int // Of the response, so far.
	schema    *ast.Schema
	variables map[string]any
	errors    gqlerror.List
}

// object returns the selected fields of an object. It is nil if a field that must not be null failed.
func (x *execution) object(of object, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	if name, named := of["__typename"].(string); named {
		is = x.schema.Types[name]
	}
	result := map[string]any{}
	for _, group := range x.collect(selected, is, map[string]bool{}, nil) {
		if x.fields++; x.fields > maxFields || x.ctx.Err() != nil {
			return nil
		}
		first := group[0]
		if first.Name == "__typename" {
			result[first.Alias] = is.Name
			continue
		}
		at := append(slices.Clip(path), ast.PathName(first.Alias))
		var inner ast.SelectionSet
		for _, f := range group {
			inner = append(inner, f.SelectionSet...)
		}
		resolved, failed := x.resolve(of, first)
		if failed != nil {
			failed.Path = at
			x.errors = append(x.errors, failed)
		}
		fieldType := is.Fields.ForName(first.Name).Type
		completed := x.complete(resolved, x.schema.Types[fieldType.Name()], inner, at)
		if completed == nil && fieldType.NonNull {
			return nil
		}
		result[first.Alias] = completed
	}
	return result
}

// complete returns the response form of a value: each object in it with its selected fields.
func (x *execution) complete(value any, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	switch value := value.(type) {
	case object:
		if value == nil {
			return nil
		}
		return x.object(value, is, selected, path)
	case []object:
		if len(selected) == 0 {
			return value // A scalar of JSON.
		}
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = x.object(item, is, selected, append(slices.Clip(path), ast.PathIndex(i)))
		}
		return list
	}
	return value
}

// collect groups the selected fields by their names in the response, in order. Each fragment is spread once.
func (x *execution) collect(selected ast.SelectionSet, is *ast.Definition, spread map[string]bool,
	groups [][]*ast.Field) [][]*ast.Field {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			if !x.included(s.Directives) {
				continue
			}
			at := slices.IndexFunc(groups, func(g []*ast.Field) bool { return g[0].Alias == s.Alias })
			if at < 0 {
				at, groups = len(groups), append(groups, nil)
			}
			groups[at] = append(groups[at], s)
		case *ast.InlineFragment:
			if x.included(s.Directives) && applies(s.TypeCondition, is) {
				groups = x.collect(s.SelectionSet, is, spread, groups)
			}
		case *ast.FragmentSpread:
			if !spread[s.Name] && x.included(s.Directives) && applies(s.Definition.TypeCondition, is) {
				spread[s.Name] = true
				groups = x.collect(s.Definition.SelectionSet, is, spread, groups)
			}
		}
	}
	return groups
}

// included evaluates the directives skip and include.
func (x *execution) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if condition := d.Arguments.ForName("if"); condition != nil {
			value, _ := condition.Value.Value(x.variables)
			if is, _ := value.(bool); is == (d.Name == "skip") {
				return false
			}
		}
	}
	return true
}

// applies reports whether a fragment on a type applies to objects of another.
func applies(condition string, is *ast.Definition) bool {
	return condition == "" || condition == is.Name || slices.Contains(is.Interfaces, condition)
}

// resolve returns the value of a field.
func (x *execution) resolve(of object, selected *ast.Field) (any, *gqlerror.Error) {
	resolve, onDemand := of[selected.Name].(field)
	if !onDemand {
		return of[selected.Name], nil
	}
	args := arguments{}
	for _, a := range selected.Arguments {
		value, _ := a.Value.Value(x.variables) // The schema accepts it.
		read, failed := x.read(a.Name, selected.Definition.Arguments.ForName(a.Name).Type, value)
		if failed != nil {
			return nil, failed
		}
		args[a.Name] = read
	}
	return resolve(args), nil
}

// read decodes the times, the cursors and the sizes of pages in an argument, and checks them: a resolver cannot fail.
func (x *execution) read(name string, is *ast.Type, value any) (any, *gqlerror.Error) {
	switch value := value.(type) {
	case map[string]any:
		read := make(map[string]any, len(value))
		for member, inner := range value {
			var failed *gqlerror.Error
			of := x.schema.Types[is.Name()].Fields.ForName(member).Type
			if read[member], failed = x.read(member, of, inner); failed != nil {
				return nil, failed
			}
		}
		return read, nil
	case string:
		if is.Name() == "DateTime" {
			at, err := time.Parse(time.RFC3339, value)
			if err != nil {
				return nil, failure("INVALID_ARGUMENT", name+" must be a time as RFC 3339 has it")
			}
			return dateTime{at}, nil
		}
		if name == "after" || name == "before" {
			return readCursor(name, value)
		}
	}
	if value != nil && (name == "first" || name == "last") {
		size, _ := numberOf(value)
		if size < 0 {
			return nil, failure("INVALID_ARGUMENT", name+" must not be negative")
		}
		return int(size), nil
	}
	return value, nil
}
