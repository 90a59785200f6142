package clienttest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
)

func TestClassOfAnOutcome(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for want, test := range map[string]struct {
		ctx  context.Context
		line responder
	}{
		"ok":                {t.Context(), says(200, record)},
		"rate_limited":      {t.Context(), says(429, ``)},
		"not_found":         {t.Context(), says(404, ``)},
		"unauthorized":      {t.Context(), says(401, ``)},
		"forbidden":         {t.Context(), says(403, ``)},
		"conflict":          {t.Context(), says(409, ``)},
		"invalid_request":   {t.Context(), says(422, ``)},
		"server_error":      {t.Context(), says(500, ``)},
		"refused":           {t.Context(), says(200, `{"data":null,"error":"no"}`)},
		"canceled":          {stopped, says(200, record)},
		"timed_out":         {over, says(200, record)},
		"connection_failed": {t.Context(), hangsUp},
		"unreadable":        {t.Context(), says(200, `{"data":`)},
		"failed":            {t.Context(), says(418, ``)},
	} {
		t.Run(want, func(t *testing.T) {
			_, server := scripted(t, test.line)
			var class string
			client := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1}), rpcfleet.WithObserver(
				func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
					return ctx, func(outcome rpcfleet.Outcome) { class = outcome.Class() }
				}))
			_ = getOne(test.ctx, client)
			assert.Equal(t, want, class)
		})
	}
}
