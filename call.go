package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// call is a request and its settings.
type call struct {
	callContext
	request api.Request
	// own is set for a GraphQL query that the caller wrote, and for a call of Do. The caller's types may keep references
	// to the body of the response.
	own bool
	// address is the URL of the request, and received its response. They are fields so that a call is one allocation.
	address  url.URL
	received response
}

// fetchPayload executes a call and returns the payload of its response.
func fetchPayload[T any](ctx context.Context, c *call) (T, error) {
	content, err := exchange[T](ctx, c)
	return content.Data, err
}

// fetchChanged executes a call that changes an object the caller has named. It returns the record in the response, or
// sent if the response has none.
func fetchChanged[T any](ctx context.Context, c *call, sent T) (*T, error) {
	content, err := exchange[T](ctx, c)
	switch {
	case err != nil:
		return nil, err
	case content.NoRecord:
		return &sent, nil
	}
	return &content.Data, nil
}

// fetchAdded executes a call that adds an entry to an endpoint. It returns the record in the response, with the values
// of sent in fields that the response lacks.
func fetchAdded[T any](ctx context.Context, c *call, sent T) (*T, error) {
	added, err := fetchPayload[T](ctx, c)
	if err != nil {
		return nil, err
	}
	record, values := reflect.ValueOf(&added).Elem(), reflect.ValueOf(sent)
	for i := range record.NumField() {
		if field := record.Field(i); field.IsZero() {
			field.Set(values.Field(i))
		}
	}
	return &added, nil
}

// fetchPage executes a call that lists records by offset, and returns the page at offset, which is 0 if it is nil.
func fetchPage[T any](ctx context.Context, c *call, offset *int) (*Page[T], error) {
	content, err := exchange[[]T](ctx, c)
	if err != nil {
		return nil, err
	}
	return newPage(c.request.Operation, content, place{offset: deref(offset)}), nil
}

// confirm executes a call with a response that only confirms success.
func confirm(ctx context.Context, c *call) error {
	_, err := exchange[struct{}](ctx, c)
	return err
}

// exchange executes a call and decodes its response. All responses of the REST areas are decoded here.
func exchange[T any](ctx context.Context, c *call) (content reply.Content[T], err error) {
	err = c.send(ctx, func(r *response) error {
		if r.Status == http.StatusNotFound { // An earlier attempt deleted it.
			return nil
		}
		read, err := reply.Read[T](&r.reading, r.op, r.Header.Get("Content-Type"), r.Body)
		if err == nil && r.op.Response == api.ResponseCursor {
			err = r.checkCursors(read.NextAt)
		}
		switch {
		case err == nil:
			content, r.noRecord = read, read.NoRecord
			normalizeNames(&content.Data)
		case !isUnexplainedFailure(err) || !r.isRetriedDelete():
			return r.readError(ctx, err)
		}
		return nil
	})
	return content, err
}

// normalizeNames sets a field that has two names on the wire if it came under the other name. into points to a record
// of any type.
func normalizeNames(into any) {
	switch into := into.(type) {
	case **admin.SingleEndpoint:
		normalizeNames(*into)
	case **admin.EndpointSecurity:
		normalizeNames(*into)
	case **admin.EndpointDomainMask:
		normalizeNames(*into)
	case **alerts.Notification:
		normalizeNames(*into)
	case *admin.SingleEndpoint:
		normalizeNames(&into.Security.DomainMasks)
	case *admin.EndpointSecurity:
		normalizeNames(&into.DomainMasks)
	case *[]admin.EndpointDomainMask:
		for i := range *into {
			normalizeNames(&(*into)[i])
		}
	case *admin.EndpointDomainMask:
		into.Domain = cmp.Or(into.Domain, into.DomainMask)
	case *[]alerts.Notification:
		for i := range *into {
			normalizeNames(&(*into)[i])
		}
	case *alerts.Notification:
		if len(into.DestinationIDs) > 0 {
			return
		}
		for _, destination := range into.Destinations { // The service sent the destinations themselves.
			into.DestinationIDs = append(into.DestinationIDs, destination.ID)
		}
	}
}

// send checks the arguments, sends the request and passes a response with a success status to read. It returns the
// error of read. The call hook is called here, before and after.
func (c *call) send(ctx context.Context, read func(*response) error) error {
	sent, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	r := &c.received
	*r = response{op: c.request.Operation, settings: c.settings, reading: readContext{Context: ctx, of: r}}
	var end func(CallResult)
	if c.engine.observer != nil {
		ctx, end = beginHook(c.engine.observer, ctx, exportOperation(r.op))
	}
	r.Response, r.result, err = c.engine.transport.Send(ctx, sent)
	defer r.Release() // Records and errors contain copies.
	if c.settings.capture != nil {
		*c.settings.capture = newResponse(r.result)
	}
	switch {
	case err != nil:
		err = r.sendError(withCause(ctx, err))
	case (r.Status < 200 || r.Status > 299) && (r.Status != http.StatusNotFound || !r.isRetriedDelete()):
		err = r.statusError(ctx)
	default:
		err = read(r)
	}
	noRecord := r.noRecord || errors.Is(err, ErrNoRecord)
	if c.settings.capture != nil {
		c.settings.capture.NoRecord = noRecord
	}
	if end != nil {
		seen := CallResult{newResponse(r.result), err}
		seen.Response.NoRecord = noRecord
		end(seen)
	}
	return err
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
	var body []byte
	var err error
	base := c.engine.areas[op.Area]
	if c.address, err = c.request.Address(base, c.settings.arrayQuery); err == nil && c.request.Body != nil {
		body, err = scalar.WithSecrets[any]{Value: c.request.Body}.MarshalJSON()
	}
	if err != nil {
		rule := "cannot be built: " + redactArg(err.Error())
		return transport.Call{}, &ValidationError{Operation: op.ID, Field: "request", Rule: rule}
	}
	retry := &c.settings.retry
	sent := transport.Call{
		Operation: op, Address: &c.address, Body: body, Header: c.settings.header(), Timeout: c.settings.timeout,
		MaxBody: c.settings.maxBody, KeepBody: c.settings.capture != nil || c.own,
		MaxAttempts: retry.MaxAttempts, NoBudget: retry.Budget < 0,
		BaseDelay: retry.BaseDelay, MaxDelay: retry.MaxDelay, MaxRetryAfter: retry.MaxRetryAfter,
	}
	if len(c.settings.query)+len(c.settings.fields) > 0 {
		if violation := c.settings.addTo(&sent); violation != nil {
			return transport.Call{}, violation.withOperation(op)
		}
	}
	return sent, nil
}

// response is the response to a call and the result of its attempts.
type response struct {
	*transport.Response
	op       *api.Operation
	settings *callSettings
	result   *transport.Result
	reading  readContext
	noRecord bool // The service executed a write and sent no record of it.
}

// readContext is the context for decoding a response. It ends with the timeout of the attempt. Only Err is used, so it
// needs no timer.
type readContext struct {
	context.Context

	of *response
}

// Hide redacts the secrets of the call in the name of an unknown field.
func (r *readContext) Hide(name string) string {
	return redact.Values(name, r.of.result.Secrets...)
}

// Err returns the error of the caller's context, or context.DeadlineExceeded after the timeout of the attempt.
func (r *readContext) Err() error {
	if err := r.Context.Err(); err != nil {
		return err
	}
	if deadline := r.of.Deadline; !deadline.IsZero() && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// maxCursor is the maximum size of a cursor.
const maxCursor = 4 << 10

// checkCursors rejects cursors that are credentials: programs print cursors, and checkpoints contain them.
func (r *response) checkCursors(cursors ...string) error {
	credentials := slices.Clone(r.result.Secrets)
	for _, values := range r.settings.header() { // A version in a header, such as a date, may be part of a cursor.
		credentials = slices.DeleteFunc(credentials, func(secret string) bool { return slices.Contains(values, secret) })
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
	return r.result.MayHaveActed && r.op.Method == http.MethodDelete && !mayHavePayload(r.op)
}

// mayHavePayload reports whether the response to an operation may have a payload.
func mayHavePayload(op *api.Operation) bool {
	return op.Response != api.ResponseConfirm && op.Response != api.ResponseNone && op.Response != api.ResponseEmpty
}
