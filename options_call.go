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

// SharedOption configures one call, or as an option of New every call of the client.
type SharedOption interface {
	Option
	CallOption
}

type callSettings struct {
	timeout        time.Duration
	retry          RetryPolicy
	maxBody        int64
	pageSize       int
	prefetch       int
	arrayQuery     ArrayQuery
	skipValidation bool
	// networks are those beyond the documented ones that expressions may be sent for.
	networks []alerts.AlertNetwork
	capture  *Response
	// extras are what options add to the requests, or nil.
	extras *extras
	drift  func(context.Context, Drift)
}

type sharedOption func(*callSettings) error

func (o sharedOption) applyClient(s *clientSettings) error { return o(&s.call) }
func (o sharedOption) applyCall(s *callSettings) error     { return o(s) }

type callOption func(*callSettings) error

func (o callOption) applyCall(s *callSettings) error { return o(s) }

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
	Quota int
}

// DefaultRetryPolicy returns the policy of a client that is given none: four attempts, backoff from half a second to
// eight seconds, Retry-After up to a minute, a retry quota of 500.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{
		MaxAttempts:   4,
		BaseDelay:     500 * time.Millisecond,
		MaxDelay:      8 * time.Second,
		MaxRetryAfter: time.Minute,
		Quota:         500,
	}
}

// WithRetryPolicy replaces the retry policy.
func WithRetryPolicy(policy RetryPolicy) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if policy.MaxAttempts < 1 {
			return &ValidationError{Field: "MaxAttempts", Rule: "must be at least 1", Value: policy.MaxAttempts}
		}
		if policy.BaseDelay < 0 || policy.MaxDelay < 0 || policy.MaxRetryAfter < 0 {
			return &ValidationError{Field: "retry policy", Rule: "must not have negative delays"}
		}
		s.retry = policy
		return nil
	})
}

// WithoutRetries makes every call one attempt. See [RetryPolicy.MaxAttempts] for the one exception.
func WithoutRetries() SharedOption {
	return sharedOption(func(s *callSettings) error {
		s.retry.MaxAttempts = 1
		return nil
	})
}

// WithTimeout bounds one attempt, from sending to the end of the response; 30 seconds by default, 0 for no bound. The
// context of a call bounds all of its attempts together.
func WithTimeout(timeout time.Duration) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if timeout < 0 {
			return &ValidationError{Field: "timeout", Rule: "must not be negative", Value: timeout}
		}
		s.timeout = timeout
		return nil
	})
}

// WithMaxBodySize sets the size of the largest response that is read, in bytes; 64 MiB by default. A larger one is a
// [*DecodeError] with [ReasonTooLarge].
func WithMaxBodySize(bytes int64) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if bytes < 1 {
			return &ValidationError{Field: "maximum body size", Rule: "must be at least 1", Value: bytes}
		}
		s.maxBody = bytes
		return nil
	})
}

// WithPageSize sets how many items an iterator asks for at a time where its parameters give no limit; 100 by default.
// Logs are asked for at most 100 at a time, which is the most that the service documents for them (observed). The
// service may send fewer.
func WithPageSize(items int) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if items < 1 {
			return &ValidationError{Field: "page size", Rule: "must be at least 1", Value: items}
		}
		s.pageSize = items
		return nil
	})
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
// [CaptureResponse] is in use, since a response to capture would not be the loop's.
func WithPrefetch(pages int) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if pages < 0 {
			return &ValidationError{Field: "pages to prefetch", Rule: "must not be negative", Value: pages}
		}
		s.prefetch = pages
		return nil
	})
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
func WithoutValidation() SharedOption {
	return sharedOption(func(s *callSettings) error {
		s.skipValidation = true
		return nil
	})
}

// WithUnlistedNetworks lets notifications and expressions name networks that are newer than this version, beside the
// 14 documented ones. It names each of them, so that a misspelled network is still refused before it is sent.
//
//	rpcfleet.WithUnlistedNetworks("example-mainnet")
func WithUnlistedNetworks(networks ...alerts.AlertNetwork) SharedOption {
	networks = slices.Clone(networks)
	return sharedOption(func(s *callSettings) error {
		if len(networks) == 0 {
			return &ValidationError{Field: "unlisted networks", Rule: "must have at least one item"}
		}
		if broken := api.Filled("unlisted networks", networks); broken != nil {
			return errorOf(broken)
		}
		s.networks = slices.Concat(s.networks, networks)
		return nil
	})
}

// CaptureResponse stores the raw response of the call in r, also when the call fails: status, headers, body, attempts,
// rate-limit state. An iterator stores the response of its latest page.
func CaptureResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return &ValidationError{Field: "response to capture into", Rule: "must not be nil"}
		}
		s.capture = r
		return nil
	})
}

func errNilOption() error { return &ValidationError{Field: "option", Rule: "must not be nil"} }

// ArrayQuery is a style of writing an array into the query of a request. The contract states none.
type ArrayQuery string

// The styles of arrays in queries. The service's own clients disagree about them.
const (
	// ArrayQueryRepeated repeats the name: networks=a&networks=b. It is OpenAPI's default, and that of this library.
	ArrayQueryRepeated ArrayQuery = "repeated"
	// ArrayQueryBrackets puts brackets behind the name: networks[]=a&networks[]=b, with the brackets percent-encoded as
	// the standard for addresses wants them.
	ArrayQueryBrackets ArrayQuery = "brackets"
	// ArrayQueryCommas joins the values with commas: networks=a,b. A comma within a value is percent-encoded, which a
	// service may still take for one between two values.
	ArrayQueryCommas ArrayQuery = "commas"
)

// WithArrayQuery sets how the array filters of [EndpointsService.List], Pages and All are written: [ArrayQueryRepeated]
// unless set. A service that expects another style may take such a filter for absent and list everything.
func WithArrayQuery(style ArrayQuery) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if style != ArrayQueryRepeated && style != ArrayQueryBrackets && style != ArrayQueryCommas {
			return &ValidationError{
				Field: "array query", Rule: "must be ArrayQueryRepeated, ArrayQueryBrackets or ArrayQueryCommas", Value: string(style),
			}
		}
		s.arrayQuery = style
		return nil
	})
}

// style is the style as the wire layer knows it. Unless set, it is ArrayQueryRepeated.
func (a ArrayQuery) style() api.ListStyle {
	switch a {
	case ArrayQueryBrackets:
		return api.ListBrackets
	case ArrayQueryCommas:
		return api.ListCommas
	}
	return api.ListRepeated
}

// WithObserver adds an observer of all calls of the client. Given several times, all are told: the first is the
// outermost, which is told of the beginning first and of the end last, and each begins in the context that the one
// before it returned. A nil observer is refused.
func WithObserver(observer Observer) Option {
	return clientOption(func(s *clientSettings) error {
		if observer == nil {
			return &ValidationError{Field: "observer", Rule: "must not be nil"}
		}
		s.observer = s.observer.around(observer)
		return nil
	})
}

// WithAttemptObserver adds an observer of all attempts of the client. Given several times, all are told, in the order of
// [WithObserver]. A nil observer is refused. Without one, attempts cost nothing more.
func WithAttemptObserver(observer AttemptObserver) Option {
	return clientOption(func(s *clientSettings) error {
		if observer == nil {
			return &ValidationError{Field: "attempt observer", Rule: "must not be nil"}
		}
		s.attempts = s.attempts.around(observer)
		return nil
	})
}

// WithDrift has a function told of every way in which responses stray from the contract, as an option of New those of
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
func WithDrift(report func(ctx context.Context, drift Drift)) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if report == nil {
			return &ValidationError{Field: "drift function", Rule: "must not be nil"}
		}
		s.drift = report
		return nil
	})
}
