package api

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The rules of the contract are generated, with the requests. An empty string, a nil list and a zero time count as
// missing; a number always counts as given.

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

// missing is the violation of an argument that must be given.
func missing(field string) *Violation { return &Violation{Field: field, Rule: "is required"} }

// inField prefixes the field of a rule about a record with the name of the field that contains the record.
func inField(field string, violation *Violation) *Violation {
	violation.Field = strings.TrimSuffix(field+"."+violation.Field, ".")
	return violation
}

// ifGiven checks an optional record within another one.
func ifGiven[T any](record *T, rules func(*T) *Violation) *Violation {
	if record == nil || reflect.ValueOf(record).Elem().IsZero() {
		return nil
	}
	return rules(record)
}

// isHTTP reports whether an address is an absolute http or https URL.
func isHTTP(value scalar.SecretURL) bool {
	address, err := value.URL()
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != ""
}

var (
	uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	// timeUUID matches UUIDs that contain a time: versions 1 and 6, which count from the Gregorian reform, and version 7,
	// which counts from 1970.
	timeUUID = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)
)

// Enum is a generated enum: an open type with the values of the contract.
type Enum[E any] interface {
	~string
	Valid() bool
	Values() []E
}

// Undocumented is the violation of an argument that is none of the values of its enum.
func Undocumented[E Enum[E]](field string, value E) *Violation {
	var documented []string
	for _, one := range value.Values() {
		documented = append(documented, string(one))
	}
	rule := "must be one of the documented values (" + strings.Join(documented, ", ") + ")"
	return &Violation{Field: field, Rule: rule, Value: string(value)}
}
