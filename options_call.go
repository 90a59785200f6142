package rpcfleet

import (
	"context"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// CallOption configures one call.
type CallOption interface {
	applyCall(*callSettings) error
}

// Option configures one call, or, as an option of New, every call of the client.
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
	// networks are the accepted networks in addition to the documented ones.
	networks []alerts.AlertNetwork
	capture  *Response
	// extras are the additions of options to the requests, or nil.
	extras *extras
	drift  func(context.Context, Drift)
}

// sharedOption sets a value, or fails if the value is invalid.
type sharedOption struct {
	broken *ValidationError
	set    func(*callSettings)
}

func (o sharedOption) applyClient(s *clientSettings) error { return o.applyCall(&s.call) }

func (o sharedOption) applyCall(s *callSettings) error {
	if o.broken != nil {
		return o.broken
	}
	o.set(s)
	return nil
}

// callOption is a sharedOption that New does not accept.
type callOption struct{ shared sharedOption }

func (o callOption) applyCall(s *callSettings) error { return o.shared.applyCall(s) }

// RetryPolicy controls how many times and how long a call is retried. Which failures are retried is fixed, for safety;
// see the package documentation.
type RetryPolicy struct {
	// MaxAttempts is the maximum number of attempts, including the first. 1 turns retries off. If the service returns an
	// attempt unprocessed, as it may when it closes an HTTP/2 connection, one such attempt is retried beyond this number.
	MaxAttempts int
	// BaseDelay and MaxDelay bound the backoff: the wait before attempt n+1 is drawn evenly from zero to
	// BaseDelay*2^(n-1), at most MaxDelay.
	BaseDelay time.Duration
	MaxDelay  time.Duration
	// MaxRetryAfter is the longest Retry-After to wait for. If Retry-After is longer, the call ends at once with an
	// [*Error] that contains it.
	MaxRetryAfter time.Duration
	// Budget is the capacity of the retry budget that all calls of a client share, so that many calls do not multiply the
	// load on a service that is down. It starts full. A retry costs 5, or 10 after a timeout or a lost connection. A
	// successful call refunds the cost of its last retry, or 1 if its first attempt succeeded, up to the capacity. If the
	// budget is too low for a retry, the call ends with its failure, and the error mentions the budget. Zero means 500, a
	// negative number no budget.
	//
	// The budget is created once, from the client's policy. In the policy of a single call, a negative number exempts the
	// call from the budget, and any other value has no effect.
	Budget int
}

// DefaultRetryPolicy returns the default policy of a client: four attempts, backoff from half a second to eight
// seconds, Retry-After up to a minute, a retry budget of 500.
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
	broken := atLeast("MaxAttempts", policy.MaxAttempts, 1)
	if broken == nil && min(policy.BaseDelay, policy.MaxDelay, policy.MaxRetryAfter) < 0 {
		broken = &ValidationError{Field: "retry policy", Rule: "must not have negative delays"}
	}
	return sharedOption{broken, func(s *callSettings) { s.retry = policy }}
}

// WithoutRetries limits every call to one attempt. See [RetryPolicy.MaxAttempts] for the one exception.
func WithoutRetries() Option {
	return sharedOption{nil, func(s *callSettings) { s.retry.MaxAttempts = 1 }}
}

// WithAttemptTimeout sets the time limit of one attempt, from sending to the end of the response. The default is 30
// seconds; 0 means no limit. The context of a call limits all its attempts together.
func WithAttemptTimeout(timeout time.Duration) Option {
	return sharedOption{atLeast("timeout", timeout, 0), func(s *callSettings) { s.timeout = timeout }}
}

// WithMaxBodySize sets the maximum size of a response body, in bytes. The default is 64 MiB. If a body is larger, the
// error is a [*DecodeError] with [ReasonTooLarge].
func WithMaxBodySize(bytes int64) Option {
	return sharedOption{atLeast("maximum body size", bytes, 1), func(s *callSettings) { s.maxBody = bytes }}
}

// WithPageSize sets the page size of an iterator if its parameters contain no limit. The default is 100. For logs it is
// at most 100, the documented maximum (observed). The service may return fewer items.
func WithPageSize(items int) Option {
	return sharedOption{atLeast("page size", items, 1), func(s *callSettings) { s.pageSize = items }}
}

// WithPrefetch lets an iterator request pages in advance while the loop works on an earlier page. The items come in the
// same order as without it, each once. A break, or any other end of the loop, cancels pending requests and waits for
// them.
//
// If a listing by offset has a total, as the endpoints do, up to that many pages are requested at the same time, once
// the first page has given the total. At most that many pages are kept, besides the page of the loop. In a listing by
// cursor, such as logs and listings of the graph area, only one page is requested in advance, because each page leads
// only to the next. Listings without a total and [LogsService.Follow] do not prefetch.
//
// It is off by default, because unread pages would be fetched for nothing, and while [WithResponse] is in use, because
// the captured response would not be the loop's.
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

// WithoutValidation disables client-side validation, in case the service's rules have changed. Values that would lead
// to another operation, such as an empty id, are still rejected.
func WithoutValidation() Option {
	return sharedOption{nil, func(s *callSettings) { s.skipValidation = true }}
}

// WithExtraNetworks lets notifications and expressions use networks that are newer than this version, in addition to
// the 14 documented ones. Each network must be listed, so that a misspelled network is still rejected before it is
// sent.
//
//	rpcfleet.WithExtraNetworks("example-mainnet")
func WithExtraNetworks(networks ...alerts.AlertNetwork) Option {
	networks = slices.Clone(networks)
	broken := errorOf(api.Filled("unlisted networks", networks))
	if len(networks) == 0 {
		broken = &ValidationError{Field: "unlisted networks", Rule: "must have at least one item"}
	}
	return sharedOption{broken, func(s *callSettings) { s.networks = slices.Concat(s.networks, networks) }}
}

// WithResponse stores the raw response of the call in r, even if the call fails: status, headers, body, attempts and
// rate-limit state. An iterator stores the response of its latest page.
func WithResponse(r *Response) CallOption {
	return callOption{sharedOption{notNil("response to capture into", r == nil), func(s *callSettings) { s.capture = r }}}
}

// QueryArrayFormat is a format of arrays in the query of a request. The contract does not define one.
type QueryArrayFormat string

// The formats of arrays in queries. The service's own clients differ.
const (
	// QueryArrayRepeat repeats the name: networks=a&networks=b. It is the default of OpenAPI and of this library.
	QueryArrayRepeat QueryArrayFormat = "repeated"
	// QueryArrayBrackets appends brackets to the name: networks[]=a&networks[]=b, with the brackets percent-encoded as the
	// URL standard requires.
	QueryArrayBrackets QueryArrayFormat = "brackets"
	// QueryArrayCommas joins the values with commas: networks=a,b. A comma within a value is percent-encoded, but a
	// service may still read it as a separator.
	QueryArrayCommas QueryArrayFormat = "commas"
)

// WithQueryArrayFormat sets the format of the array filters of [EndpointsService.List], Pages and All. The default is
// [QueryArrayRepeat]. A service that expects another format may ignore such a filter and list everything.
func WithQueryArrayFormat(style QueryArrayFormat) Option {
	known, found := arrayStyles[style]
	var broken *ValidationError
	if !found {
		const rule = "must be QueryArrayRepeat, QueryArrayBrackets or QueryArrayCommas"
		broken = &ValidationError{Field: "array query", Rule: rule, Value: string(style)}
	}
	return sharedOption{broken, func(s *callSettings) { s.arrayQuery = known }}
}

// arrayStyles maps the formats to package api's styles.
var arrayStyles = map[QueryArrayFormat]api.ListStyle{
	QueryArrayRepeat: api.ListRepeated, QueryArrayBrackets: api.ListBrackets, QueryArrayCommas: api.ListCommas,
}

// WithCallHook adds a hook for all calls of the client. If several are given, all are called: the first is the
// outermost. It begins first and ends last, and each begins in the context returned by the one before it. A nil hook is
// an error.
func WithCallHook(observer CallHook) ClientOption {
	return clientOption{notNil("observer", observer == nil), func(s *clientSettings) {
		s.observer = around(s.observer, observer)
	}}
}

// WithAttemptHook adds a hook for all attempts of the client. If several are given, all are called, in the order of
// [WithCallHook]. A nil hook is an error. Without a hook, attempts have no extra cost.
func WithAttemptHook(observer AttemptHook) ClientOption {
	return clientOption{notNil("attempt observer", observer == nil), func(s *clientSettings) {
		s.attempts = around(s.attempts, observer)
	}}
}

// WithDriftHandler sets a function that is called for each deviation of a response from the contract. As an option of
// New it applies to every call of the client. By default responses are not checked; decoding is lenient and fails only
// on values it cannot read. With a handler, such a value is left out of its record, which keeps it in its Extra, and
// the rest of the response is decoded; an id, a listing and a value outside of a record still fail the call.
//
// The function is called before the method returns, once for each drift of the last attempt's response, and
// concurrently if the client is used concurrently. Responses with an error status are checked too, unless the body is
// not JSON.
//
// A response of the graph area is compared with the schema and with the method's query; a null that an error of the
// response explains is ignored. If the query is your own, by [graph.Query] or the [GraphService] as a graphql.Client,
// the data is unknown: only its status and the parts around the data are checked, and no value is left out. Records of
// the graph area have their Extra filled only with this option.
func WithDriftHandler(report func(ctx context.Context, drift Drift)) Option {
	return sharedOption{notNil("drift function", report == nil), func(s *callSettings) { s.drift = report }}
}
