package rpcfleet

import (
	"context"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// call is one request with the settings that it is sent with. It is all that a method has to say; the rest is the same
// for every one.
type call struct {
	caller
	request wire.Request
	checks  []*ValidationError
	// keepsBody is set where what reads the response is not known to copy what it keeps.
	keepsBody bool
	// received is what comes of it. It is here, so that a call is one allocation.
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
func exchange[T any](ctx context.Context, c *call) (content envelope.Content[T], err error) {
	err = c.send(ctx, func(r *response) error {
		if r.alreadyDeleted() {
			return nil
		}
		read, err := envelope.Read[T](r.reading(ctx), r.op, r.Header.Get("Content-Type"), r.Body)
		if err != nil {
			return r.readError(ctx, err)
		}
		r.recorded(!read.NoRecord)
		content = read
		return nil
	})
	return content, err
}

// send checks the arguments, sends the request and hands a response with a success status to read, whose error is the
// call's. What observers are told of a call begins and ends here.
func (c *call) send(ctx context.Context, read func(*response) error) error {
	req, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	r := &c.received
	*r = response{op: c.request.Operation, capture: c.settings.capture}
	ctx, end := c.engine.begin(ctx, r.op)
	r.Response, r.result, err = c.engine.transport.Send(ctx, req, transport.Call{
		Operation: r.op,
		Timeout:   c.settings.timeout,
		Retry:     transport.Policy(c.settings.retry),
		MaxBody:   c.settings.maxBody,
		KeepBody:  c.settings.capture != nil || c.keepsBody,
	})
	defer r.Release() // Records and errors hold copies.
	if r.capture != nil {
		r.capture.fill(r.result.Last, r.result)
	}
	switch {
	case err != nil:
		err = r.sendError(err)
	case (r.Status < 200 || r.Status > 299) && !r.alreadyDeleted():
		err = r.statusError()
	default:
		err = read(r)
	}
	end(r.outcome(err))
	return err
}

// prepare checks the call and builds its request. Nothing is sent where it fails.
func (c *call) prepare(ctx context.Context) (http.Request, error) {
	op := c.request.Operation
	if ctx == nil {
		return http.Request{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if c.err != nil {
		return http.Request{}, c.err
	}
	if c.settings.capture != nil {
		*c.settings.capture = Response{} // What an earlier call has left there is none of this one's.
	}
	if broken := c.broken(); broken != nil {
		return http.Request{}, broken
	}
	req, err := c.request.HTTP(c.engine.areas.of(op), c.settings.arrayQuery.style())
	if err != nil {
		return http.Request{}, &ValidationError{Operation: op.ID, Field: "request", Rule: "cannot be built: " + shown(err.Error())}
	}
	return req, nil
}

// broken returns the first rule that the arguments break, or nil.
func (c *call) broken() *ValidationError {
	broken := checkPath(&c.request)
	for _, check := range c.checks {
		if broken == nil && check != nil && (check.always || !c.settings.skipValidation) {
			broken = check
		}
	}
	if broken == nil {
		return nil
	}
	return broken.of(c.request.Operation)
}

// response is the response to a call, with what it took to get it.
type response struct {
	*transport.Response
	op      *operation.Operation
	result  *transport.Result
	capture *Response // Where the caller wants the response, or nil.
	limits  reading
}

// reading is the context under which a response is read: what is left of the attempt's time belongs to it. It is asked
// between two passes over the body, and waited for by nobody, so that it needs no timer.
type reading struct {
	context.Context

	deadline time.Time // Zero where there is none.
}

// Err returns the error of the caller's context, or that the time of the attempt is over.
func (r *reading) Err() error {
	if err := r.Context.Err(); err != nil {
		return err
	}
	if !r.deadline.IsZero() && !time.Now().Before(r.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// reading returns the context under which the response is read.
func (r *response) reading(ctx context.Context) context.Context {
	r.limits = reading{ctx, r.Deadline}
	return &r.limits
}

// recorded tells who captures the response whether it holds a record of the service's own.
func (r *response) recorded(own bool) {
	if r.capture != nil {
		r.capture.NoRecord = !own
	}
}

// alreadyDeleted reports whether the response to a repeated delete says that the thing is gone: the response to the
// attempt that deleted it got lost. It holds for operations that delete something and respond with nothing else.
func (r *response) alreadyDeleted() bool {
	if r.Status != http.StatusNotFound || !r.result.MayHaveActed || r.op.Method != http.MethodDelete {
		return false
	}
	switch r.op.Response {
	case operation.ResponseConfirm, operation.ResponseNone, operation.ResponseEmpty:
		return true
	}
	return false
}

// outcome is how the call ended, for observers.
func (r *response) outcome(err error) Outcome {
	outcome := Outcome{Attempts: r.result.Attempts, Duration: r.result.Duration, Err: err}
	if r.result.Last != nil {
		outcome.StatusCode = r.result.Last.Status
	}
	return outcome
}
