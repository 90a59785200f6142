package rpcfleet

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// call is one request with the settings that it is sent with. It is all that a method has to say; the rest is the same
// for every one.
type call struct {
	caller
	request api.Request
	// rule is the first that the arguments break, or nil.
	rule *ValidationError
	// keepsBody is set where what reads the response is not known to copy what it keeps.
	keepsBody bool
	// own is set for a query of the caller's own.
	own bool
	// address is where it goes, and received what comes of it. They are here, so that a call is one allocation.
	address  url.URL
	received response
}

// fetch carries out a call and returns the payload of its response.
func fetch[T any](ctx context.Context, c *call) (T, error) {
	content, err := exchange[T](ctx, c)
	return content.Data, err
}

// change carries out a call that changes what the caller has named, and returns the record of it: the service's own, or
// where the service sent none, what was sent.
func change[T any](ctx context.Context, c *call, sent T) (*T, error) {
	content, err := exchange[T](ctx, c)
	switch {
	case err != nil:
		return nil, err
	case content.NoRecord:
		return &sent, nil
	}
	return &content.Data, nil
}

// confirm carries out a call whose response says only whether it happened.
func confirm(ctx context.Context, c *call) error {
	_, err := exchange[struct{}](ctx, c)
	return err
}

// exchange carries out a call and returns what its response holds. It is the one place where the body of a response of
// the REST areas becomes a value.
func exchange[T any](ctx context.Context, c *call) (content reply.Content[T], err error) {
	err = c.send(ctx, func(r *response) error {
		if r.Status == http.StatusNotFound { // It is already deleted.
			return nil
		}
		read, err := reply.Read[T](r.reading(ctx), r.op, r.Header.Get("Content-Type"), r.Body)
		switch {
		case err == nil:
			content = read
		case isBareRefusal(err) && r.repeatedDelete():
			return nil
		default:
			return r.readError(ctx, err)
		}
		if read.NoRecord {
			r.unrecorded()
		}
		return nil
	})
	return content, err
}

// send checks the arguments, sends the request and hands a response with a success status to read, whose error is the
// call's. What observers are told of a call begins and ends here.
func (c *call) send(ctx context.Context, read func(*response) error) error {
	sent, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	r := &c.received
	*r = response{op: c.request.Operation, settings: c.settings}
	var end func(CallResult)
	if c.engine.observer != nil {
		ctx, end = c.engine.observer.begin(ctx, public(r.op))
	}
	r.Response, r.result, err = c.engine.transport.Send(ctx, sent)
	defer r.Release() // Records and errors hold copies.
	if c.settings.capture != nil {
		c.settings.capture.fill(r.result.Last, r.result, r.requestID(r.result.Last))
	}
	if err == nil && c.settings.drift != nil {
		r.Response = driftTeller{r.op, c.own, c.settings.drift, r.clean}.read(ctx, r.Response)
	}
	switch {
	case err != nil:
		err = r.sendError(withCause(ctx, err))
	case (r.Status < 200 || r.Status > 299) && !(r.Status == http.StatusNotFound && r.repeatedDelete()):
		err = r.statusError()
	default:
		err = read(r)
	}
	if end != nil {
		end(r.outcome(err))
	}
	return err
}

// prepare checks the call and builds what is sent. Nothing is sent where it fails.
func (c *call) prepare(ctx context.Context) (transport.Call, error) {
	op := c.request.Operation
	if ctx == nil {
		return transport.Call{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if c.err != nil {
		return transport.Call{}, c.err
	}
	if c.settings.capture != nil {
		*c.settings.capture = Response{} // What an earlier call has left there is none of this one's.
	}
	if c.rule != nil {
		return transport.Call{}, c.rule
	}
	var err error
	if c.address, err = c.request.Address(c.engine.areas.of(op), c.settings.arrayQuery); err != nil {
		return transport.Call{}, c.unbuilt(err)
	}
	var body []byte
	if c.request.Body != nil {
		if body, err = reply.EncodeRequest(c.request.Body); err != nil {
			return transport.Call{}, c.unbuilt(err)
		}
	}
	call := transport.Call{
		Operation: op,
		Address:   &c.address,
		Body:      body,
		Timeout:   c.settings.timeout,
		Retry:     (*transport.Policy)(&c.settings.retry),
		MaxBody:   c.settings.maxBody,
		KeepBody:  c.settings.capture != nil || c.keepsBody,
	}
	if c.settings.extras != nil {
		if broken := c.settings.extras.addTo(&call); broken != nil {
			return transport.Call{}, broken.of(op)
		}
	}
	return call, nil
}

// unbuilt is the error of a call that has no form on the wire.
func (c *call) unbuilt(err error) error {
	return &ValidationError{
		Operation: c.request.Operation.ID, Field: "request", Rule: "cannot be built: " + shown(err.Error()),
	}
}

// check keeps the first rule that the arguments break: one that the request was made with, or one of the checks.
func (c *call) check(checks []*ValidationError) {
	if c.request.Broken != nil {
		checks = slices.Insert(checks, 0, errorOf(c.request.Broken))
	}
	for _, broken := range checks {
		if broken != nil && (broken.always || !c.settings.skipValidation) {
			c.rule = broken.of(c.request.Operation)
			return
		}
	}
}

// response is the response to a call, with what it took to get it.
type response struct {
	*transport.Response
	op       *api.Operation
	settings *callSettings
	result   *transport.Result
	limits   reading
}

// reading is the context under which a response is read: what is left of the attempt's time belongs to it. It is asked
// between two passes over the body, and waited for by nobody, so that it needs no timer.
type reading struct {
	context.Context

	of      *response
	secrets []string // Those of the call, once a name was hidden.
}

// Hide takes the secrets of the call out of the name of a member that a record keeps.
func (r *reading) Hide(name string) string {
	if r.secrets == nil {
		r.secrets = r.of.secrets()
	}
	return redact.Values(name, r.secrets...)
}

// Err returns the error of the caller's context, or that the time of the attempt is over.
func (r *reading) Err() error {
	if err := r.Context.Err(); err != nil {
		return err
	}
	if deadline := r.of.Deadline; !deadline.IsZero() && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// reading returns the context under which the response is read.
func (r *response) reading(ctx context.Context) context.Context {
	r.limits = reading{Context: ctx, of: r}
	return &r.limits
}

// unrecorded notes for whoever captures the response that it contains no record of the service's own.
func (r *response) unrecorded() {
	if r.settings.capture != nil {
		r.settings.capture.NoRecord = true
	}
}

// isBareRefusal reports whether a response states with a success status that nothing happened, and no reason. That is
// how the security lists say of a delete that there is nothing to delete.
func isBareRefusal(err error) bool {
	var refusal *reply.Failure
	return errors.As(err, &refusal) && refusal.Message == ""
}

// repeatedDelete reports whether the call is a delete of which an earlier attempt may have been carried out. The thing
// is gone then, and the response to the attempt that deleted it was lost. It holds for operations that delete something
// and respond with nothing else.
func (r *response) repeatedDelete() bool {
	return r.result.MayHaveActed && r.op.Method == http.MethodDelete && !bringsPayload(r.op)
}

// bringsPayload reports whether the response to an operation may bring a payload.
func bringsPayload(op *api.Operation) bool {
	switch op.Response {
	case api.ResponseConfirm, api.ResponseNone, api.ResponseEmpty:
		return false
	}
	return true
}

// outcome is how the call ended, for observers.
func (r *response) outcome(err error) CallResult {
	outcome := CallResult{Attempts: r.result.Attempts, Duration: r.result.Duration, Err: err}
	if r.result.Last != nil {
		outcome.StatusCode = r.result.Last.Status
		outcome.RequestID = r.requestID(r.result.Last)
		outcome.RateLimit = rateLimitState(r.result.Last.Status, r.result.Last.Header)
	}
	return outcome
}
