// Package contract compares responses with the shapes in the OpenAPI files, the GraphQL schema and the queries of the
// library, if the caller asks for drift.
package contract

import (
	"slices"
	"strings"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Shape is the documented shape of a value. Nil stands for any value.
type Shape struct {
	// Kinds are the allowed kinds of JSON values: " for a string, 0, t for a boolean, { and [.
	Kinds string
	// Integer is set for numbers without a fraction.
	Integer bool
	// Format is the format in the OpenAPI file if it is more specific than the kind.
	Format   string
	Nullable bool
	// Enum contains the documented values. It may be nil. Numbers are formatted as in JSON.
	Enum []string
	// Envelope is set if the object only wraps a payload.
	Envelope bool
	// Identity is set if a record is useless without the value, whatever its name.
	Identity bool
	// Fields are the fields of an object, sorted by name. Items is the shape of array items. Values is the shape of the
	// fields of an object with arbitrary names.
	Fields []Field
	Items  *Shape
	Values *Shape
	// Variants are the fields of the possible types of an object, by __typename. Fields then contains the fields of all
	// types, for an object of an unknown type or without a type.
	Variants map[string][]Field
	// Reads reports whether the client can decode a JSON value into its type. It is nil if only fields or items are
	// decoded.
	Reads func(raw []byte) bool
}

// Field is a documented field of an object.
type Field struct {
	Name     string
	Required bool
	Shape    *Shape
}

var (
	text   = Shape{Kinds: `"`, Reads: reads[string]}
	number = Shape{Kinds: "0", Reads: reads[float64]}
)

func reads[T any](raw []byte) bool { return reply.CanDecode[T](raw) }

// fieldNamed finds a field by its name.
func fieldNamed(fields []Field, name string) (int, bool) {
	return slices.BinarySearchFunc(fields, name, func(m Field, name string) int { return strings.Compare(m.Name, name) })
}

// of returns the fields of an object with a type name.
func (s *Shape) of(typename string) []Field {
	if fields, known := s.Variants[typename]; known {
		return fields
	}
	return s.Fields
}

// admits reports whether the value may have a kind.
func (s *Shape) admits(kind byte) bool { return strings.IndexByte(s.Kinds, kind) >= 0 }

// wraps reports whether the value is part of a page, which would look empty without its edges.
func (s *Shape) wraps() bool { return s.Envelope || s.Items != nil && s.Items.wraps() }

// lists reports whether the value is an object that contains only a list of records. It is a listing, not a record.
func (s *Shape) lists() bool {
	if len(s.Fields) != 1 || s.Fields[0].Shape == nil {
		return false
	}
	items := s.Fields[0].Shape.Items
	return items != nil && items.Fields != nil
}

// String describes the expected value.
func (s *Shape) String() string {
	if s == nil {
		return "any value"
	}
	names := make([]string, 0, len(s.Kinds))
	for i := range len(s.Kinds) {
		names = append(names, kindNames[s.Kinds[i]])
	}
	said := strings.Join(names, " or ")
	if s.Integer {
		said = "integer"
	}
	if s.Format != "" {
		said += " (" + s.Format + ")"
	}
	return said
}

// kindNames are the names of the kinds of JSON values.
var kindNames = map[byte]string{
	'"': "string", '0': "number", 't': "boolean", 'f': "boolean", '{': "object", '[': "array", 'n': "null",
}

// response is a documented response. Its body is nil if the contract does not define JSON for it.
type response struct {
	operation string
	status    int
	body      *Shape
}

type responseKey struct {
	area, operation string
	status          int
}

// responses returns the documented responses.
var responses = sync.OnceValue(func() map[responseKey]*Shape {
	found := map[responseKey]*Shape{}
	for area, table := range map[string][]response{
		api.AreaAdmin: adminResponses, api.AreaAlerts: alertsResponses, api.AreaGraph: graphResponses(),
	} {
		for _, r := range table {
			found[responseKey{area, r.operation, r.status}] = r.body
		}
	}
	return found
})

// documented returns the shape of a response. An undocumented success status has the shape of the documented one.
func documented(op *api.Operation, status int) *Shape {
	if !slices.Contains(op.Statuses, status) && status/100 == 2 {
		status = op.Statuses[0] // The lowest one.
	}
	return responses()[responseKey{op.Area, op.ID, status}]
}
