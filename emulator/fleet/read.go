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

// Error is the error of an invalid fleet.
type Error struct {
	// Place is the invalid part, such as "endpoints[2].network".
	Place string
	// Reason is the rule that the part breaks.
	Reason string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Place == "" {
		return e.Reason
	}
	return e.Place + ": " + e.Reason
}

// At puts the place of a part before the place in its error.
func At(place string, err error) error {
	inner := &Error{}
	if !errors.As(err, &inner) {
		inner = &Error{Reason: err.Error()}
	}
	if inner.Place != "" && inner.Place[0] != '[' {
		place += "."
	}
	return &Error{Place: place + inner.Place, Reason: inner.Reason}
}

// Item puts the place of a list's item before the place in its error.
func Item(list string, index int, err error) error {
	return At(fmt.Sprintf("%s[%d]", list, index), err)
}

// Read reads a fleet from JSON. The error of an unknown member, a duplicate one, or one of the wrong type is an *Error.
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

// placeOf returns endpoints[2].network for a pointer such as /endpoints/2/network.
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
