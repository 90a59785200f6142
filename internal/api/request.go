// Package api contains the operations of the admin and alerts areas, their requests, and decoders for their records,
// generated from the OpenAPI files. The records are in packages admin and alerts.
package api

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Operation is an operation of the service as its OpenAPI file defines it. The root package's Operation, which it is
// converted to, documents the fields.
type Operation struct {
	ID, Method, Path, Area, Tag, Source string
	Idempotent, Deprecated, Bearer      bool
	Paging, Response                    string
	Statuses                            []int
}

// The areas of the service.
const (
	AreaAdmin    = "admin"
	AreaAlerts   = "alerts"
	AreaGraph    = "graph"
	AreaWebhooks = "webhooks"
	AreaKeyValue = "keyvalue"
	AreaStreams  = "streams"
)

// The kinds of paging.
const (
	PagingNone   = "none"
	PagingOffset = "offset"
	PagingCursor = "cursor"
)

// The kinds of response. The first five are envelopes with the payload under "data". In the alerts area, the payload of
// ResponseMaybe is the whole body.
const (
	// ResponseData is a record. An operation that is not idempotent creates the record, and the response must contain its
	// id.
	ResponseData = "data"
	// ResponseList is an array. A null counts as an empty array.
	ResponseList = "list"
	// ResponsePage is a list with a pagination record.
	ResponsePage = "page"
	// ResponseCursor is a list with the cursor of the next page.
	ResponseCursor = "cursor"
	// ResponseMaybe is a record of the written object, or any other body that is not a failure. The write was executed in
	// both cases.
	ResponseMaybe = "maybe"
	// ResponseConfirm only reports whether something happened.
	ResponseConfirm = "confirm"
	// ResponseNone is a 204 without a body.
	ResponseNone = "none"
	// ResponseRecord is a record without an envelope.
	ResponseRecord = "record"
	// ResponseArray is an array without an envelope; some responses have an envelope (observed).
	ResponseArray = "array"
	// ResponseEmpty is a body without content in an area without envelopes. It may report a failure.
	ResponseEmpty = "empty"
	// ResponseText is text without an envelope.
	ResponseText = "text"
)

// HasPayload reports whether the response to the operation may contain a record or a list.
func (op *Operation) HasPayload() bool {
	return op.Response != ResponseConfirm && op.Response != ResponseNone && op.Response != ResponseEmpty
}

// Areas maps each area with a table to its operations.
var Areas = map[string][]*Operation{
	AreaAdmin: Admin, AreaAlerts: Alerts, AreaWebhooks: Webhooks, AreaKeyValue: KeyValue, AreaStreams: Streams,
}

// Prefixes are the beginnings of the paths of the areas, of which admin and graph have none.
var Prefixes = map[string]string{
	AreaAlerts: "/alerts/rest/v1", AreaWebhooks: "/webhooks/rest/v1", AreaKeyValue: "/kv/rest/v1",
	AreaStreams: "/streams/rest/v1",
}

// Request is a request before it is sent.
type Request struct {
	Operation *Operation
	// Path is the escaped path, relative to the address of the area.
	Path  string
	Query Query
	// Body is the record that becomes the JSON body, or nil.
	Body any
	// Violation is the first rule that the arguments break, or nil. A request with an invalid path is never sent.
	Violation *Violation
}

// SecurityOptionSwitches are a field of a body that callers set by name.
type SecurityOptionSwitches = securityOptionSwitches

// RateLimitOverrides are the same for another body.
type RateLimitOverrides = rateLimitOverrides

// RequestOf is a request with the decoder of the record in its response, or of the records in its list.
type RequestOf[T any] struct {
	Request
	Read func(s *scan.Scanner, into *T)
}

// NewRequest returns a request of an operation, with values for the parameters of the path template in their order.
// Each is escaped as one path segment. Escaping does not help for the values that it rejects: they are resolved away.
func NewRequest(op *Operation, values ...string) Request {
	request := Request{Operation: op, Path: op.Path}
	for _, value := range values {
		before, rest, _ := strings.Cut(request.Path, "{")
		name, after, _ := strings.Cut(rest, "}")
		request.Path = before + url.PathEscape(value) + after // The value has no brace any more.
		var violation *Violation
		switch value {
		case "":
			violation = &Violation{Field: name, Rule: "must not be empty", Always: true}
		case ".", "..":
			violation = &Violation{Field: name, Rule: "must not be a dot segment", Value: value, Always: true}
		}
		request.Violation = cmp.Or(request.Violation, violation)
	}
	return request
}

// reserved checks that a path parameter is not a fixed part of another path, which a router prefers.
func reserved(field, value string, words ...string) *Violation {
	if slices.Contains(words, value) {
		return &Violation{Field: field, Rule: "must not be a fixed part of another path", Value: value, Always: true}
	}
	return nil
}

// Address returns the URL of the request, based on the URL of an area, which must not end with a slash. Times are in
// RFC 3339 in UTC.
func (r *Request) Address(area *url.URL) (url.URL, error) {
	var query strings.Builder
	for i, parameter := range r.Query {
		if i > 0 {
			query.WriteByte('&')
		}
		value := parameter.Value
		if at, is := value.(time.Time); is {
			text, err := at.UTC().MarshalText()
			if err != nil {
				return url.URL{}, err
			}
			value = string(text)
		}
		query.WriteString(url.QueryEscape(parameter.Name))
		query.WriteByte('=')
		query.WriteString(url.QueryEscape(fmt.Sprint(value)))
	}
	path, err := url.Parse("//host" + area.EscapedPath() + r.Path) // Without a host, // would begin one.
	if err != nil {
		return url.URL{}, err
	}
	address := *area
	address.Path, address.RawPath, address.RawQuery = path.Path, path.RawPath, query.String()
	return address, nil
}

func number(value int64) string { return strconv.FormatInt(value, 10) }

// Query contains the parameters of a request's query, in the order of the contract. A parameter with several values is
// present once for each value. A parameter without a value is left out.
type Query []QueryParameter

// QueryParameter is one value of a parameter: a string, a number, a boolean or a time.
type QueryParameter struct {
	Name  string
	Value any
	// List is set if the parameter takes several values.
	List bool
}

// QueryOf returns a query with values that are not parameters of the contract, sorted by name.
func QueryOf(values url.Values) (query Query) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			query = append(query, QueryParameter{Name: name, Value: value})
		}
	}
	return query
}

// With returns a copy of the query with one value of a parameter.
func (q Query) With(name string, value any) Query {
	rest := slices.DeleteFunc(slices.Clone(q), func(parameter QueryParameter) bool { return parameter.Name == name })
	return append(Query{{Name: name, Value: value}}, rest...)
}

// QueryValue returns the value of a parameter, and whether the query has it.
func QueryValue[T any](q Query, name string) (value T, given bool) {
	for _, parameter := range q {
		if value, given = parameter.Value.(T); given && parameter.Name == name {
			return value, true
		}
	}
	return *new(T), false
}
