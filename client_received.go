package rpcfleet

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

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

// recorded tells who captures the response whether it holds a record of the service's own.
func (r *response) recorded(own bool) {
	if r.settings.capture != nil {
		r.settings.capture.NoRecord = !own
	}
}

// alreadyDeleted reports whether the response to a repeated delete says that the thing is gone: the response to the
// attempt that deleted it got lost.
func (r *response) alreadyDeleted() bool {
	return r.Status == http.StatusNotFound && r.repeatedDelete()
}

// isBareRefusal reports whether a response states with a success status that nothing happened, and no reason. That is
// how the security lists say of a delete that there is nothing to delete.
func isBareRefusal(err error) bool {
	var refusal *envelope.Failure
	return errors.As(err, &refusal) && refusal.Message == ""
}

// repeatedDelete reports whether the call is a delete of which an earlier attempt may have been carried out. It holds
// for operations that delete something and respond with nothing else.
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
func (r *response) outcome(err error) Outcome {
	outcome := Outcome{Attempts: r.result.Attempts, Duration: r.result.Duration, Err: err}
	if r.result.Last != nil {
		outcome.StatusCode = r.result.Last.Status
		outcome.RequestID = r.requestID(r.result.Last)
		outcome.RateLimit = rateLimitState(r.result.Last.Status, r.result.Last.Header)
	}
	return outcome
}
