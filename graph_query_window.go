package rpcfleet

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/document"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// withWindow adds the variables of a page to those that are given, as the query takes them.
func withWindow(given any, w queries.Window, query string) (any, *ValidationError) {
	variables := map[string]json.RawMessage{}
	if text, ok := given.(json.RawMessage); ok && json.Unmarshal(text, &variables) != nil {
		return nil, &ValidationError{Field: "variables", Rule: "must be a map or a record", always: true}
	}
	if variables == nil { // A null.
		variables = map[string]json.RawMessage{}
	}
	taken := document.Variables(query)
	at, size, cursor, count := "after", "first", w.After, w.First
	if w.Last != nil {
		at, size, cursor, count = "before", "last", w.Before, w.Last
	}
	for _, name := range []string{"after", "before"} {
		if _, set := variables[name]; set {
			return nil, &ValidationError{Field: "variables", Rule: "must not have " + name + ": the connection sets it", always: true}
		}
	}
	if !slices.Contains(taken, at) {
		return nil, &ValidationError{Field: "query", Rule: "must take the cursor of a page in the variable $" + at, always: true}
	}
	if _, set := variables[size]; !set && slices.Contains(taken, size) {
		variables[size], _ = json.Marshal(count) // An integer can be written.
	}
	if cursor != nil {
		variables[at], _ = json.Marshal(cursor) // So can a text.
	}
	return variables, nil
}

// isPath checks the names of a path.
func isPath(steps []string) *ValidationError {
	for _, name := range steps {
		if !queries.IsName(name) {
			return &ValidationError{Field: "path", Rule: "must be names of fields with dots between them", Value: strings.Join(steps, "."), always: true}
		}
	}
	return nil
}
