package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// engine executes calls. All services of a client share one engine: a pointer to a service is a pointer to the engine,
// so that methods of a nil service, as in a zero Client, return an error.
type engine struct {
	transport *transport.Transport
	observer  CallHook
	logger    *slog.Logger
	paced     bool // Attempts are delayed by a pacer.
	areas     map[string]*url.URL
	defaults  *callSettings // A pointer, so that fmt does not print headers.
	creating  sync.Map      // A channel for each path, so that creates with WithCreateOnce take turns.
	ending    sync.Map      // The operations of which warnOfEnd has warned.
}

// notCreated is the error of an engine that was not created by New: the client or its service is nil or zero.
func notCreated() *ValidationError {
	return &ValidationError{Field: "client", Rule: "must be created with New"}
}

// call is a request with the settings of its options.
type call struct {
	engine   *engine
	request  api.Request
	settings *callSettings // The client's defaults, which must not be changed, if the call has no options.
	err      error         // The first error of the client, the options and the arguments.
	creates  bool          // It is a create with a listing.
	// own is set for a GraphQL query that the caller wrote, and for a call of Do. The caller's types may keep references
	// to the body of the response.
	own bool
	// address is the URL of the request, and received its response. They are fields so that a call is one allocation.
	address  url.URL
	received response
}

// newCall returns a call of a request. The checks are results of the functions in validation.go; nil means valid.
func (e *engine) newCall(request api.Request, opts []CallOption, checks ...*ValidationError) *call {
	c := &call{engine: e, request: request}
	c.settings, c.err = e.settings(opts)
	if request.Violation != nil {
		checks = append([]*ValidationError{errorOf(request.Violation)}, checks...)
	}
	for _, violation := range checks {
		if c.err == nil && violation != nil && (violation.always || !c.settings.skipValidation) {
			c.err = violation.withOperation(request.Operation)
		}
	}
	return c
}

// settings returns the client's settings with the options of a method call, up to the first error.
func (e *engine) settings(opts []CallOption) (*callSettings, error) {
	if e == nil || e.transport == nil {
		return &new(defaultSettings()).call, notCreated()
	}
	if len(opts) == 0 {
		return e.defaults, nil
	}
	settings := *e.defaults
	for _, option := range opts {
		violation := notNil("option", option == nil)
		if violation == nil {
			violation = option.applyCall(&settings)
		}
		if violation != nil {
			return &settings, violation
		}
	}
	return &settings, nil
}

// fetch executes a call and returns the record in its response. It is empty if the service executed a write and sent no
// record.
func fetch[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, checks ...*ValidationError,
) (*T, error) {
	return receive(ctx, e.newCall(request.Request, opts, checks...), request, *new(T))
}

// fetchChanged executes a call that changes an object the caller has named. It returns the record in the response, or
// sent if the response has none.
func fetchChanged[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, sent T, checks ...*ValidationError,
) (*T, error) {
	return receive(ctx, e.newCall(request.Request, opts, checks...), request, sent)
}

// receive executes the call of a request, like fetchChanged.
func receive[T any](ctx context.Context, c *call, request api.RequestOf[T], sent T) (*T, error) {
	record := new(T)
	content, err := c.exchange(ctx, reply.Record(record, request.Read))
	switch {
	case err != nil:
		return nil, err
	case content.NoRecord:
		*record = sent
	}
	return record, nil
}

// fetchList executes a call and returns the list in its response.
func fetchList[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, checks ...*ValidationError,
) ([]T, error) {
	var list []T
	_, err := e.newCall(request.Request, opts, checks...).exchange(ctx, reply.List(&list, request.Read))
	if err != nil {
		return nil, err
	}
	return list, nil
}

// confirm executes a call with a response that only confirms success.
func confirm(
	ctx context.Context, e *engine, request api.Request, opts []CallOption, checks ...*ValidationError,
) error {
	_, err := e.newCall(request, opts, checks...).exchange(ctx, reply.Payload{})
	return err
}

// exchange executes a call and decodes its response. All responses of the REST areas are decoded here.
func (c *call) exchange(ctx context.Context, into reply.Payload) (content reply.Content, err error) {
	err = c.send(ctx, func(r *response) error {
		content, err = reply.Read(r.op, r.Header.Get("Content-Type"), r.Body, r, into)
		if err == nil && r.op.Response == api.ResponseCursor {
			err = r.checkCursors(content.NextAt)
		}
		r.noRecord = content.NoRecord
		switch {
		case err != nil && isUnexplainedFailure(err) && r.isRetriedDelete():
			return nil
		case err != nil:
			return r.contentError(err)
		case content.NoRecord && c.own:
			return r.noRecordError()
		}
		return nil
	})
	return content, err
}

// send checks the arguments, sends the request and passes a response with a success status to read. It returns the
// error of read. It is also a success that a retried delete finds nothing. The call hook is called here, before and
// after.
func (c *call) send(ctx context.Context, read func(*response) error) error {
	sent, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	r := &c.received
	*r = response{op: c.request.Operation, settings: c.settings}
	var end func(CallResult)
	if c.engine.observer != nil {
		ctx, end = c.engine.observer(ctx, exportOperation(r.op))
	}
	r.Response, r.result, err = c.engine.transport.Send(ctx, sent)
	defer r.Release() // Records and errors contain copies.
	if err == nil && (r.Header["Deprecation"] != nil || r.Header["Sunset"] != nil) {
		c.engine.warnOfEnd(ctx, r)
	}
	switch {
	case err != nil:
		err = r.sendError(withCause(ctx, err))
	case r.Status >= 200 && r.Status <= 299:
		err = read(r)
	case r.Status != http.StatusNotFound || !r.isRetriedDelete():
		err = r.statusError(ctx)
	}
	if c.settings.capture != nil || end != nil {
		seen := newResponse(r.result)
		seen.NoRecord = r.noRecord || errors.Is(err, ErrNoRecord)
		if c.settings.capture != nil {
			*c.settings.capture = seen
		}
		if end != nil {
			end(CallResult{seen, err})
		}
	}
	return err
}

// warnOfEnd warns once of an operation that the service deprecates (RFC 9745) or is about to end (RFC 8594).
func (e *engine) warnOfEnd(ctx context.Context, r *response) {
	if _, warned := e.ending.LoadOrStore(r.op.ID, true); !warned {
		e.logger.WarnContext(ctx, "rpcfleet: the service will end an operation", "operation", r.op.ID,
			"deprecation", r.clean(r.Header.Get("Deprecation")), "sunset", r.clean(r.Header.Get("Sunset")))
	}
}

// prepare checks the arguments and encodes the request. If it fails, nothing is sent.
func (c *call) prepare(ctx context.Context) (transport.Call, error) {
	op := c.request.Operation
	if ctx == nil {
		return transport.Call{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if c.settings.capture != nil {
		*c.settings.capture = Response{} // Clear results of a previous call.
	}
	if c.err != nil {
		return transport.Call{}, c.err
	}
	if c.settings.once != nil && !c.creates {
		const rule = "must be an option of the method of a create that can be listed"
		return transport.Call{}, &ValidationError{Operation: op.ID, Field: "WithCreateOnce", Rule: rule}
	}
	if len(c.settings.query) > 0 {
		if violation := c.settings.addTo(&c.request); violation != nil {
			return transport.Call{}, violation.withOperation(op)
		}
	}
	var body []byte
	var err error
	base := c.engine.areas[op.Area]
	if c.address, err = c.request.Address(base); err == nil && c.request.Body != nil {
		body, err = scalar.WithSecrets[any]{Value: c.request.Body}.MarshalJSON()
	}
	if err != nil {
		rule := "cannot be built: " + redactArg(err.Error())
		return transport.Call{}, &ValidationError{Operation: op.ID, Field: "request", Rule: rule}
	}
	var header http.Header
	if c.settings.header != nil {
		header = c.settings.header()
	}
	retry := &c.settings.retry
	return transport.Call{
		Operation: op, Address: &c.address, Body: body, Header: header, Timeout: c.settings.timeout,
		MaxBody: c.settings.maxBody, KeepBody: c.settings.capture != nil || c.own,
		MaxAttempts: retry.MaxAttempts, NoBudget: retry.Budget < 0,
		BaseDelay: retry.BaseDelay, MaxDelay: retry.MaxDelay, MaxRetryAfter: retry.MaxRetryAfter,
	}, nil
}

// response is the response to a call and the result of its attempts.
type response struct {
	*transport.Response
	op       *api.Operation
	settings *callSettings
	result   *transport.Result
	noRecord bool // The service executed a write and sent no record of it.
}

// Hide redacts the secrets of the call in the name of an unknown field.
func (r *response) Hide(name string) string { return redact.Values(name, r.result.Secrets...) }

// maxCursor is the maximum size of a cursor.
const maxCursor = 4 << 10

// checkCursors rejects cursors that are credentials: programs print cursors, and checkpoints contain them.
func (r *response) checkCursors(cursors ...string) error {
	credentials := slices.Clone(r.result.Secrets)
	if r.settings.header != nil {
		for _, values := range r.settings.header() { // A version in a header, such as a date, may be part of a cursor.
			credentials = slices.DeleteFunc(credentials, func(secret string) bool { return slices.Contains(values, secret) })
		}
	}
	tooLong := func(cursor string) bool { return len(cursor) > maxCursor }
	switch {
	case slices.ContainsFunc(cursors, tooLong):
		return &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf("the cursor is longer than %d bytes", maxCursor)}
	case redact.HasCredential(strings.Join(cursors, "\n"), credentials...):
		return &reply.Malformed{Reason: reply.Shape, Detail: "the cursor looks like a credential"}
	}
	return nil
}

// isUnexplainedFailure reports whether err is a failure with a success status and without a reason. The security lists
// respond like this to a delete of an item that does not exist.
func isUnexplainedFailure(err error) bool {
	refusal, ok := errors.AsType[*reply.Failure](err)
	return ok && refusal.Message == ""
}

// isRetriedDelete reports whether the call is a retried delete. If the object does not exist, an earlier attempt may
// have deleted it and its response was lost. Operations that also return a payload are excluded.
func (r *response) isRetriedDelete() bool {
	return r.result.MayHaveActed && r.op.Method == http.MethodDelete && !r.op.HasPayload()
}
