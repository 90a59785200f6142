package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

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
	Deadline time.Time // The end of the attempt's time limit, or zero if it has no limit.
	Cut      *Failure  // The reason that Body is only the beginning of the body of a refusal, or nil.

	buffer *buffer // The buffer of Body, or nil.
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

// hide adds values to the secrets.
func (r *Result) hide(values ...string) {
	for _, value := range values {
		if value != "" && !slices.Contains(r.Secrets, value) {
			r.Secrets = append(r.Secrets, value)
		}
	}
}

// state is the state of a call. Attempts are sequential, so it needs no lock.
type callState struct {
	transport *Transport
	call      Call
	start     time.Time
	attempt   attempt
	result    Result
	// retries makes the attempts. Each call has its own, because calls differ in their policies. Its RetryWaitMin is the
	// wait before the next attempt: after a connection error, a backoff function does not know its call.
	retries  retryablehttp.Client
	returned bool // The service has rejected an attempt without processing it.
	lost     bool // The last attempt that was retried had no complete response.
}

type stateKey struct{}

// OperationOf returns the operation that a request belongs to.
func OperationOf(ctx context.Context) (*api.Operation, bool) {
	if s, ok := ctx.Value(stateKey{}).(*callState); ok {
		return s.call.Operation, true
	}
	return nil, false
}

// request returns the request of the call, without headers.
func (s *callState) request(ctx context.Context) *retryablehttp.Request {
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

// shortHeader is the maximum length of a header's value that is not redacted: redacting it would hide ordinary words.
const shortHeader = 4

// hideHeaders adds the cookies of a request and the values of the caller's headers to the secrets, except for media
// types and for request ids, which a service may include in its response.
func (s *callState) hideHeaders(req *http.Request) {
	values := slices.Clone(req.Header["Cookie"])
	for _, cookie := range req.Cookies() {
		values = append(values, cookie.Value)
	}
	for name, of := range s.call.Header {
		if name != "Accept" && name != "Content-Type" && !slices.Contains(redact.RequestIDHeaders, name) {
			values = append(values, of...)
		}
	}
	s.result.hide(slices.DeleteFunc(values, func(value string) bool { return len(value) <= shortHeader })...)
}

func (s *callState) body() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(s.call.Body)), nil
}

// prepareRetry resets the headers of the last attempt, such as cookies, and the body.
func prepareRetry(req *http.Request) (err error) {
	req.Header = http.Header{}
	if req.GetBody != nil {
		req.Body, err = req.GetBody()
	}
	return err
}
