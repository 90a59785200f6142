package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestSend_classifiesFailures checks the error of an attempt that ends after a second, by the shortest of its limits.
func TestSend_classifiesFailures(t *testing.T) {
	const second, never = time.Second, time.Hour
	for name, test := range map[string]struct {
		script                  responder
		timeout, client, cancel time.Duration
	}{
		"canceled before the response":    {silence, 0, 0, second},
		"canceled within it":              {stalls(200), 0, 0, second},
		"no time before the response":     {silence, second, 0, never},
		"no time within it":               {stalls(200), second, 0, never},
		"less than the client's timeout":  {silence, second, 2 * second, never},
		"the client's timeout is shorter": {silence, 2 * second, second, never},
		"the client's timeout alone":      {silence, 0, second, never},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.script)
			h.config.HTTPClient.Timeout = test.client
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(test.cancel, cancel)
			begin := time.Now()
			_, result, err := h.send(ctx, create, func(c *transport.Call) { c.Timeout = test.timeout })
			kind, text, is := transport.Canceled, "canceled: context canceled", context.Canceled
			if test.cancel == never {
				kind, is = transport.Timeout, context.DeadlineExceeded
				text = "timed out: no complete response within the time limit of an attempt: context deadline exceeded"
			}
			assert.Equal(t, kind, failed(t, err).Kind, name)
			assert.Equal(t, text, err.Error(), name)
			require.ErrorIs(t, err, is)
			assert.True(t, result.Open)
			assert.Equal(t, 1, result.Attempts)
			assert.Equal(t, second, time.Since(begin), name)
			assert.Equal(t, second, result.Duration)
			var timeout net.Error
			temporary := errors.As(err, &timeout) && timeout.Temporary() //nolint:staticcheck // Old callers use it.
			assert.Equal(t, test.cancel == never, temporary && timeout.Timeout())
		})
	}
}

// TestSend_otherTransportMayHaveSent the request that failed, and may not send it again by itself.
func TestSend_otherTransportMayHaveSent(t *testing.T) {
	for _, test := range []struct {
		err      error
		attempts int
	}{
		{io.ErrUnexpectedEOF, 1}, {&net.OpError{Op: "read", Err: io.EOF}, 1},
		{errors.New("http: server closed idle connection"), 1}, {&net.OpError{Op: "dial", Err: io.EOF}, 4},
		{&net.OpError{Op: "proxyconnect", Err: io.EOF}, 4}, {&net.DNSError{Err: "no such host", IsNotFound: true}, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, sent := serve(t, status(200)), 0
			h.through(func(req *http.Request) (*http.Response, error) {
				sent++
				assert.Nil(t, req.GetBody, "it would let others send the request again")
				return nil, &url.Error{Op: "Get", URL: "https://secret.example", Err: test.err}
			})
			_, result, err := h.send(t.Context(), create)
			assert.Equal(t, transport.Connection, failed(t, err).Kind)
			assert.Equal(t, "connection failed: "+test.err.Error(), err.Error())
			assert.Equal(t, []int{test.attempts, test.attempts}, []int{sent, result.Attempts}, test.err)
			assert.Equal(t, test.attempts == 1, result.Open, test.err)
		})
	}
}

// TestSend_bodyOfCutResponseIsBoundedCopy is bounded, and no part of a buffer that others use.
func TestSend_bodyOfCutResponseIsBoundedCopy(t *testing.T) {
	long := strings.Repeat("x", 5000)
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, sends(200, 6000, long, hangUp), sends(200, 5000, strings.Repeat("y", 5000), nothing))
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

func TestSend_survivesInvalidResponsesOfTransport(t *testing.T) {
	for name, test := range map[string]struct {
		response *http.Response
		err      string
	}{
		"no response": {nil, "HTTP transport at fault: it returned neither an error nor a response with a body"},
		"no body": {&http.Response{StatusCode: http.StatusOK, Header: http.Header{}},
			"HTTP transport at fault: it returned neither an error nor a response with a body"},
		"no header": {&http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, ""},
	} {
		h := serve(t, status(200))
		h.through(func(req *http.Request) (*http.Response, error) {
			assert.Equal(t, []any{"HTTP/1.1", 1, 1, "127.0.0.1"}, []any{req.Proto, req.ProtoMajor, req.ProtoMinor, req.Host})
			assert.Nil(t, req.Body)
			return test.response, nil
		})
		response, result, err := h.send(t.Context(), read)
		assert.Equal(t, 1, result.Attempts, name)
		assert.Equal(t, test.err == "", response != nil)
		if err != nil {
			assert.Equal(t, transport.Faulty, failed(t, err).Kind)
			assert.EqualError(t, err, test.err)
		}
	}
}

func allocated(work func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // The collector empties the pools.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestRead_allocatesAStatedLengthOnceAndWithinBounds, and nothing at all if it is released: then it is used again. The
// race detector makes pools drop some buffers at random.
func TestRead_allocatesAStatedLengthOnceAndWithinBounds(t *testing.T) {
	race.Skip(t)
	for name, test := range map[string]struct {
		op                  *api.Operation
		stated, sent, calls int
		keep                bool
		most                uint64
	}{
		"more than was sent": {read, 60 << 20, 5, 1, true, 16 << 20},
		"what was sent":      {read, 3 << 20, 3 << 20, 1, true, 3 << 20 * 5 / 4},
		"of no body":         {look, 65 << 20, 0, 1, true, 1 << 20},
		"released":           {read, 1 << 20, 1 << 20, 50, false, 8 << 20},
	} {
		body := bytes.Repeat([]byte("x"), test.sent)
		h := serve(t, status(http.StatusOK))
		h.through(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: int64(test.stated),
				Body: io.NopCloser(bytes.NewReader(body))}, nil
		})
		used := allocated(func() {
			for range test.calls {
				response, _, err := h.send(t.Context(), test.op, func(c *transport.Call) {
					c.MaxBody, c.KeepBody = 64<<20, test.keep
				})
				require.NoError(t, err)
				assert.True(t, bytes.Equal(body, response.Body))
				response.Release()
				assert.Equal(t, test.keep, response.Body != nil, "if not, it is somebody else's")
				response.Release() // A second time does nothing.
			}
		})
		assert.Less(t, used, test.most, name)
	}
}

func zipped(t *testing.T, text string) string {
	var body strings.Builder
	w := gzip.NewWriter(&body)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return body.String()
}

// packed responds with a body that is said to be compressed.
func packed(body string) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "GZIP")
		_, _ = io.WriteString(w, body)
	}
}

func TestSend_decompressesWithinBounds(t *testing.T) {
	long, short := strings.Repeat("long ", 1000), zipped(t, "a text")
	for name, test := range map[string]struct {
		sent, body string
		kind       transport.Kind
	}{
		"whole":         {short, "a text", ""},
		"empty":         {"", "", ""},
		"at the limit":  {zipped(t, long), long, ""},
		"too large":     {zipped(t, long+"!"), "", transport.TooLarge},
		"cut short":     {short[:len(short)-4], "", transport.Truncated},
		"no such thing": {"a text", "", transport.Truncated},
		"stored blocks of nothing": {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" +
			strings.Repeat("\x00\x00\x00\xff\xff", 1000), "", transport.TooLarge},
		"members of nothing": {strings.Repeat("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00"+
			"\x00\x00\x00\x00\x00\x00\x00\x00", 251), "", transport.TooLarge},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, packed(test.sent))
			for range 3 { // A decompressor that was used before is as good as new.
				response, _, err := h.send(t.Context(), read, once, func(c *transport.Call) { c.MaxBody = int64(len(long)) })
				if test.kind != "" {
					assert.Equal(t, test.kind, failed(t, err).Kind, name)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, test.body, string(response.Body), name)
				if test.body != "" {
					assert.NotContains(t, response.Header, "Content-Encoding")
					assert.NotContains(t, response.Header, "Content-Length")
				}
			}
			assert.Equal(t, []string{"gzip", "gzip", "gzip"}, h.Headers("Accept-Encoding"))
		})
	}
}

func TestSend_asksForGzipOnlyWithOwnTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, packed(zipped(t, "a text")))
		own := h.config.HTTPClient.Transport.(*http.Transport)
		own.DisableCompression = true
		for _, base := range []http.RoundTripper{own, tripper(own.RoundTrip)} {
			h.config.HTTPClient = &http.Client{Transport: base}
			response, _, err := transport.New(h.config).Send(t.Context(), transport.Call{
				Operation: read, Address: h.config.Origin, MaxBody: 1 << 20,
			})
			require.NoError(t, err)
			assert.Equal(t, zipped(t, "a text"), string(response.Body), "the response is as the service sent it")
		}
		assert.Empty(t, h.Headers("Accept-Encoding"))
	})
}
