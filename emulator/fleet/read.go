package fleet

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error says what in a fleet is not acceptable, and where.
type Error struct {
	// Place is such as "endpoints[2].network".
	Place string
	// Reason is the rule that is broken.
	Reason string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Place == "" {
		return e.Reason
	}
	return e.Place + ": " + e.Reason
}

// At says that an error of a part is at a place: the place of the part comes before that inside it.
func At(place string, err error) error {
	inner := &Error{}
	if !errors.As(err, &inner) {
		return &Error{Place: place, Reason: err.Error()}
	}
	switch {
	case inner.Place == "":
		return &Error{Place: place, Reason: inner.Reason}
	case inner.Place[0] == '[':
		return &Error{Place: place + inner.Place, Reason: inner.Reason}
	}
	return &Error{Place: place + "." + inner.Place, Reason: inner.Reason}
}

// Item says that an error is at an item of a list.
func Item(list string, index int, err error) error {
	return At(fmt.Sprintf("%s[%d]", list, index), err)
}

// Read reads a fleet from JSON. A member that does not exist, one that comes twice, and one of a wrong type are an
// *Error, which names the place.
func Read(from io.Reader) (Fleet, error) {
	var read Fleet
	err := json.UnmarshalRead(from, &read, json.RejectUnknownMembers(true))
	if err == nil {
		return read, nil
	}
	if wrong := (*json.SemanticError)(nil); errors.As(err, &wrong) {
		reason := fmt.Sprintf("a %v is not acceptable here", wrong.JSONKind)
		switch {
		case errors.Is(wrong.Err, json.ErrUnknownName):
			reason = "there is no such member"
		case wrong.JSONKind == '0' || wrong.JSONKind == '"':
			reason = "the value is not acceptable here"
		}
		return Fleet{}, &Error{Place: placeOf(wrong.JSONPointer), Reason: reason}
	}
	if wrong := (*jsontext.SyntacticError)(nil); errors.As(err, &wrong) {
		return Fleet{}, &Error{Place: placeOf(wrong.JSONPointer), Reason: "not JSON: " + wrong.Err.Error()}
	}
	return Fleet{}, fmt.Errorf("fleet: %w", err)
}

// placeOf spells a pointer such as /endpoints/2/network as endpoints[2].network.
func placeOf(pointer jsontext.Pointer) string {
	var place strings.Builder
	for token := range pointer.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			fmt.Fprintf(&place, "[%s]", token)
		case place.Len() > 0:
			place.WriteString("." + token)
		default:
			place.WriteString(token)
		}
	}
	return place.String()
}
