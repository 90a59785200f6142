package api

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The functions of this file are the rules that the contract states of arguments. Generated code names the arguments
// that they are about. Each returns nil if the value keeps the rule. Where Go has no way to leave an argument out, an
// empty text, a nil list and a zero time stand for one that is missing; a number is always there.

// Broken is a rule that an argument breaks.
type Broken struct {
	// Field is the name of the argument, in the service's own spelling.
	Field string
	// Rule is what the value must be.
	Rule string
	// Value is the value that broke the rule, or nil if there is none to show.
	Value any
	// Always is set for a rule that no option turns off.
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

// within returns a rule about a record as one about the field that holds the record.
func within(field string, broken *Broken) *Broken {
	if broken != nil {
		broken.Field = strings.TrimSuffix(field+"."+broken.Field, ".")
	}
	return broken
}

// Required is the rule that an argument is there.
func Required(field string, missing bool) *Broken {
	if missing {
		return &Broken{Field: field, Rule: "is required"}
	}
	return nil
}

// anyOf is the rule that a record has at least one of its fields. Its name is that of the field that holds it.
func anyOf(none bool, names ...string) *Broken {
	if none {
		return &Broken{Rule: "needs at least one of " + strings.Join(names, ", ")}
	}
	return nil
}

// Filled is the rule that no item of a list is empty.
func Filled[T ~string](field string, values []T) *Broken {
	for i, value := range values {
		if value == "" {
			return &Broken{Field: fmt.Sprintf("%s[%d]", field, i), Rule: "must not be empty"}
		}
	}
	return nil
}

// AtLeast is the least value of a number that may be left out.
func AtLeast[N ~int | ~int64](field string, minimum N, value *N) *Broken {
	if value != nil && *value < minimum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be at least %d", minimum), Value: *value}
	}
	return nil
}

// atMost is the greatest value of a number that may be left out.
func atMost[N ~int | ~int64](field string, maximum N, value *N) *Broken {
	if value != nil && *value > maximum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be at most %d", maximum), Value: *value}
	}
	return nil
}

// minLength is the least length of a text that may be left out, in characters.
func minLength(field string, minimum int, value *string) *Broken {
	if value != nil && utf8.RuneCountInString(*value) < minimum {
		return &Broken{Field: field, Rule: fmt.Sprintf("must have at least %d characters", minimum), Value: *value}
	}
	return nil
}

// uuidShape matches UUIDs of every version.
var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// uuid is the rule that a text that may be left out is a UUID.
func uuid(field string, value *string) *Broken {
	if value != nil && !uuidShape.MatchString(*value) {
		return &Broken{Field: field, Rule: "must be a UUID", Value: *value}
	}
	return nil
}

// timeBased matches the UUIDs whose version is made of a time: 1 and 6, which count from the Gregorian reform, and 7,
// which counts from 1970.
var timeBased = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

// timeBasedUUID is the rule that a text that may be left out is a UUID that is made of a time.
func timeBasedUUID(field string, value *string) *Broken {
	if value != nil && !timeBased.MatchString(*value) {
		return &Broken{Field: field, Rule: "must be a time-based UUID (version 1, 6 or 7)", Value: *value}
	}
	return nil
}

// Enum is a generated enum: an open type that knows the values of the contract.
type Enum[E any] interface {
	~string
	Valid() bool
	Values() []E
}

// OneOf is the rule that a value is there, and one of its enum.
func OneOf[E Enum[E]](field string, value E) *Broken {
	if value == "" {
		return Required(field, true)
	}
	return documented(field, &value)
}

// documented is the rule that a value that may be left out is one of its enum.
func documented[E Enum[E]](field string, value *E) *Broken {
	if value == nil || (*value).Valid() {
		return nil
	}
	return &Broken{
		Field: field, Rule: "must be one of the documented values (" + listed((*value).Values()) + ")", Value: string(*value),
	}
}

// allDocumented is the rule that all values of a list are of their enum.
func allDocumented[E Enum[E]](field string, values []E) *Broken {
	for i := range values {
		if broken := documented(field, &values[i]); broken != nil {
			broken.Field = fmt.Sprintf("%s[%d]", field, i)
			return broken
		}
	}
	return nil
}

// inRange is the rule that a number is one of its enum, which has no gaps.
func inRange[E interface {
	~int
	Valid() bool
	Values() []E
}](field string, value E) *Broken {
	if values := value.Values(); !value.Valid() {
		return &Broken{Field: field, Rule: fmt.Sprintf("must be from %d to %d", values[0], values[len(values)-1]), Value: int(value)}
	}
	return nil
}

// listed lists the values of an enum, of which a long one has the first.
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
