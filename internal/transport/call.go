package transport

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// Call is what the transport must know about one request beside the request itself.
type Call struct {
	Operation *operation.Operation
	// Timeout bounds one attempt, the reading of its body included. Zero means no bound.
	Timeout time.Duration
	// Retry says how often and how patiently an attempt is repeated.
	Retry Policy
	// MaxBody is the largest response that is read, in bytes.
	MaxBody int64
	// KeepBody is set where the body of the response outlives the call. Its memory is then the caller's for good.
	KeepBody bool
}

// Response is a response that was read to its end, whatever its status.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
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
	// Duration is the time from the first attempt to the end of the last, waits included.
	Duration time.Duration
	// Last is the last complete response of any try, or nil. It outlives a failure of a later try.
	Last *Response
	// Partial is what had arrived of the last attempt's response when that failed in the middle of it, with the
	// beginning of the body, or nil.
	Partial *Response
	// QuotaExhausted is set when another attempt was due, and the client's retry quota was used up.
	QuotaExhausted bool
	// Credentials are those of all attempts. They let an error's text be cleaned of them.
	Credentials []Credentials
}

// state is one call on its way: the state that its attempts share. Attempts follow one another, so that no lock is
// needed.
//
// It is the context of its requests, too, and is one allocation with most of what a call needs once.
type state struct {
	context.Context // The caller's.

	call     Call
	log      *slog.Logger
	start    time.Time
	attempt  attempt
	attempts int
	acted    bool           // An earlier attempt may have been carried out.
	last     *Response      // The last complete response of any try.
	wait     time.Duration  // The wait before the next attempt.
	used     []Credentials  // The credentials of the attempts: keys can rotate between them.
	usual    [1]Credentials // Where used begins.
	first    sending        // The first sending, which is mostly the only one.

	returned  bool   // The service has returned an attempt unprocessed.
	quota     *quota // The client's, or nil.
	paid      int    // What the last retry has cost.
	exhausted bool   // The quota was used up when another attempt was due.

	result Result
}

// attempt is one sending of the request, with the redirects that it followed.
type attempt struct {
	start    time.Time
	deadline time.Time // Set when the first request is sent, after pacing, and shared by those of its redirects.
	response *Response // The response, or the beginning of it where reading it failed.
	partial  bool      // It is the beginning only.
}

type stateKey struct{}

// Value finds the call itself in the context of its requests, and what the caller's context holds.
func (f *state) Value(key any) any {
	if key == (stateKey{}) {
		return f
	}
	return f.Context.Value(key)
}

// stateOf returns the call that a request belongs to; Send put it there.
func stateOf(ctx context.Context) *state { return ctx.Value(stateKey{}).(*state) }

// OperationOf returns the operation that a request belongs to.
func OperationOf(ctx context.Context) (*operation.Operation, bool) {
	f, ok := ctx.Value(stateKey{}).(*state)
	if !ok {
		return nil, false
	}
	return f.call.Operation, true
}

// begin runs before every attempt.
func (f *state) begin(_ retryablehttp.Logger, _ *http.Request, _ int) {
	f.attempts++
	f.attempt = attempt{start: time.Now()}
}

// account closes the account of the call.
func (f *state) account() *Result {
	f.result = Result{
		Attempts: f.attempts, MayHaveActed: f.acted, Duration: time.Since(f.start), Last: f.last,
		QuotaExhausted: f.exhausted, Credentials: f.used,
	}
	if f.attempt.partial {
		f.result.Partial = f.attempt.response
	}
	return &f.result
}
