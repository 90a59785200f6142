// Package graphql contains the library's queries of the graph area, decodes responses to them and to callers' queries,
// and finds the operations and variables of GraphQL documents.
package graphql

import (
	"reflect"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Data reads the data of a response: a [Query], or an [Own].
type Data interface{ Read(s *scan.Scanner) }

// Own reads data into a record of a caller's type, to which Into points. Only programs with queries of their own link
// it.
type Own struct{ Into any }

// Read implements [Data].
func (o Own) Read(s *scan.Scanner) {
	reflect.ValueOf(o.Into).Elem().SetZero() // A duplicate may have written to it.
	reply.ReadOwn(s, o.Into)
}

// Read decodes the body of a response with a success status. Errors may accompany incomplete data. The error is one of
// the errors of [reply.Read].
func Read(contentType string, raw []byte, hider scan.Hider, into Data) ([]Error, error) {
	text, err := reply.Admit(contentType, raw)
	if err != nil {
		return nil, err
	}
	s := scan.New(text)
	s.Hider = hider
	c := readContent(s, into)
	switch err := reply.Finish(s); {
	case err != nil:
		return nil, err
	case len(c.errors) > 0:
		return c.errors, nil
	case c.failed:
		return nil, reply.Stated(text)
	case c.fault.Reason != 0:
		return nil, reply.Describe(text, c.fault)
	case !c.present:
		return nil, &reply.Malformed{Reason: reply.NoData}
	}
	return nil, nil
}

// Errors returns the errors in the body of a failed response, or nil if it has none.
func Errors(contentType string, raw []byte) []Error {
	text, err := reply.Admit(contentType, raw)
	if err != nil {
		return nil
	}
	s := scan.New(text)
	c := readContent(s, nil)
	if reply.Finish(s) != nil {
		return nil
	}
	return c.errors
}

// content is the body of a response beside its data, which may be present.
type content struct {
	present, failed bool
	errors          []Error
	fault           scan.Fault // The fault of the data. A failure may contain data of any shape.
}

// readContent reads a body, and the data unless into is nil.
func readContent(s *scan.Scanner, into Data) (c content) {
	if s.Null() {
		return c
	}
	from := s.Mark
	for s.Open('{'); s.Member(); {
		switch from := s.Mark; string(s.Name) {
		case "data":
			c.present = !s.Null()
			switch {
			case !c.present:
			case into != nil:
				into.Read(s)
			default:
				s.Skip()
			}
			if fault := s.Recover(from); c.fault.Reason == 0 {
				c.fault = fault
			}
		case "errors":
			c.errors = readErrors(s)
		case "error":
			c.failed = reply.ReadFailure(s)
		default:
			s.Skip()
		}
	}
	if s.Fault.At == from.At && s.Fault.Reason != 0 { // It is not an object.
		c.fault = s.Recover(from)
	}
	return c
}

// Error is one of the errors in a response of the graph area.
type Error struct {
	Message string
	// Path is the path from the root of the data to the field that failed: names and indices separated by dots.
	Path string
	// Code is the service's code for the error.
	Code string
}

// The maximum numbers of errors that are kept, and of steps in a path.
const (
	maxErrors = 1000
	maxSteps  = 100
)

// readErrors reads the errors of a response: a list, or one error alone. Every value but null is an error.
func readErrors(s *scan.Scanner) (all []Error) {
	switch {
	case s.Null():
		return nil
	case s.Peek() != '[':
		return []Error{readError(s)}
	}
	for s.Open('['); s.Next(']'); {
		if one := readError(s); len(all) < maxErrors {
			all = append(all, one)
		}
	}
	return all
}

func readError(s *scan.Scanner) (e Error) {
	from, kind := s.Mark, s.Peek()
	if e.Message = reply.ReadMessage(s); kind != '{' || s.Fault.Reason != 0 {
		return e
	}
	s.Rewind(from)
	for s.Open('{'); s.Member(); {
		switch name := string(s.Name); {
		case name == "path" && s.Peek() == '[':
			var steps []string
			for s.Open('['); s.Next(']'); {
				if step := readStep(s); len(steps) < maxSteps {
					steps = append(steps, step)
				}
			}
			e.Path = strings.Join(steps, ".")
		case name == "extensions" && s.Peek() == '{':
			for s.Open('{'); s.Member(); {
				if string(s.Name) == "code" {
					e.Code = readStep(s)
				} else {
					s.Skip()
				}
			}
		default:
			s.Skip()
		}
	}
	return e
}

// readStep reads a string, or a number as it is spelled. Other values have no text.
func readStep(s *scan.Scanner) string {
	if kind := s.Peek(); kind == '"' || kind == '-' || '0' <= kind && kind <= '9' {
		return s.Keep(s.Spelled())
	}
	s.Skip()
	return ""
}
