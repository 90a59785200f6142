package envelope

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	in := &reading{dec: dec}
	e.read(in)
	return in.err
}

func (e *graphErrors) read(in *reading) {
	*e = nil
	switch in.kind() {
	case 'n':
		in.value()
	case '[':
		in.items(func() { e.add(in) })
	default:
		e.add(in)
	}
}

// add reads one error.
func (e *graphErrors) add(in *reading) {
	if len(*e) == graphErrorItems {
		in.value()
		return
	}
	var one GraphError
	if in.kind() != '{' {
		one.Message = literal(in)
	} else {
		in.fields(func(name string) {
			switch name {
			case "message":
				one.Message = literal(in)
			case "path":
				one.Path = graphPath(in)
			case "extensions":
				one.Code = graphCode(in)
			default:
				in.value()
			}
		})
	}
	*e = append(*e, one)
}

// graphPath reads the path of an error. One of another shape than the specification's stays empty.
func graphPath(in *reading) string {
	if in.kind() != '[' {
		in.value()
		return ""
	}
	var path []string
	in.items(func() {
		if element := literal(in); len(path) < maxDepth {
			path = append(path, element)
		}
	})
	return strings.Join(path, ".")
}

// graphCode reads the code out of an error's extensions.
func graphCode(in *reading) (code string) {
	in.field("code", func() { code = literal(in) })
	return code
}

// literal reads the next value, and returns a text, a number, or the texts of a list, and nothing for any other value.
func literal(in *reading) string {
	if in.kind() == '0' {
		return in.token().String()
	}
	w := walker{in: in}
	said := w.part(1)
	if said.kind == '{' {
		return ""
	}
	return said.words
}
