package rpcfleet

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

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
