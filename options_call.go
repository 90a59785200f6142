package rpcfleet

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// CallOption configures one call.
type CallOption interface {
	applyCall(*callSettings) error
}

// Option configures one call or, as an option of New, all calls.
type Option interface {
	ClientOption
	CallOption
}

type callSettings struct {
	timeout        time.Duration
	retry          RetryPolicy
	maxBody        int64
	pageSize       int
	prefetch       int
	arrayQuery     api.ListStyle
	skipValidation bool
	capture        *Response
	// header, query and fields are added to the requests. They are shared between calls and never changed.
	header func() http.Header // A function, so that a dumper that follows pointers cannot reach the values.
	query  url.Values
	fields map[string]json.RawMessage
}

// sharedOption sets a value, or fails if the value is invalid.
type sharedOption struct {
	violation *ValidationError
	set       func(*callSettings)
}

func (o sharedOption) applyClient(s *clientSettings) error { return o.applyCall(&s.call) }

func (o sharedOption) applyCall(s *callSettings) error {
	if o.violation != nil {
		return o.violation
	}
	o.set(s)
	return nil
}

// callOption is a sharedOption that New does not accept.
type callOption struct{ shared sharedOption }

func (o callOption) applyCall(s *callSettings) error { return o.shared.applyCall(s) }

// setHeader sets a header in a copy of the headers.
func (s *callSettings) setHeader(name, value string) {
	header := http.Header{}
	maps.Copy(header, s.header())
	header.Set(name, value)
	s.header = func() http.Header { return header }
}

// RetryPolicy limits retries. Which failures are retried is fixed.
type RetryPolicy struct {
	MaxAttempts   int           // MaxAttempts includes the first. One that the service returned unprocessed may exceed it.
	BaseDelay     time.Duration // The wait before attempt n+1 is random, from zero to BaseDelay*2^(n-1),
	MaxDelay      time.Duration // but at most MaxDelay.
	MaxRetryAfter time.Duration // The longest Retry-After to wait for. If it is longer, the call ends.
	// Budget is the capacity of the retry budget that all calls of a client share. A retry costs 5, or 10 after a
	// timeout or a lost connection. A success refunds the last retry, or 1. Zero means 500, a negative number no
	// budget. For a single call, only a negative number has an effect.
	Budget int
}

// DefaultRetryPolicy returns the default: four attempts, backoff from half a second to eight seconds, Retry-After up to
// a minute, a budget of 500.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{
		MaxAttempts:   4,
		BaseDelay:     500 * time.Millisecond,
		MaxDelay:      8 * time.Second,
		MaxRetryAfter: time.Minute,
		Budget:        500,
	}
}

// WithRetryPolicy replaces the retry policy.
func WithRetryPolicy(policy RetryPolicy) Option {
	violation := atLeast("MaxAttempts", policy.MaxAttempts, 1)
	if violation == nil && min(policy.BaseDelay, policy.MaxDelay, policy.MaxRetryAfter) < 0 {
		violation = &ValidationError{Field: "retry policy", Rule: "must not have negative delays"}
	}
	return sharedOption{violation, func(s *callSettings) { s.retry = policy }}
}

// WithoutRetries limits every call to one attempt. A request that the service returned without processing it is sent
// again nevertheless: see [RetryPolicy].
func WithoutRetries() Option {
	return sharedOption{nil, func(s *callSettings) { s.retry.MaxAttempts = 1 }}
}

// WithAttemptTimeout limits each attempt, by default to 30 seconds; 0 is none.
func WithAttemptTimeout(timeout time.Duration) Option {
	return sharedOption{atLeast("timeout", timeout, 0), func(s *callSettings) { s.timeout = timeout }}
}

// WithMaxBodySize limits the size of a response body, by default to 64 MiB.
func WithMaxBodySize(bytes int64) Option {
	return sharedOption{atLeast("maximum body size", bytes, 1), func(s *callSettings) { s.maxBody = bytes }}
}

// WithPageSize sets an iterator's page size, if params do not: 100 by default. By offset, the least is 2, since pages
// overlap by one item.
func WithPageSize(items int) Option {
	return sharedOption{atLeast("page size", items, 1), func(s *callSettings) { s.pageSize = items }}
}

// WithPrefetch lets an iterator request up to that many pages, by cursor only one, while the loop works on an earlier
// page. The order is the same. The end of the loop cancels requests and waits for them. Listings without a total,
// [LogsService.Follow] and iterators with [WithResponse] do not prefetch.
func WithPrefetch(pages int) Option {
	return sharedOption{atLeast("pages to prefetch", pages, 0), func(s *callSettings) { s.prefetch = pages }}
}

// pagesAhead returns the number of pages that an iterator may fetch in advance.
func (s *callSettings) pagesAhead() int {
	if s.capture != nil {
		return 0
	}
	return s.prefetch
}

// WithoutValidation skips checks, except for ids that lead elsewhere.
func WithoutValidation() Option {
	return sharedOption{nil, func(s *callSettings) { s.skipValidation = true }}
}

// WithResponse stores the raw response in r, of an iterator the latest.
func WithResponse(r *Response) CallOption {
	return callOption{sharedOption{notNil("response", r == nil), func(s *callSettings) { s.capture = r }}}
}

// QueryArrayFormat is not in the contract: other formats may be ignored.
type QueryArrayFormat string

// The formats of arrays in queries.
const (
	QueryArrayRepeat   QueryArrayFormat = "repeated" // networks=a&networks=b, the default
	QueryArrayBrackets QueryArrayFormat = "brackets" // networks[]=a&networks[]=b
	QueryArrayCommas   QueryArrayFormat = "commas"   // networks=a,b
)

// WithQueryArrayFormat sets the format of array filters of EndpointsService.
func WithQueryArrayFormat(style QueryArrayFormat) Option {
	known, found := arrayStyles[style]
	var violation *ValidationError
	if !found {
		const rule = "must be QueryArrayRepeat, QueryArrayBrackets or QueryArrayCommas"
		violation = &ValidationError{Field: "query array format", Rule: rule, Value: string(style)}
	}
	return sharedOption{violation, func(s *callSettings) { s.arrayQuery = known }}
}

// arrayStyles maps the formats to package api's styles.
var arrayStyles = map[QueryArrayFormat]api.ListStyle{
	QueryArrayRepeat: api.ListRepeated, QueryArrayBrackets: api.ListBrackets, QueryArrayCommas: api.ListCommas,
}

// WithCallHook adds a hook for all calls. The first begins first, ends last.
func WithCallHook(hook CallHook) ClientOption {
	return clientOption{notNil("call hook", hook == nil), func(s *clientSettings) {
		s.observer = wrap(s.observer, hook)
	}}
}

// WithAttemptHook adds a hook for all attempts, in the order of WithCallHook.
func WithAttemptHook(hook AttemptHook) ClientOption {
	return clientOption{notNil("attempt hook", hook == nil), func(s *clientSettings) {
		s.attempts = wrap(s.attempts, hook)
	}}
}
