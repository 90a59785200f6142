package transport_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// allocated returns how many bytes a function allocates.
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

// TestRead_headHasNoBody, whatever length its response states.
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

func TestBuffers_keptBodyIsNotReused(t *testing.T) {
	h := serve(t, status(http.StatusOK))
	text := ""
	h.answers(-1, func() io.Reader { return strings.NewReader(text) })
	var kept []*transport.Response
	texts := []string{"first", "other", "third", "forth"}
	for _, text = range texts {
		response, _, err := h.send(t.Context(), read, func(c *transport.Call) { c.KeepBody = true })
		require.NoError(t, err)
		response.Release()
		kept = append(kept, response)
		passing, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		passing.Release()
	}
	for i, response := range kept {
		assert.Equal(t, texts[i], string(response.Body))
	}
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

// raw responds with bytes that its header declares as compressed.
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

// TestSend_asksForGzipOnlyWithOwnTransport asks for it only if net/http's own transport would.
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
