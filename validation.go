package rpcfleet

import (
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The rules that the contract states of single arguments are generated, with the requests in package api. The functions
// of this file are for what it says of several arguments, and for arguments that are not in the request. Each returns
// nil if the value keeps the rule. A method hands their results to the call path, which reports the first one that is
// not nil and sends nothing.

// errorOf returns the error of a rule of package api, or nil.
func errorOf(rule *api.Broken) *ValidationError {
	if rule == nil {
		return nil
	}
	return &ValidationError{Field: rule.Field, Rule: rule.Rule, Value: rule.Value, always: rule.Always}
}

// required checks that a text is there.
func required(field, value string) *ValidationError { return errorOf(api.Required(field, value == "")) }

// requiredList checks that a list is there, and that none of its items is empty. A list without items is there if it is
// not nil: the contract states no least number for any.
func requiredList[T ~string](field string, values []T) *ValidationError {
	if values == nil {
		return required(field, "")
	}
	return errorOf(api.Filled(field, values))
}

// oneOf checks that a value is there, and one of its enum.
func oneOf[E api.Enum[E]](field string, value E) *ValidationError {
	return errorOf(api.OneOf(field, value))
}

// exclusive checks that at most one of two arguments is given.
func exclusive(field, other string, both bool) *ValidationError {
	if both {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("and %s exclude each other", other)}
	}
	return nil
}

// requiredTime checks that a time is there.
func requiredTime(field string, value time.Time) *ValidationError {
	if value.IsZero() {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return nil
}

// ordered checks that a range is not the wrong way round. One instant is a range.
func ordered(field string, start time.Time, other string, end time.Time) *ValidationError {
	if start.After(end) {
		at := start.UTC().Format(time.RFC3339Nano)
		return &ValidationError{Field: field, Rule: "must not be after " + other, Value: at}
	}
	return nil
}

// atLeast checks a number that an option sets.
func atLeast[T ~int | ~int64](field string, value, least T) *ValidationError {
	switch {
	case value >= least:
		return nil
	case least == 0:
		return &ValidationError{Field: field, Rule: "must not be negative", Value: value}
	}
	return &ValidationError{Field: field, Rule: fmt.Sprintf("must be at least %d", least), Value: value}
}

// notNil checks a value that an option sets.
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

// ValidationError is an argument that breaks a rule that the service states. Nothing was sent. It matches
// [ErrInvalidRequest], as a refusal by the service does.
type ValidationError struct {
	// Operation is the operation's id, such as "listEndpoints". It is empty for an option of New.
	Operation string
	// Field is the name of the argument, in the service's own spelling.
	Field string
	// Rule is what the value must be.
	Rule string
	// Value is the value that broke the rule, or nil where there is none to show or where it is secret. A text is
	// cleaned of what looks like a secret.
	Value any

	always bool
}

// Error names the field, the rule and the value.
func (e *ValidationError) Error() string {
	text := "rpcfleet: "
	if e.Operation != "" {
		text += e.Operation + ": "
	}
	text += fmt.Sprintf("%s %s", e.Field, e.Rule)
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

// of returns the error as one of an operation. What a check returned may be shared by several calls and stays as it is.
func (e *ValidationError) of(op *api.Operation) *ValidationError {
	named := *e
	named.Operation = op.ID
	return named.cleaned()
}

// cleaned cleans the value, in case that it is another argument's.
func (e *ValidationError) cleaned() *ValidationError {
	if text, ok := e.Value.(string); ok {
		e.Value = shown(text)
	}
	return e
}

// shown cleans a text of the caller's.
func shown(text string) string { return redact.Excerpt([]byte(text), textSize) }
