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

// RateLimitState is what the service tells of its own request limits in the headers of a response (observed). Windows
// that the response does not mention are nil.
type RateLimitState struct {
	PerSecond *RateLimitWindow
	PerMinute *RateLimitWindow
}

// RateLimitWindow is the state of one limit.
type RateLimitWindow struct {
	// Limit and Remaining are numbers of requests.
	Limit, Remaining int
	// Reset is when the window begins anew. It is the zero time where the response does not say.
	Reset time.Time
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

func (r *Response) fill(last *transport.Response, result *transport.Result) {
	*r = Response{Attempts: result.Attempts, Duration: result.Duration}
	if last != nil {
		r.StatusCode, r.raw = last.Status, func() *transport.Response { return last }
		r.RateLimit = RateLimitState{
			PerSecond: window(last.Header, "X-Ratelimit-Rps"),
			PerMinute: window(last.Header, "X-Ratelimit-Rpm"),
		}
	}
}

// window reads the three headers of one limit.
func window(header http.Header, prefix string) *RateLimitWindow {
	limit, err := strconv.Atoi(header.Get(prefix + "limit"))
	if err != nil {
		return nil
	}
	remaining, err := strconv.Atoi(header.Get(prefix + "remaining"))
	if err != nil {
		return nil
	}
	w := &RateLimitWindow{Limit: limit, Remaining: remaining}
	if reset, err := strconv.ParseInt(header.Get(prefix+"reset"), 10, 64); err == nil {
		w.Reset = time.Unix(reset, 0)
	}
	return w
}
