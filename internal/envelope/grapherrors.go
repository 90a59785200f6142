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
	*e = nil
	switch dec.PeekKind() {
	case 'n':
		return dec.SkipValue()
	case '[':
		return eachItem(dec, func() error { return e.add(dec) })
	}
	return e.add(dec)
}

// add reads one error.
func (e *graphErrors) add(dec *jsontext.Decoder) (err error) {
	if len(*e) == graphErrorItems {
		return dec.SkipValue()
	}
	var one GraphError
	if dec.PeekKind() != '{' {
		one.Message, err = literal(dec)
	} else {
		err = eachField(dec, func(name string) (err error) {
			switch name {
			case "message":
				one.Message, err = literal(dec)
			case "path":
				one.Path, err = graphPath(dec)
			case "extensions":
				one.Code, err = graphCode(dec)
			default:
				err = dec.SkipValue()
			}
			return err
		})
	}
	*e = append(*e, one)
	return err
}

// graphPath reads the path of an error. One of another shape than the specification's stays empty.
func graphPath(dec *jsontext.Decoder) (string, error) {
	if dec.PeekKind() != '[' {
		return "", dec.SkipValue()
	}
	var path []string
	err := eachItem(dec, func() error {
		if len(path) == maxDepth {
			return dec.SkipValue()
		}
		element, err := literal(dec)
		path = append(path, element)
		return err
	})
	return strings.Join(path, "."), err
}

// graphCode reads the code out of an error's extensions.
func graphCode(dec *jsontext.Decoder) (code string, err error) {
	if dec.PeekKind() != '{' {
		return "", dec.SkipValue()
	}
	err = eachField(dec, func(name string) (err error) {
		if name == "code" {
			code, err = literal(dec)
			return err
		}
		return dec.SkipValue()
	})
	return code, err
}
