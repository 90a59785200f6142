package transport_test

import (
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestLogsNameTheOperationAndNothingSecret has each line whole.
func TestLogsNameTheOperationAndNothingSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(line responder) responder {
			return func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(2 * time.Second) // Of made-up time.
				line(w, r)
			}
		}
		h := limited(t, 16,
			slow(status(502, "X-Request-Id", "r-1", "Retry-After", "3")), hangUp, // A retry of each: 5 and 10.
			status(503, "X-Request-Id", key), // There is no quota for another.
			status(404))
		h.config.Logger = slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h.Transport = transport.New(h.config)
		for range 2 {
			_, _, _ = h.send(t.Context(), read)
		}
		log := regexp.MustCompile(`time=\S+ `).ReplaceAllString(h.log.String(), "")
		log = regexp.MustCompile(`duration=5\.\d+s`).ReplaceAllString(log, "duration=some")
		log = regexp.MustCompile(`retry_in=\d+(\.\d+)?ms`).ReplaceAllString(log, "retry_in=some")
		const call = "operation=readThing method=GET path=/thing "
		assert.Equal(t, []string{
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=2s status=502 request_id=r-1 retry_in=3s",
			`level=DEBUG msg="rpcfleet request" ` + call + `attempt=2 duration=0s failure="connection failed" retry_in=some`,
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=3 duration=0s status=503 request_id=[redacted] retry_quota_exhausted=true",
			`level=WARN msg="rpcfleet gave up retrying" ` + call + `attempts=3 duration=some status=503 reason="the retry quota is used up" request_id=[redacted]`,
			`level=DEBUG msg="rpcfleet request" ` + call + "attempt=1 duration=0s status=404",
		}, strings.Split(strings.TrimSpace(log), "\n"))
		for _, secret := range []string{key, "made-up-bearer", "secret-id", "127.0.0.1"} {
			assert.NotContains(t, h.log.String(), secret)
		}
	})
}

// TestSilenceIsOneOfTheLevels of a logger, and none is needed.
func TestSilenceIsOneOfTheLevels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(200))
		for _, logger := range []*slog.Logger{slog.New(slog.NewTextHandler(&h.log, nil)), nil} {
			h.config.Logger = logger
			h.Transport = transport.New(h.config)
			_, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
		}
		assert.Empty(t, h.log.String())
	})
}
