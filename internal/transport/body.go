package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// pieceSize bounds the piece of an incomplete response that a failure keeps.
const pieceSize = 2 << 10

var errAttemptTimeout = errors.New("no complete response within the time limit of an attempt")

// errNoResponse and errNoBody are what an http.RoundTripper must not do.
var (
	errNoResponse = errors.New("it returned neither a response nor an error")
	errNoBody     = errors.New("it returned a response without a body")
)

// buffered sends the request with the headers, reads the response to its end under the attempt's time limit and size
// limit, and leaves it with the attempt. The response that it returns has no body left.
func buffered(base http.RoundTripper, req *http.Request, header http.Header) (*http.Response, error) {
	state := stateOf(req.Context())
	ctx := req.Context()
	if state.call.Timeout > 0 {
		if state.attempt.deadline.IsZero() {
			state.attempt.deadline = time.Now().Add(state.call.Timeout)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, state.attempt.deadline, errAttemptTimeout)
		defer cancel()
	}
	resp, sending, err := send(ctx, base, req, header)
	switch {
	case err != nil:
		failure := sendFailure(ctx, req.Context(), err)
		if failure.Kind == Connection {
			failure.fate = sending.fate(err)
		}
		return nil, failure
	case resp == nil:
		return nil, &Failure{Kind: Faulty, Err: errNoResponse}
	case resp.Body == nil:
		return nil, &Failure{Kind: Faulty, Err: errNoBody}
	}
	state.attempt.response.Release() // That of a redirect, which is followed.
	buffer := newBuffer(state.call.KeepBody)
	err = buffer.read(resp, state.call.MaxBody)
	_ = resp.Body.Close() // Nothing depends on it: the body was read, or the attempt has failed.
	response := &Response{Status: resp.StatusCode, Header: resp.Header, Deadline: state.attempt.deadline}
	state.attempt.response = response
	if err != nil {
		body := buffer.Bytes()
		response.Body, state.attempt.partial = bytes.Clone(body[:min(len(body), pieceSize)]), true
		buffer.release()
		return nil, readFailure(ctx, req.Context(), err)
	}
	response.Body = buffer.Bytes()
	if !state.call.KeepBody {
		response.buffer = buffer
	}
	resp.Body, resp.Header = http.NoBody, followable(req.URL, resp.Header)
	return resp, nil
}

// tooLargeError says how large a response may be.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("more than %d bytes", e.limit) }

// sendFailure sorts an error that came before any response. The context of the attempt is told from the caller's: only
// the caller's ends the call.
func sendFailure(attempt, caller context.Context, err error) *Failure {
	switch {
	case caller.Err() != nil:
		return &Failure{Kind: Canceled, Err: caller.Err()}
	case attempt.Err() != nil:
		return &Failure{Kind: Timeout, Err: &timeoutError{errAttemptTimeout}}
	default:
		return &Failure{Kind: Connection, Err: withoutAdvice(withoutAddress(err))}
	}
}

// readFailure sorts an error that came in the middle of a response.
func readFailure(attempt, caller context.Context, err error) *Failure {
	var large *tooLargeError
	switch {
	case errors.As(err, &large):
		return &Failure{Kind: TooLarge, Err: err}
	case attempt.Err() != nil:
		return sendFailure(attempt, caller, err)
	default:
		return &Failure{Kind: Truncated, Err: err}
	}
}

// timeoutError makes an attempt's own time limit recognizable as a deadline, for errors.Is and net.Error alike.
type timeoutError struct{ error }

func (*timeoutError) Timeout() bool   { return true }
func (*timeoutError) Temporary() bool { return true }
func (*timeoutError) Is(target error) bool {
	return target == context.DeadlineExceeded
}
