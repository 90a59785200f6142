package envelope

import (
	stdjson "encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// within returns the fault with its whole path, where it lies inside a value of a type that reads itself with
// encoding/json, as the interfaces do that genqlient generates. What encoding/json says is relative to the value that
// it was given: names of fields, and an offset. The place that fits both is looked for.
func (b *body) within(fault *json.SemanticError) *json.SemanticError {
	var inner *stdjson.UnmarshalTypeError
	if fault.ByteOffset < 0 || fault.ByteOffset > int64(len(b.latest)) || !errors.As(fault.Err, &inner) {
		return fault
	}
	search := search{in: tokens(b.latest[fault.ByteOffset:]), inner: inner}
	if inner.Field != "" {
		search.fields = strings.Split(inner.Field, ".")
	}
	search.value("")
	b.read += search.in.dec.InputOffset()
	if search.place == "" {
		return fault
	}
	return &json.SemanticError{JSONPointer: fault.JSONPointer + search.place, JSONKind: search.kind, GoType: inner.Type}
}

// search looks through a value for the place of a fault in it.
type search struct {
	in     *reading
	inner  *stdjson.UnmarshalTypeError
	fields []string
	// around are the values around the one that is read, with that one.
	around []around
	// place is the JSON pointer to the place that was found, and kind what is there.
	place jsontext.Pointer
	kind  jsontext.Kind
}

// around is a value with its offset and with its name in the object that it is a member of, if it is one.
type around struct {
	start int64
	name  string
}

var errFound = errors.New("the place was found")

// value reads the next value, which has a name where it is a member. Once the place is found, nothing more is read.
func (s *search) value(name string) {
	kind, start := s.in.kind(), s.in.dec.InputOffset()
	isObject, isArray := kind == '{', kind == '['
	s.in.token()
	end := s.in.dec.InputOffset()
	if isObject || isArray {
		start = end - 1 // That of the bracket. Of a literal, what comes before it makes no difference.
	}
	s.around = append(s.around, around{start, name})
	defer func() { s.around = s.around[:len(s.around)-1] }()
	if s.fits(kind, start, end) {
		s.place, s.kind, s.in.err = s.in.dec.StackPointer(), kind, errFound
	}
	for isObject && s.in.kind() == '"' {
		s.value(s.in.token().String())
	}
	for isArray && s.in.kind() != ']' && s.in.kind() != 0 {
		s.value("")
	}
	if isObject || isArray {
		s.in.token()
	}
}

// fits reports whether the value that was read last is the one that the fault is about: there is a value around it from
// which the names of the fields and the offset lead to it.
func (s *search) fits(kind jsontext.Kind, start, end int64) bool {
	said, _, _ := strings.Cut(s.inner.Value, " ") // The spelling of a number comes after it.
	if _, named, _ := strings.Cut(kindName(kind), " "); !strings.HasPrefix(named, said) {
		return false
	}
	var names []string // From the value up to the one around it.
	for _, outer := range slices.Backward(s.around) {
		at := outer.start + s.inner.Offset
		if start <= at && at <= end+1 && len(names) == len(s.fields) {
			slices.Reverse(names)
			if slices.Equal(names, s.fields) {
				return true
			}
			slices.Reverse(names)
		}
		if outer.name != "" {
			names = append(names, outer.name)
		}
	}
	return false
}
