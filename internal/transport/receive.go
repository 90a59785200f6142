package transport

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"
)

// receiver sends a request and reads the whole response within the limits of time and size. A connection that is lost
// in the middle of the body is therefore a failed attempt.
type receiver struct {
	next     http.RoundTripper
	pooled   bool                                 // next is a pool.
	gzip     bool                                 // The headers ask for compressed responses.
	received func(status int, header http.Header) // Or nil.
}

// RoundTrip leaves the response's body with the attempt.
func (r *receiver) RoundTrip(req *http.Request) (*http.Response, error) {
	s := stateOf(req)
	caller := req.Context()
	ctx, cancel := s.limit(caller)
	defer cancel()
	req = req.WithContext(ctx)
	if !r.pooled {
		req.GetBody = nil // The caller's transport must not send the request again.
	}
	resp, err := r.next.RoundTrip(req)
	switch {
	case err != nil:
		failure, ok := errors.AsType[*Failure](err)
		if !ok {
			failure = &Failure{Kind: Connection, Err: withoutAddress(err), reach: reachOfOther(err)}
		}
		return nil, interrupted(caller, ctx, failure)
	case resp == nil || resp.Body == nil:
		return nil, &Failure{Kind: Faulty, Err: errors.New("it returned neither an error nor a response with a body")}
	}
	if resp.StatusCode == http.StatusSwitchingProtocols { // The body is the connection, which the context does not close.
		_ = resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	if r.received != nil {
		r.received(resp.StatusCode, resp.Header)
	}
	if r.gzip {
		defer unpack(resp)()
	}
	if err := s.read(resp); err != nil {
		return nil, interrupted(caller, ctx, err)
	}
	if _, err := resp.Location(); err != nil && !errors.Is(err, http.ErrNoLocation) {
		resp.Header = resp.Header.Clone() // If Location is invalid, http.Client fails with an error that quotes it.
		resp.Header.Del("Location")
	}
	resp.Body = http.NoBody
	return resp, nil
}

// limit applies the time limit of the attempt, which includes redirects.
func (s *state) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.call.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	if s.attempt.deadline.IsZero() {
		s.attempt.deadline = time.Now().Add(s.call.Timeout)
	}
	return context.WithDeadline(ctx, s.attempt.deadline)
}

// read reads the body of a response and closes it.
func (s *state) read(resp *http.Response) *Failure {
	s.attempt.response.Release() // The response of a redirect.
	body := &buffer{}            // If the body is kept, the buffer is not pooled, and no larger than necessary.
	if !s.call.KeepBody {
		body = buffers.Get().(*buffer)
	}
	failure := body.read(resp, s.call.MaxBody)
	_ = resp.Body.Close() // The body was read, or the attempt has failed.
	s.attempt.response = &Response{
		Status: resp.StatusCode, Protocol: resp.Proto, Header: resp.Header, Deadline: s.attempt.deadline,
	}
	if failure != nil {
		s.attempt.response.Body = bytes.Clone(body.Next(2 << 10))
		s.result.Partial = s.attempt.response
		body.release()
		return failure
	}
	s.attempt.response.Body = body.Bytes()
	if !s.call.KeepBody {
		s.attempt.response.buffer = body
	}
	return nil
}

// interrupted returns the failure, or the end of the caller's or the attempt's context if it caused the failure.
func interrupted(caller, attempt context.Context, failure *Failure) *Failure {
	switch {
	case failure.Kind == TooLarge:
		return failure
	case caller.Err() != nil:
		return &Failure{Kind: Canceled, Err: caller.Err(), reach: failure.reach}
	case attempt.Err() != nil:
		return &Failure{Kind: Timeout, Err: timeoutError{}, reach: failure.reach}
	}
	return failure
}

// timeoutError is the error of an expired attempt. It matches context.DeadlineExceeded and implements net.Error.
type timeoutError struct{}

func (timeoutError) Error() string        { return "no complete response within the time limit of an attempt" }
func (timeoutError) Timeout() bool        { return true }
func (timeoutError) Temporary() bool      { return true }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
