package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"time"
)

// pieceSize bounds the piece of an incomplete answer that a failure keeps.
const pieceSize = 2 << 10

var errTryTimeout = errors.New("no complete answer within the time limit of a try")

// buffered sends the request, reads the answer to its end under the try's time limit and size limit, and leaves it
// with the try. The response that it returns has no body left.
func buffered(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		flight := flightOf(req.Context())
		ctx := req.Context()
		if flight.call.Timeout > 0 {
			if flight.try.deadline.IsZero() {
				flight.try.deadline = time.Now().Add(flight.call.Timeout)
			}
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadlineCause(ctx, flight.try.deadline, errTryTimeout)
			defer cancel()
		}
		traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GotConn: func(httptrace.GotConnInfo) { flight.try.connected.Store(true) },
		})
		resp, err := next.RoundTrip(req.WithContext(traced))
		if err != nil {
			return nil, sendFailure(ctx, req.Context(), err)
		}
		body, err := readAll(resp, flight.call.MaxBody)
		_ = resp.Body.Close() // Nothing depends on it: the body was read, or the try has failed.
		if err != nil {
			return nil, readFailure(ctx, req.Context(), resp, body, err)
		}
		flight.try.reply = &Reply{Status: resp.StatusCode, Header: resp.Header, Body: body, Deadline: flight.try.deadline}
		resp.Body, resp.Header = http.NoBody, followable(req.URL, resp.Header)
		return resp, nil
	})
}

// tooLargeError says how large an answer may be.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("more than %d bytes", e.limit) }

// readAll reads a body of at most limit bytes. It trusts a stated length only for the size of its buffer.
func readAll(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, &tooLargeError{limit}
	}
	var body bytes.Buffer
	if resp.ContentLength > 0 {
		body.Grow(int(min(resp.ContentLength, 1<<20)) + bytes.MinRead)
	}
	read, err := body.ReadFrom(io.LimitReader(resp.Body, min(limit, math.MaxInt64-1)+1))
	if err == nil && read > limit {
		err = &tooLargeError{limit}
	}
	return body.Bytes(), err
}

// sendFailure sorts an error that came before any answer. The context of the try is told from the caller's: only the
// caller's ends the call.
func sendFailure(try, caller context.Context, err error) *Failure {
	switch {
	case caller.Err() != nil:
		// Not its cause, which may be any error, another call's *rpcfleet.Error included: this call did not end like that.
		return &Failure{Kind: Canceled, Err: caller.Err()}
	case try.Err() != nil:
		return &Failure{Kind: Timeout, Err: &timeoutError{errTryTimeout}}
	default:
		return &Failure{Kind: Connection, Err: withoutAddress(err)}
	}
}

// readFailure sorts an error that came in the middle of an answer.
func readFailure(try, caller context.Context, resp *http.Response, body []byte, err error) *Failure {
	failure := &Failure{Kind: Truncated, Err: err}
	var large *tooLargeError
	if errors.As(err, &large) {
		failure.Kind = TooLarge
	} else if try.Err() != nil {
		failure = sendFailure(try, caller, err)
	}
	failure.Status, failure.Header = resp.StatusCode, resp.Header
	failure.Piece = body[:min(len(body), pieceSize)]
	return failure
}

// timeoutError makes a try's own time limit recognizable as a deadline, for errors.Is and net.Error alike.
type timeoutError struct{ error }

func (*timeoutError) Timeout() bool   { return true }
func (*timeoutError) Temporary() bool { return true }
func (*timeoutError) Is(target error) bool {
	return target == context.DeadlineExceeded
}
