package rpcfleet

import (
	"net/http"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Response is a call's raw response: only Header and Body contain secrets.
type Response struct {
	StatusCode int // StatusCode is 0 if there was no response.
	Attempts   int
	Duration   time.Duration // Duration includes waits between attempts.
	NoRecord   bool          // NoRecord is set if the service executed a write and sent no record of it.
	RequestID  string        // The service's id of the request, as in [Error].
	RateLimit  RateLimitState

	// raw returns the response, or nil if there was none, and the secrets of the call. It is a function so that
	// reflection-based printers cannot reach them.
	raw func() (last *transport.Response, secrets []string)
}

// Header returns the headers of the response, not a copy.
func (r Response) Header() http.Header {
	last, _ := r.received()
	return last.Header
}

// Body returns the undecoded body, not a copy. If a response with a 4xx status was cut short, it is the beginning.
func (r Response) Body() []byte {
	last, _ := r.received()
	return last.Body
}

// Redact returns the beginning of a text of the service on one line, without the secrets of the call and texts that
// look like credentials, as in [Error].
func (r Response) Redact(text string) string {
	_, secrets := r.received()
	return redact.Excerpt([]byte(text), textSize, secrets...)
}

// received returns the response, which is empty if there was none, and the secrets of the call.
func (r Response) received() (*transport.Response, []string) {
	if r.raw == nil {
		return &transport.Response{}, nil
	}
	last, secrets := r.raw()
	return orNew(last), secrets
}

// newResponse returns the last response of a call.
func newResponse(result *transport.Result) Response {
	made := Response{Attempts: result.Attempts, Duration: result.Duration}
	last, secrets := result.Last, result.Secrets
	made.raw = func() (*transport.Response, []string) { return last, secrets }
	if last != nil {
		made.StatusCode = last.Status
		made.RequestID = redact.RequestID(last.Header, result.Secrets...)
		made.RateLimit = rateLimitState(last.Status, last.Header)
	}
	return made
}

// RateLimitState is the state of the service's own request limits (observed).
type RateLimitState struct {
	PerSecond, PerMinute RateLimitWindow // Zero if a number is missing, duplicate or implausible.
	Date                 time.Time       // The time of the response by the service's clock, or zero.
	RetryAfter           time.Duration   // Requested wait of a response with status 429, or 0.
}

// RateLimitWindow is the state of one limit.
type RateLimitWindow struct {
	Limit, Remaining int
	Reset            time.Time // Time at which the window starts again by the service's clock, or zero.
}

// The largest plausible numbers. The latest reset is in the year 9999.
const (
	mostRequests = 1e9
	latestReset  = 253402300799
)

// rateLimitState parses the headers of a response.
func rateLimitState(status int, header http.Header) (state RateLimitState) {
	state.PerSecond = rateLimitWindow(header, "X-Ratelimit-Rps")
	state.PerMinute = rateLimitWindow(header, "X-Ratelimit-Rpm")
	if state.PerSecond.Limit > 0 || state.PerMinute.Limit > 0 {
		state.Date, _ = http.ParseTime(header.Get("Date"))
	}
	if status == http.StatusTooManyRequests {
		state.RetryAfter, _ = transport.RetryAfter(header, time.Now())
	}
	return state
}

// rateLimitWindow parses the headers of one window, which have names with a prefix.
func rateLimitWindow(header http.Header, prefix string) RateLimitWindow {
	limit, remaining := headerNumber(header[prefix+"limit"]), headerNumber(header[prefix+"remaining"])
	if limit < 1 || limit > mostRequests || remaining < 0 || remaining > limit {
		return RateLimitWindow{}
	}
	window := RateLimitWindow{Limit: int(limit), Remaining: int(remaining)}
	if reset := headerNumber(header[prefix+"reset"]); reset >= 0 && reset <= latestReset {
		window.Reset = time.Unix(reset, 0)
	}
	return window
}

// headerNumber returns the number in a header that has a single value of digits only, or -1.
func headerNumber(values []string) int64 {
	if len(values) != 1 {
		return -1
	}
	number, err := strconv.ParseUint(values[0], 10, 63) // It accepts no sign.
	if err != nil {
		return -1
	}
	return int64(number)
}
