package rpcfleet

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The functions of this file state the contract's rules, and no others: what the contract does not forbid is for the
// service to judge. Each returns nil where the value keeps the rule. A method hands their results to the call path,
// which reports the first one that is not nil and sends nothing. Where Go has no way to leave an argument out, an empty
// text, a nil list and a zero time stand for one that is missing; a number is always there.

// checkPath checks the path parameters of a request. Escaping does not help against the values that it refuses: an
// empty one and dots are resolved away, and one that is a fixed part of another operation's path is routed there, as
// the id "tags" would turn getEndpoint into listTags. WithoutValidation does not turn this check off.
func checkPath(request *wire.Request) *ValidationError {
	op := request.Operation
	fixed := false
	for i, value := range request.PathParameters.Values() {
		switch value {
		case "":
			return &ValidationError{Field: request.PathParameterName(i), Rule: "must not be empty"}
		case ".", "..":
			return &ValidationError{Field: request.PathParameterName(i), Rule: "must not be a dot segment", Value: value}
		}
		fixed = fixed || fixedParts()[value]
	}
	if !fixed {
		return nil
	}
	if diverted := operation.Diverted(op, request.EscapedPath(), wire.Areas[op.Area]); diverted != nil {
		return &ValidationError{
			Field: diverted.Parameter, Rule: "must not be a fixed part of the path of " + diverted.To.ID, Value: diverted.Value,
		}
	}
	return nil
}

// fixedParts are what a path parameter has to be for Diverted to find anything, which takes long.
var fixedParts = sync.OnceValue(func() map[string]bool { return operation.FixedParts(wire.Areas) })

// required checks that a text is there.
func required(field, value string) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return nil
}

// requiredList checks that a list is there, and that none of its items is empty. A list without items is there where it
// is not nil: the contract states no least number for any.
func requiredList[T ~string](field string, values []T) *ValidationError {
	if values == nil {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return filled(field, values)
}

// filled checks that no item of a list is empty.
func filled[T ~string](field string, values []T) *ValidationError {
	for i, value := range values {
		if value == "" {
			return &ValidationError{Field: fmt.Sprintf("%s[%d]", field, i), Rule: "must not be empty"}
		}
	}
	return nil
}

// atLeast checks a lower bound of a value that may be left out.
func atLeast[N int | int64](field string, minimum N, value *N) *ValidationError {
	if value != nil && *value < minimum {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("must be at least %d", minimum), Value: *value}
	}
	return nil
}

// atMost checks an upper bound.
func atMost(field string, maximum, value int) *ValidationError {
	if value > maximum {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("must be at most %d", maximum), Value: value}
	}
	return nil
}

// between checks a value's bounds, both of which it may reach.
func between(field string, minimum, maximum, value int) *ValidationError {
	if value < minimum || value > maximum {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("must be from %d to %d", minimum, maximum), Value: value}
	}
	return nil
}

// minLength checks a text's least length, in characters.
func minLength(field string, minimum int, value string) *ValidationError {
	if utf8.RuneCountInString(value) < minimum {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("must have at least %d characters", minimum), Value: value}
	}
	return nil
}

// uuidShape matches UUIDs of every version.
var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// uuid checks that a text is a UUID.
func uuid(field, value string) *ValidationError {
	if !uuidShape.MatchString(value) {
		return &ValidationError{Field: field, Rule: "must be a UUID", Value: value}
	}
	return nil
}

// exclusive checks that at most one of two arguments is given.
func exclusive(field, other string, both bool) *ValidationError {
	if both {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("and %s exclude each other", other)}
	}
	return nil
}

// anyOf checks that at least one of several arguments is given.
func anyOf(field string, names []string, given bool) *ValidationError {
	if !given {
		return &ValidationError{Field: field, Rule: "needs at least one of " + strings.Join(names, ", ")}
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
		return &ValidationError{Field: field, Rule: "must not be after " + other, Value: start.UTC().Format(time.RFC3339Nano)}
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
