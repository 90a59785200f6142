// Package transport is what happens to every request of the library: credentials, retries and their quota, pacing,
// redirects, sending, bounded reading of the response, and observation, one concern a file.
//
// A call is one attempt, and where another one is due, go-retryablehttp around more of them, which asks after each
// attempt again. An attempt sends a request, and follows redirects: it waits for the pacer, makes the headers with the
// credentials, begins its time limit, hands the request to net/http, which cannot repeat it behind the back of the
// rest, and reads the body within bounds. Reading the body inside the attempt means that a connection lost in the
// middle of a response is a failed attempt like any other, and is retried under the same rules.
//
// What a call needs once is a part of its state, which is one allocation.
package transport

import (
	"context"
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
	// Received, when set, is told of the head of every response, before its body is read. It only looks at it.
	Received func(status int, header http.Header)
	// Attempted, when set, is told of every attempt.
	Attempted AttemptObserver
	// Logger receives one debug record an attempt, and a warning when retries end without a response that ends the call
	// by itself. Nil means silence.
	Logger *slog.Logger
	// UserAgent is the value of the User-Agent header.
	UserAgent string
	// Quota is the capacity of the retry quota: see Policy.
	Quota int
}

// Transport sends requests to one origin. It is safe for concurrent use.
type Transport struct {
	config Config
	base   http.RoundTripper
	own    *http.Transport // The base, where it is net/http's own.
	jar    http.CookieJar
	header headerMaker
	gzip   bool // The headers ask for compressed responses.
	// timeout is that of the caller's http.Client. It joins the time limit of an attempt.
	timeout time.Duration
	quota   *quota
}

// New makes a transport from a checked configuration.
func New(config Config) *Transport {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	t := &Transport{config: config, quota: newQuota(config.Quota)}
	if client := config.HTTPClient; client != nil {
		t.base, t.jar, t.timeout = client.Transport, client.Jar, client.Timeout
	}
	if t.base == nil {
		t.base = defaultBase(config.Origin)
	}
	t.own = ownOf(t.base)
	t.gzip = asksForGzip(t.own)
	t.header = newHeaderMaker(config.UserAgent, t.gzip)
	return t
}

// Send sends the request, and again where that is safe, and returns the last response. An error is a *Failure: the last
// attempt brought no complete response. The result is never nil.
func (t *Transport) Send(ctx context.Context, call Call) (*Response, *Result, error) {
	if t.timeout > 0 && (call.Timeout == 0 || t.timeout < call.Timeout) {
		call.Timeout = t.timeout
	}
	state := &state{Context: ctx, transport: t, call: call, start: time.Now()}
	state.result.Credentials = state.usual[:0]
	if call.Retry.Quota >= 0 {
		state.quota = t.quota
	}
	state.begin(nil, nil, 0)
	err := state.carryOut()
	if again, _ := state.check(state, nil, err); again {
		err = state.repeat()
	}
	if err != nil {
		failure := failureOf(err)
		failure.Err = Ended(ctx, failure.Err)
		return nil, state.account(), failure
	}
	return state.result.Last, state.account(), nil
}

// CloseIdleConnections closes the connections that nothing uses at the moment.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// repeat waits as check has settled it, and makes all attempts but the first. A call whose first attempt is good never
// comes here.
func (f *state) repeat() error {
	timer := time.NewTimer(f.wait)
	defer timer.Stop()
	select {
	case <-f.Done():
		return f.Err()
	case <-timer.C:
	}
	// The hooks of a retryablehttp.Client see neither the request nor, on a lost connection, a response; a client for
	// each call lets them be methods of the call. All that it sees of a response is that there is one.
	client := &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			if err := f.carryOut(); err != nil {
				return nil, err
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		})},
		RetryMax:       max(f.call.Retry.MaxAttempts, 1), // More than check grants: see due.
		RequestLogHook: f.begin,
		CheckRetry:     f.check,
		Backoff:        f.backoff,
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
	}
	req := &http.Request{Method: f.call.Operation.Method, URL: f.call.Address, Header: http.Header{}}
	resp, err := client.Do(&retryablehttp.Request{Request: req.WithContext(f)})
	if resp != nil {
		_ = resp.Body.Close() // It is empty.
	}
	return err
}

// roundTrip is an http.RoundTripper made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }
