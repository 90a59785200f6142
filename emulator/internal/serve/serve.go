// Package serve reads requests for the handlers of an area's operations and writes their responses. The packages that
// are generated from the OpenAPI files define the operations, and the types of their requests and responses.
package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/oapi-codegen/runtime"
)

// Area is a group of operations with one form of failures.
type Area struct {
	// Mount adds an operation of the area, with the prefix in its path.
	Mount func(Area, Operation, http.HandlerFunc)
	// Prefix comes before the paths of the operations.
	Prefix string
	// Gated is set if the plan of the account does not include the area.
	Gated bool
	// WrapLists puts the array of a list into an object.
	WrapLists bool
	// Reject writes the response to a request that cannot be read, or whose handler returned an error.
	Reject func(http.ResponseWriter, *Error)
}

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

// badRequest is for a request that cannot be read, or breaks a rule of the contract.
func badRequest(reason string) error { return &Error{Status: http.StatusBadRequest, Reason: reason} }

// Handle mounts one operation. The handler reads the request, and returns the body of a success or an error.
func (a Area) Handle(operation Operation, handler func(context.Context, *Reader) (any, error)) {
	operation.Path = a.Prefix + operation.Path
	a.Mount(a, operation, func(w http.ResponseWriter, r *http.Request) {
		body, err := handler(r.Context(), &Reader{request: r, query: r.URL.Query()})
		if a.WrapLists && reflect.ValueOf(body).Kind() == reflect.Slice {
			body = map[string]any{"data": body}
		}
		if err == nil {
			err = write(w, operation.Status, body)
		}
		if err != nil {
			a.Reject(w, ErrorOf(err))
		}
	})
}

// write writes a response, or nothing if its body cannot be encoded.
func write(w http.ResponseWriter, status int, body any) error {
	if body == nil {
		w.WriteHeader(status)
		return nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	return err
}

// A part of a request is required or optional.
const (
	Required = true
	Optional = false
)

// Reader reads the parts of a request, and checks them. It keeps the error of the first part that is not acceptable.
type Reader struct {
	// Err is the error of that part, or nil.
	Err error

	request *http.Request
	query   url.Values
}

// Path reads a path parameter.
func (in *Reader) Path(name string, into any) {
	in.note(name, runtime.BindStyledParameterWithOptions("simple", name, chi.URLParam(in.request, name), into,
		runtime.BindStyledParameterOptions{
			ParamLocation: runtime.ParamLocationPath, Required: true, ValueIsUnescaped: in.request.URL.RawPath == "",
		}))
}

// Query reads a query parameter with one value.
func (in *Reader) Query(name string, required bool, into any) {
	in.note(name, runtime.BindQueryParameterWithOptions(
		"form", true, required, name, in.query, into, runtime.BindQueryParameterOptions{}))
}

// QueryArray reads a query parameter with several values: its name is repeated, with or without brackets, or its values
// are joined with commas. The service's own clients do not agree on one form. A percent-encoded comma is part of a
// value.
func (in *Reader) QueryArray(name string, required bool, into any) {
	var values []string
	for pair := range strings.SplitSeq(in.request.URL.RawQuery, "&") {
		key, joined, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || strings.TrimSuffix(key, "[]") != name {
			continue
		}
		for value := range strings.SplitSeq(joined, ",") {
			if value, err := url.QueryUnescape(value); err == nil { // url.URL.Query ignores an error too.
				values = append(values, value)
			}
		}
	}
	if len(values) > 0 {
		in.query[name] = values
	}
	in.Query(name, required, into)
}

// note keeps the error of a parameter, unless there is one already.
func (in *Reader) note(name string, err error) {
	var missing *runtime.RequiredParameterError
	switch {
	case in.Err != nil:
	case errors.As(err, &missing):
		in.Err = badRequest(name + " is required")
	case err != nil:
		in.Err = badRequest(name + " cannot be read: " + err.Error())
	}
}

// Body reads a JSON body and checks it. An optional one that was left out stays nil.
func Body[T any](in *Reader, required bool, into **T) {
	if in.Err != nil {
		return
	}
	text, err := io.ReadAll(in.request.Body)
	if err == nil && len(text) == 0 && !required {
		return
	}
	*into = new(T)
	var members map[string]json.RawMessage
	if err = cmp.Or(err, json.Unmarshal(text, *into), json.Unmarshal(text, &members)); err != nil {
		in.Err = badRequest("the body is not acceptable JSON: " + err.Error())
		return
	}
	// A missing number looks like a zero in the record.
	for i := range reflect.TypeFor[T]().NumField() {
		name, rules := tags(reflect.TypeFor[T]().Field(i))
		if value := members[name]; slices.Contains(rules, "required") && (value == nil || string(value) == "null") {
			in.Err = badRequest(name + " is required")
			return
		}
	}
	in.Check(*into)
}

// Check checks the parameters of the query, or a body.
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
				return badRequest(name + " " + reason)
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
