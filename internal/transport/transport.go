// Package transport sends requests: it adds credentials, paces and retries attempts, limits their time and size, and
// follows redirects.
package transport

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"

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
	Wait        func(context.Context) error          // Called before every request if not nil.
	Received    func(status int, header http.Header) // Called before the body of a response is read, if not nil.
	Attempted   AttemptHook                          // Called for every attempt if not nil.
	Logger      *slog.Logger                         // If nil, records are discarded.
	UserAgent   string
	Budget      int // The capacity of the retry budget: see RetryPolicy.Budget of the root package.
}

// Transport sends calls to one origin. It is safe for concurrent use.
type Transport struct {
	config      Config
	client      *http.Client
	connections http.RoundTripper
	pooled      bool // The connections are a pool.
	gzip        bool // Request compressed responses. net/http would allocate another header map for it.
	userAgent   []string
	timeout     time.Duration // The timeout of the caller's http.Client, or zero.
	budget      *budget
}

// New returns a transport with a valid configuration. A call passes through the client of go-retryablehttp, which Send
// creates; http.Client, which follows redirects and keeps cookies; and a sender.
func New(config Config) *Transport {
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	t := &Transport{config: config, userAgent: []string{config.UserAgent}, budget: newBudget(config.Budget)}
	caller := cmp.Or(config.HTTPClient, &http.Client{})
	t.timeout = caller.Timeout
	t.connections = connections(caller.Transport, config.Origin)
	own, pooled := t.connections.(*pool)
	t.pooled, t.gzip = pooled, pooled && !own.transport.DisableCompression
	t.client = &http.Client{Transport: sender{t}, Jar: caller.Jar, CheckRedirect: checkRedirect}
	return t
}

// Send sends a call, retries it if that is safe, and returns the last response. If the last attempt has no complete
// response, the error is a *Failure. The result is never nil.
func (t *Transport) Send(ctx context.Context, call Call) (*Response, *Result, error) {
	if t.timeout > 0 && (call.Timeout == 0 || t.timeout < call.Timeout) {
		call.Timeout = t.timeout
	}
	s := &callState{transport: t, call: call, start: time.Now(), attempt: attempt{values: ctx}}
	s.retries = retryablehttp.Client{
		HTTPClient:   t.client,
		RetryMax:     math.MaxInt, // checkRetry counts the attempts.
		CheckRetry:   checkRetry,
		Backoff:      func(wait, _ time.Duration, _ int, _ *http.Response) time.Duration { return wait },
		PrepareRetry: prepareRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	_, err := s.retries.Do(s.request(ctx)) //nolint:bodyclose // The receiver has read the body and closed it.
	s.result.Duration = time.Since(s.start)
	if err != nil {
		return nil, &s.result, failureOf(err)
	}
	return s.result.Last, &s.result, nil
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
