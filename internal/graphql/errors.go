package graphql

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// GraphError is one of the errors in a response of the graph area.
type GraphError struct {
	Message string
	// Path leads to the field that failed, from the root of the data, in names and indices with dots between them.
	Path string
	// Code is the service's name for the kind of error.
	Code string
}

// graphErrors is the list of errors, whatever the service makes of it: an error that is no object is still one. Of more
// than graphErrorItems, the first ones are kept.
type graphErrors []GraphError

const graphErrorItems = 1000

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (e *graphErrors) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	in := &Reading{Dec: dec}
	e.read(in)
	return in.Err
}

func (e *graphErrors) read(in *Reading) {
	*e = nil
	switch in.Kind() {
	case 'n':
		in.Value()
	case '[':
		in.Items(func() { e.add(in) })
	default:
		e.add(in)
	}
}

// add reads one error.
func (e *graphErrors) add(in *Reading) {
	if len(*e) == graphErrorItems {
		in.Value()
		return
	}
	var one GraphError
	if in.Kind() != '{' {
		one.Message = Literal(in)
	} else {
		in.Fields(func(name string) {
			switch name {
			case "message":
				one.Message = Literal(in)
			case "path":
				one.Path = graphPath(in)
			case "extensions":
				one.Code = graphCode(in)
			default:
				in.Value()
			}
		})
	}
	*e = append(*e, one)
}

// graphPath reads the path of an error. One of another shape than the specification's stays empty.
func graphPath(in *Reading) string {
	if in.Kind() != '[' {
		in.Value()
		return ""
	}
	var path []string
	in.Items(func() {
		if element := Literal(in); len(path) < reply.MaxDepth {
			path = append(path, element)
		}
	})
	return strings.Join(path, ".")
}

// graphCode reads the code out of an error's extensions.
func graphCode(in *Reading) (code string) {
	in.Field("code", func() { code = Literal(in) })
	return code
}
