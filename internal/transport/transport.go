// Package transport is what happens to every request of the library: credentials, retries and their quota, pacing,
// redirects, sending, bounded reading of the response, and observation, one concern a file.
//
// A call is one attempt through an http.Client, and where another one is due, go-retryablehttp with that client, which
// asks after each attempt again. The client's transport is a short chain: pacing, credentials, the time limit of an
// attempt, the bounded read of the body, and the sending, which net/http cannot repeat behind the back of the rest.
// Reading the body inside the attempt means that a connection lost in the middle of a response is a failed attempt like
// any other, and is retried under the same rules.
package transport

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Config is what a transport needs to know once, when the client is made.
type Config struct {
	// Origin is the base URL of the service. Credentials never leave its scheme, host and port.
	Origin *url.URL
	// HTTPClient gives the connections, the cookie jar and its own timeout. Nil means connections of the transport's
	// own.
	HTTPClient *http.Client
	// Credentials is asked before every attempt, so that keys can rotate under a running client.
	Credentials func(context.Context) (Credentials, error)
	// Pacer, when set, is waited on before every attempt.
	Pacer Pacer
	// Logger receives one debug record an attempt. Nil means silence.
	Logger *slog.Logger
	// UserAgent is the value of the User-Agent header.
	UserAgent string
	// Quota is the capacity of the retry quota: see Policy.
	Quota int
}

// Transport sends requests to one origin. It is safe for concurrent use.
type Transport struct {
	config Config
	client *http.Client
	// timeout is that of the caller's http.Client. It joins the time limit of an attempt, because http.Client would
	// report its own as an error that hides what happened, and that reads like a canceled call.
	timeout time.Duration
	quota   *quota
}

// New makes a transport from a checked configuration.
func New(config Config) *Transport {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	client := &http.Client{CheckRedirect: redirectPolicy(config.Origin)}
	var base http.RoundTripper
	var timeout time.Duration
	if config.HTTPClient != nil {
		base, client.Jar, timeout = config.HTTPClient.Transport, config.HTTPClient.Jar, config.HTTPClient.Timeout
	}
	if base == nil {
		base = defaultBase()
	}
	client.Transport = paced(config.Pacer, authenticated(config, func(req *http.Request, header http.Header) (*http.Response, error) {
		return buffered(base, req, header)
	}))
	return &Transport{config: config, client: client, timeout: timeout, quota: newQuota(config.Quota)}
}

// Send sends the request, and again where that is safe, and returns the last response. An error is a *Failure: the last
// try brought no complete response. The result is never nil.
func (t *Transport) Send(ctx context.Context, request http.Request, call Call) (*Response, *Result, error) {
	if t.timeout > 0 && (call.Timeout == 0 || t.timeout < call.Timeout) {
		call.Timeout = t.timeout
	}
	state := &state{Context: ctx, call: call, log: t.config.Logger, start: time.Now()}
	state.used = state.usual[:0]
	if call.Retry.Quota >= 0 {
		state.quota = t.quota
	}
	req := request.WithContext(state)
	state.begin(nil, req, 0)
	resp, err := t.client.Do(req)
	if again, _ := state.check(state, resp, err); again {
		resp, err = t.repeat(state, req)
	}
	if err != nil {
		failure := failureOf(err)
		failure.Err = Ended(ctx, failure.Err)
		return nil, state.account(), failure
	}
	_ = resp.Body.Close() // The body was read inside the attempt; what is left is empty.
	return state.last, state.account(), nil
}

// repeat waits as check has settled it, and makes all attempts but the first. A call whose first attempt is good never
// comes here.
func (t *Transport) repeat(state *state, first *http.Request) (*http.Response, error) {
	timer := time.NewTimer(state.wait)
	defer timer.Stop()
	select {
	case <-state.Done():
		return nil, state.Err()
	case <-timer.C:
	}
	retryable, err := repeatable(first)
	if err != nil {
		return nil, &Failure{Kind: Unsent, Err: err}
	}
	// The hooks of a retryablehttp.Client see neither the request nor, on a lost connection, a response; a client for
	// each call, a handful of words around the shared http.Client, lets them be methods of the call.
	client := &retryablehttp.Client{
		HTTPClient:     t.client,
		RetryMax:       max(state.call.Retry.MaxAttempts, 1), // More than check grants: see due.
		RequestLogHook: state.begin,
		CheckRetry:     state.check,
		Backoff:        state.backoff,
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
	}
	return client.Do(retryable)
}

// repeatable wraps a copy of the request so that every attempt starts with a fresh body, taken from GetBody and never
// read twice.
func repeatable(first *http.Request) (*retryablehttp.Request, error) {
	req := *first
	wrapped := &retryablehttp.Request{Request: &req}
	if req.GetBody == nil {
		return wrapped, nil
	}
	getBody, length := req.GetBody, req.ContentLength // SetBody replaces both, and cannot see the length.
	err := wrapped.SetBody(retryablehttp.ReaderFunc(func() (io.Reader, error) { return getBody() }))
	req.ContentLength = length
	return wrapped, err
}
