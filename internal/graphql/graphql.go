// Package graphql contains the library's queries of the graph area, decodes responses to them and to callers' queries,
// and finds the operations and variables of GraphQL documents.
package graphql

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// reader is implemented by data with a decoder of this package.
type reader interface{ Read(s *scan.Scanner) }

// Read decodes the body of a response with a success status into the record that into points to. A record without a
// generated decoder is a caller's, and is read as by [readOwn]. Errors may accompany incomplete data. The error is one of
// the errors of [reply.Read].
func Read(ctx context.Context, contentType string, raw []byte, into any) ([]Error, error) {
	return read(reply.NewBody(ctx, contentType, raw), into)
}

func read(b *reply.Body, into any) ([]Error, error) {
	if err := b.Admit(); err != nil {
		return nil, err
	}
	c, err := readContent(b, into)
	if malformed, is := errors.AsType[*reply.Malformed](err); err != nil && (!is || malformed.Reason != reply.Shape) {
		return nil, err
	}
	if err != nil { // A failure may contain data of any shape.
		c, _ = readContent(b, skipped{})
	}
	switch stated := errorsIn(c.errors); {
	case len(stated) > 0:
		return stated, nil
	case reply.IsFailure(c.error):
		return nil, b.StatedError()
	case err == nil && !c.present:
		return nil, &reply.Malformed{Reason: reply.NoData}
	}
	return nil, err
}

// readOwn reads a value of a caller's type, in which the interfaces of package graph are known, and names match in any
// case.
func readOwn(s *scan.Scanner, into any) {
	reply.ReadOwn(s, into, json.JoinUnmarshalers(numbers, unmarshalers), json.MatchCaseInsensitiveNames(true))
}

// numbers decodes into json.Number as encoding/json does, without rounding.
var numbers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *stdjson.Number) error {
	value, err := dec.ReadValue()
	if err == nil && stdjson.Unmarshal(value, into) != nil {
		err = &json.SemanticError{JSONKind: value.Kind(), GoType: reflect.TypeFor[stdjson.Number]()}
	}
	return err
})

// Errors returns the errors in the body of a failed response, or nil if it has none.
func Errors(contentType string, raw []byte) []Error {
	b := reply.NewBody(context.Background(), contentType, raw)
	if b.Admit() != nil {
		return nil
	}
	return errorsIn(b.Errors())
}

// skipped is data that is not read.
type skipped struct{}

func (skipped) Read(s *scan.Scanner) { s.Skip() }

// content is the body of a response beside its data, which may be present.
type content struct {
	present       bool
	errors, error jsontext.Value
}

// readContent reads a body.
func readContent(b *reply.Body, into any) (c content, err error) {
	for again := true; again; {
		s := b.Scanner()
		c = content{}
		c.read(s, into)
		again, err = b.Finish(s)
	}
	return c, err
}

func (c *content) read(s *scan.Scanner, into any) {
	if s.Null() {
		return
	}
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "data":
			c.present = !s.Null()
			if data, is := into.(reader); c.present && is {
				data.Read(s)
			} else if c.present {
				reflect.ValueOf(into).Elem().SetZero() // An earlier attempt may have written to it.
				readOwn(s, into)
			}
		case "errors":
			c.errors = s.Raw()
		case "error":
			c.error = s.Raw()
		default:
			s.Skip()
		}
	}
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
			Extensions jsontext.Value `json:"extensions"`
		}
		var extensions struct {
			Code jsontext.Value `json:"code"`
		}
		_ = json.Unmarshal(one, &said, variant.Lenient)
		_ = json.Unmarshal(said.Extensions, &extensions, variant.Lenient) // If they are no object, there is no code.
		var path []string
		if said.Path.Kind() == '[' {
			for _, step := range reply.Items(said.Path, maxPath) {
				path = append(path, reply.Literal(step))
			}
		}
		code := reply.Literal(extensions.Code)
		all = append(all, Error{reply.Literal(said.Message), strings.Join(path, "."), code})
	}
	return all
}
