// Package transport sends requests: it adds credentials, paces and retries attempts, limits their time and size, and
// follows redirects.
package transport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Config is the configuration of a transport.
type Config struct {
	Origin *url.URL // The parsed base URL of the service. Credentials are sent only to its scheme, host and port.
	// HTTPClient provides the connections, the cookie jar and another time limit. If it is nil or has no Transport, the
	// connections are like the connections of http.DefaultTransport.
	HTTPClient *http.Client
	// Credentials is called before every request, so that keys can rotate.
	Credentials func(context.Context) (apiKey, bearerToken scalar.Secret, err error)
	Wait        func(context.Context) error // Called before every request if not nil.
	Attempted   AttemptHook                 // Called for every attempt if not nil.
	Logger      *slog.Logger                // If nil, records are discarded.
	Dump        io.Writer                   // Gets all requests and responses, redacted, if not nil.
	UserAgent   string
	Budget      int // The capacity of the retry budget: see RetryPolicy.Budget of the root package.
}

// Transport sends calls to one origin. It is safe for concurrent use.
type Transport struct {
	config      Config
	client      retryablehttp.Client
	connections http.RoundTripper
	pool        *pool // The connections, or nil if the caller has another RoundTripper.
	gzip        bool  // Request compressed responses. net/http would allocate another header map for it.
	userAgent   []string
	timeout     time.Duration // The timeout of the caller's http.Client, or noLimit.
	budget      *budget       // That calls with NoBudget do not use.
}

// New returns a transport with a valid configuration. A call passes through the client of go-retryablehttp;
// http.Client, which follows redirects and keeps cookies; and a sender.
func New(config Config) *Transport {
	caller, capacity := cmp.Or(config.HTTPClient, &http.Client{}), cmp.Or(max(config.Budget, 0), defaultBudget)
	t := &Transport{
		config: config, userAgent: []string{config.UserAgent}, timeout: cmp.Or(max(caller.Timeout, 0), noLimit),
		budget: &budget{tokens: capacity, capacity: capacity},
	}
	t.connections = connections(caller.Transport, config.Origin)
	t.pool, _ = t.connections.(*pool)
	t.gzip = t.pool != nil && !t.pool.transport.DisableCompression
	t.client = retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: sender{t}, Jar: caller.Jar, CheckRedirect: checkRedirect},
		RetryMax:     math.MaxInt, // checkRetry counts the attempts, and waits between them.
		CheckRetry:   checkRetry,
		Backoff:      retryablehttp.LinearJitterBackoff, // Zero, the default of its limits.
		PrepareRetry: prepareRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return t
}

// noLimit is the timeout of an attempt without one.
const noLimit time.Duration = math.MaxInt64

// Call is a request and its settings.
type Call struct {
	Operation *api.Operation
	Address   *url.URL      // At the configured origin.
	Body      []byte        // The JSON body, or empty.
	Header    http.Header   // Headers that are added to or replace the transport's headers, except credentials. Read-only.
	Timeout   time.Duration // The time limit of an attempt, including reading the response. Zero means no limit.
	MaxBody   int64         // The maximum size of a response, in bytes.
	KeepBody  bool          // Set if the body of the response outlives the call, so that its memory is not reused.
	NoBudget  bool          // Set if retries are not limited by the client's budget.

	// The retries, as RetryPolicy of the root package documents them. MaxAttempts below 1 counts as 1.
	MaxAttempts                        int
	BaseDelay, MaxDelay, MaxRetryAfter time.Duration
}

// Response is a complete response with any status, or a refusal.
type Response struct {
	Status   int
	Protocol string // For example "HTTP/1.1". It may be empty if the caller supplies the RoundTripper.
	Header   http.Header
	Body     []byte
	Cut      *Failure // The reason that Body is only the beginning of the body of a refusal, or nil.

	buffer *bytes.Buffer // The buffer of Body, or nil if Body is kept.
}

// Result describes a call.
type Result struct {
	Attempts        int           // Including attempts without a connection.
	MayHaveActed    bool          // The service may have executed an earlier attempt that failed.
	Open            bool          // The service may have executed any attempt that failed, including the last one.
	BudgetExhausted bool          // A retry was due, but the client's retry budget was exhausted.
	Duration        time.Duration // From the first attempt to the end of the last attempt, including waits.
	Last            *Response     // The last complete response or refusal of any attempt, or nil.
	Partial         *Response     // The beginning of the last attempt's response if the attempt failed, or nil.
	Secrets         []string      // The values to redact: keys, cookies, and headers of the caller, of all attempts.
}

// callState is the state of a call. Attempts are sequential, so it needs no lock.
type callState struct {
	transport *Transport
	call      Call
	start     time.Time
	attempt   attempt
	result    Result
	cost      int  // The cost of the last retry, or zero if there was none.
	returned  bool // The service has rejected an attempt without processing it.
}

type stateKey struct{}

// Send sends a call, retries it if that is safe, and returns the last response. If the last attempt has no complete
// response, the error is a *Failure. The result is never nil.
func (t *Transport) Send(ctx context.Context, call Call) (*Response, *Result, error) {
	call.Timeout = min(cmp.Or(max(call.Timeout, 0), noLimit), t.timeout)
	s := &callState{transport: t, call: call, start: time.Now(), attempt: attempt{values: ctx}}
	if call.Address.Scheme != t.config.Origin.Scheme || call.Address.Host != t.config.Origin.Host {
		return nil, &s.result, unsentFailure(errors.New("the request's address is not at the configured base URL"))
	}
	req := (&http.Request{
		Method: call.Operation.Method, URL: call.Address, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(call.Body)),
	}).WithContext(context.WithValue(ctx, stateKey{}, s))
	if len(call.Body) > 0 {
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.call.Body)), nil }
		req.Body, _ = req.GetBody()
	}
	_, err := t.client.Do(&retryablehttp.Request{Request: req}) //nolint:bodyclose // The sender has closed it.
	s.result.Duration = time.Since(s.start)
	if err != nil {
		return nil, &s.result, failureOf(err)
	}
	return s.result.Last, &s.result, nil
}

// hide adds to the secrets the given ones, the cookies of a request, and the values of the caller's headers, except for
// media types and for request ids, which a service may include in its response.
func (s *callState) hide(req *http.Request, secrets ...string) {
	values := slices.Clone(req.Header["Cookie"])
	for _, cookie := range req.Cookies() {
		values = append(values, cookie.Value)
	}
	for name, of := range s.call.Header {
		if name != "Accept" && name != "Content-Type" && !slices.Contains(redact.RequestIDHeaders, name) {
			values = append(values, of...)
		}
	}
	values = slices.DeleteFunc(values, func(value string) bool { return len(value) <= 4 }) // They may be ordinary words.
	for _, secret := range append(secrets, values...) {
		if secret != "" && !slices.Contains(s.result.Secrets, secret) {
			s.result.Secrets = append(s.result.Secrets, secret)
		}
	}
}

// prepareRetry resets the headers of the last attempt, such as cookies, and the body.
func prepareRetry(req *http.Request) (err error) {
	req.Header = http.Header{}
	if req.GetBody != nil {
		req.Body, err = req.GetBody()
	}
	return err
}

// CloseIdleConnections closes unused connections.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.connections}).CloseIdleConnections() // It checks whether the transport has this method.
}

var errTooManyRedirects = errors.New("the service redirected too often")

// checkRedirect follows a redirect if it keeps the origin and the method, and the operation is idempotent: the service
// may have executed a request that it redirects. Otherwise the redirect is the response: net/http would send x-api-key
// to another host, and turn a DELETE into a GET after a 302, so that a 200 would look like success.
func checkRedirect(req *http.Request, via []*http.Request) error {
	s := req.Context().Value(stateKey{}).(*callState)
	switch {
	case !s.call.Operation.Idempotent, req.Method != via[0].Method, !SameOrigin(req.URL, s.transport.config.Origin):
		return http.ErrUseLastResponse
	case len(via) > 5:
		return &Failure{Kind: Connection, Err: errTooManyRedirects}
	}
	return nil
}
