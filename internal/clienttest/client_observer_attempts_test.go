package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

type attemptKey struct{}

// contextual responds with what the service does, and keeps what the requests' contexts hold.
type contextual struct {
	*turns
	seen []any
}

func (n *contextual) RoundTrip(r *http.Request) (*http.Response, error) {
	op, _ := rpcfleet.OperationFromContext(r.Context())
	n.seen = append(n.seen, fmt.Sprint(r.Context().Value(attemptKey{}), " of ", op.ID))
	return n.turns.RoundTrip(r)
}

func TestAttemptObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &contextual{turns: &turns{statuses: []int{503, 0, 200}}}
		var outcomes []rpcfleet.AttemptOutcome
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL("https://api.example.com:8443/below"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithHTTPClient(&http.Client{Transport: service}), rpcfleet.WithPacer(slowPacer{}),
			rpcfleet.WithObserver(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
				return context.WithValue(ctx, attemptKey{}, "the call"), nil
			}),
			rpcfleet.WithAttemptObserver(func(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptOutcome)) {
				assert.Equal(t, "the call", ctx.Value(attemptKey{}), "an attempt begins in the context of its call")
				assert.Equal(t, "getEndpoint", a.Operation.ID)
				assert.Equal(t, "https://api.example.com:8443", a.Origin)
				return context.WithValue(ctx, attemptKey{}, a.Number), func(o rpcfleet.AttemptOutcome) { outcomes = append(outcomes, o) }
			}))
		require.NoError(t, err)
		_, err = get(client)
		require.NoError(t, err)
		assert.Equal(t, []any{"1 of getEndpoint", "2 of getEndpoint", "3 of getEndpoint"}, service.seen)
		require.Len(t, outcomes, 3)
		for i := range outcomes {
			assert.Equal(t, 2*time.Second, outcomes[i].Paced)
			assert.Zero(t, outcomes[i].Duration, "the pacer's time is not the attempt's")
			if outcomes[i].Retried {
				assert.LessOrEqual(t, outcomes[i].RetryIn, 30*time.Second)
			}
			outcomes[i].Paced, outcomes[i].RetryIn = 0, 0
		}
		assert.Equal(t, []rpcfleet.AttemptOutcome{
			{StatusCode: 503, RequestID: "req-7", Retried: true},
			{Failure: "connection failed", Retried: true},
			{StatusCode: 200, RequestID: "req-7"},
		}, outcomes)
	})
}

// slowPacer holds each attempt back for two seconds.
type slowPacer struct{}

func (slowPacer) Wait(context.Context) error {
	time.Sleep(2 * time.Second)
	return nil
}

func TestAttemptObserversStack(t *testing.T) {
	var told []string
	watch := func(name string) rpcfleet.Option {
		return rpcfleet.WithAttemptObserver(func(ctx context.Context, _ rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptOutcome)) {
			outer, _ := ctx.Value(attemptKey{}).(string)
			told = append(told, name+" begins in "+outer)
			return context.WithValue(ctx, attemptKey{}, outer+name), func(o rpcfleet.AttemptOutcome) {
				told = append(told, fmt.Sprint(name, " ends with ", o.StatusCode, " ", o.Protocol))
			}
		})
	}
	nothing := rpcfleet.WithAttemptObserver(func(context.Context, rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptOutcome)) {
		return nil, nil
	})
	_, server := scripted(t, says(200, record))
	_, err := get(server.client(t, watch("a"), nothing, watch("b")))
	require.NoError(t, err)
	assert.Equal(t, []string{"a begins in ", "b begins in a", "b ends with 200 HTTP/1.1", "a ends with 200 HTTP/1.1"}, told)
}
