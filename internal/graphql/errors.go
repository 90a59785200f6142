package graphql

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Error is one of the errors in a response of the graph area.
type Error struct {
	Message string
	// Path is the path from the root of the data to the field that failed: names and indices separated by dots.
	Path string
	// Code is the service's code for the error.
	Code string
}

// maxErrors is the maximum number of errors that are kept.
const maxErrors = 1000

var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// errorsIn reads the errors of a response. An error that is not an object is still an error.
func errorsIn(value jsontext.Value) []Error {
	var all []Error
	for _, one := range list(value, maxErrors) {
		if one.Kind() != '{' {
			all = append(all, Error{Message: literal(one)})
			continue
		}
		var said struct {
			Message    jsontext.Value `json:"message"`
			Path       jsontext.Value `json:"path"`
			Extensions jsontext.Value `json:"extensions"`
		}
		_ = json.Unmarshal(one, &said, lenient)
		var extensions struct {
			Code jsontext.Value `json:"code"`
		}
		_ = json.Unmarshal(said.Extensions, &extensions, lenient)
		var path []string
		if said.Path.Kind() == '[' {
			for _, step := range list(said.Path, reply.MaxDepth) {
				path = append(path, literal(step))
			}
		}
		all = append(all, Error{literal(said.Message), strings.Join(path, "."), literal(extensions.Code)})
	}
	return all
}

// list returns the first items of a list, or a value that is not a list as the only item. A null has no items.
func list(value jsontext.Value, most int) []jsontext.Value {
	var items []jsontext.Value
	switch value.Kind() {
	case 0, 'n':
	case '[':
		_ = json.Unmarshal(value, &items, lenient)
	default:
		items = []jsontext.Value{value}
	}
	return items[:min(len(items), most)]
}

// literal returns a string, a number, or the strings of a list, and "" for any other value.
func literal(value jsontext.Value) string { return reply.Literal(value) }
