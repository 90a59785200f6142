package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// through makes the harness's transport one that sends by a function.
func (h *harness) through(send tripper) {
	h.config.HTTPClient = &http.Client{Transport: send}
}

// failed is the failure that an error is.
func failed(t *testing.T, err error) *transport.Failure {
	t.Helper()
	var failure *transport.Failure
	require.ErrorAs(t, err, &failure)
	return failure
}

// TestSend_transportWithoutTraceMayHaveSent may have sent the request that failed.
func TestSend_transportWithoutTraceMayHaveSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			err      error
			attempts int
			open     bool
		}{
			"anything":              {io.ErrUnexpectedEOF, 1, true},
			"a lost connection":     {&net.OpError{Op: "read", Err: io.EOF}, 1, true},
			"a text of net/http":    {errors.New("http: server closed idle connection"), 1, true},
			"none made":             {&net.OpError{Op: "dial", Err: errors.New("refused")}, 4, false},
			"none through a proxy":  {&net.OpError{Op: "proxyconnect", Err: errors.New("refused")}, 4, false},
			"a host without a name": {&net.DNSError{Err: "no such host", IsNotFound: true}, 4, false},
		} {
			h := serve(t, status(200))
			sent := 0
			h.through(func(req *http.Request) (*http.Response, error) {
				sent++
				assert.Nil(t, req.GetBody, "it would let others send the request again")
				return nil, test.err
			})
			_, result, err := h.send(t.Context(), create)
			require.ErrorIs(t, err, test.err)
			assert.Equal(t, transport.Connection, failed(t, err).Kind)
			assert.Equal(t, "connection failed: "+test.err.Error(), err.Error())
			assert.Equal(t, test.attempts, sent, name)
			assert.Equal(t, test.attempts, result.Attempts, name)
			assert.Equal(t, test.open, result.Open, name)

			_, result, _ = h.send(t.Context(), create, once)
			assert.Equal(t, 1, result.Attempts, "no more than the policy grants")

			test.err = &url.Error{Op: "Get", URL: "https://secret.example", Err: test.err}
			_, _, err = h.send(t.Context(), create)
			assert.NotContains(t, err.Error(), "secret")
		}
	})
}

// TestSend_classifiesFailures checks the error of each failed attempt.
func TestSend_classifiesFailures(t *testing.T) {
	const canceled, timedOut = "canceled: context canceled",
		"timed out: no complete response within the time limit of an attempt"
	for name, test := range map[string]struct {
		script          responder
		timeout, cancel time.Duration
		kind            transport.Kind
		text            string
		is              error
	}{
		"canceled before the response": {silence, 0, time.Second, transport.Canceled, canceled, context.Canceled},
		"canceled within it":           {stalls(200), 0, time.Second, transport.Canceled, canceled, context.Canceled},
		"no time before the response": {silence, time.Second, time.Hour, transport.Timeout, timedOut,
			context.DeadlineExceeded},
		"no time within it": {stalls(200), time.Second, time.Hour, transport.Timeout, timedOut, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.script)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(test.cancel, cancel)
			begin := time.Now()
			_, result, err := h.send(ctx, create, func(c *transport.Call) { c.Timeout = test.timeout })
			assert.Equal(t, test.kind, failed(t, err).Kind, name)
			assert.Equal(t, test.text, err.Error(), name)
			require.ErrorIs(t, err, test.is)
			assert.True(t, result.Open)
			assert.Equal(t, 1, result.Attempts)
			assert.Equal(t, time.Second, time.Since(begin))
			assert.Equal(t, time.Second, result.Duration)
			var timeout net.Error
			temporary := errors.As(err, &timeout) && timeout.Temporary() //nolint:staticcheck // Old callers use it.
			assert.Equal(t, test.timeout > 0, temporary && timeout.Timeout())
		})
	}
}

// TestSend_bodyOfCutResponseIsBoundedCopy is bounded, and no part of a buffer that others use.
func TestSend_bodyOfCutResponseIsBoundedCopy(t *testing.T) {
	long := strings.Repeat("x", 5000)
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "6000")
			_, _ = io.WriteString(w, long)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("y", 5000)) })
		_, result, err := h.send(t.Context(), create)
		assert.Equal(t, transport.Truncated, failed(t, err).Kind)
		require.EqualError(t, err, "response cut short: unexpected EOF")
		require.NotNil(t, result.Partial)
		assert.Nil(t, result.Last, "it is not a complete response")
		for range 4 {
			response, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
			response.Release()
		}
		assert.Equal(t, long[:2<<10], string(result.Partial.Body))
	})
}

// TestSend_shorterClientTimeoutBoundsAttempt bounds an attempt if it is the shorter one, or if the call has no timeout.
func TestSend_shorterClientTimeoutBoundsAttempt(t *testing.T) {
	for _, test := range []struct{ client, call, want time.Duration }{
		{5 * time.Second, 0, 5 * time.Second},
		{5 * time.Second, 10 * time.Second, 5 * time.Second},
		{5 * time.Second, 3 * time.Second, 3 * time.Second},
		{0, 3 * time.Second, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, silence)
			h.config.HTTPClient.Timeout = test.client
			begin := time.Now()
			_, _, err := h.send(t.Context(), create, func(c *transport.Call) { c.Timeout = test.call })
			assert.Equal(t, transport.Timeout, failed(t, err).Kind)
			assert.Equal(t, test.want, time.Since(begin))
		})
	}
}

func TestSend_survivesInvalidResponsesOfTransport(t *testing.T) {
	connection, _ := io.Pipe()
	for name, test := range map[string]struct {
		response *http.Response
		works    bool
	}{
		"no response": {nil, false},
		"no body":     {&http.Response{StatusCode: http.StatusOK, Header: http.Header{}}, false},
		"no header":   {&http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, true},
		"another protocol": {
			&http.Response{StatusCode: http.StatusSwitchingProtocols, Body: connection, ContentLength: -1}, true,
		},
	} {
		h := serve(t, status(200))
		h.through(func(req *http.Request) (*http.Response, error) {
			assert.Equal(t, []any{"HTTP/1.1", 1, 1, "127.0.0.1"}, []any{req.Proto, req.ProtoMajor, req.ProtoMinor, req.Host})
			assert.Nil(t, req.Body)
			return test.response, nil
		})
		response, result, err := h.send(t.Context(), read)
		assert.Equal(t, 1, result.Attempts, name)
		if test.works {
			require.NoError(t, err)
			assert.Empty(t, response.Header.Get("Content-Type"))
			continue
		}
		assert.Equal(t, transport.Faulty, failed(t, err).Kind)
		assert.EqualError(t, err, "HTTP transport at fault: it returned neither an error nor a response with a body")
		assert.Nil(t, response)
	}
	_, err := connection.Read(nil)
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}
