// Package contract knows what the contract says of responses, and finds what strays from it. The shapes are generated
// from the OpenAPI files, and for the graph area from its schema and the library's queries.
//
// It stands beside the reading of responses and not in its way: a call looks into it only where somebody asks for drift.
package contract

import (
	"slices"
	"strings"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Shape is what the contract says of a value. Nil stands for any value.
type Shape struct {
	// Kinds are the kinds of JSON that the value may have: " for a string, 0, t for a boolean, { and [.
	Kinds string
	// Integer is set for numbers without a fraction.
	Integer bool
	// Format is that of the OpenAPI file, where it says more than the kind.
	Format   string
	Nullable bool
	// Enum are the documented values, or nil where there is no list of them. Numbers are spelled as in JSON.
	Enum []string
	// Envelope is set for an object that only wraps a payload.
	Envelope bool
	// Identity is set for a value without which a record is of no use, whatever its name.
	Identity bool
	// Members are those of an object, in the order of their names. Items is the shape of those of an array, and Values
	// that of the members of an object whose names are not known ahead.
	Members []Member
	Items   *Shape
	Values  *Shape
	// Variants are the types that an object may have, by the names in its member __typename. Members are then those of
	// all of them, for an object of another type, or of none.
	Variants []Variant
	// Reads reports whether the client reads a JSON value into its type. It is nil for what has members or items alone.
	Reads func(raw []byte) bool
}

// Member is a documented member of an object.
type Member struct {
	Name     string
	Required bool
	Shape    *Shape
}

// Variant is what the contract says of an object of one type.
type Variant struct {
	Typename string
	Members  []Member
}

var (
	text   = Shape{Kinds: `"`, Reads: reads[string]}
	number = Shape{Kinds: "0", Reads: reads[float64]}
)

func reads[T any](raw []byte) bool { return reply.Reads[T](raw) }

// member finds a member by its name.
func member(members []Member, name string) (int, bool) {
	return slices.BinarySearchFunc(members, name, func(m Member, name string) int { return strings.Compare(m.Name, name) })
}

// of returns the members of an object of a type.
func (s *Shape) of(typename string) []Member {
	for i := range s.Variants {
		if s.Variants[i].Typename == typename {
			return s.Variants[i].Members
		}
	}
	return s.Members
}

// admits reports whether the value may be of a kind.
func (s *Shape) admits(kind byte) bool { return strings.IndexByte(s.Kinds, kind) >= 0 }

// wraps reports whether the value is a part of a page: without its edges it would pass for an empty one.
func (s *Shape) wraps() bool { return s.Envelope || s.Items != nil && s.Items.wraps() }

// lists reports whether the value is an object with nothing but a list of records. It is a listing, and not a record.
func (s *Shape) lists() bool {
	if len(s.Members) != 1 || s.Members[0].Shape == nil {
		return false
	}
	items := s.Members[0].Shape.Items
	return items != nil && items.Members != nil
}

// String says what the value should be.
func (s *Shape) String() string {
	if s == nil {
		return "any value"
	}
	names := make([]string, 0, len(s.Kinds))
	for i := range len(s.Kinds) {
		names = append(names, kindName(s.Kinds[i]))
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

// kindName names a kind of JSON.
func kindName(kind byte) string {
	switch kind {
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "boolean"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "null"
}

// response is a documented response to an operation. Its body is nil where the contract gives it no JSON.
type response struct {
	operation string
	status    int
	body      *Shape
}

type responseKey struct {
	area, operation string
	status          int
}

// responses finds a documented response.
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

// documented returns the shape of a response. One with a success status that is not documented is held against the one
// that is.
func documented(op *api.Operation, status int) *Shape {
	if !slices.Contains(op.Statuses, status) && status/100 == 2 {
		status = op.Statuses[0] // The lowest one.
	}
	return responses()[responseKey{op.Area, op.ID, status}]
}
