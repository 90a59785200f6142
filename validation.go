package rpcfleet

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The contract's rules for single arguments are generated, with the requests, in package api. The functions in this
// file check rules on several arguments, and arguments that are not in the request. Each returns nil if the value is
// valid. A method passes the results to the call, which returns the first error and sends nothing.

// errorOf converts a violation of package api to an error, or nil.
func errorOf(rule *api.Violation) *ValidationError {
	if rule == nil {
		return nil
	}
	return &ValidationError{Field: rule.Field, Rule: rule.Rule, Value: rule.Value, always: rule.Always}
}

// required checks that a text is not empty.
func required(field, value string) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return nil
}

// oneOf checks that a value is not empty and is in its enum.
func oneOf[E api.Enum[E]](field string, value E) *ValidationError {
	if value == "" || value.Valid() {
		return required(field, string(value))
	}
	return errorOf(api.Undocumented(field, value))
}

// atLeast checks the number of an option.
func atLeast[T ~int | ~int64](field string, value, least T) *ValidationError {
	switch {
	case value >= least:
		return nil
	case least == 0:
		return &ValidationError{Field: field, Rule: "must not be negative", Value: value}
	}
	return &ValidationError{Field: field, Rule: fmt.Sprintf("must be at least %d", least), Value: value}
}

// notNil checks the value of an option.
func notNil(field string, isNil bool) *ValidationError {
	if isNil {
		return &ValidationError{Field: field, Rule: "must not be nil"}
	}
	return nil
}

// notNegative checks the id of a token.
func notNegative(field string, value scalar.BigInt) *ValidationError {
	if value.Sign() < 0 {
		return &ValidationError{Field: field, Rule: "must not be negative", Value: value.String()}
	}
	return nil
}

// ValidationError is an argument that violates a rule. Nothing was sent.
type ValidationError struct {
	Operation string // Operation is empty if the error is about an option of New.
	Field     string // The service's name of the argument.
	Rule      string // The violated rule, such as "must be at least 1".
	Value     any    // The invalid value, or nil if there is none to show or if it is secret.

	always bool
}

// Error returns the field, the rule and the value.
func (e *ValidationError) Error() string {
	text := fmt.Sprintf("rpcfleet: %s%s %s", noteIf(e.Operation != "", "%s: ", e.Operation), e.Field, e.Rule)
	switch value := e.Value.(type) {
	case nil:
		return text
	case string:
		return text + fmt.Sprintf(", not \"%.64s\"", redact.Printable(value))
	default:
		return text + fmt.Sprintf(", not %.64s", fmt.Sprint(value))
	}
}

// Is matches [ErrInvalidRequest].
func (e *ValidationError) Is(target error) bool { return target == ErrInvalidRequest }

// withOperation returns a copy of the error for an operation. Calls may share the original, which stays unchanged.
func (e *ValidationError) withOperation(op *api.Operation) *ValidationError {
	named := *e
	named.Operation = op.ID
	return named.redacted()
}

// redacted redacts the value, in case it contains a secret.
func (e *ValidationError) redacted() *ValidationError {
	if text, ok := e.Value.(string); ok {
		e.Value = redactArg(text)
	}
	return e
}

// redactArg redacts a caller's text.
func redactArg(text string) string { return redact.Excerpt([]byte(text), textSize) }
