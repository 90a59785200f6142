package transport_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// slowPacer holds each request back for so long.
type slowPacer time.Duration

func (p slowPacer) Wait(context.Context) error {
	time.Sleep(time.Duration(p))
	return nil
}

// TestAttemptsAreToldWhole has every field of every outcome.
func TestAttemptsAreToldWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, slow(status(502, "X-Request-Id", "r-1", "Retry-After", "3")), slow(hangUp),
			slow(status(302, "Location", "/thing")), slow(status(404, "X-Request-Id", key)))
		h.config.Pacer = slowPacer(5 * time.Second)
		var numbers []int
		var outcomes []transport.AttemptOutcome
		h.config.Attempted = func(ctx context.Context, op *operation.Operation, number int) (context.Context, func(transport.AttemptOutcome)) {
			assert.Equal(t, "readThing", op.ID)
			numbers = append(numbers, number)
			return ctx, func(o transport.AttemptOutcome) { outcomes = append(outcomes, o) }
		}
		h.Transport = transport.New(h.config)
		_, _, err := h.send(t.Context(), read)
		require.NoError(t, err)
		assert.Equal(t, []int{1, 2, 3}, numbers)
		require.Len(t, outcomes, 3)
		backoff := outcomes[1].RetryIn
		assert.Equal(t, h.seen[2].at.Sub(h.seen[1].at), 2*time.Second+backoff+5*time.Second)
		assert.Equal(t, []transport.AttemptOutcome{
			{StatusCode: 502, Protocol: "HTTP/1.1", RequestID: "r-1", Duration: 2 * time.Second, Paced: 5 * time.Second, Retried: true, RetryIn: 3 * time.Second},
			{Duration: 2 * time.Second, Paced: 5 * time.Second, Failure: string(transport.Connection), Retried: true, RetryIn: backoff},
			{StatusCode: 404, Protocol: "HTTP/1.1", RequestID: "[redacted]", Duration: 4 * time.Second, Paced: 10 * time.Second},
		}, outcomes)
	})
}
