// Package graphql contains the library's queries of the graph area, decodes responses to them and to callers' queries,
// and finds the operations and variables of GraphQL documents.
package graphql

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Types describes the Go types that the data of a response is decoded into.
type Types struct {
	// Interfaces decode the interfaces of the schema.
	Interfaces *json.Unmarshalers
	// AnyCase is set if the names of fields match in any case, as in encoding/json.
	AnyCase bool
}

// reader is implemented by data with a generated decoder.
type reader interface{ Read(s *scan.Scanner) }

// Read decodes the body of a response with a success status into the record that into points to. Errors may accompany
// incomplete data. The error is one of the errors of [reply.Read].
func Read(ctx context.Context, contentType string, raw []byte, types Types, into any) ([]Error, error) {
	fast, is := into.(reader)
	if is && reply.MayBeJSON(contentType) && readFast(raw, fast) {
		return nil, nil
	}
	if !utf8.Valid(raw) {
		raw = []byte(string([]rune(string(raw)))) // The JSON library replaces invalid bytes in texts, but not in raw JSON.
	}
	return readWithLibrary(reply.NewBody(ctx, contentType, raw), types, into)
}

// readFast reads a body with data, without errors, and without anything that requires lenient decoding.
func readFast(raw []byte, into reader) bool {
	s := scan.New(raw)
	defer s.Release()
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "data":
			into.Read(s.Field(&names, 0))
		case "errors", "error":
			if !s.Null() {
				s.Fail()
			}
		default:
			s.Skip()
		}
	}
	if !names.Has(0) {
		s.Fail()
	}
	return s.End()
}

// content is the body of a response.
type content struct {
	Data   data           `json:"data"`
	Errors jsontext.Value `json:"errors"`
	Error  jsontext.Value `json:"error"`
}

// data decodes the data of a response into the record that it points to.
type data struct {
	into    any
	options json.Options
	present bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (d *data) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if located, is := d.into.(interface{ reset() }); is {
		located.reset()
	} else {
		reflect.ValueOf(d.into).Elem().SetZero() // An earlier attempt may have written to it.
	}
	d.present = dec.PeekKind() != 'n'
	if !d.present {
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, d.into, d.options)
}

// readWithLibrary reads a body that may differ from the documentation.
func readWithLibrary(b *reply.Body, types Types, into any) ([]Error, error) {
	if err := b.Admit(); err != nil {
		return nil, err
	}
	c := content{Data: data{into: into, options: json.MatchCaseInsensitiveNames(types.AnyCase)}}
	if err := b.Decode(&c, json.JoinUnmarshalers(numbers, types.Interfaces)); err != nil {
		return failure(b, err)
	}
	switch stated := errorsIn(c.Errors); {
	case len(stated) > 0:
		return stated, nil
	case reply.IsFailure(c.Error):
		return nil, b.StatedError()
	case !c.Data.present:
		return nil, &reply.Malformed{Reason: reply.NoData}
	}
	return nil, nil
}

// failure classifies a body if its data could not be decoded: a failure may contain data of any shape.
func failure(b *reply.Body, fault error) ([]Error, error) {
	if malformed, is := errors.AsType[*reply.Malformed](fault); !is || malformed.Reason != reply.Shape {
		return nil, fault
	}
	if stated := errorsIn(b.Errors()); len(stated) > 0 {
		return stated, nil
	}
	if err := b.StatedError(); err != nil {
		return nil, err
	}
	return nil, fault
}

// Errors returns the errors in the body of a failed response, or nil if it has none.
func Errors(contentType string, raw []byte) []Error {
	b := reply.NewBody(context.Background(), contentType, raw)
	if b.Admit() != nil {
		return nil
	}
	return errorsIn(b.Errors())
}

// Error is one of the errors in a response of the graph area.
type Error struct {
	Message string
	// Path is the path from the root of the data to the field that failed: names and indices separated by dots.
	Path string
	// Code is the service's code for the error.
	Code string
}

// The maximum numbers of errors that are kept, and of steps in the path of one.
const (
	maxErrors = 1000
	maxPath   = 100
)

// errorsIn reads the errors of a response. An error that is not an object is still an error.
func errorsIn(value jsontext.Value) []Error {
	var all []Error
	for _, one := range reply.Items(value, maxErrors) {
		if one.Kind() != '{' {
			all = append(all, Error{Message: reply.Literal(one)})
			continue
		}
		var said struct {
			Message    jsontext.Value `json:"message"`
			Path       jsontext.Value `json:"path"`
			Extensions Element[struct {
				Code jsontext.Value `json:"code"`
			}] `json:"extensions"`
		}
		_ = json.Unmarshal(one, &said, scan.Lenient)
		var path []string
		if said.Path.Kind() == '[' {
			for _, step := range reply.Items(said.Path, maxPath) {
				path = append(path, reply.Literal(step))
			}
		}
		code := reply.Literal(said.Extensions.Value.Code)
		all = append(all, Error{reply.Literal(said.Message), strings.Join(path, "."), code})
	}
	return all
}
