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

// Response is the raw response of a call: see [WithResponse]. Its headers and body can contain secrets, so only the
// methods Header and Body return them. It prints as a summary. Packages that cannot call its methods, such as fmt for
// an unexported field, encoding/gob, a YAML package or an assertion library, see only the other fields.
type Response struct {
	// StatusCode is 0 if there was no response.
	StatusCode int
	// Attempts is the number of attempts.
	Attempts int
	// Duration is the time of the whole call, including waits between attempts.
	Duration time.Duration
	// NoRecord is set if the service executed a write and sent no record of it. The method then returns the values that
	// were sent, or [ErrNoRecord].
	NoRecord bool
	// RequestID is the service's id of the request, as in [Error].
	RequestID string
	// RateLimit is the state of the service's own limits from the response's headers.
	RateLimit RateLimitState

	// raw returns the response. It is nil if there was no response. It is a function so that reflection-based printers
	// cannot reach the response.
	raw func() *transport.Response
}

// Header returns the headers of the response without copying them, or nil if there was no response.
func (r Response) Header() http.Header {
	if r.raw == nil {
		return nil
	}
	return r.raw().Header
}

// Body returns the whole undecoded body without copying it, or nil if there was no response.
func (r Response) Body() []byte {
	if r.raw == nil {
		return nil
	}
	return r.raw().Body
}

// String returns a summary without body and headers.
func (r Response) String() string {
	return fmt.Sprintf("%d %s, %d bytes, %d attempts", r.StatusCode, http.StatusText(r.StatusCode), len(r.Body()),
		r.Attempts)
}

// Format prints the summary for every verb.
func (r Response) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(r.String())) }

// LogValue logs the summary.
func (r Response) LogValue() slog.Value { return slog.StringValue(r.String()) }

// MarshalJSON returns the summary: a response in a log line must not reveal its body.
func (r Response) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, r.String()), nil }

func (r *Response) fill(last *transport.Response, result *transport.Result, requestID string) {
	*r = Response{Attempts: result.Attempts, Duration: result.Duration, RequestID: requestID}
	if last != nil {
		r.StatusCode, r.raw = last.Status, func() *transport.Response { return last }
		r.RateLimit = rateLimitState(last.Status, last.Header)
	}
}

// RateLimitState is the state of the service's own request limits, from a response (observed). It is in [Response] and
// [CallResult]. [Client.RateLimit] returns the latest, and a [Pacer] can receive each one: see [RateLimitObserver].
//
// The headers are parsed strictly: a window is nil if its limit or remainder is missing, duplicate or not a plain
// number, if the limit is zero, or if the remainder exceeds the limit.
type RateLimitState struct {
	// PerSecond and PerMinute are the windows. A window is nil if the response does not contain it.
	PerSecond, PerMinute *RateLimitWindow
	// Date is the time of the response by the service's clock, in whole seconds. It is the zero time if the response
	// contains no date or no window.
	Date time.Time
	// RetryAfter is the requested wait of a response with status 429, or 0.
	RetryAfter time.Duration
}

// Format prints the record.
func (s RateLimitState) Format(state fmt.State, _ rune) { redact.Record(state, s) }

// RateLimitWindow is the state of one limit.
type RateLimitWindow struct {
	// Limit and Remaining are numbers of requests.
	Limit, Remaining int
	// Reset is the time at which the window starts again, in whole seconds of the service's clock. It is the zero time if
	// the response does not contain it.
	Reset time.Time
}

// The headers of the windows in canonical form: limit, remainder, reset.
var (
	perSecondHeaders = [3]string{"X-Ratelimit-Rpslimit", "X-Ratelimit-Rpsremaining", "X-Ratelimit-Rpsreset"}
	perMinuteHeaders = [3]string{"X-Ratelimit-Rpmlimit", "X-Ratelimit-Rpmremaining", "X-Ratelimit-Rpmreset"}
)

// The largest plausible numbers. The latest reset is in the year 9999.
const (
	mostRequests = 1e9
	latestReset  = 253402300799
)

// rateLimitState parses the headers of a response.
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

// rateLimitWindow parses the headers of one window.
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

// plainNumber parses a header with a single value of digits only.
func plainNumber(values []string, most int64) (int64, bool) {
	if len(values) != 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(values[0], 10, 63) // ParseUint accepts no sign.
	return int64(n), err == nil && int64(n) <= most
}

// RateLimitObserver is a [Pacer] that receives the rate-limit state of every response, of any call and with any status.
// If a response contains no state, it is zero. ObserveRateLimit is called concurrently, after the response's headers
// have arrived and before its body is read, and should return at once.
type RateLimitObserver interface {
	ObserveRateLimit(state RateLimitState)
}

// latestRateLimit is the latest rate-limit state from the responses of a client.
type latestRateLimit struct {
	observer RateLimitObserver // The pacer, or nil if it is not an observer.

	mu    sync.Mutex
	state RateLimitState
}

// received is called for every response.
func (l *latestRateLimit) received(status int, header http.Header) {
	state := rateLimitState(status, header)
	if state != (RateLimitState{}) {
		l.keep(state)
	}
	if l.observer != nil {
		l.observer.ObserveRateLimit(state)
	}
}

// keep stores the state of a response.
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

// copy returns a copy of the state.
func (l *latestRateLimit) copy() RateLimitState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return deepCopy(l.state)
}
