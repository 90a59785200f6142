package transport_test

import (
	"bytes"
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

// TestSend_lastResponseOutlivesLaterFailures although its buffer is one that is used again.
func TestSend_lastResponseOutlivesLaterFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(502), status(503), hangUp)
		_, result, err := h.send(t.Context(), read)
		require.Error(t, err)
		assert.Equal(t, 4, result.Attempts)
		require.NotNil(t, result.Last)
		assert.Equal(t, "Service Unavailable", string(result.Last.Body))
	})
}
