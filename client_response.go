package rpcfleet

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Response is the raw response of a call: see [CaptureResponse]. Its headers and its body can hold secrets, so that
// only the methods Header and Body show them: it prints as a summary, and what cannot call its methods, such as fmt for
// a field that is not exported, encoding/gob, a YAML package or an assertion library, finds the other fields alone.
type Response struct {
	// StatusCode is 0 where no response came.
	StatusCode int
	// Attempts is the number of attempts that were made.
	Attempts int
	// Duration is the time of the whole call, waits between attempts included.
	Duration time.Duration
	// NoRecord is set where the service carried a write out and sent no record of it. What the method returns is then
	// what was sent, or [ErrCarriedOut].
	NoRecord bool
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// RateLimit is what the response's headers tell of the service's own limits.
	RateLimit RateLimitState

	// raw hands out the response, or is nil where no response came. It is a function because nothing that walks through
	// values sees what a function holds.
	raw func() *transport.Response
}

// Header returns the headers of the response, or nil where none came. They are not copied.
func (r Response) Header() http.Header {
	if r.raw == nil {
		return nil
	}
	return r.raw().Header
}

// Body returns the whole body, undecoded, or nil where no response came. It is not copied.
func (r Response) Body() []byte {
	if r.raw == nil {
		return nil
	}
	return r.raw().Body
}

// String sums the response up without its body or headers.
func (r Response) String() string {
	return fmt.Sprintf("%d %s, %d bytes, %d attempts", r.StatusCode, http.StatusText(r.StatusCode), len(r.Body()), r.Attempts)
}

// Format prints the summary for every verb.
func (r Response) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(r.String())) }

// LogValue logs the summary.
func (r Response) LogValue() slog.Value { return slog.StringValue(r.String()) }

// MarshalJSON writes the summary: a response in a log line must not give its body away.
func (r Response) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, r.String()), nil }

func (r *Response) fill(last *transport.Response, result *transport.Result, requestID string) {
	*r = Response{Attempts: result.Attempts, Duration: result.Duration, RequestID: requestID}
	if last != nil {
		r.StatusCode, r.raw = last.Status, func() *transport.Response { return last }
		r.RateLimit = rateLimitState(last.Status, last.Header)
	}
}
