package rpcfleet

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// Request is a call of any operation of the admin or the alerts area, put together by hand: see [Do].
type Request struct {
	// Operation is the name of the call in errors, in logs and for observers. Where it is empty, it is the id of the
	// operation of [Operations] that the method and the path are of, or else the method and the path.
	Operation string
	// Method is the HTTP method, in capitals.
	Method string
	// Path is the path template below the address of the area, such as "/v0/endpoints/{id}". What varies belongs into
	// PathParams, and a query into Query: the template itself appears in errors, logs and names of metrics.
	Path string
	// PathParams are the values of the template's parameters, by their names. Each becomes one escaped part of the
	// path. A value that would lead to another operation is refused, as the methods of the services refuse it.
	PathParams map[string]string
	// Query is the query, in the order of its names. The names are sent as they are: [WithArrayQuery] has no say here.
	Query url.Values
	// Body becomes the JSON body; nil stands for none. It is written as encoding/json writes it, with the secrets of
	// package scalar revealed; a json.RawMessage is sent as it is.
	Body any
	// Area is "admin" or "alerts"; empty means "admin". The graph area is queried through [GraphService].
	Area string
	// Idempotent says that a repetition of the call does no harm, so that it is tried again like a read. It need not be
	// said of GET, HEAD and OPTIONS, which HTTP defines as safe, nor of an operation of [Operations], of which it is
	// known. Of one of these that is not idempotent it must not be said, unless [WithoutValidation] is given.
	Idempotent bool
	// Bearer sends the bearer token beside the API key, as the operations of teams do in any case.
	Bearer bool
	// Bare says that the payload is the whole body of the response, and not what stands under "data" in it. Responses
	// of the alerts area always are.
	Bare bool
}

// check holds a request against rules that no option turns off: what breaks them is no request, or not the one that it
// seems to be. The type is the one that the response is to become.
func (r *Request) check(payload reflect.Type) *ValidationError {
	for _, broken := range []*ValidationError{
		checkMethod(r.Method), checkName(r.Operation), checkArea(r.Area), checkTemplate(r.Path), checkBody(r.Body),
		checkPayload(r.Method, isBare(r.Area, r.Bare), payload),
	} {
		if broken != nil {
			return broken
		}
	}
	return nil
}

// operation returns a description of the request's operation: the row of the tables, or one without a kind of response.
func (r *Request) operation() *api.Operation {
	area := cmp.Or(r.Area, api.AreaAdmin)
	for _, row := range api.Areas[area] {
		if row.Method == r.Method && sameShape(row.Path, r.Path) {
			op := *row
			op.ID, op.Bearer = cmp.Or(r.Operation, op.ID), op.Bearer || r.Bearer
			return &op
		}
	}
	return &api.Operation{
		ID: cmp.Or(r.Operation, r.Method+" "+r.Path), Method: r.Method, Path: r.Path, Area: area, Source: "assumed",
		Idempotent: r.Idempotent || isSafe(r.Method), Bearer: r.Bearer, Paging: api.PagingNone,
	}
}

// isSafe reports whether a method is safe by HTTP's definition: a request with it only reads.
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// sameShape reports whether two templates differ in nothing but the names of their parameters.
func sameShape(template, other string) bool {
	return slices.EqualFunc(strings.Split(template, "/"), strings.Split(other, "/"), func(a, b string) bool {
		return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{")
	})
}

// pathParameters returns the values of the template's parameters in their order.
func (r *Request) pathParameters() ([]string, *ValidationError) {
	unused := maps.Clone(r.PathParams)
	var values []string
	for part := range strings.SplitSeq(r.Path, "/") {
		if !strings.HasPrefix(part, "{") {
			continue
		}
		name := strings.Trim(part, "{}")
		value, given := r.PathParams[name]
		if !given {
			return nil, &ValidationError{Field: name, Rule: "is required: it is a parameter of the path", always: true}
		}
		values = append(values, value)
		delete(unused, name)
	}
	if len(unused) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(unused)))
		return nil, &ValidationError{Field: "PathParams", Rule: "must be parameters of the path", Value: first, always: true}
	}
	return values, nil
}
