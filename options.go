package rpcfleet

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Version is the version of this package in the User-Agent header.
const Version = "0.1.0"

// ClientOption configures a client.
type ClientOption interface {
	applyClient(*clientSettings) *ValidationError
}

// CallOption configures one call.
type CallOption interface {
	applyCall(*callSettings) *ValidationError
}

// Option configures one call or, as an option of New, all calls.
type Option interface {
	ClientOption
	CallOption
}

type clientSettings struct {
	baseURL      string
	baseURLName  string // The names of base URL and key in errors.
	keyName      string
	paths        map[string]string // The paths of the areas that have one.
	insecureHTTP bool
	fixed        Credentials // They replace a source if they have a key.
	credentials  func(context.Context) (apiKey, bearerToken scalar.Secret, err error)
	httpClient   *http.Client
	wait         func(context.Context) error // Of the pacer, or nil.
	logger       *slog.Logger
	dump         io.Writer
	observer     CallHook
	attempts     AttemptHook
	agentSuffix  string
	call         callSettings
}

type callSettings struct {
	timeout        time.Duration
	retry          RetryPolicy
	maxBody        int64
	pageSize       int
	prefetch       int
	progress       func(done, total int)
	skipValidation bool
	newToken       bool
	capture        *Response
	once           *journal // Of a create with WithCreateOnce, or nil.
	// header and query are added to the requests. They are shared between calls and never changed.
	header func() http.Header // Nil, or a function, so that a dumper that follows pointers cannot reach the values.
	query  url.Values
}

func defaultSettings() clientSettings {
	return clientSettings{
		baseURLName: "base URL",
		keyName:     "API key",
		paths:       maps.Clone(api.Prefixes),
		call: callSettings{
			timeout:  30 * time.Second,
			retry:    DefaultRetryPolicy(),
			maxBody:  64 << 20,
			pageSize: 100,
			progress: func(int, int) {},
			query:    url.Values{},
		},
	}
}

// clientOption is an option of New: the error of its value, or how it is set.
type clientOption struct {
	invalid *ValidationError
	set     func(*clientSettings)
}

func (o clientOption) applyClient(s *clientSettings) *ValidationError {
	if o.invalid == nil {
		o.set(s)
	}
	return o.invalid
}

// callOption is an option of a call. New accepts it too if its constructor returns an Option.
type callOption struct {
	invalid *ValidationError
	set     func(*callSettings)
}

func (o callOption) applyCall(s *callSettings) *ValidationError {
	if o.invalid == nil {
		o.set(s)
	}
	return o.invalid
}

func (o callOption) applyClient(s *clientSettings) *ValidationError { return o.applyCall(&s.call) }

// WithBaseURL sets the base URL: https, or http on a loopback address.
func WithBaseURL(address string) ClientOption {
	return clientOption{nil, func(s *clientSettings) { // New checks it when all options are known.
		s.baseURL, s.baseURLName = address, "base URL"
	}}
}

// WithInsecureHTTP allows plain http, which shows the key to the network.
func WithInsecureHTTP() ClientOption {
	return clientOption{nil, func(s *clientSettings) { s.insecureHTTP = true }}
}

// Credentials identify the caller: a key, a token, or both.
type Credentials struct {
	APIKey      scalar.Secret // APIKey is sent as x-api-key with every operation.
	BearerToken scalar.Secret // BearerToken is sent with the team operations too; without a key, with every operation.
}

// WithAPIKey sets the account's API key.
func WithAPIKey(key string) ClientOption {
	return clientOption{headerSafe("API key", key), func(s *clientSettings) { s.fixed.APIKey = scalar.NewSecret(key) }}
}

// WithBearerToken sets the token that team operations send as well, as "Authorization: Bearer". Without an API key,
// every operation sends it (assumed). [WithCredentialSource] replaces it.
func WithBearerToken(token string) ClientOption {
	return clientOption{headerSafe("bearer token", token), func(s *clientSettings) {
		s.fixed.BearerToken = scalar.NewSecret(token)
	}}
}

// WithCredentialSource sets a source in place of fixed credentials. It is called before every attempt, concurrently:
// answer from memory. Its error ends the call.
func WithCredentialSource(source func(context.Context) (Credentials, error)) ClientOption {
	return clientOption{notNil("credential source", source == nil), func(s *clientSettings) {
		s.fixed = Credentials{} // A later WithBearerToken must not restore the replaced key.
		s.credentials = func(ctx context.Context) (scalar.Secret, scalar.Secret, error) {
			credentials, err := source(ctx)
			if violation := credentials.validate(); err == nil && violation != nil {
				err = violation
			}
			return credentials.APIKey, credentials.BearerToken, err
		}
	}}
}

func (c Credentials) validate() *ValidationError {
	var violation *ValidationError
	if !c.APIKey.IsZero() || c.BearerToken.IsZero() {
		violation = headerSafe("API key", c.APIKey.Reveal())
	}
	if violation == nil && !c.BearerToken.IsZero() {
		violation = headerSafe("bearer token", c.BearerToken.Reveal())
	}
	return violation
}

// WithQuickNode sets QuickNode's base URL and alerts path (observed).
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.paths[api.AreaAlerts] = "https://api.quicknode.com", "/quickalerts/rest/v1"
	}}
}

// WithAreaPath sets the path of the area "alerts", "webhooks", "keyvalue" or "streams", by default "/alerts/rest/v1",
// "/webhooks/rest/v1", "/kv/rest/v1" or "/streams/rest/v1".
func WithAreaPath(area, prefix string) ClientOption {
	plain := strings.TrimSuffix(prefix, "/")
	var violation *ValidationError
	switch {
	case api.Prefixes[area] == "":
		violation = &ValidationError{Field: "area", Rule: "must be one with a path", Value: redactArg(area)}
	case !path.IsAbs(plain) || path.Clean(plain) != plain || strings.ContainsAny(prefix, "?#%\\ "):
		violation = &ValidationError{Field: area + " path", Rule: "must be a plain absolute path", Value: redactArg(prefix)}
	}
	return clientOption{violation, func(s *clientSettings) { s.paths[area] = plain }}
}

// WithHTTPClient sets the HTTP client, for its connections, cookie jar and timeout, but not its redirect policy. Of an
// [*http.Transport] the library uses the settings except limits of connections, in its own pool, because http.Transport
// retries some requests. Any other [http.RoundTripper] is used unchanged: the library cannot know whether it sent a
// failed create.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption{notNil("HTTP client", client == nil), func(s *clientSettings) { s.httpClient = client }}
}

// WithLogger sets the logger. It gets a debug record for each attempt, and a warning if a retryable call fails, or once
// for each operation with the response header Deprecation or Sunset, without credentials, addresses or bodies.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption{notNil("logger", logger == nil), func(s *clientSettings) { s.logger = logger }}
}

// WithDump writes every request and response to w, for debugging: lines and headers as they were sent and received, and
// each body on one line of at most 64 KiB, uncompressed. Secrets are redacted as in errors, but bodies contain the
// account's data. Each exchange is one Write, also if clients share w.
func WithDump(w io.Writer) ClientOption {
	return clientOption{notNil("dump", w == nil), func(s *clientSettings) { s.dump = w }}
}

// WithUserAgent appends a suffix such as "fleetctl/1.4" to the User-Agent.
func WithUserAgent(suffix string) ClientOption {
	var violation *ValidationError
	if !printableASCII(suffix) {
		violation = &ValidationError{Field: "user agent", Rule: "must be printable ASCII", Value: redactArg(suffix)}
	}
	return clientOption{violation, func(s *clientSettings) { s.agentSuffix = strings.TrimSpace(suffix) }}
}

// WithCallHook adds a hook for all calls. The first begins first, ends last.
func WithCallHook(hook CallHook) ClientOption {
	return clientOption{notNil("call hook", hook == nil), func(s *clientSettings) { s.observer = wrap(s.observer, hook) }}
}

// WithAttemptHook adds a hook for all attempts, in the order of WithCallHook.
func WithAttemptHook(hook AttemptHook) ClientOption {
	return clientOption{notNil("attempt hook", hook == nil), func(s *clientSettings) {
		s.attempts = wrap(s.attempts, hook)
	}}
}

// RetryPolicy limits retries. Which failures are retried is fixed.
type RetryPolicy struct {
	MaxAttempts   int           // MaxAttempts includes the first. One that the service returned unprocessed may exceed it.
	BaseDelay     time.Duration // The wait before attempt n+1 is random, from zero to BaseDelay*2^(n-1),
	MaxDelay      time.Duration // but at most MaxDelay.
	MaxRetryAfter time.Duration // If Retry-After is longer, or ends after the context's deadline, the call ends.
	// Budget is the capacity of the retry budget that all calls of a client share. A retry costs 5, or 10 after a
	// timeout or a lost connection. A success refunds the last retry, or 1. Zero means 500, a negative number no
	// budget. It keeps a fleet from amplifying an outage. For a single call, only a negative number has an effect.
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
	violation := atLeast("MaxAttempts", policy.MaxAttempts, 1)
	if min(policy.BaseDelay, policy.MaxDelay, policy.MaxRetryAfter) < 0 {
		violation = &ValidationError{Field: "retry policy", Rule: "must not have negative delays"}
	}
	return callOption{violation, func(s *callSettings) { s.retry = policy }}
}

// WithoutRetries limits every call to one attempt. A request that the service returned without processing it is sent
// again nevertheless: see [RetryPolicy].
func WithoutRetries() Option {
	return callOption{nil, func(s *callSettings) { s.retry.MaxAttempts = 1 }}
}

// WithAttemptTimeout limits each attempt, by default to 30 seconds. Zero means no limit.
func WithAttemptTimeout(timeout time.Duration) Option {
	return callOption{atLeast("timeout", timeout, 0), func(s *callSettings) { s.timeout = timeout }}
}

// WithMaxBodySize limits the size of a response body, by default to 64 MiB.
func WithMaxBodySize(bytes int64) Option {
	return callOption{atLeast("maximum body size", bytes, 1), func(s *callSettings) { s.maxBody = bytes }}
}

// WithPageSize sets an iterator's page size, if params do not: 100 by default. By offset, the least is 2, since pages
// overlap by one item.
func WithPageSize(items int) Option {
	return callOption{atLeast("page size", items, 1), func(s *callSettings) { s.pageSize = items }}
}

// WithPrefetch lets an iterator request up to that many pages, by cursor only one, while the loop works on an earlier
// page. The order is the same. The end of the loop cancels requests and waits for them. Listings without a total,
// [LogsService.Follow] and iterators with [WithResponse] do not prefetch.
func WithPrefetch(pages int) Option {
	return callOption{atLeast("pages to prefetch", pages, 0), func(s *callSettings) { s.prefetch = pages }}
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
	return callOption{nil, func(s *callSettings) { s.skipValidation = true }}
}

// WithProgress calls a function after each request of a bulk call, and after a loop over an iterator has worked on a
// page: with the number of ids or items so far, and the total, or -1 if it is unknown.
func WithProgress(progress func(done, total int)) Option {
	return callOption{notNil("progress", progress == nil), func(s *callSettings) { s.progress = progress }}
}

// WithResponse stores the raw response in r, of an iterator the latest.
func WithResponse(r *Response) CallOption {
	return callOption{notNil("response", r == nil), func(s *callSettings) { s.capture = r }}
}

// WithHeader adds or replaces a header, but none that carries credentials, frames the message or selects another
// operation; [WithUserAgent] sets User-Agent. Its value is redacted in errors and logs, unless it has at most four
// characters or is a request id.
func WithHeader(name, value string) Option {
	return callOption{checkHeader(name, value), func(s *callSettings) { s.setHeader(name, value) }}
}

// setHeader sets a header in a copy of the headers.
func (s *callSettings) setHeader(name, value string) {
	header := http.Header{}
	if s.header != nil {
		maps.Copy(header, s.header())
	}
	header.Set(name, value)
	s.header = func() http.Header { return header }
}

// WithQueryParam adds or replaces a query parameter, except for paging.
func WithQueryParam(name, value string) CallOption {
	return callOption{required("query parameter", name), func(s *callSettings) {
		s.query = maps.Clone(s.query)
		s.query[name] = append(slices.Clip(s.query[name]), value)
	}}
}

// addTo adds the query parameters of options to a request. They replace parameters of the same names.
func (s *callSettings) addTo(request *api.Request) *ValidationError {
	paging := map[string][]string{api.PagingOffset: {"limit", "offset"}, api.PagingCursor: {"limit", "next_at", "cursor"}}
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
	return nil
}

// headerSafe checks a credential. Its error does not contain the value.
func headerSafe(field, value string) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "must not be empty"}
	}
	if scalar.NewSecret(value).IsRedacted() {
		return &ValidationError{Field: field, Rule: scalar.ErrRedacted.Error()}
	}
	if !printableASCII(value) || strings.Contains(value, " ") {
		return &ValidationError{Field: field, Rule: "must be printable ASCII without spaces or line ends"}
	}
	return nil
}

// printableASCII reports whether a text is a valid header value.
func printableASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
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
	var rule string
	switch {
	case slices.Contains(reservedHeaders, meant), strings.HasPrefix(meant, "Proxy-"):
		rule = "is reserved: it frames or reroutes the message, shows an address, or is set by WithAPIKey, WithBearerToken " +
			"or WithUserAgent"
	case !printableASCII(value):
		rule = "must have a value of printable ASCII"
	case strings.TrimSpace(value) != value:
		rule = "must have a value without spaces around it"
	default:
		return nil
	}
	return &ValidationError{Field: "header " + http.CanonicalHeaderKey(name), Rule: rule}
}
