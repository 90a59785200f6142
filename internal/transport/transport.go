// Package transport sends calls: it adds credentials, paces attempts, bounds their time and size, retries those that are
// safe to retry, and observes them.
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
)

// Config is what a transport needs to know once, when the client is made.
type Config struct {
	Origin *url.URL // The base URL of the service, as parsed. Credentials never leave its scheme, host and port.
	// HTTPClient supplies the connections, the cookie jar and another time limit. If it is nil or has no Transport, the
	// connections are made as those of http.DefaultTransport.
	HTTPClient  *http.Client
	Credentials func(context.Context) (Credentials, error) // Asked before every request, so that keys can rotate.
	Wait        func(context.Context) error                // Called before every request, if not nil.
	Received    func(status int, header http.Header)       // Called before a response's body is read, if not nil.
	Attempted   AttemptHook                                // Called for every attempt, if not nil.
	Logger      *slog.Logger                               // Nil discards the records.
	UserAgent   string
	Quota       int // The capacity of the retry quota: see Policy.
}

// Transport sends calls to one origin. It is safe for concurrent use.
type Transport struct {
	config      Config
	client      *http.Client
	connections http.RoundTripper
	userAgent   []string
	timeout     time.Duration // Of the caller's http.Client, or zero.
	quota       *quota
}

// New makes a transport from a checked configuration. A call passes through, from the outside in: go-retryablehttp's
// client, made by Send; http.Client, which follows redirects and keeps cookies; and the round trippers listed here.
func New(config Config) *Transport {
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	t := &Transport{config: config, userAgent: []string{config.UserAgent}, quota: newQuota(config.Quota)}
	caller := cmp.Or(config.HTTPClient, &http.Client{})
	t.timeout = caller.Timeout
	t.connections = connections(caller.Transport, config.Origin)
	own, pooled := t.connections.(*pool)
	gzip := pooled && !own.transport.DisableCompression
	var chain http.RoundTripper = &receiver{t.connections, pooled, gzip, config.Received}
	chain = &authenticator{chain, config.Origin, config.Credentials, gzip}
	chain = &pacing{chain, config.Wait}
	chain = &observation{chain, config.Attempted}
	t.client = &http.Client{Transport: chain, Jar: caller.Jar, CheckRedirect: checkRedirect(config.Origin)}
	return t
}

// Send sends a call, retries it if that is safe, and returns the last response. An error is a *Failure: the last attempt
// brought no complete response. The result is never nil.
func (t *Transport) Send(ctx context.Context, call Call) (*Response, *Result, error) {
	if t.timeout > 0 && (call.Timeout == 0 || t.timeout < call.Timeout) {
		call.Timeout = t.timeout
	}
	s := &state{transport: t, call: call, start: time.Now(), attempt: attempt{values: ctx}, retries: retryablehttp.Client{
		HTTPClient:   t.client,
		RetryMax:     math.MaxInt, // checkRetry counts the attempts.
		CheckRetry:   checkRetry,
		Backoff:      func(wait, _ time.Duration, _ int, _ *http.Response) time.Duration { return wait },
		PrepareRetry: prepareRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}}
	if call.Retry.Budget >= 0 {
		s.quota = t.quota
	}
	_, err := s.retries.Do(s.request(ctx)) //nolint:bodyclose // The receiver has read the body and closed it.
	s.result.Duration = time.Since(s.start)
	if err != nil {
		return nil, &s.result, failureOf(err)
	}
	return s.result.Last, &s.result, nil
}

// CloseIdleConnections closes the connections that no request is using.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.connections}).CloseIdleConnections() // It asks whether the transport has such a method.
}

var errTooManyRedirects = errors.New("the service redirected too often")

// checkRedirect follows a redirect to the same origin that keeps the method. Any other redirect is the response: net/http
// would send x-api-key to another host, and turn a DELETE into a GET after a 302, whose 200 would then look like success.
func checkRedirect(origin *url.URL) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		switch {
		case req.Method != via[0].Method || !SameOrigin(req.URL, origin):
			return http.ErrUseLastResponse
		case len(via) > 5:
			return &Failure{Kind: Connection, Err: errTooManyRedirects}
		}
		return nil
	}
}
