package api

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The functions of this file check arguments against the rules of the contract. Generated code names the arguments.
// Each function returns nil if the value is valid. An empty string, a nil list and a zero time count as missing; a
// number always counts as given.

// Broken describes an argument that breaks a rule.
type Broken struct {
	// Field is the name of the argument, in the service's spelling.
	Field string
	// Rule describes a valid value.
	Rule string
	// Value is the invalid value, or nil if there is nothing to show.
	Value any
	// Always is set if no option turns the rule off.
	Always bool
}

// first returns the first rule that is broken, or nil.
func first(rules ...*Broken) *Broken {
	for _, broken := range rules {
		if broken != nil {
			return broken
		}
	}
	return nil
}

// within prefixes the field of a rule about a record with the name of the field that contains the record.
func within(field string, broken *Broken) *Broken {
	if broken != nil {
		broken.Field = strings.TrimSuffix(field+"."+broken.Field, ".")
	}
	return broken
}

// Required checks that an argument is given.
func Required(field string, missing bool) *Broken {
	if missing {
		return &Broken{Field: field, Rule: "is required"}
	}
	return nil
}

// anyOf checks that a record has at least one of the named fields. The caller adds the name of the record.
func anyOf(none bool, names ...string) *Broken {
	if none {
		return &Broken{Rule: "needs at least one of " + strings.Join(names, ", ")}
	}
	return nil
}

// Filled checks that no item of a list is empty.
func Filled[T ~string](field string, values []T) *Broken {
	for i, value := range values {
		if value == "" {
			return &Broken{Field: fmt.Sprintf("%s[%d]", field, i), Rule: "must not be empty"}
		}
	}
	return nil
}

// AtLeast checks the minimum of an optional number.
func AtLeast[N ~int | ~int64](field string, minimum N, value *N) *Broken {
	if value != nil && *value < minimum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be at least %d", minimum), Value: *value}
	}
	return nil
}

// atMost checks the maximum of an optional number.
func atMost[N ~int | ~int64](field string, maximum N, value *N) *Broken {
	if value != nil && *value > maximum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be at most %d", maximum), Value: *value}
	}
	return nil
}

// minLength checks the minimum length of an optional string, in characters.
func minLength(field string, minimum int, value *string) *Broken {
	if value != nil && utf8.RuneCountInString(*value) < minimum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must have at least %d characters", minimum), Value: *value}
	}
	return nil
}

// uuidShape matches UUIDs of every version.
var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// uuid checks that an optional string is a UUID.
func uuid(field string, value *string) *Broken {
	if value != nil && !uuidShape.MatchString(*value) {
		return &Broken{Field: field, Rule: "must be a UUID", Value: *value}
	}
	return nil
}

// timeBased matches UUIDs that contain a time: versions 1 and 6, which count from the Gregorian reform, and version 7,
// which counts from 1970.
var timeBased = regexp.MustCompile(
	`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

// timeBasedUUID checks that an optional string is a UUID that contains a time.
func timeBasedUUID(field string, value *string) *Broken {
	if value != nil && !timeBased.MatchString(*value) {
		return &Broken{Field: field, Rule: "must be a time-based UUID (version 1, 6 or 7)", Value: *value}
	}
	return nil
}

// Enum is a generated enum: an open type with the values of the contract.
type Enum[E any] interface {
	~string
	Valid() bool
	Values() []E
}

// OneOf checks that a value is given and documented.
func OneOf[E Enum[E]](field string, value E) *Broken {
	if value == "" {
		return Required(field, true)
	}
	return documented(field, &value)
}

// documented checks that an optional value is documented.
func documented[E Enum[E]](field string, value *E) *Broken {
	if value == nil || (*value).Valid() {
		return nil
	}
	return &Broken{
		Field: field, Rule: "must be one of the documented values (" + listed((*value).Values()) + ")", Value: string(*value),
	}
}

// allDocumented checks that all values of a list are documented.
func allDocumented[E Enum[E]](field string, values []E) *Broken {
	for i := range values {
		if broken := documented(field, &values[i]); broken != nil {
			broken.Field = fmt.Sprintf("%s[%d]", field, i)
			return broken
		}
	}
	return nil
}

// inRange checks that a number is a value of its enum, which has no gaps.
func inRange[E interface {
	~int
	Valid() bool
	Values() []E
}](field string, value E) *Broken {
	if values := value.Values(); !value.Valid() {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be from %d to %d", values[0], values[len(values)-1]),
			Value: int(value)}
	}
	return nil
}

// listed returns the values of an enum as text, at most the first 20.
func listed[E ~string](values []E) string {
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
