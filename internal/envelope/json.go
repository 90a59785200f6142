// Package envelope turns the body of an answer into data or into a typed failure. It is the one place that knows the
// JSON library.
//
// Reading is liberal in what the service may change any day (unknown fields, nulls, absences, a repeated name, invalid
// UTF-8) and strict in what would lose something: a body that is cut short, is no JSON, or goes on after its value.
package envelope

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var liberal = json.JoinOptions(jsontext.AllowInvalidUTF8(true))

// Unmarshal decodes one JSON value, in one pass. Only a body that repeats a name inside an object is read a second time, because the library would merge the two values where the last must win. A value of an unexpected shape
// may be the first of two, which the library does not get to see.
func Unmarshal(body []byte, into any, options ...json.Options) error {
	options = append([]json.Options{liberal}, options...)
	err := json.Unmarshal(body, into, options...)
	var shape *json.SemanticError
	if !errors.Is(err, jsontext.ErrDuplicateName) && !errors.As(err, &shape) {
		return err
	}
	unique, err := lastWins(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(unique, into, options...)
}

// Marshal encodes a value.
func Marshal(value any) ([]byte, error) { return json.Marshal(value) }

// lastWins rewrites a JSON value so that no object repeats a name: the last value of each name stays.
func lastWins(body []byte) ([]byte, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(body), liberal, jsontext.AllowDuplicateNames(true))
	value, err := rewrite(dec)
	if err != nil {
		return nil, err
	}
	if end := dec.InputOffset(); len(bytes.TrimSpace(body[end:])) > 0 {
		return nil, &Malformed{Trailing, fmt.Sprintf("at byte %d", end)}
	}
	return value, nil
}

// rewrite reads one value and returns it with the objects inside it made unique.
func rewrite(dec *jsontext.Decoder) (jsontext.Value, error) {
	switch dec.PeekKind() {
	case '{':
		return rewriteObject(dec)
	case '[':
		return rewriteArray(dec)
	}
	value, err := dec.ReadValue()
	return value.Clone(), err
}

func rewriteObject(dec *jsontext.Decoder) (jsontext.Value, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var names []string
	values := map[string]jsontext.Value{}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		value, err := rewrite(dec)
		if err != nil {
			return nil, err
		}
		if _, seen := values[key]; !seen {
			names = append(names, key)
		}
		values[key] = value
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	out := jsontext.Value{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		quoted, err := jsontext.AppendQuote(nil, name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, quoted...), ':'), values[name]...)
	}
	return append(out, '}'), nil
}

func rewriteArray(dec *jsontext.Decoder) (jsontext.Value, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	out := jsontext.Value{'['}
	for kind := dec.PeekKind(); kind != ']' && kind != 0; kind = dec.PeekKind() {
		value, err := rewrite(dec)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	return append(out, ']'), nil
}
