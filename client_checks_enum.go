package rpcfleet

import (
	"fmt"
	"strings"
)

// enumerated is a generated enum: an open string type that knows the values of the contract.
type enumerated[E any] interface {
	~string
	Valid() bool
	Values() []E
}

// oneOf checks that a value is there, and in its enum.
func oneOf[E enumerated[E]](field string, value E) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "is required"}
	}
	return documented(field, value)
}

// documented checks that a value is in its enum.
func documented[E enumerated[E]](field string, value E) *ValidationError {
	if value.Valid() {
		return nil
	}
	return &ValidationError{Field: field, Rule: "must be one of the documented values (" + documentedValues(value.Values()) + ")", Value: string(value)}
}

// documentedValues lists the values of an enum, of which a long one has the first.
func documentedValues[E ~string](values []E) string {
	const most = 20
	var text strings.Builder
	for i, value := range values[:min(len(values), most)] {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(string(value))
	}
	if more := len(values) - most; more > 0 {
		fmt.Fprintf(&text, " and %d more", more)
	}
	return text.String()
}

// optionalOneOf checks a value that may be left out.
func optionalOneOf[E enumerated[E]](field string, value *E) *ValidationError {
	if value == nil {
		return nil
	}
	return documented(field, *value)
}

// allOf checks every value of a list.
func allOf[E enumerated[E]](field string, values []E) *ValidationError {
	for i, value := range values {
		if err := documented(fmt.Sprintf("%s[%d]", field, i), value); err != nil {
			return err
		}
	}
	return nil
}
