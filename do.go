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

// Do carries out a call of any operation: one that this version has no method for, or one whose method cannot say or
// read what is needed. It is a call like any other, with the credentials, retries, pacing, observers, options and
// errors of the client. Where the method and the path are those of one of [Operations], whatever the names of its path
// parameters, what is known of it holds for the call, and the outcome is that of its method. What the contract states
// about its arguments is not checked, only that they lead to this operation.
//
// T is what the payload of the response is decoded into:
//
//   - a record of packages admin and alerts, a pointer to one, a list of them, or a type of the caller's own with the
//     tags of encoding/json;
//   - json.RawMessage, for the JSON itself;
//   - []byte or string, for the body as it came, if the response names a content type that is not JSON;
//   - [Page] or [CursorPage] of records, for a page of a listing with what is told beside its items;
//   - struct{}, where it matters only whether it happened. HEAD has no other.
//
// A write that the service carried out, and whose response lacks what T is to be made of, is a [*DecodeError] that
// matches [ErrNoRecord].
func Do[T any](ctx context.Context, client *Client, request Request, opts ...CallOption) (T, error) {
	var made, none T
	if client == nil || client.engine == nil {
		return none, &ValidationError{Field: "client", Rule: "must be one that New has made"}
	}
	payload, page := reflect.TypeFor[T](), pageIn(&made)
	if broken := request.check(payload, page); broken != nil {
		return none, broken.cleaned()
	}
	d := newDirect(client.engine, &request, payload, page, opts)
	var err error
	if page != nil {
		err = page.receive(ctx, d)
	} else {
		var content reply.Content[T]
		content, err = receive[T](ctx, d)
		made = content.Data
	}
	if err != nil {
		return none, err
	}
	return made, nil
}

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
	// Query is the query, in the order of its names. The names are sent as they are: [WithQueryArrayFormat] has no say here.
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
	NoEnvelope bool
}

// direct is a call of Do.
type direct struct {
	*call

	// reads describes the response as it is read, which is not that of the operation if the caller asks for something
	// else.
	reads api.Operation
	query url.Values
	// lenient is set for a write that does not promise what the caller asks for.
	lenient bool
}

// newDirect makes the call of a request, whose response is to become a value of the type or a page.
func newDirect(e *engine, r *Request, payload reflect.Type, page aPage, opts []CallOption) *direct {
	op := r.operation()
	promised := bringsPayload(op) && op.Response != "" && op.Response != api.ResponseMaybe
	d := &direct{reads: *op, query: r.Query, lenient: !isSafe(r.Method) && !promised}
	d.reads.Response = responseKind(op, r.bare(), d.lenient, payload, page)
	if r.NoEnvelope {
		d.reads.Area = api.AreaAlerts // It is the one without envelopes.
	}
	op.Response = cmp.Or(op.Response, d.reads.Response)
	if payload == reflect.TypeFor[[]byte]() || payload == reflect.TypeFor[string]() {
		opts = append(slices.Clip(opts), acceptAny)
	}
	values, broken := r.pathParameters()
	request := api.NewRequest(op, values...)
	request.Query, request.Body = api.QueryOf(r.Query), r.Body
	checks := []*ValidationError{broken}
	if r.Idempotent && !op.Idempotent {
		rule := "must not be set: " + op.Method + " " + op.Path + " is known not to be idempotent"
		checks = append(checks, &ValidationError{Field: "Idempotent", Rule: rule})
	}
	d.call = e.call(request, opts, checks...)
	d.keepsBody = true                            // A type of the caller's own may keep what it is given.
	op.Idempotent = op.Idempotent || r.Idempotent // If the two differ, the check has let it pass.
	return d
}

// responseKind returns the kind of response that a payload is read from. That of an operation whose response only says
// whether it happened stays what it is, if nothing else is asked for. If the record is not promised, it is read as one
// that may not be there, which takes names to know it by.
func responseKind(op *api.Operation, bare, lenient bool, payload reflect.Type, page aPage) string {
	list := payload.Kind() == reflect.Slice && payload.Elem().Kind() != reflect.Uint8 // Bytes are JSON as it is.
	switch {
	case payload == nothing && !bringsPayload(op):
		return op.Response
	case payload == nothing && bare:
		return api.ResponseEmpty
	case payload == nothing:
		return api.ResponseConfirm
	case lenient && reply.HasNames(payload):
		return api.ResponseMaybe
	case bare && (list || page != nil):
		return api.ResponseArray
	case bare:
		return api.ResponseRecord
	case page != nil:
		return page.kind()
	case list:
		return api.ResponseList
	}
	return api.ResponseData
}

// nothing is the type of a payload that is not asked for.
var nothing = reflect.TypeFor[struct{}]()

// aPage is a page of either kind, which is made of more than the payload.
type aPage interface {
	kind() string
	// receive carries out a call of Do and makes the page of its response.
	receive(ctx context.Context, d *direct) error
}

// pageIn returns the page that a value is or, as a pointer, points to from now on. It is nil for any other value.
func pageIn[T any](made *T) aPage {
	if page, is := any(made).(aPage); is {
		return page
	}
	if _, is := any(*made).(aPage); !is {
		return nil
	}
	page := reflect.New(reflect.TypeFor[T]().Elem())
	reflect.ValueOf(made).Elem().Set(page)
	return page.Interface().(aPage)
}

func (*Page[T]) kind() string       { return api.ResponsePage }
func (*CursorPage[T]) kind() string { return api.ResponseCursor }

func (p *Page[T]) receive(ctx context.Context, d *direct) error {
	content, err := receive[[]T](ctx, d)
	var offset *int
	if number, err := strconv.Atoi(d.query.Get("offset")); err == nil {
		offset = &number
	}
	*p = *newPage(content, offset)
	return err
}

func (p *CursorPage[T]) receive(ctx context.Context, d *direct) error {
	content, err := receive[[]T](ctx, d)
	*p = *newCursorPage(content, d.query.Get("next_at"))
	return err
}

// receive carries out a call of Do and returns what its response holds.
func receive[T any](ctx context.Context, d *direct) (content reply.Content[T], err error) {
	err = d.send(ctx, func(r *response) error {
		if r.Status == http.StatusNotFound { // It is already deleted.
			if reflect.TypeFor[T]() != nothing {
				return r.withoutPayload()
			}
			return nil
		}
		if r.readText(&content.Data) {
			return nil
		}
		read, err := reply.Read[T](r.reading(ctx), &d.reads, r.Header.Get("Content-Type"), r.Body)
		switch {
		case err != nil && d.lenient:
			return r.writeError(ctx, err)
		case err != nil:
			return r.readError(ctx, err)
		case read.NoRecord:
			return r.withoutPayload()
		}
		nameParts(&read.Data)
		content = read
		return nil
	})
	return content, err
}

// readText makes a []byte or a string of a body whose content type is not JSON, and reports whether it did.
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

// writeError is readError for the response to a write that lacks the payload. A null in its place does not say that
// there is no such thing, and to be idempotent does not make the write one that was not carried out.
func (r *response) writeError(ctx context.Context, err error) error {
	var malformed *reply.Malformed
	if errors.As(err, &malformed) {
		malformed.NotFound = false
	}
	err = r.readError(ctx, err)
	var unread *DecodeError
	if errors.As(err, &unread) && unread.lacksRecord() {
		unread.NoRecord = true
		r.unrecorded()
	}
	return err
}

// withoutPayload describes the response to a write that was carried out, where nothing came that was asked for.
func (r *response) withoutPayload() error {
	return r.writeError(context.Background(), &reply.Malformed{Reason: reply.NoData})
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

// bare reports whether the payload of the response is its whole body.
func (r *Request) bare() bool { return r.NoEnvelope || r.Area == api.AreaAlerts }

// pathParameters returns the values of the template's parameters in their order.
func (r *Request) pathParameters() (values []string, broken *ValidationError) {
	for _, match := range parameter.FindAllStringSubmatch(r.Path, -1) {
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
	methods = regexp.MustCompile(`^[A-Z]+(-[A-Z]+)*$`)
	// templates are paths of parameters and of text that needs no escaping: a path is what its template looks like.
	templates   = regexp.MustCompile(`^(/([A-Za-z0-9._~:@!$&'()*+,=-]+|\{[A-Za-z0-9._-]+\}))+/?$`)
	parameter   = regexp.MustCompile(`\{(.+?)\}`)
	dotSegments = regexp.MustCompile(`/\.\.?(/|$)`)
)

// check holds a request against rules that no option turns off: what breaks them is no request, or not the one that it
// seems to be. The type is the one that the response is to become.
func (r *Request) check(payload reflect.Type, page aPage) *ValidationError {
	_, bytes := r.Body.([]byte)
	switch {
	case !methods.MatchString(r.Method):
		return &ValidationError{Field: "Method", Rule: "must be an HTTP method in capitals", Value: r.Method}
	case r.Method == http.MethodConnect, r.Method == http.MethodTrace: // For a tunnel, and for an echo of the key.
		return &ValidationError{Field: "Method", Rule: "must not be CONNECT or TRACE", Value: r.Method}
	case strings.ContainsFunc(r.Operation, func(c rune) bool { return c < ' ' || c > '~' }):
		return &ValidationError{Field: "Operation", Rule: "must be printable ASCII", Value: r.Operation}
	case r.Area != "" && r.Area != api.AreaAdmin && r.Area != api.AreaAlerts:
		return &ValidationError{Field: "Area", Rule: `must be "admin" or "alerts"`, Value: r.Area}
	case !templates.MatchString(r.Path):
		rule := "must be {parameters} and text that needs no escaping, each after one slash: see PathParams and Query"
		return &ValidationError{Field: "Path", Rule: rule, Value: r.Path}
	case dotSegments.MatchString(r.Path):
		return &ValidationError{Field: "Path", Rule: "must not have dot segments", Value: r.Path}
	case bytes: // They would be written as a text in base64.
		return &ValidationError{Field: "Body", Rule: "must not be a []byte: a json.RawMessage is JSON that is sent as it is"}
	case r.Method == http.MethodHead && payload != nothing:
		return &ValidationError{Field: "T", Rule: "must be struct{} for HEAD, whose response has no body"}
	case r.bare() && page != nil && page.kind() == api.ResponseCursor:
		rule := "must not be a CursorPage where the payload is the whole body: the cursor stands beside it"
		return &ValidationError{Field: "T", Rule: rule}
	}
	return nil
}

// acceptAny lets the service choose the content type of its response, unless another option has chosen it.
var acceptAny = callOption{sharedOption{nil, func(s *callSettings) {
	s.extras = s.extras.copy()
	if s.extras.header["Accept"] == nil {
		s.extras.header.Set("Accept", "*/*")
	}
}}}
