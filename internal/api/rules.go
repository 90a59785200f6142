package api

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The functions of this file check arguments against the rules of the contract. Generated code names the arguments.
// Each function returns nil if the value is valid. An empty string, a nil list and a zero time count as missing; a
// number always counts as given.

// Violation describes an argument that breaks a rule.
type Violation struct {
	// Field is the name of the argument, in the service's spelling.
	Field string
	// Rule describes a valid value.
	Rule string
	// Value is the invalid value, or nil if there is nothing to show.
	Value any
	// Always is set if no option turns the rule off.
	Always bool
}

// reserved checks that a path parameter is not a fixed part of another path, which a router prefers.
func reserved(field, value string, words ...string) *Violation {
	if slices.Contains(words, value) {
		return &Violation{Field: field, Rule: "must not be a fixed part of another path", Value: value,
			Always: true}
	}
	return nil
}

// exclusive checks that at most one of two arguments is given.
func exclusive(field string, isGiven bool, other string, isOtherGiven bool) *Violation {
	if isGiven && isOtherGiven {
		return &Violation{Field: field, Rule: "and " + other + " exclude each other"}
	}
	return nil
}

// ordered checks that a range does not end before it starts. Both ends may be equal, and the end may be missing.
func ordered(field string, start time.Time, other string, end time.Time) *Violation {
	if !end.IsZero() && start.After(end) {
		return &Violation{Field: field, Rule: "must not be after " + other, Value: start.UTC().Format(time.RFC3339Nano)}
	}
	return nil
}

// httpURL checks that an address is an absolute http or https URL. The violation omits the address.
func httpURL(field string, value scalar.SecretURL) *Violation {
	if value.IsRedacted() {
		return &Violation{Field: field, Rule: scalar.ErrRedacted.Error()}
	}
	address, err := value.URL()
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return &Violation{Field: field, Rule: "must be an absolute http or https URL"}
	}
	return nil
}

// inField prefixes the field of a rule about a record with the name of the field that contains the record.
func inField(field string, violation *Violation) *Violation {
	if violation != nil {
		violation.Field = strings.TrimSuffix(field+"."+violation.Field, ".")
	}
	return violation
}

// ifGiven checks an optional record within another one.
func ifGiven[T any](record *T, rules func(*T) *Violation) *Violation {
	if record == nil || reflect.ValueOf(record).Elem().IsZero() {
		return nil
	}
	return rules(record)
}

// Required checks that an argument is given.
func Required(field string, missing bool) *Violation {
	if missing {
		return &Violation{Field: field, Rule: "is required"}
	}
	return nil
}

// anyOf checks that a record has at least one of the named fields. The caller adds the name of the record.
func anyOf(none bool, names ...string) *Violation {
	if none {
		return &Violation{Rule: "needs at least one of " + strings.Join(names, ", ")}
	}
	return nil
}

// nonEmptyItems checks that no item of a list is empty.
func nonEmptyItems[T ~string](field string, values []T) *Violation {
	for i, value := range values {
		if value == "" {
			return &Violation{Field: fmt.Sprintf("%s[%d]", field, i), Rule: "must not be empty"}
		}
	}
	return nil
}

// AtLeast checks the minimum of an optional number.
func AtLeast[N ~int | ~int64](field string, minimum N, value *N) *Violation {
	if value != nil && *value < minimum {
		return &Violation{Field: field, Rule: fmt.Sprintf("must be at least %d", minimum), Value: *value}
	}
	return nil
}

// atMost checks the maximum of an optional number.
func atMost[N ~int | ~int64](field string, maximum N, value *N) *Violation {
	if value != nil && *value > maximum {
		return &Violation{Field: field, Rule: fmt.Sprintf("must be at most %d", maximum), Value: *value}
	}
	return nil
}

// minLength checks the minimum length of an optional string, in characters.
func minLength(field string, minimum int, value *string) *Violation {
	if value != nil && utf8.RuneCountInString(*value) < minimum {
		return &Violation{Field: field, Rule: fmt.Sprintf("must have at least %d characters", minimum), Value: *value}
	}
	return nil
}

var (
	uuidRE = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	// timeUUID matches UUIDs that contain a time: versions 1 and 6, which count from the Gregorian reform, and version 7,
	// which counts from 1970.
	timeUUID = regexp.MustCompile(`^.{14}[167].{4}[89abAB]`)
)

// uuid checks that an optional string is a UUID of any version.
func uuid(field string, value *string) *Violation {
	if value != nil && !uuidRE.MatchString(*value) {
		return &Violation{Field: field, Rule: "must be a UUID", Value: *value}
	}
	return nil
}

// timeBasedUUID checks that an optional string is a UUID that contains a time.
func timeBasedUUID(field string, value *string) *Violation {
	if value != nil && !(uuidRE.MatchString(*value) && timeUUID.MatchString(*value)) {
		return &Violation{Field: field, Rule: "must be a time-based UUID (version 1, 6 or 7)", Value: *value}
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
func OneOf[E Enum[E]](field string, value E) *Violation {
	if value == "" {
		return Required(field, true)
	}
	return oneOf(field, &value)
}

// oneOf checks that an optional value is documented.
func oneOf[E Enum[E]](field string, value *E) *Violation {
	if value == nil || (*value).Valid() {
		return nil
	}
	return &Violation{
		Field: field, Rule: "must be one of the documented values (" + listed((*value).Values()) + ")", Value: string(*value),
	}
}

// allDocumented checks that all values of a list are documented.
func allDocumented[E Enum[E]](field string, values []E) *Violation {
	for i := range values {
		if violation := oneOf(field, &values[i]); violation != nil {
			violation.Field = fmt.Sprintf("%s[%d]", field, i)
			return violation
		}
	}
	return nil
}

// inRange checks that a number is a value of its enum, which has no gaps.
func inRange[E interface {
	~int
	Valid() bool
	Values() []E
}](field string, value E) *Violation {
	if values := value.Values(); !value.Valid() {
		return &Violation{Field: field, Rule: fmt.Sprintf("must be from %d to %d", values[0], values[len(values)-1]),
			Value: int(value)}
	}
	return nil
}

// listed returns the values of an enum as text, at most the first 20.
func listed[E ~string](values []E) string {
	const most = 20
	var texts []string
	for _, value := range values[:min(len(values), most)] {
		texts = append(texts, string(value))
	}
	text := strings.Join(texts, ", ")
	if more := len(values) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
