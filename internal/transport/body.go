package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
)

// pieceSize bounds the piece of an incomplete response that a failure keeps.
const pieceSize = 2 << 10

var errAttemptTimeout = errors.New("no complete response within the time limit of an attempt")

// errNoResponse and errNoBody are what an http.RoundTripper must not do.
var (
	errNoResponse = errors.New("it returned neither a response nor an error")
	errNoBody     = errors.New("it returned a response without a body")
)

// buffered sends a request, reads the response to its end under the attempt's time limit and size limit, and leaves it
// with the attempt.
func (f *state) buffered(m message) error {
	attempt := &f.attempt
	if attempt.limit == nil {
		attempt.limit = f.newLimit()
	}
	resp, sending, err := f.send(m)
	defer sending.leave()
	switch {
	case err != nil:
		failure := f.sendFailure(err)
		if failure.Kind == Connection {
			failure.fate = sending.fate(err)
		}
		return failure
	case resp == nil:
		return &Failure{Kind: Faulty, Err: errNoResponse}
	case resp.Body == nil:
		return &Failure{Kind: Faulty, Err: errNoBody}
	}
	if received := f.transport.config.Received; received != nil {
		received(resp.StatusCode, resp.Header)
	}
	if resp.StatusCode == http.StatusSwitchingProtocols { // The body is the connection, which no context ends any more.
		_ = resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	}
	sending.expect(resp)
	if f.transport.gzip {
		unpack(resp)
	}
	f.transport.keepCookies(m.address, resp)
	attempt.response.Release() // That of a redirect, which is followed.
	buffer := newBuffer(f.call.KeepBody)
	err = buffer.read(resp, f.call.MaxBody)
	_ = resp.Body.Close() // Nothing depends on it: the body was read, or the attempt has failed.
	attempt.response = f.newResponse()
	*attempt.response = Response{
		Status: resp.StatusCode, Protocol: resp.Proto, Header: resp.Header, Deadline: attempt.limit.deadline,
	}
	if err != nil {
		body := buffer.Bytes()
		attempt.response.Body, attempt.partial = bytes.Clone(body[:min(len(body), pieceSize)]), true
		buffer.release()
		return f.readFailure(err)
	}
	attempt.response.Body = buffer.Bytes()
	if !f.call.KeepBody {
		attempt.response.buffer = buffer
	}
	return nil
}

// tooLargeError says how large a response may be.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("more than %d bytes", e.limit) }

// sendFailure sorts an error that came before any response. The limit of the attempt is told from the caller's
// context: only the caller's ends the call.
func (f *state) sendFailure(err error) *Failure {
	switch {
	case f.Err() != nil:
		return &Failure{Kind: Canceled, Err: f.Err()}
	case f.attempt.limit.Err() != nil:
		return &Failure{Kind: Timeout, Err: &timeoutError{errAttemptTimeout}}
	default:
		return &Failure{Kind: Connection, Err: withoutAdvice(withoutAddress(err))}
	}
}

// readFailure sorts an error that came in the middle of a response.
func (f *state) readFailure(err error) *Failure {
	var large *tooLargeError
	switch {
	case errors.As(err, &large):
		return &Failure{Kind: TooLarge, Err: err}
	case f.attempt.limit.Err() != nil:
		return f.sendFailure(err)
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
