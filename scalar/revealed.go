package scalar

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// WithSecrets writes a value as JSON with its secrets, and reads it back: for a cache, a fixture, or another program.
// Anyone who can read that JSON has the credentials.
//
//	stored, err := json.Marshal(scalar.WithSecrets[*admin.Endpoint]{Value: endpoint})
//
//	var restored scalar.WithSecrets[*admin.Endpoint]
//	err = json.Unmarshal(stored, &restored)
//
// The value may be a record, a list or a map of records, or the caller's type that contains records. Secrets are
// revealed at any depth, but not inside the caller's MarshalJSON if it calls a separate encoder, nor in the [Extra] of
// a record that implements an interface of package graph. The JSON has the names that encoding/json uses, with either
// of its versions.
//
// With every verb of fmt and in log/slog, a WithSecrets prints like its value, without secrets. Only if it is a part of
// another value that is passed to a logger's JSON handler is it written as JSON is.
//
// If the JSON was written without WithSecrets, its secrets are decoded as redacted ones, and WithSecrets does not write
// them again: the error matches [ErrRedacted] and names the field.
type WithSecrets[T any] struct{ Value T }

// MarshalJSON returns the JSON of the value, with its secrets.
func (r WithSecrets[T]) MarshalJSON() ([]byte, error) {
	text, err := jsonv2.Marshal(r.Value, revealed)
	if failure, ok := errors.AsType[*jsonv2.SemanticError](err); ok && errors.Is(err, ErrRedacted) {
		field := strings.ReplaceAll(strings.TrimPrefix(string(failure.JSONPointer), "/"), "/", ".")
		return nil, fmt.Errorf("%s: %w", redact.Printable(field), ErrRedacted)
	}
	return text, err
}

// UnmarshalJSON reads the result of MarshalJSON. Its errors do not quote the input.
func (r *WithSecrets[T]) UnmarshalJSON(data []byte) error {
	var value T
	if err := jsonv2.Unmarshal(data, &value, asVersion1); err != nil {
		if failure, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
			failure.JSONValue = nil
		}
		return err
	}
	r.Value = value
	return nil
}

// Format prints the value, without secrets.
func (r WithSecrets[T]) Format(state fmt.State, verb rune) {
	_, _ = fmt.Fprintf(state, fmt.FormatString(state, verb), r.Value)
}

// String prints the value, without secrets.
func (r WithSecrets[T]) String() string { return fmt.Sprint(r.Value) }

// LogValue returns the value, without secrets.
func (r WithSecrets[T]) LogValue() slog.Value { return slog.AnyValue(r.Value) }

// asVersion1 sets the options of encoding/json, for which the tags of the generated records are made. Its errors
// differ: they contain the path in the JSON.
var asVersion1 = jsonv2.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// revealed writes secrets unredacted, and other values like encoding/json. The caller's encoder decides whether to
// escape HTML.
var revealed = jsonv2.JoinOptions(asVersion1, jsontext.EscapeForHTML(false), jsontext.EscapeForJS(false),
	jsonv2.WithMarshalers(jsonv2.JoinMarshalers(
		jsonv2.MarshalFunc(func(secret Secret) ([]byte, error) { return reveal(secret) }),
		jsonv2.MarshalFunc(func(secret SecretURL) ([]byte, error) { return reveal(secret) }),
		jsonv2.MarshalFunc(func(extra Extra) ([]byte, error) { return extra.Reveal(), nil }),
	)))

func reveal(secret interface {
	IsRedacted() bool
	Reveal() string
}) ([]byte, error) {
	if secret.IsRedacted() {
		return nil, ErrRedacted
	}
	return quoted(secret.Reveal()), nil
}
