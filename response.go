package rpcfleet

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Response is the raw response of a call: see [WithResponse]. Its headers and its body can hold secrets, so that
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
	// what was sent, or [ErrNoRecord].
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

// RateLimitState is what a response tells of the service's own request limits (observed). It is in [Response] and in
// [CallResult], [Client.RateLimit] has the latest, and a [Pacer] is told of each: see [RateLimitObserver].
//
// The headers are read strictly: a limit or a remainder that is missing, that comes twice or that is no plain number
// makes its window nil, as does a limit of zero or a remainder above the limit.
type RateLimitState struct {
	// PerSecond and PerMinute are the windows. One that the response does not mention is nil.
	PerSecond, PerMinute *RateLimitWindow
	// Date is when the service made the response, in whole seconds of its own clock. It is the zero time where the
	// response does not say, or tells of no window.
	Date time.Time
	// RetryAfter is how long the service asks callers to wait that it has refused for too many requests, or 0.
	RetryAfter time.Duration
}

// Format prints the record.
func (s RateLimitState) Format(state fmt.State, _ rune) { redact.Record(state, s) }

// RateLimitWindow is the state of one limit.
type RateLimitWindow struct {
	// Limit and Remaining are numbers of requests.
	Limit, Remaining int
	// Reset is when the window begins anew, in whole seconds of the service's clock. It is the zero time where the
	// response does not say.
	Reset time.Time
}

// The headers of the windows, as net/http spells them: limit, remainder, reset.
var (
	perSecondHeaders = [3]string{"X-Ratelimit-Rpslimit", "X-Ratelimit-Rpsremaining", "X-Ratelimit-Rpsreset"}
	perMinuteHeaders = [3]string{"X-Ratelimit-Rpmlimit", "X-Ratelimit-Rpmremaining", "X-Ratelimit-Rpmreset"}
)

// The largest numbers that are believed. The latest reset is in the year 9999.
const (
	mostRequests = 1e9
	latestReset  = 253402300799
)

// rateLimitState reads the headers of a response.
func rateLimitState(status int, header http.Header) RateLimitState {
	state := RateLimitState{
		PerSecond: rateLimitWindow(header, &perSecondHeaders), PerMinute: rateLimitWindow(header, &perMinuteHeaders),
	}
	if state.PerSecond != nil || state.PerMinute != nil {
		state.Date, _ = http.ParseTime(header.Get("Date"))
	}
	if status == http.StatusTooManyRequests {
		state.RetryAfter, _ = transport.RetryAfter(header, time.Now())
	}
	return state
}

// rateLimitWindow reads the headers of one window.
func rateLimitWindow(header http.Header, names *[3]string) *RateLimitWindow {
	limit, limited := plainNumber(header[names[0]], mostRequests)
	remaining, told := plainNumber(header[names[1]], mostRequests)
	if !limited || !told || limit == 0 || remaining > limit {
		return nil
	}
	window := &RateLimitWindow{Limit: int(limit), Remaining: int(remaining)}
	if reset, ok := plainNumber(header[names[2]], latestReset); ok {
		window.Reset = time.Unix(reset, 0)
	}
	return window
}

// plainNumber reads a header with one value that is digits and nothing else.
func plainNumber(values []string, most int64) (int64, bool) {
	if len(values) != 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(values[0], 10, 63) // It takes no sign.
	return int64(n), err == nil && int64(n) <= most
}

// RateLimitObserver is a [Pacer] that is told what each response says of the service's limits, whichever call it belongs
// to and whatever its status. A response that says nothing is a zero state. It is called concurrently, after the
// response's headers have come and before its body is read, and should return at once.
type RateLimitObserver interface {
	ObserveRateLimit(state RateLimitState)
}

// latestRateLimit keeps what the responses of a client have told of the service's limits.
type latestRateLimit struct {
	observer RateLimitObserver // The pacer, or nil where it does not want to know.

	mu    sync.Mutex
	state RateLimitState
}

// received is told of every response.
func (l *latestRateLimit) received(status int, header http.Header) {
	state := rateLimitState(status, header)
	if state != (RateLimitState{}) {
		l.keep(state)
	}
	if l.observer != nil {
		l.observer.ObserveRateLimit(state)
	}
}

// keep takes over what a response tells.
func (l *latestRateLimit) keep(state RateLimitState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if state.PerSecond == nil {
		state.PerSecond = l.state.PerSecond
	}
	if state.PerMinute == nil {
		state.PerMinute = l.state.PerMinute
	}
	if state.Date.IsZero() {
		state.Date = l.state.Date
	}
	l.state = state
}

// copy returns what is known.
func (l *latestRateLimit) copy() RateLimitState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return deepCopy(l.state)
}
