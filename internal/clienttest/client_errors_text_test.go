package clienttest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestWhatAnErrorSays has every part of the texts, there and left out.
func TestWhatAnErrorSays(t *testing.T) {
	for want, failure := range map[string]error{
		"a: no response (GET /a)":                                    &rpcfleet.Error{},
		"a: 503 Service Unavailable: why (GET /a)":                   &rpcfleet.Error{StatusCode: 503, Message: "why", Attempts: 1},
		"a: 199  (GET /a, 2 attempts)":                               &rpcfleet.Error{StatusCode: 199, Attempts: 2},
		"a: refused with status 200 (GET /a, retry after 1ns)":       &rpcfleet.Error{StatusCode: 200, RetryAfter: 1},
		"a: refused with status 299 (GET /a, retry quota exhausted)": &rpcfleet.Error{StatusCode: 299, RetryQuotaExhausted: true},
		"a: 300 Multiple Choices (GET /a, request id r)":             &rpcfleet.Error{StatusCode: 300, RequestID: "r"},
		"a: 1  (GET /a)": &rpcfleet.Error{StatusCode: 1},
		"a: cannot read the response: empty body (GET /a, status 200 OK)": &rpcfleet.DecodeError{StatusCode: 200, Reason: rpcfleet.ReasonEmpty},
		"a: cannot read the response: empty body: where (GET /a, status 200 OK, retry quota exhausted, request id r)": &rpcfleet.DecodeError{
			StatusCode: 200, Reason: rpcfleet.ReasonEmpty, Detail: "where", RetryQuotaExhausted: true, RequestID: "r",
		},
	} {
		switch failure := failure.(type) {
		case *rpcfleet.Error:
			failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		case *rpcfleet.DecodeError:
			failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		}
		assert.EqualError(t, failure, "rpcfleet: "+want)
	}
}

// TestARefusalHasASuccessStatus and no other.
func TestARefusalHasASuccessStatus(t *testing.T) {
	for status, refused := range map[int]bool{0: false, 199: false, 200: true, 299: true, 300: false} {
		assert.Equal(t, refused, errors.Is(&rpcfleet.Error{StatusCode: status}, rpcfleet.ErrRefused), status)
	}
}

// broken is a transport that responds with headers and a body that ends with an error.
func broken(header http.Header, body string, err error) *http.Client {
	return &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
		end := readerFunc(func([]byte) (int, error) { return 0, err })
		return &http.Response{
			StatusCode: http.StatusOK, Header: header, Request: req, ContentLength: -1,
			Body: io.NopCloser(io.MultiReader(strings.NewReader(body), end)),
		}, nil
	})}
}

// TestWhatTheErrorsOfATransportSay has causes that quote the key: in the place of a response, and in the middle of one.
func TestWhatTheErrorsOfATransportSay(t *testing.T) {
	cause := errors.New("cannot take " + testKey)
	options := []rpcfleet.Option{rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries()}
	client, err := rpcfleet.New(append(options, rpcfleet.WithHTTPClient(&http.Client{
		Transport: tripper(func(*http.Request) (*http.Response, error) { return nil, cause }),
	}))...)
	require.NoError(t, err)
	var response rpcfleet.Response
	_, err = get(client, rpcfleet.CaptureResponse(&response))
	assert.Empty(t, response.RequestID)
	require.EqualError(t, err, "rpcfleet: getEndpoint: no response: connection failed: cannot take [redacted] (GET /v0/endpoints/{id})")
	require.EqualError(t, errors.Unwrap(err), "connection failed: cannot take [redacted]")
	require.ErrorIs(t, err, cause)
	var failure *rpcfleet.Error
	require.ErrorAs(t, err, &failure)
	assert.Empty(t, failure.RequestID)

	for name, test := range map[string]struct {
		body   string
		reason rpcfleet.DecodeReason
	}{
		"cut short": {`{"data":`, rpcfleet.ReasonTruncated}, "too large": {strings.Repeat(" ", 100), rpcfleet.ReasonTooLarge},
	} {
		header := http.Header{"Content-Type": {"application/json; made=" + testKey}}
		client, err = rpcfleet.New(append(options, rpcfleet.WithHTTPClient(broken(header, test.body, cause)), rpcfleet.WithMaxBodySize(99))...)
		require.NoError(t, err)
		_, err = get(client)
		var unread *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unread)
		assert.Equal(t, test.reason, unread.Reason, name)
		assert.Equal(t, "application/json; made=[redacted]", unread.ContentType, name)
		hides(t, err, testKey)
		assert.EqualError(t, errors.Unwrap(err), unread.Detail, name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, rpcfleet.ErrConnection), name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, cause), name)
	}
}

// TestATimeThatIsOverSaysWhose it was, where the response has come and is not read on.
func TestATimeThatIsOverSaysWhose(t *testing.T) {
	const repeated = `{"data":{"id":"ep1","id":"ep2"},"error":null}` // It takes more than one pass.
	synctest.Test(t, func(t *testing.T) {
		for want, limit := range map[string]time.Duration{"timed out: context deadline exceeded": time.Second, "canceled: context canceled": 0} {
			ctx, cancel := context.WithCancel(t.Context())
			client, err := rpcfleet.New(
				rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries(), rpcfleet.WithTimeout(limit),
				rpcfleet.WithHTTPClient(&http.Client{Transport: &lateTransport{repeated, func() {
					if limit == 0 {
						cancel()
					}
					time.Sleep(2 * time.Second)
				}}}),
			)
			require.NoError(t, err)
			_, err = client.Endpoints.Get(ctx, "ep1")
			require.EqualError(t, err, "rpcfleet: getEndpoint: 200 OK: "+want+" (GET /v0/endpoints/{id})")
			cancel()
		}
	})
}
