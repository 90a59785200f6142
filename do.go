package rpcfleet

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Do calls any operation, also one without a method. A call of one of [Operations] is sent like its method's, but its
// arguments are not validated.
//
// The payload is decoded into T: a record, a pointer to a record or a list, also of your own types; json.RawMessage for
// the JSON itself; []byte or string for the body as it is; or struct{} if only success matters, as for HEAD. A type of
// your own is decoded as by encoding/json. Of a page, the payload is the list; with NoEnvelope, a type of your own can
// read the rest. If the response to a write lacks the payload, or it is all zero, the error matches [ErrNoRecord].
func Do[T any](ctx context.Context, client *Client, request Request, opts ...CallOption) (T, error) {
	var none T
	payload := reflect.TypeFor[T]()
	if violation := request.validate(payload); violation != nil {
		return none, violation.redacted()
	}
	c := orNew(client).engine.newRawCall(&request, payload, opts)
	if payload == reflect.TypeFor[[]byte]() || payload == reflect.TypeFor[string]() {
		body, err := c.fetchBody(ctx)
		return reflect.ValueOf(body).Convert(payload).Interface().(T), err
	}
	var into T
	if _, err := c.exchange(ctx, reply.Own(&into)); err != nil {
		return none, err
	}
	return into, nil
}

// Request is a call of any operation of the areas but graph: see [Do].
type Request struct {
	Operation  string // Name of the call in errors, logs and hooks. It has a default.
	Method     string
	Path       string            // The path template, such as "/v0/endpoints/{id}", for errors, logs and metrics.
	PathParams map[string]string // The values of the template's parameters by name, unescaped.
	Query      url.Values
	Body       any    // Body is encoded as JSON, with its secrets. Nil means no body.
	Area       string // "admin", the default, "alerts", "webhooks", "keyvalue" or "streams".
	Idempotent bool   // The call can be retried like a read. GET, HEAD, OPTIONS and [Operations] do not need it.
	Bearer     bool   // Bearer sends the bearer token, as the operations of teams always do.
	NoEnvelope bool   // The payload is the whole body, not its "data" field. It always is in the alerts area.
}

// newRawCall returns the call of a request with a response of type payload.
func (e *engine) newRawCall(r *Request, payload reflect.Type, opts []CallOption) *call {
	op := r.operation()
	op.Response = r.responseKind(op, payload)
	values, violation := r.pathParameters()
	request := api.NewRequest(op, values...)
	request.Query, request.Body = api.QueryOf(r.Query), r.Body
	checks := []*ValidationError{violation}
	if r.Idempotent && !op.Idempotent {
		rule := "must not be set: " + op.Method + " " + op.Path + " is not idempotent"
		checks = append(checks, &ValidationError{Field: "Idempotent", Rule: rule})
	}
	for _, row := range api.Areas[op.Area] { // A router would prefer it.
		if row.Method == op.Method && row.Path == strings.TrimSuffix(request.Path, "/") && row.Path != op.Path {
			rule := "must not make the path of " + row.ID
			checks = append(checks, &ValidationError{Field: "PathParams", Rule: rule, Value: row.Path, always: true})
		}
	}
	c := e.newCall(request, opts, checks...)
	c.own = true
	op.Idempotent = op.Idempotent || r.Idempotent // If the two differ, the check has passed.
	return c
}

// operation returns a copy of the matching operation, or a new one without a kind of response.
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

// sameShape reports whether two templates are equal except for the names of their parameters.
func sameShape(template, other string) bool {
	return slices.EqualFunc(strings.Split(template, "/"), strings.Split(other, "/"), func(a, b string) bool {
		return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{")
	})
}

// responseKind returns the kind of response for a payload: the operation's kind if it promises a payload. The response
// to any other write may lack its record.
func (r *Request) responseKind(op *api.Operation, payload reflect.Type) string {
	list := payload.Kind() == reflect.Slice && payload.Elem().Kind() != reflect.Uint8 // Bytes are raw JSON.
	bare := r.NoEnvelope || api.Prefixes[r.Area] != "" && r.Area != api.AreaKeyValue
	promised := op.Response != "" && op.Response != api.ResponseMaybe && op.HasPayload()
	switch {
	case payload == reflect.TypeFor[struct{}]() && !op.HasPayload():
		return op.Response
	case payload == reflect.TypeFor[struct{}]() && bare:
		return api.ResponseEmpty
	case payload == reflect.TypeFor[struct{}]():
		return api.ResponseConfirm
	case promised && !r.NoEnvelope:
		return op.Response
	case !promised && !isSafe(r.Method) && !r.NoEnvelope &&
		(isStruct(payload) || list && op.Response == api.ResponseMaybe):
		return api.ResponseMaybe
	case bare && list:
		return api.ResponseArray
	case bare:
		return api.ResponseRecord
	case list:
		return api.ResponseList
	}
	return api.ResponseData
}

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

var (
	// templateRE matches paths of parameters and of text that needs no escaping, so that the template is unambiguous.
	templateRE    = regexp.MustCompile(`^(/([A-Za-z0-9._~:@!$&'()*+,=-]+|\{[A-Za-z0-9._-]+\}))+/?$`)
	parameterRE   = regexp.MustCompile(`\{(.+?)\}`)
	dotSegmentsRE = regexp.MustCompile(`/\.\.?(/|$)`)
)

// pathParameters returns the values of the template's parameters in order.
func (r *Request) pathParameters() (values []string, violation *ValidationError) {
	for _, match := range parameterRE.FindAllStringSubmatch(r.Path, -1) {
		value, given := r.PathParams[match[1]]
		if !given {
			return nil, &ValidationError{Field: match[1], Rule: "is required: it is a parameter of the path", always: true}
		}
		values = append(values, value)
	}
	for _, name := range slices.Sorted(maps.Keys(r.PathParams)) {
		if !strings.Contains(r.Path, "{"+name+"}") {
			return nil, &ValidationError{Field: "PathParams", Rule: "must be parameters of the path", Value: name, always: true}
		}
	}
	return values, nil
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost, http.MethodPut,
	http.MethodPatch, http.MethodDelete}

// validate applies the rules that no option turns off: without them the request would be invalid or lead to another
// operation. payload is the type of the response.
func (r *Request) validate(payload reflect.Type) *ValidationError {
	_, isBytes := r.Body.([]byte)
	switch {
	case !slices.Contains(methods, r.Method): // CONNECT would be a tunnel, and TRACE an echo of the key.
		return &ValidationError{Field: "Method", Rule: "must be one of " + strings.Join(methods, ", "), Value: r.Method}
	case !printableASCII(r.Operation):
		return &ValidationError{Field: "Operation", Rule: "must be printable ASCII", Value: r.Operation}
	case r.Area != "" && api.Areas[r.Area] == nil:
		return &ValidationError{Field: "Area", Rule: `must be "admin", "alerts", "webhooks", "keyvalue" or "streams"`,
			Value: r.Area}
	case !templateRE.MatchString(r.Path):
		rule := "must be {parameters} and text that needs no escaping, each after one slash: see PathParams and Query"
		return &ValidationError{Field: "Path", Rule: rule, Value: r.Path}
	case dotSegmentsRE.MatchString(r.Path):
		return &ValidationError{Field: "Path", Rule: "must not have dot segments", Value: r.Path}
	case isBytes: // encoding/json would encode it in base64.
		return &ValidationError{Field: "Body", Rule: "must not be a []byte: use a json.RawMessage for encoded JSON"}
	case r.Method == http.MethodHead && payload != reflect.TypeFor[struct{}]():
		return &ValidationError{Field: "T", Rule: "must be struct{} for HEAD, whose response has no body"}
	}
	return nil
}

// fetchBody executes a call and returns the body of the response as it is. JSON is searched for a failure. The response
// of an operation with a text must be plain text.
func (c *call) fetchBody(ctx context.Context) (body []byte, err error) {
	if settings := *c.settings; settings.header == nil || settings.header()["Accept"] == nil {
		settings.setHeader("Accept", "*/*")
		c.settings = &settings
	}
	err = c.send(ctx, func(r *response) error {
		contentType := r.Header.Get("Content-Type")
		if kind, _, _ := strings.Cut(contentType, ";"); kind == "" || strings.Contains(strings.ToLower(kind), "json") {
			op := api.Operation{Response: api.ResponseEmpty}
			if _, err := reply.Read(&op, contentType, r.Body, r, reply.Payload{}); err != nil {
				return r.contentError(err)
			}
		}
		if err := reply.AdmitText(contentType, r.Body); r.op.Response == api.ResponseText && err != nil {
			return r.contentError(err)
		}
		body = bytes.Clone(r.Body)
		return nil
	})
	return body, err
}
