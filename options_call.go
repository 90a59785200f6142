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

// Option configures one call, or as an option of New every call of the client.
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
	// networks are those beyond the documented ones that expressions may be sent for.
	networks []alerts.AlertNetwork
	capture  *Response
	// extras are what options add to the requests, or nil.
	extras *extras
	drift  func(context.Context, Drift)
}

// sharedOption sets something, unless its value breaks a rule.
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

// callOption is a sharedOption that is none of New.
type callOption struct{ shared sharedOption }

func (o callOption) applyCall(s *callSettings) error { return o.shared.applyCall(s) }

// RetryPolicy says how often and how patiently a call is attempted. Which failures are tried again is not a matter of
// policy but of safety, and is described in the package comment.
type RetryPolicy struct {
	// MaxAttempts is the number of attempts at most, the first included. 1 turns retries off. One attempt that the
	// service has returned without looking at it, as it may when it closes an HTTP/2 connection, is made up for beyond
	// this number.
	MaxAttempts int
	// BaseDelay and MaxDelay bound the backoff: the wait before attempt n+1 is drawn evenly from zero to
	// BaseDelay*2^(n-1), at most MaxDelay.
	BaseDelay time.Duration
	MaxDelay  time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for. A longer one ends the call at once, with an
	// [*Error] that carries it.
	MaxRetryAfter time.Duration
	// Quota is the capacity of the retry quota, a budget that all calls of a client share, so that many of them do not
	// multiply the load of a service that is down. It begins full. A retry takes 5 from it, or 10 after a timeout or a
	// lost connection; a call that succeeds puts back what its last retry took, or 1 where its first attempt succeeded,
	// up to the capacity. Where not enough is left, the call ends with the failure that it has, and its error says so.
	// Zero means 500, a negative number no quota.
	//
	// The quota is made once, from the policy of the client. In the policy of a single call, a negative number exempts
	// the call from it, and any other changes nothing.
	Budget int
}

// DefaultRetryPolicy returns the policy of a client that is given none: four attempts, backoff from half a second to
// eight seconds, Retry-After up to a minute, a retry quota of 500.
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

// WithoutRetries makes every call one attempt. See [RetryPolicy.MaxAttempts] for the one exception.
func WithoutRetries() Option {
	return sharedOption{nil, func(s *callSettings) { s.retry.MaxAttempts = 1 }}
}

// WithAttemptTimeout bounds one attempt, from sending to the end of the response; 30 seconds by default, 0 for no bound. The
// context of a call bounds all of its attempts together.
func WithAttemptTimeout(timeout time.Duration) Option {
	return sharedOption{atLeast("timeout", timeout, 0), func(s *callSettings) { s.timeout = timeout }}
}

// WithMaxBodySize sets the size of the largest response that is read, in bytes; 64 MiB by default. A larger one is a
// [*DecodeError] with [ReasonTooLarge].
func WithMaxBodySize(bytes int64) Option {
	return sharedOption{atLeast("maximum body size", bytes, 1), func(s *callSettings) { s.maxBody = bytes }}
}

// WithPageSize sets how many items an iterator asks for at a time where its parameters give no limit; 100 by default.
// Logs are asked for at most 100 at a time, which is the most that the service documents for them (observed). The
// service may send fewer.
func WithPageSize(items int) Option {
	return sharedOption{atLeast("page size", items, 1), func(s *callSettings) { s.pageSize = items }}
}

// WithPrefetch lets an iterator ask for pages in advance while the loop works on an earlier one. The items come in the
// same order as without it, each once. A break, like any other end of the loop, ends what is under way and waits for
// it.
//
// Of a listing by offset with a total, such as the endpoints, that many pages are asked for at the same time, from the
// first page on, which tells the total. As many pages at most are kept, beyond the one that the loop works on. Of a
// listing by cursor, such as logs and those of the graph area, it is one page, whatever the number, because each page
// leads to the next only. Listings without a total and [LogsService.Follow] are read page by page all the same.
//
// It is off by default, since pages that a loop never reaches are asked for in vain, and while
// [WithResponse] is in use, since a response to capture would not be the loop's.
func WithPrefetch(pages int) Option {
	return sharedOption{atLeast("pages to prefetch", pages, 0), func(s *callSettings) { s.prefetch = pages }}
}

// pagesAhead is the number of pages that an iterator may fetch in advance.
func (s *callSettings) pagesAhead() int {
	if s.capture != nil {
		return 0
	}
	return s.prefetch
}

// WithoutValidation sends arguments that break the contract's rules, for a service that has moved on. Values that
// would lead to another operation, such as an empty id, are refused all the same.
func WithoutValidation() Option {
	return sharedOption{nil, func(s *callSettings) { s.skipValidation = true }}
}

// WithExtraNetworks lets notifications and expressions name networks that are newer than this version, beside the
// 14 documented ones. It names each of them, so that a misspelled network is still refused before it is sent.
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

// WithResponse stores the raw response of the call in r, also when the call fails: status, headers, body, attempts,
// rate-limit state. An iterator stores the response of its latest page.
func WithResponse(r *Response) CallOption {
	return callOption{sharedOption{notNil("response to capture into", r == nil), func(s *callSettings) { s.capture = r }}}
}

// QueryArrayFormat is a style of writing an array into the query of a request. The contract states none.
type QueryArrayFormat string

// The styles of arrays in queries. The service's own clients disagree about them.
const (
	// QueryArrayRepeat repeats the name: networks=a&networks=b. It is OpenAPI's default, and that of this library.
	QueryArrayRepeat QueryArrayFormat = "repeated"
	// QueryArrayBrackets puts brackets behind the name: networks[]=a&networks[]=b, with the brackets percent-encoded as
	// the standard for addresses wants them.
	QueryArrayBrackets QueryArrayFormat = "brackets"
	// QueryArrayCommas joins the values with commas: networks=a,b. A comma within a value is percent-encoded, which a
	// service may still take for one between two values.
	QueryArrayCommas QueryArrayFormat = "commas"
)

// WithQueryArrayFormat sets how the array filters of [EndpointsService.List], Pages and All are written: [QueryArrayRepeat]
// unless set. A service that expects another style may take such a filter for absent and list everything.
func WithQueryArrayFormat(style QueryArrayFormat) Option {
	known, found := arrayStyles[style]
	var broken *ValidationError
	if !found {
		const rule = "must be QueryArrayRepeat, QueryArrayBrackets or QueryArrayCommas"
		broken = &ValidationError{Field: "array query", Rule: rule, Value: string(style)}
	}
	return sharedOption{broken, func(s *callSettings) { s.arrayQuery = known }}
}

// arrayStyles are the styles as package api knows them.
var arrayStyles = map[QueryArrayFormat]api.ListStyle{
	QueryArrayRepeat: api.ListRepeated, QueryArrayBrackets: api.ListBrackets, QueryArrayCommas: api.ListCommas,
}

// WithCallHook adds an observer of all calls of the client. Given several times, all are told: the first is the
// outermost, which is told of the beginning first and of the end last, and each begins in the context that the one
// before it returned. A nil observer is refused.
func WithCallHook(observer CallHook) ClientOption {
	return clientOption{notNil("observer", observer == nil), func(s *clientSettings) {
		s.observer = s.observer.around(observer)
	}}
}

// WithAttemptHook adds an observer of all attempts of the client. Given several times, all are told, in the order
// of [WithCallHook]. A nil observer is refused. Without one, attempts cost nothing more.
func WithAttemptHook(observer AttemptHook) ClientOption {
	return clientOption{notNil("attempt observer", observer == nil), func(s *clientSettings) {
		s.attempts = s.attempts.around(observer)
	}}
}

// WithDriftHandler has a function told of every way in which responses stray from the contract, as an option of New those of
// every call of the client. Without it nobody looks: reading is liberal, and fails for a value that it cannot read.
// With it, such a value is left out of its record, which keeps it in its Extra, and the rest of the response is read;
// an id, a listing, and what is in no record still fail the call.
//
// The function is called before the method returns, once for each drift of the last attempt's response, and from as
// many goroutines as the client is used on. Responses with an error status are looked at too; a body that is no JSON is
// not.
//
// A response of the graph area is held against the schema and against what the method's query asks for, a null that an
// error of the response is about apart. Of the data in a response to a query of the caller's own, by [graph.Query] or
// the [GraphService] as a graphql.Client, nothing is known: only its status and what is around the data are looked at,
// and no value is left out. Records of the graph area have their Extra filled only with this option.
func WithDriftHandler(report func(ctx context.Context, drift Drift)) Option {
	return sharedOption{notNil("drift function", report == nil), func(s *callSettings) { s.drift = report }}
}
