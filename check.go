package rpcfleet

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The functions of this file state the contract's rules. Each returns nil where the value keeps the rule. A method
// hands their results to the call path, which reports the first one that is not nil and sends nothing.

// segment checks a value that becomes one segment of a path. Escaping does not help against the values that it
// refuses: an empty segment and dot segments are resolved away and would lead to another operation. WithoutValidation
// does not turn this check off.
func segment(field, value string) *ValidationError {
	switch value {
	case "":
		return &ValidationError{Field: field, Rule: "must not be empty", essential: true}
	case ".", "..":
		return &ValidationError{Field: field, Rule: "must not be a dot segment", Value: value, essential: true}
	}
	return nil
}

// required checks that a text is there.
func required(field, value string) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return nil
}

// requiredList checks that a list has at least one item, and no empty one.
func requiredList[T comparable](field string, values []T) *ValidationError {
	if len(values) == 0 {
		return &ValidationError{Field: field, Rule: "must have at least one item"}
	}
	var zero T
	for i, value := range values {
		if value == zero {
			return &ValidationError{Field: fmt.Sprintf("%s[%d]", field, i), Rule: "must not be empty"}
		}
	}
	return nil
}

// enumerated is a generated enum: an open string type that knows the values of the contract.
type enumerated interface {
	~string
	Valid() bool
}

// oneOf checks that a value is in its enum.
func oneOf[E enumerated](field string, value E) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	if !value.Valid() {
		return &ValidationError{Field: field, Rule: "must be one of the documented values", Value: string(value)}
	}
	return nil
}

// optionalOneOf checks a value that may be left out.
func optionalOneOf[E enumerated](field string, value *E) *ValidationError {
	if value == nil {
		return nil
	}
	return oneOf(field, *value)
}

// allOf checks every value of a list.
func allOf[E enumerated](field string, values []E) *ValidationError {
	for i, value := range values {
		if err := oneOf(fmt.Sprintf("%s[%d]", field, i), value); err != nil {
			return err
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

// maxLength checks a text's greatest length, in characters.
func maxLength(field string, maximum int, value string) *ValidationError {
	if utf8.RuneCountInString(value) > maximum {
		return &ValidationError{Field: field, Rule: fmt.Sprintf("must have at most %d characters", maximum), Value: value}
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
