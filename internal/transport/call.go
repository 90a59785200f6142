package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// Call is one request, and what the transport must know about it.
type Call struct {
	Operation *api.Operation
	Address   *url.URL      // At the configured origin.
	Body      []byte        // The JSON that is sent, or empty.
	Header    http.Header   // Added to the transport's own or in their place, credentials excepted. It is only read.
	Timeout   time.Duration // The limit of one attempt, including the reading of the response. Zero means none.
	Retry     *Policy       // It is only read.
	MaxBody   int64         // The largest response that is read, in bytes.
	KeepBody  bool          // The body of the response outlives the call, so that its memory is not reused.
}

// Response is a response that was read to its end, whatever its status.
type Response struct {
	Status   int
	Protocol string // Such as "HTTP/1.1". It may be empty with a RoundTripper of the caller.
	Header   http.Header
	Body     []byte
	Deadline time.Time // The end of the attempt's time limit, or zero if there is none.

	buffer *buffer // It holds Body, or is nil.
}

// Release returns the memory of the body to a pool, unless KeepBody was set. Nothing may hold a part of the body then.
func (r *Response) Release() {
	if r == nil || r.buffer == nil {
		return
	}
	r.buffer.release()
	r.Body, r.buffer = nil, nil
}

// Result describes a call, beside its response.
type Result struct {
	Attempts       int           // Those without a connection included.
	MayHaveActed   bool          // The service may have carried out an earlier attempt that failed.
	Open           bool          // The service may have carried out any attempt that failed, the last one included.
	Duration       time.Duration // From the first attempt to the end of the last, waits included.
	Last           *Response     // The last complete response of any attempt, or nil.
	Partial        *Response     // The beginning of the last attempt's response if reading it failed, or nil.
	QuotaExhausted bool          // A retry was due, and the client's retry quota was used up.
	Credentials    []Credentials // Those of all attempts, which error texts are cleaned of.
}

// state is a call on its way. Its attempts follow one another, so that it needs no lock.
type state struct {
	transport *Transport
	call      Call
	start     time.Time
	attempt   attempt
	result    Result
	// retries makes the attempts. It is the call's own, because calls differ in their policies, and its RetryWaitMin is
	// the wait before the next attempt: a backoff cannot tell after a connection error which call it is asked about.
	retries  retryablehttp.Client
	returned bool   // The service has returned an attempt unprocessed.
	quota    *quota // The client's, or nil.
	paid     int    // The quota's price of the last retry.
}

// attempt is one sending of the request, including the redirects that it followed.
type attempt struct {
	start    time.Time
	deadline time.Time           // The end of its time limit, set when the first request is sent. Zero if there is none.
	paced    time.Duration       // The time that the pacer has held it back.
	response *Response           // The response, or its beginning if reading it failed.
	values   context.Context     // The values of the observer's context.
	end      func(AttemptResult) // Nil without an observer.
}

type stateKey struct{}

// stateOf returns the call that a request belongs to.
func stateOf(req *http.Request) *state { return req.Context().Value(stateKey{}).(*state) }

// OperationOf returns the operation that a request belongs to.
func OperationOf(ctx context.Context) (*api.Operation, bool) {
	if s, ok := ctx.Value(stateKey{}).(*state); ok {
		return s.call.Operation, true
	}
	return nil, false
}

// request makes the request of the call, without headers.
func (s *state) request(ctx context.Context) *retryablehttp.Request {
	req := &http.Request{
		Method: s.call.Operation.Method, URL: s.call.Address, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(s.call.Body)),
	}
	if len(s.call.Body) > 0 {
		req.GetBody = s.body
		req.Body, _ = s.body()
	}
	return &retryablehttp.Request{Request: req.WithContext(context.WithValue(ctx, stateKey{}, s))}
}

func (s *state) body() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.call.Body)), nil }

// prepareRetry takes back the headers of the last attempt, such as cookies, and rewinds the body.
func prepareRetry(req *http.Request) (err error) {
	req.Header = http.Header{}
	if req.GetBody != nil {
		req.Body, err = req.GetBody()
	}
	return err
}
