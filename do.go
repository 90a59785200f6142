package rpcfleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Do calls any operation, also one without a method. A call of one of [Operations] behaves like its method, but its
// arguments are not validated.
//
// The payload is decoded into T: a record, a pointer to a record or a list, also of your own types; [Page];
// json.RawMessage for the JSON itself; []byte or string for a body that is not JSON; or struct{} if only success matters,
// as for HEAD. If a write's response lacks the payload, the error matches [ErrNoRecord]. If the operation has no method,
// a page is by cursor if the request or the response has a next_at, and by offset otherwise.
func Do[T any](ctx context.Context, client *Client, request Request, opts ...CallOption) (T, error) {
	var made, none T
	payload, page := reflect.TypeFor[T](), newPageReceiver(&made)
	if violation := request.validate(payload, page); violation != nil {
		return none, violation.redacted()
	}
	d := newRawCall(orNew(client).engine, &request, payload, page, opts)
	if page == nil {
		content, err := receive[T](ctx, d)
		return content.Data, err
	}
	if err := page.receive(ctx, d); err != nil {
		return none, err
	}
	return made, nil
}

// Request is a call of any operation of the admin or alerts area: see [Do].
type Request struct {
	Operation  string // Name of the call in errors, logs and hooks. It has a default.
	Method     string
	Path       string            // The path template, such as "/v0/endpoints/{id}", for errors, logs and metrics.
	PathParams map[string]string // The values of the template's parameters by name, unescaped.
	Query      url.Values
	Body       any    // Body is encoded as JSON, with its secrets. Nil means no body.
	Area       string // "admin", the default, or "alerts".
	Idempotent bool   // The call can be retried like a read. GET, HEAD, OPTIONS and [Operations] do not need it.
	Bearer     bool   // Bearer sends the bearer token, as the operations of teams always do.
	NoEnvelope bool   // The payload is the whole body, not its "data" field. It always is in the alerts area.
}

// rawCall is a call of Do.
type rawCall struct {
	*call

	// reads describes the response for decoding. It differs from the operation if the caller asks for another type.
	reads api.Operation
	query url.Values
	// lenient is set for a write if the contract does not promise the record that the caller asks for.
	lenient bool
	// paged is set if the caller asks for a page, which contains the cursor of the response.
	paged bool
}

// newRawCall returns the call of a request with a response of type payload or a page.
func newRawCall(e *engine, r *Request, payload reflect.Type, page pageReceiver, opts []CallOption) *rawCall {
	op := r.operation()
	promised := mayHavePayload(op) && op.Response != "" && op.Response != api.ResponseMaybe
	d := &rawCall{reads: *op, query: r.Query, lenient: !isSafe(r.Method) && !promised, paged: page != nil}
	d.reads.Response = responseKind(op, r.payloadIsBody(), d.lenient, payload, page)
	if r.NoEnvelope {
		d.reads.Area = api.AreaAlerts // Its responses have no envelope.
	}
	op.Response = cmp.Or(op.Response, d.reads.Response)
	if payload == reflect.TypeFor[[]byte]() || payload == reflect.TypeFor[string]() {
		opts = append(slices.Clip(opts), acceptAny)
	}
	values, violation := r.pathParameters()
	request := api.NewRequest(op, values...)
	request.Query, request.Body = api.QueryOf(r.Query), r.Body
	checks := []*ValidationError{violation}
	if r.Idempotent && !op.Idempotent {
		rule := "must not be set: " + op.Method + " " + op.Path + " is not idempotent"
		checks = append(checks, &ValidationError{Field: "Idempotent", Rule: rule})
	}
	d.call = e.call(request, opts, checks...)
	d.own = true
	op.Idempotent = op.Idempotent || r.Idempotent // If the two differ, the check has passed.
	return d
}

// responseKind returns the kind of response for a payload. If the response only confirms success, and the caller asks
// for nothing else, the kind is unchanged. If the contract does not promise the record, the record is optional; it is
// recognized by its field names.
func responseKind(op *api.Operation, bare, lenient bool, payload reflect.Type, page pageReceiver) string {
	list := payload.Kind() == reflect.Slice && payload.Elem().Kind() != reflect.Uint8 // []byte is raw JSON.
	switch {
	case payload == emptyType && !mayHavePayload(op):
		return op.Response
	case payload == emptyType && bare:
		return api.ResponseEmpty
	case payload == emptyType:
		return api.ResponseConfirm
	case lenient && reply.HasNames(payload):
		return api.ResponseMaybe
	case bare && (list || page != nil):
		return api.ResponseArray
	case bare:
		return api.ResponseRecord
	case page != nil:
		return pageKind(op)
	case list:
		return api.ResponseList
	}
	return api.ResponseData
}

// emptyType is the type of a payload that the caller ignores.
var emptyType = reflect.TypeFor[struct{}]()

// pageReceiver is a *Page, which contains more than the payload.
type pageReceiver interface {
	// receive executes a call of Do and fills the page from its response.
	receive(ctx context.Context, d *rawCall) error
}

// newPageReceiver returns made as a page. If made points to a nil page pointer, newPageReceiver sets the pointer to a
// new page. It returns nil for all other types.
func newPageReceiver[T any](made *T) pageReceiver {
	if page, is := any(made).(pageReceiver); is {
		return page
	}
	if _, is := any(*made).(pageReceiver); !is {
		return nil
	}
	page := reflect.New(reflect.TypeFor[T]().Elem())
	reflect.ValueOf(made).Elem().Set(page)
	return page.Interface().(pageReceiver)
}

// pageKind returns the kind of response for a page.
func pageKind(op *api.Operation) string {
	if op.Paging == api.PagingCursor {
		return api.ResponseCursor
	}
	return api.ResponsePage
}

func (p *Page[T]) receive(ctx context.Context, d *rawCall) error {
	content, err := receive[[]T](ctx, d)
	at := place{cursor: d.query.Get("next_at")}
	if offset, err := strconv.Atoi(d.query.Get("offset")); err == nil {
		at.offset = offset
	}
	*p = *newPage(&d.reads, content, at)
	return err
}

// receive executes a call of Do and decodes its response.
func receive[T any](ctx context.Context, d *rawCall) (content reply.Content[T], err error) {
	err = d.send(ctx, func(r *response) (err error) {
		// After 404, an earlier attempt deleted the object.
		read := reply.Content[T]{NoRecord: r.Status == http.StatusNotFound && reflect.TypeFor[T]() != emptyType}
		switch {
		case r.Status == http.StatusNotFound:
		case r.readText(&content.Data):
			return nil
		default:
			read, err = reply.Read[T](&r.reading, &d.reads, r.Header.Get("Content-Type"), r.Body)
		}
		if err == nil && d.paged {
			err = r.checkCursors(read.NextAt)
		}
		if err == nil && read.NoRecord {
			err = &reply.Malformed{Reason: reply.NoData}
		}
		switch {
		case err != nil && d.lenient:
			return r.writeError(ctx, err)
		case err != nil:
			return r.readError(ctx, err)
		}
		normalizeNames(&read.Data)
		content = read
		return nil
	})
	return content, err
}

// readText stores the body in a []byte or a string if the content type is not JSON, and reports whether it did.
func (r *response) readText(into any) bool {
	if reply.MayBeJSON(r.Header.Get("Content-Type")) {
		return false
	}
	switch into := into.(type) {
	case *[]byte:
		*into = bytes.Clone(r.Body)
	case *string:
		*into = string(r.Body)
	default:
		return false
	}
	return true
}

// writeError is like readError, for the response to a write that lacks the payload. A null payload does not mean that
// the object does not exist, and an idempotent write counts as executed too.
func (r *response) writeError(ctx context.Context, err error) error {
	if malformed, ok := errors.AsType[*reply.Malformed](err); ok {
		malformed.NotFound = false
	}
	err = r.readError(ctx, err)
	if unread, ok := errors.AsType[*DecodeError](err); ok && unread.lacksRecord() {
		unread.NoRecord = true
	}
	return err
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

// isSafe reports whether HTTP defines a method as safe, which means read-only.
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// sameShape reports whether two templates are equal except for the names of their parameters.
func sameShape(template, other string) bool {
	return slices.EqualFunc(strings.Split(template, "/"), strings.Split(other, "/"), func(a, b string) bool {
		return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{")
	})
}

// payloadIsBody reports whether the payload is the whole body of the response.
func (r *Request) payloadIsBody() bool { return r.NoEnvelope || r.Area == api.AreaAlerts }

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

var (
	methodRE = regexp.MustCompile(`^[A-Z]+(-[A-Z]+)*$`)
	// templateRE matches paths of parameters and of text that needs no escaping, so that the template is unambiguous.
	templateRE    = regexp.MustCompile(`^(/([A-Za-z0-9._~:@!$&'()*+,=-]+|\{[A-Za-z0-9._-]+\}))+/?$`)
	parameterRE   = regexp.MustCompile(`\{(.+?)\}`)
	dotSegmentsRE = regexp.MustCompile(`/\.\.?(/|$)`)
)

// validate applies the rules that no option turns off: without them the request would be invalid or lead to another
// operation. payload is the type of the response.
func (r *Request) validate(payload reflect.Type, page pageReceiver) *ValidationError {
	_, isBytes := r.Body.([]byte)
	switch {
	case !methodRE.MatchString(r.Method):
		return &ValidationError{Field: "Method", Rule: "must be an HTTP method in capitals", Value: r.Method}
	case r.Method == http.MethodConnect, r.Method == http.MethodTrace: // A tunnel, and an echo of the key.
		return &ValidationError{Field: "Method", Rule: "must not be CONNECT or TRACE", Value: r.Method}
	case strings.ContainsFunc(r.Operation, func(c rune) bool { return c < ' ' || c > '~' }):
		return &ValidationError{Field: "Operation", Rule: "must be printable ASCII", Value: r.Operation}
	case r.Area != "" && r.Area != api.AreaAdmin && r.Area != api.AreaAlerts:
		return &ValidationError{Field: "Area", Rule: `must be "admin" or "alerts"`, Value: r.Area}
	case !templateRE.MatchString(r.Path):
		rule := "must be {parameters} and text that needs no escaping, each after one slash: see PathParams and Query"
		return &ValidationError{Field: "Path", Rule: rule, Value: r.Path}
	case dotSegmentsRE.MatchString(r.Path):
		return &ValidationError{Field: "Path", Rule: "must not have dot segments", Value: r.Path}
	case isBytes: // encoding/json would encode it in base64.
		return &ValidationError{Field: "Body", Rule: "must not be a []byte: use a json.RawMessage for encoded JSON"}
	case r.Method == http.MethodHead && payload != emptyType:
		return &ValidationError{Field: "T", Rule: "must be struct{} for HEAD, whose response has no body"}
	}
	return nil
}

// acceptAny accepts any content type in the response, unless another option has set Accept.
var acceptAny = callOption{sharedOption{nil, func(s *callSettings) {
	if s.header()["Accept"] == nil {
		s.setHeader("Accept", "*/*")
	}
}}}
