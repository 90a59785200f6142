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
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func (h *harness) through(send tripper) {
	h.config.HTTPClient = &http.Client{Transport: send}
}

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
				text = "timed out: no complete response within the time limit of an attempt"
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

func TestSend_survivesInvalidResponsesOfTransport(t *testing.T) {
	for name, test := range map[string]struct {
		response *http.Response
		works    bool
	}{
		"no response": {nil, false},
		"no body":     {&http.Response{StatusCode: http.StatusOK, Header: http.Header{}}, false},
		"no header":   {&http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, true},
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
}

func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// answers lets the harness's transport receive a response of a stated length and a body from memory.
func (h *harness) answers(stated int64, body func() io.Reader) {
	h.through(func(*http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body()), ContentLength: stated,
		}, nil
	})
}

func TestRead_allocatesAStatedLengthOnceAndWithinBounds(t *testing.T) {
	for name, test := range map[string]struct {
		stated, sent int
		most         uint64
	}{
		"more than was sent": {60 << 20, 5, 16 << 20},
		"what was sent":      {3 << 20, 3 << 20, 3 << 20 * 9 / 4}, // The race detector lets bytes.Buffer allocate twice.
	} {
		body := bytes.Repeat([]byte("x"), test.sent)
		h := serve(t, status(http.StatusOK))
		h.answers(int64(test.stated), func() io.Reader { return bytes.NewReader(body) })
		used := allocated(func() {
			response, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody, c.KeepBody = 64<<20, true })
			require.NoError(t, err)
			assert.Len(t, response.Body, test.sent)
		})
		assert.Less(t, used, test.most, name)
	}
}

func TestRead_headHasNoBody(t *testing.T) {
	h := serve(t, status(http.StatusOK))
	h.answers(60<<20, func() io.Reader { return http.NoBody })
	response, _, err := h.send(t.Context(), look, func(c *transport.Call) { c.MaxBody = 1 << 20 })
	require.NoError(t, err)
	assert.Empty(t, response.Body)
}

func TestBuffers_releasedAreReused(t *testing.T) {
	const size, calls = 1 << 20, 50
	long := bytes.Repeat([]byte("x"), size)
	h := serve(t, status(http.StatusOK))
	h.answers(size, func() io.Reader { return bytes.NewReader(long) })
	used := allocated(func() {
		for range calls {
			response, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.MaxBody = size })
			require.NoError(t, err)
			assert.True(t, bytes.Equal(long, response.Body))
			response.Release()
			assert.Nil(t, response.Body, "it is somebody else's")
			response.Release() // A second time does nothing.
		}
	})
	assert.Less(t, used, uint64(calls*size*3/4), "the collector and the race detector drop some")
}

// packed responds with a text in a compressed form, less some bytes at its end.
func packed(t *testing.T, text string, less int) responder {
	body := zipped(t, text)
	return raw(body[:len(body)-less])
}

func zipped(t *testing.T, text string) []byte {
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return body.Bytes()
}

func raw(body []byte) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "GZIP")
		_, _ = w.Write(body)
	}
}

func TestSend_decompressesWithinBounds(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	for name, test := range map[string]struct {
		response responder
		body     string
		kind     transport.Kind
	}{
		"whole":         {packed(t, "a text", 0), "a text", ""},
		"empty":         {raw(nil), "", ""},
		"at the limit":  {packed(t, long, 0), long, ""},
		"too large":     {packed(t, long+"!", 0), "", transport.TooLarge},
		"cut short":     {packed(t, "a text", 4), "", transport.Truncated},
		"no such thing": {raw([]byte("a text")), "", transport.Truncated},
		"stored blocks of nothing": {raw(append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"),
			bytes.Repeat([]byte("\x00\x00\x00\xff\xff"), 1000)...)), "", transport.TooLarge},
		"members of nothing": {raw(bytes.Repeat([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00"+
			"\x00\x00\x00\x00\x00\x00\x00\x00"), 251)), "", transport.TooLarge},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := serve(t, test.response)
			for range 3 { // A decompressor that was used before is as good as new.
				response, _, err := h.send(t.Context(), read, func(c *transport.Call) {
					c.MaxBody, c.MaxAttempts = int64(len(long)), 1
				})
				assert.Equal(t, []string{"gzip"}, h.seen[len(h.seen)-1].header["Accept-Encoding"])
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
		})
	}
}

func TestSend_asksForGzipOnlyWithOwnTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, packed(t, "a text", 0))
		own := h.config.HTTPClient.Transport.(*http.Transport)
		own.DisableCompression = true
		var given http.Header
		for _, base := range []http.RoundTripper{own, tripper(func(req *http.Request) (*http.Response, error) {
			given = req.Header.Clone()
			return own.RoundTrip(req)
		})} {
			h.config.HTTPClient = &http.Client{Transport: base}
			h.Transport = transport.New(h.config)
			response, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
			assert.NotEqual(t, "a text", string(response.Body), "the response is as the service sent it")
		}
		assert.NotContains(t, given, "Accept-Encoding")
		for _, seen := range h.seen {
			assert.NotContains(t, seen.header, "Accept-Encoding")
		}
	})
}
