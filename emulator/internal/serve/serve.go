// Package serve reads the requests of operations for their handlers. The packages that are generated from the OpenAPI
// files define the operations, and the types of their requests and responses.
package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/oapi-codegen/runtime"
)

// Operation is an operation of the contract.
type Operation struct {
	// ID is the operation's id, such as "getEndpoint".
	ID string
	// Method and Path are its HTTP method, and the template of its path for the router.
	Method, Path string
	// Paging is its kind of paging: "none", "offset" or "cursor".
	Paging string
	// Status is the status of a success.
	Status int
	// Handle reads a request, and has a server of the area handle it. It returns the body of a success, which is nil if
	// there is none.
	Handle func(server any, in *Reader) (any, error)
}

// Error is the error of a rejected request: the status of the response and the reason in it.
type Error struct {
	Status int
	Reason string
	Body   any // The body of the response, if it is not a failure in the form of the area.
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// ErrorOf returns the Error in an error. Any other error is a 500.
func ErrorOf(err error) *Error {
	if found := (*Error)(nil); errors.As(err, &found) {
		return found
	}
	return &Error{Status: http.StatusInternalServerError, Reason: "internal error"}
}

// BadRequest is the error of a request that cannot be read, or breaks a rule of the contract.
func BadRequest(reason string) error { return &Error{Status: http.StatusBadRequest, Reason: reason} }

// A part of a request is required or optional.
const (
	Required = true
	Optional = false
)

// Reader reads the parts of a request, and checks them. It keeps the error of the first part that is not acceptable.
type Reader struct {
	// Params are the unescaped parameters of the path.
	Params map[string]string
	// RawQuery is the query, and Body the whole body.
	RawQuery string
	Body     []byte
	// Err is the error of that part, or nil.
	Err error
}

// Path reads a path parameter.
func (in *Reader) Path(name string, into any) {
	in.note(name, runtime.BindStyledParameterWithOptions("simple", name, in.Params[name], into,
		runtime.BindStyledParameterOptions{ParamLocation: runtime.ParamLocationPath, Required: true, ValueIsUnescaped: true}))
}

// Query reads a query parameter.
func (in *Reader) Query(name string, required bool, into any) {
	values, _ := url.ParseQuery(in.RawQuery) // It leaves out what cannot be read.
	in.bind(name, required, values[name], into)
}

// QueryArray reads a query parameter with several values: its name is repeated, with or without brackets, or its values
// are joined with commas. The service's own clients do not agree on one form. A percent-encoded comma is part of a
// value.
func (in *Reader) QueryArray(name string, required bool, into any) {
	var values []string
	for pair := range strings.SplitSeq(in.RawQuery, "&") {
		key, joined, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || strings.TrimSuffix(key, "[]") != name {
			continue
		}
		for value := range strings.SplitSeq(joined, ",") {
			if value, err := url.QueryUnescape(value); err == nil {
				values = append(values, value)
			}
		}
	}
	in.bind(name, required, values, into)
}

func (in *Reader) bind(name string, required bool, values []string, into any) {
	query := url.Values{}
	if len(values) > 0 {
		query[name] = values
	}
	in.note(name, runtime.BindQueryParameterWithOptions(
		"form", true, required, name, query, into, runtime.BindQueryParameterOptions{}))
}

// note keeps the error of a parameter, unless there is one already.
func (in *Reader) note(name string, err error) {
	var missing *runtime.RequiredParameterError
	switch {
	case in.Err != nil:
	case errors.As(err, &missing):
		in.Err = BadRequest(name + " is required")
	case err != nil:
		in.Err = BadRequest(name + " cannot be read: " + err.Error())
	}
}

// Body reads a JSON body and checks it. An optional one that was left out stays nil.
func Body[T any](in *Reader, required bool, into **T) {
	if in.Err != nil || len(in.Body) == 0 && !required {
		return
	}
	*into = new(T)
	var members map[string]json.RawMessage
	if err := cmp.Or(json.Unmarshal(in.Body, *into), json.Unmarshal(in.Body, &members)); err != nil {
		in.Err = BadRequest("the body is not acceptable JSON: " + err.Error())
		return
	}
	// A missing number looks like a zero in the record.
	for i := range reflect.TypeFor[T]().NumField() {
		name, rules := tags(reflect.TypeFor[T]().Field(i))
		if value := members[name]; slices.Contains(rules, "required") && (value == nil || string(value) == "null") {
			in.Err = BadRequest(name + " is required")
			return
		}
	}
	in.Check(*into)
}

// Check checks the parameters of the query, or a body: see the function Check.
func (in *Reader) Check(record any) {
	if in.Err == nil {
		in.Err = Check(record)
	}
}

// Envelope puts the data of a success into an envelope. Its error is always null.
func Envelope[T any](data T, err error) (any, error) {
	return struct {
		Data  T       `json:"data"`
		Error *string `json:"error"`
	}{Data: data}, err
}

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
		name, rules := tags(record.Type().Field(i))
		value := record.Field(i)
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		if value.Kind() == reflect.Struct && value.Type() != reflect.TypeFor[time.Time]() {
			if err := check(prefix+name+".", value); err != nil {
				return err
			}
		}
		if !listed(value) {
			return BadRequest(prefix + name + " must be one of the documented values")
		}
		for _, rule := range rules {
			if reason := broken(rule, value); reason != "" {
				return BadRequest(prefix + name + " " + reason)
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
	unit := ""
	switch {
	case rule == "required" && value.IsZero() &&
		slices.Contains([]reflect.Kind{reflect.String, reflect.Slice, reflect.Map}, value.Kind()):
		return "is required"
	case value.CanInt():
		number = float64(value.Int())
	case value.Kind() == reflect.String:
		number, unit = float64(utf8.RuneCountInString(value.String())), " characters"
	}
	switch {
	case strings.HasPrefix(rule, "min") && number < limit:
		return "must be at least " + limitText + unit
	case strings.HasPrefix(rule, "max") && number > limit:
		return "must be at most " + limitText + unit
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
