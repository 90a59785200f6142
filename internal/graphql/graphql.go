// Package graphql contains the library's queries of the graph area, decodes responses to them and to callers' queries,
// and finds the operations and variables of GraphQL documents.
package graphql

import (
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// reader is implemented by data with a decoder of this package.
type reader interface{ Read(s *scan.Scanner) }

// Read decodes the body of a response with a success status into the record that into points to. A record without a
// generated decoder is a caller's, and is read as by [readOwn]. Errors may accompany incomplete data. The error is one
// of the errors of [reply.Read].
func Read(contentType string, raw []byte, hider scan.Hider, into any) ([]Error, error) {
	return read(reply.NewBody(contentType, raw, hider), into)
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
	switch {
	case len(c.errors) > 0:
		return c.errors, nil
	case reply.IsFailure(c.error):
		return nil, b.Failure()
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
	return errorsOf(reply.NewBody(contentType, raw, nil))
}

func errorsOf(b *reply.Body) []Error {
	if b.Admit() != nil {
		return nil
	}
	c, err := readContent(b, skipped{})
	if err != nil {
		return nil
	}
	return c.errors
}

// skipped is data that is not read.
type skipped struct{}

func (skipped) Read(s *scan.Scanner) { s.Skip() }

// content is the body of a response beside its data, which may be present.
type content struct {
	present bool
	errors  []Error
	error   jsontext.Value
}

// readContent reads a body.
func readContent(b *reply.Body, into any) (c content, err error) {
	s := b.Scanner()
	c.read(s, into)
	return c, b.Finish(s)
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
			c.errors = readErrors(s)
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

// The maximum numbers of errors that are kept, and of texts in a message or steps in a path.
const (
	maxErrors = 1000
	maxTexts  = 100
)

// readErrors reads the errors of a response: a list, or one error alone. Every value but null is an error.
func readErrors(s *scan.Scanner) (all []Error) {
	switch {
	case s.Null():
		return nil
	case s.Peek() != '[':
		return []Error{readError(s)}
	}
	for s.Array(); s.Element(); {
		if one := readError(s); len(all) < maxErrors {
			all = append(all, one)
		}
	}
	return all
}

func readError(s *scan.Scanner) (e Error) {
	if s.Peek() != '{' {
		e.Message = readTexts(s, "; ")
		return e
	}
	for s.Object(); s.Member(); {
		switch name := string(s.Name); {
		case name == "message":
			e.Message = readTexts(s, "; ")
		case name == "path" && s.Peek() == '[':
			e.Path = readTexts(s, ".")
		case name == "extensions" && s.Peek() == '{':
			e.Code = readCode(s)
		default:
			s.Skip()
		}
	}
	return e
}

// readCode reads the code in the extensions of an error.
func readCode(s *scan.Scanner) (code string) {
	for s.Object(); s.Member(); {
		if string(s.Name) == "code" {
			code = readTexts(s, "; ")
		} else {
			s.Skip()
		}
	}
	return code
}

// readTexts reads a string, or a number as it is spelled, or joins the texts of a list. Other values have no text.
func readTexts(s *scan.Scanner, separator string) string {
	switch kind := s.Peek(); {
	case kind == '"' || kind == '-' || '0' <= kind && kind <= '9':
		return s.Text()
	case kind != '[':
		s.Skip()
		return ""
	}
	var texts []string
	for s.Array(); s.Element(); {
		if s.Peek() == '[' || len(texts) == maxTexts {
			s.Skip()
		} else if text := readTexts(s, separator); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, separator)
}
