package envelope

import (
	stdjson "encoding/json"
	"errors"
	"slices"
	"strconv"
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
	search.value(step{})
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

// around is a value with its offset, and the step to it from the one around it.
type around struct {
	start int64
	step
}

// step is the name of a member of an object, or the index of an item of an array.
type step struct {
	text  string
	isKey bool
}

var errFound = errors.New("the place was found")

// value reads the next value, to which a step leads. Once the place is found, nothing more is read.
func (s *search) value(to step) {
	kind, start := s.in.kind(), s.in.dec.InputOffset()
	isObject, isArray := kind == '{', kind == '['
	s.in.token()
	end := s.in.dec.InputOffset()
	if isObject || isArray {
		start = end - 1 // That of the bracket. Of a literal, what comes before it makes no difference.
	}
	s.around = append(s.around, around{start, to})
	defer func() { s.around = s.around[:len(s.around)-1] }()
	if s.fits(kind, start, end) {
		s.place, s.kind, s.in.err = s.in.dec.StackPointer(), kind, errFound
	}
	for isObject && s.in.kind() == '"' {
		s.value(step{s.in.token().String(), true})
	}
	for i := 0; isArray && s.in.kind() != ']' && s.in.kind() != 0; i++ {
		s.value(step{strconv.Itoa(i), false})
	}
	if isObject || isArray {
		s.in.token()
	}
}

// fits reports whether the value that was read last is the one that the fault is about: there is a value around it from
// which the names of the fields and the offset lead to it. Since Go 1.27 there are indices between the names.
func (s *search) fits(kind jsontext.Kind, start, end int64) bool {
	said, _, _ := strings.Cut(s.inner.Value, " ") // The spelling of a number comes after it.
	if _, named, _ := strings.Cut(kindName(kind), " "); !strings.HasPrefix(named, said) {
		return false
	}
	var names, steps []string // From the value up to the one around it.
	for _, outer := range slices.Backward(s.around) {
		at := outer.start + s.inner.Offset
		if start <= at && at <= end+1 && (s.leads(names) || s.leads(steps)) {
			return true
		}
		steps = append(steps, outer.text)
		if outer.isKey {
			names = append(names, outer.text)
		}
	}
	return false
}

// leads reports whether the steps, of which the last one comes first, are the names of the fields.
func (s *search) leads(steps []string) bool {
	if len(steps) != len(s.fields) {
		return false
	}
	for i, field := range s.fields {
		if steps[len(steps)-1-i] != field {
			return false
		}
	}
	return true
}
