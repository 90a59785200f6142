package transport

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// Call is one request, and what the transport must know about it.
type Call struct {
	Operation *operation.Operation
	// Address is where it goes, at the configured origin.
	Address *url.URL
	// Body is the JSON that is sent, or empty.
	Body []byte
	// Header are headers beside the transport's own, or in the place of those that are no credentials. It is only read.
	Header http.Header
	// Timeout bounds one attempt, the reading of its body included. Zero means no bound.
	Timeout time.Duration
	// Retry says how often and how patiently an attempt is repeated. It is only read.
	Retry *Policy
	// MaxBody is the largest response that is read, in bytes.
	MaxBody int64
	// KeepBody is set where the body of the response outlives the call. Its memory is then the caller's for good.
	KeepBody bool
}

// Response is a response that was read to its end, whatever its status.
type Response struct {
	Status int
	// Protocol is that of the connection, such as "HTTP/1.1". It may be empty where net/http did not make it.
	Protocol string
	Header   http.Header
	Body     []byte
	// Deadline is when the time limit of the attempt that brought it is over. It is zero where there is none.
	Deadline time.Time

	buffer *buffer // What Body lies in, or nil.
}

// Release gives the memory of the body back, where KeepBody does not forbid it. Nothing may hold a part of the body
// then.
func (r *Response) Release() {
	if r == nil || r.buffer == nil {
		return
	}
	r.buffer.release()
	r.Body, r.buffer = nil, nil
}

// Result says what a call took, beside its response.
type Result struct {
	// Attempts is the number of times that the request was sent, or that a connection for it could not be had.
	Attempts int
	// MayHaveActed is set when an earlier attempt failed in a way that leaves open whether the service carried it out.
	MayHaveActed bool
	// Open is set when any attempt, the last one included, ended in a way that leaves open whether the service carried it
	// out.
	Open bool
	// Duration is the time from the first attempt to the end of the last, waits included.
	Duration time.Duration
	// Last is the last complete response of any attempt, or nil. It outlives a failure of a later one.
	Last *Response
	// Partial is what had arrived of the last attempt's response when that failed in the middle of it, with the
	// beginning of the body, or nil.
	Partial *Response
	// QuotaExhausted is set when another attempt was due, and the client's retry quota was used up.
	QuotaExhausted bool
	// Credentials are those of all attempts: keys can rotate between them. They let an error's text be cleaned of them.
	Credentials []Credentials
}

// state is one call on its way: the state that its attempts share. Attempts follow one another, so that no lock is
// needed.
//
// It is the context of its requests, too, and is one allocation with most of what a call needs once.
type state struct {
	context.Context // The caller's.

	transport *Transport
	call      Call
	start     time.Time
	attempt   attempt
	result    Result        // So far.
	returned  bool          // The service has returned an attempt unprocessed.
	wait      time.Duration // The wait before the next attempt.

	// What is mostly needed once.
	usual         [1]Credentials // Where the credentials of the result begin.
	usualLimit    limit
	usualResponse Response
	first         sending

	quota *quota // The client's, or nil.
	paid  int    // What the last retry has cost.
}

type stateKey struct{}

// Value finds the call itself in the context of its requests, and what the caller's context holds.
func (f *state) Value(key any) any {
	if key == (stateKey{}) {
		return f
	}
	return f.Context.Value(key)
}

// OperationOf returns the operation that a request belongs to.
func OperationOf(ctx context.Context) (*operation.Operation, bool) {
	f, ok := ctx.Value(stateKey{}).(*state)
	if !ok {
		return nil, false
	}
	return f.call.Operation, true
}

// newResponse returns room for a response.
func (f *state) newResponse() *Response {
	if f.usualResponse.Status == 0 {
		return &f.usualResponse
	}
	return &Response{}
}

// newLimit begins the time of an attempt.
func (f *state) newLimit() *limit {
	l := &f.usualLimit
	if l.done != nil {
		l = &limit{}
	}
	l.begin(f.Context, f.call.Timeout)
	return l
}

// account closes the account of the call.
func (f *state) account() *Result {
	f.result.Duration = time.Since(f.start)
	if f.attempt.partial {
		f.result.Partial = f.attempt.response
	}
	return &f.result
}
