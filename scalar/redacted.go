package scalar

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
)

// ErrRedacted matches the error of reading a secret that was redacted when it was written. Taking the mark for the
// secret would lose the secret silently, and send the mark as a credential.
//
// The first version of encoding/json does not let an error through with the place where it came up. It reports one of
// its own, a [*json.UnmarshalTypeError] that names the field and says that its value is redacted.
var ErrRedacted = errors.New("scalar: the value is redacted: it was written without its secret")

// RedactedError is the error of reading a [Revealed] whose JSON was written by other means, without the secrets.
type RedactedError struct {
	// Field is where the secret should be, as a JSON Pointer such as /security/tokens/0/token.
	Field string
}

// Error names the field.
func (e *RedactedError) Error() string {
	return fmt.Sprintf("scalar: %s is redacted: it was written without its secret; scalar.Revealed writes it with it", e.Field)
}

// Is reports whether target is [ErrRedacted].
func (e *RedactedError) Is(target error) bool { return target == ErrRedacted }

// redactedMember is the error of a redacted member of an [Extra].
type redactedMember struct{ name string }

func (e *redactedMember) Error() string {
	return "scalar: Extra: member " + quote(e.name) + ": " + ErrRedacted.Error()
}

func (e *redactedMember) Is(target error) bool { return target == ErrRedacted }

// unreadable makes an error of the JSON library one that names the field of a redacted secret and quotes nothing.
func unreadable(err error) error {
	var failure *jsonv2.SemanticError
	if !errors.As(err, &failure) {
		return err
	}
	if errors.Is(err, ErrRedacted) {
		place := failure.JSONPointer
		if member, ok := errors.AsType[*redactedMember](err); ok {
			place = place.AppendToken(member.name)
		}
		return &RedactedError{Field: string(place)}
	}
	failure.JSONValue = nil
	return err
}

// redactedIn is the error of UnmarshalJSON, which only the first version of encoding/json calls: the one kind of error
// to which it adds the field.
func redactedIn[T any](err error) error {
	if !errors.Is(err, ErrRedacted) {
		return err
	}
	return &json.UnmarshalTypeError{Value: "a value that is redacted", Type: reflect.TypeFor[T]()}
}
