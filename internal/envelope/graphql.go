package envelope

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// GraphError is one of the errors in an answer of the graph area.
type GraphError struct {
	Message string
	// Path leads to the field that failed, from the root of the data, in names and indices with dots between them.
	Path string
	// Code is the service's name for the kind of error.
	Code string
}

// graphErrors is the list of errors, whatever the service makes of it: an error that is no object is still one.
type graphErrors []GraphError

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (e *graphErrors) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*e = nil
	var values []jsontext.Value
	switch value.Kind() {
	case 'n':
		return nil
	case '[':
		if err := Unmarshal(value, &values); err != nil {
			return err
		}
	default:
		values = []jsontext.Value{value}
	}
	for _, value := range values {
		*e = append(*e, readGraphError(value))
	}
	return nil
}

func readGraphError(value jsontext.Value) GraphError {
	var stated struct {
		Message    jsontext.Value   `json:"message"`
		Path       []jsontext.Value `json:"path"`
		Extensions struct {
			Code jsontext.Value `json:"code"`
		} `json:"extensions"`
	}
	if value.Kind() != '{' {
		return GraphError{Message: literal(value)}
	}
	// What of it has another shape than the specification's stays empty; that there was an error does not depend on it.
	_ = Unmarshal(value, &stated)
	path := make([]string, len(stated.Path))
	for i, element := range stated.Path {
		path[i] = literal(element)
	}
	return GraphError{literal(stated.Message), strings.Join(path, "."), literal(stated.Extensions.Code)}
}

// literal returns a text or a number, and nothing for any other value.
func literal(value jsontext.Value) string {
	if value.Kind() == '0' {
		return value.String()
	}
	return textOf(value)
}

// GraphErrors returns the errors in the body of a failed answer, or nil where it has none.
func GraphErrors(contentType string, raw []byte) []GraphError {
	if inspect(contentType, raw) != nil {
		return nil
	}
	var stated struct {
		Errors graphErrors `json:"errors"`
	}
	if Unmarshal(raw, &stated) != nil {
		return nil
	}
	return stated.Errors
}

// graphData decodes the data of an answer into the record that it points to.
type graphData struct {
	into    any
	present bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (d *graphData) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	reflect.ValueOf(d.into).Elem().SetZero() // A body that repeats a name is decoded a second time.
	d.present = dec.PeekKind() != 'n'
	if !d.present {
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, d.into)
}

// graphAnswer is the body of an answer. It has a name because an answer of another shape is reported with it.
type graphAnswer struct {
	Data   graphData   `json:"data"`
	Errors graphErrors `json:"errors"`
	Error  message     `json:"error"`
}

// ReadGraph decodes the body of an answer of the graph area with a success status into the record that into points to.
// Errors may stand beside data, of which then parts are missing. An error of its own is a *Refusal or a *Malformed.
func ReadGraph(contentType string, raw []byte, variants Variants, into any) ([]GraphError, error) {
	if err := inspect(contentType, raw); err != nil {
		return nil, err
	}
	answer := graphAnswer{Data: graphData{into: into}}
	err := Unmarshal(raw, &answer, json.WithUnmarshalers(variants.unmarshalers))
	if err != nil {
		if errors := GraphErrors(contentType, raw); errors != nil {
			return errors, nil // A failure may carry data of any shape.
		}
		if refusal := readRefusal(raw); refusal != nil {
			return nil, refusal
		}
		return nil, malformed(raw, err)
	}
	switch {
	case len(answer.Errors) > 0:
		return answer.Errors, nil
	case answer.Error.set:
		return nil, &Refusal{answer.Error.text}
	case !answer.Data.present:
		return nil, &Malformed{Reason: NoData}
	}
	return nil, nil
}
