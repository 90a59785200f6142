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
	// Timeout bounds one try, the reading of its body included. Zero means no bound.
	Timeout time.Duration
	// Retry says how often and how patiently a try is repeated.
	Retry Policy
	// MaxBody is the largest answer that is read, in bytes.
	MaxBody int64
}

// Reply is an answer that was read to its end, whatever its status.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	// Deadline is when the time limit of the attempt that brought it is over. It is zero where there is none.
	Deadline time.Time
}

// Trip says what a call took, beside its answer.
type Trip struct {
	// Attempts is the number of times that the request was sent, or that a connection for it could not be had.
	Attempts int
	// MayHaveActed is set when an earlier try failed in a way that leaves open whether the service carried it out.
	MayHaveActed bool
	// Duration is the time from the first try to the end of the last, waits included.
	Duration time.Duration
	// Last is the last complete answer of any try, or nil. It outlives a failure of a later try.
	Last *Reply
	// Partial is what had arrived of the last attempt's response when that failed in the middle of it, with the beginning
	// of the body, or nil.
	Partial *Reply
	// QuotaExhausted is set when another attempt was due, and the client's retry quota was used up.
	QuotaExhausted bool
	// Credentials are those of all tries. They let an error's text be cleaned of them.
	Credentials []Credentials
}

// flight is one call on its way: the state that its tries share. Tries follow one another, so that no lock is needed.
type flight struct {
	call     Call
	log      *slog.Logger
	start    time.Time
	try      *try
	attempts int
	acted    bool          // An earlier try may have been carried out.
	last     *Reply        // The last complete answer of any try.
	wait     time.Duration // The wait before the next try.
	used     []Credentials // The credentials of the tries: keys can rotate between them.

	returned  bool   // The service has returned an attempt unprocessed.
	quota     *quota // The client's, or nil.
	paid      int    // What the last retry has cost.
	exhausted bool   // The quota was used up when another attempt was due.
}

// try is one sending of the request, with the redirects that it followed.
type try struct {
	start    time.Time
	deadline time.Time // Set when the first request is sent, after pacing, and shared by those of its redirects.
	reply    *Reply    // The response, or the beginning of it where reading it failed.
	partial  bool      // It is the beginning only.
}

type flightKey struct{}

func withFlight(ctx context.Context, f *flight) context.Context {
	return context.WithValue(ctx, flightKey{}, f)
}

// flightOf returns the call that a request belongs to; Send put it there.
func flightOf(ctx context.Context) *flight { return ctx.Value(flightKey{}).(*flight) }

// OperationOf returns the operation that a request belongs to.
func OperationOf(ctx context.Context) (*operation.Operation, bool) {
	f, ok := ctx.Value(flightKey{}).(*flight)
	if !ok {
		return nil, false
	}
	return f.call.Operation, true
}

// begin runs before every try.
func (f *flight) begin(_ retryablehttp.Logger, _ *http.Request, _ int) {
	f.attempts++
	f.try = &try{start: time.Now()}
}

// land closes the account of the call.
func (f *flight) land() *Trip {
	trip := &Trip{
		Attempts: f.attempts, MayHaveActed: f.acted, Duration: time.Since(f.start), Last: f.last,
		QuotaExhausted: f.exhausted, Credentials: f.used,
	}
	if f.try != nil && f.try.partial {
		trip.Partial = f.try.reply
	}
	return trip
}
