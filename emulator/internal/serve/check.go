package serve

import (
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// tags returns the name of a field in JSON, and its rules.
func tags(field reflect.StructField) (name string, rules []string) {
	name, _, _ = strings.Cut(field.Tag.Get("json"), ",")
	return name, strings.Fields(field.Tag.Get("rules"))
}

// Check returns an error for the first field of a generated record that breaks a rule of the contract. The generator
// writes the rules into tags, such as "required min=1". A type with a method Valid has a list of values. The record is
// a pointer to a struct.
func Check(record any) error { return check("", reflect.ValueOf(record).Elem()) }

func check(prefix string, record reflect.Value) error {
	for i := range record.NumField() {
		value := record.Field(i)
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		name, rules := tags(record.Type().Field(i))
		name = prefix + name
		if value.Kind() == reflect.Struct && value.Type() != reflect.TypeFor[time.Time]() {
			if err := check(name+".", value); err != nil {
				return err
			}
		}
		for _, rule := range append(rules, "listed") {
			if reason := broken(rule, value); reason != "" {
				return &RequestError{name + " " + reason}
			}
		}
	}
	return nil
}

// broken returns the reason if a value breaks a rule.
func broken(rule string, value reflect.Value) string {
	rule, limitText, _ := strings.Cut(rule, "=")
	limit, _ := strconv.ParseFloat(limitText, 64)
	var number float64
	switch {
	case value.CanInt():
		number = float64(value.Int())
	case value.Kind() == reflect.String:
		number = float64(utf8.RuneCountInString(value.String()))
	}
	switch {
	case rule == "required" && (value.Kind() == reflect.String && value.Len() == 0 ||
		value.Kind() == reflect.Slice && value.IsNil()):
		return "is required"
	case rule == "listed" && !listed(value):
		return "must be one of the documented values"
	case rule == "min" && number < limit:
		return "must be at least " + limitText
	case rule == "max" && number > limit:
		return "must be at most " + limitText
	case rule == "minLength" && number < limit:
		return "must have at least " + limitText + " characters"
	case rule == "maxLength" && number > limit:
		return "must have at most " + limitText + " characters"
	}
	return ""
}

// listed reports whether a value, or each element of a list, is one of the contract's values.
func listed(value reflect.Value) bool {
	if value.Kind() == reflect.Slice {
		for i := range value.Len() {
			if !listed(value.Index(i)) {
				return false
			}
		}
	}
	of, is := value.Interface().(interface{ Valid() bool })
	return !is || of.Valid()
}
