package rpcfleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// CallOption configures one call.
type CallOption interface {
	applyCall(*callSettings) *ValidationError
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

// callOption sets a value of a call, or returns the error of an invalid one.
type callOption func(*callSettings) *ValidationError

func (o callOption) applyCall(s *callSettings) *ValidationError { return o(s) }

// sharedOption is a callOption that New accepts too.
type sharedOption func(*callSettings) *ValidationError

func (o sharedOption) applyCall(s *callSettings) *ValidationError     { return o(s) }
func (o sharedOption) applyClient(s *clientSettings) *ValidationError { return o(&s.call) }

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
	const base, longest = 500 * time.Millisecond, 8 * time.Second
	return RetryPolicy{MaxAttempts: 4, BaseDelay: base, MaxDelay: longest, MaxRetryAfter: time.Minute, Budget: 500}
}

// WithRetryPolicy replaces the retry policy.
func WithRetryPolicy(policy RetryPolicy) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.retry = policy
		if min(policy.BaseDelay, policy.MaxDelay, policy.MaxRetryAfter) < 0 {
			return &ValidationError{Field: "retry policy", Rule: "must not have negative delays"}
		}
		return atLeast("MaxAttempts", policy.MaxAttempts, 1)
	})
}

// WithoutRetries limits every call to one attempt. A request that the service returned without processing it is sent
// again nevertheless: see [RetryPolicy].
func WithoutRetries() Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.retry.MaxAttempts = 1
		return nil
	})
}

// WithAttemptTimeout limits each attempt, by default to 30 seconds; 0 is none.
func WithAttemptTimeout(timeout time.Duration) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.timeout = timeout
		return atLeast("timeout", timeout, 0)
	})
}

// WithMaxBodySize limits the size of a response body, by default to 64 MiB.
func WithMaxBodySize(bytes int64) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.maxBody = bytes
		return atLeast("maximum body size", bytes, 1)
	})
}

// WithPageSize sets an iterator's page size, if params do not: 100 by default. By offset, the least is 2, since pages
// overlap by one item.
func WithPageSize(items int) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.pageSize = items
		return atLeast("page size", items, 1)
	})
}

// WithPrefetch lets an iterator request up to that many pages, by cursor only one, while the loop works on an earlier
// page. The order is the same. The end of the loop cancels requests and waits for them. Listings without a total,
// [LogsService.Follow] and iterators with [WithResponse] do not prefetch.
func WithPrefetch(pages int) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.prefetch = pages
		return atLeast("pages to prefetch", pages, 0)
	})
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
	return sharedOption(func(s *callSettings) *ValidationError {
		s.skipValidation = true
		return nil
	})
}

// WithResponse stores the raw response in r, of an iterator the latest.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) *ValidationError {
		s.capture = r
		return notNil("response", r == nil)
	})
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
	return sharedOption(func(s *callSettings) *ValidationError {
		var known bool
		s.arrayQuery, known = map[QueryArrayFormat]api.ListStyle{
			QueryArrayRepeat: api.ListRepeated, QueryArrayBrackets: api.ListBrackets, QueryArrayCommas: api.ListCommas,
		}[style]
		if !known {
			const rule = "must be QueryArrayRepeat, QueryArrayBrackets or QueryArrayCommas"
			return &ValidationError{Field: "query array format", Rule: rule, Value: string(style)}
		}
		return nil
	})
}

// WithHeader adds or replaces a header, but none that carries credentials, frames the message or selects another
// operation; [WithUserAgent] sets User-Agent. Its value is redacted in errors and logs, unless it has at most four
// characters or is a request id.
func WithHeader(name, value string) Option {
	return sharedOption(func(s *callSettings) *ValidationError {
		s.setHeader(name, value)
		return checkHeader(name, value)
	})
}

// setHeader sets a header in a copy of the headers.
func (s *callSettings) setHeader(name, value string) {
	header := http.Header{}
	maps.Copy(header, s.header())
	header.Set(name, value)
	s.header = func() http.Header { return header }
}

// WithQueryParam adds or replaces a query parameter, except for paging.
func WithQueryParam(name, value string) CallOption {
	return callOption(func(s *callSettings) *ValidationError {
		s.query = maps.Clone(s.query)
		s.query[name] = append(slices.Clip(s.query[name]), value)
		return required("query parameter", name)
	})
}

// WithBodyField sets a field of the JSON body, not validated; nil is null, which clears a field. If the body is not an
// object, the call is rejected.
func WithBodyField(name string, value any) CallOption {
	text, err := scalar.WithSecrets[any]{Value: value}.MarshalJSON()
	return callOption(func(s *callSettings) *ValidationError {
		if name != "" && err != nil { // The text of err may contain the value.
			rule := fmt.Sprintf("must have a type that can be encoded as JSON: %T cannot", value)
			return &ValidationError{Field: "body field", Rule: rule, Value: name}
		}
		s.fields = maps.Clone(s.fields)
		s.fields[name] = text
		return required("body field", name)
	})
}

// addTo adds the query parameters and body fields of options to a request. They replace fields and parameters of the
// same names.
func (s *callSettings) addTo(request *api.Request) *ValidationError {
	paging := map[string][]string{api.PagingOffset: {"limit", "offset"}, api.PagingCursor: {"limit", "next_at"}}
	for _, name := range paging[request.Operation.Paging] {
		if s.query.Has(name) {
			const rule = "must not be a paging parameter of the listing"
			return &ValidationError{Field: "query parameter", Rule: rule, Value: name}
		}
	}
	request.Query = slices.DeleteFunc(request.Query, func(p api.QueryParameter) bool {
		return s.query.Has(p.Name) || p.List && s.query.Has(p.Name+"[]")
	})
	request.Query = append(request.Query, api.QueryOf(s.query)...)
	if len(s.fields) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	var reason string
	body, _ := scalar.WithSecrets[any]{Value: request.Body}.MarshalJSON() // If it fails, the body is empty.
	switch {
	case request.Body == nil:
		reason = "the call has no body"
	case request.Operation.Area == api.AreaGraph:
		reason = "a GraphQL request has a query and variables only"
	case json.Unmarshal(body, &fields) != nil || fields == nil:
		reason = "the body is not a JSON object"
	default:
		maps.Copy(fields, s.fields)
		request.Body = fields
		return nil
	}
	return &ValidationError{Field: "body field", Rule: "must not be set: " + reason,
		Value: slices.Min(slices.Collect(maps.Keys(s.fields)))}
}

// reservedHeaders are the headers that WithHeader rejects, and all that begin with Proxy: they carry credentials or
// addresses, frame the message, or select another operation.
var reservedHeaders = strings.Fields(`
	Authorization X-Api-Key Cookie Cookie2 Set-Cookie Referer User-Agent
	Host Content-Length Content-Encoding Content-Range Transfer-Encoding Accept-Encoding Te Trailer Connection Keep-Alive
	Upgrade Http2-Settings Expect Range If-Range
	X-Http-Method-Override X-Http-Method X-Method-Override X-Original-Url X-Original-Uri X-Rewrite-Url X-Rewrite-Uri`)

var (
	headerName      = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	notAlphanumeric = regexp.MustCompile(`[^A-Za-z0-9]`)
)

// checkHeader checks a caller's header. The error does not contain the value.
func checkHeader(name, value string) *ValidationError {
	if !headerName.MatchString(name) {
		return &ValidationError{Field: "header", Rule: "must have a valid name"}
	}
	// A server behind a CGI-style gateway cannot distinguish the other characters from hyphens.
	meant := http.CanonicalHeaderKey(notAlphanumeric.ReplaceAllString(name, "-"))
	mediaType, _, _ := mime.ParseMediaType(value)
	var rule string
	switch {
	case slices.Contains(reservedHeaders, meant), strings.HasPrefix(meant, "Proxy-"):
		rule = "is reserved: it frames or reroutes the message, shows an address, or is set by WithAPIKey, WithBearerToken " +
			"or WithUserAgent"
	case !printableASCII(value):
		rule = "must have a value of printable ASCII"
	case strings.TrimSpace(value) != value:
		rule = "must have a value without spaces around it"
	case (meant == "Content-Type" || meant == "Accept") &&
		mediaType != "application/json" && !strings.HasSuffix(mediaType, "+json"):
		rule = "must be a JSON media type: bodies are JSON"
	default:
		return nil
	}
	return &ValidationError{Field: "header " + http.CanonicalHeaderKey(name), Rule: rule}
}
