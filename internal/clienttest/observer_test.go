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
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestObserver(t *testing.T) {
	type key struct{}
	for name, test := range map[string]struct {
		lines    []responder
		call     func(context.Context, *rpcfleet.Client) error
		op       string
		status   int
		attempts int
	}{
		"a success after a retry": {[]responder{respondJSON(502, ``), respondJSON(200, record)}, getOne, "getEndpoint", 200,
			2},
		"a failure":              {[]responder{respondJSON(404, ``)}, getOne, "getEndpoint", 404, 1},
		"an unreadable response": {[]responder{respondJSON(200, ``)}, getOne, "getEndpoint", 200, 1},
		"no response":            {[]responder{hangUp}, getOne, "getEndpoint", 0, 4},
		"a delete that was done before": {[]responder{hangUp, respondJSON(404, ``)},
			func(ctx context.Context, c *rpcfleet.Client) error {
				return c.Endpoints.Archive(ctx, "ep1")
			}, "archiveEndpoint", 404, 2},
		"a query": {[]responder{respondJSON(200, `{"errors":[{"message":"no"}]}`)},
			func(ctx context.Context, c *rpcfleet.Client) error {
				_, err := graph.Query[map[string]any](ctx, c.Graph, "query Mine { ethereum { __typename } }", nil)
				return err
			}, "Mine", 200, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.lines...)
			begun := 0
			var ends []rpcfleet.CallResult
			spy := &spyContext{}
			client := server.client(t, rpcfleet.WithCredentialSource(spy), rpcfleet.WithCallHook(
				func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
					begun++
					assert.Equal(t, test.op, op.ID)
					return context.WithValue(ctx, key{}, "span"), func(o rpcfleet.CallResult) { ends = append(ends, o) }
				}))
			err := test.call(t.Context(), client)
			assert.Equal(t, 1, begun)
			require.Len(t, ends, 1)
			assert.Equal(t, test.status, ends[0].StatusCode)
			assert.Equal(t, test.attempts, ends[0].Attempts)
			assert.Positive(t, ends[0].Duration)
			assert.Equal(t, err, ends[0].Err)
			assert.Equal(t, "span", spy.ctx.Value(key{}), "the attempts run in the observer's context")
		})
	}
	t.Run("what is not sent is not observed", func(t *testing.T) {
		_, server := scripted(t, respondJSON(200, record))
		client := server.client(t, rpcfleet.WithCallHook(
			func(context.Context, rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				t.Error("observed")
				return nil, nil
			}))
		_, err := client.Endpoints.Get(t.Context(), "")
		require.Error(t, err)
	})
	t.Run("an observer may return nothing", func(t *testing.T) {
		_, server := scripted(t, respondJSON(200, record))
		nothing := rpcfleet.WithCallHook(
			func(context.Context, rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				return nil, nil
			})
		_, err := get(server.client(t, nothing, nothing))
		require.NoError(t, err)
	})
}

func TestObserversStack(t *testing.T) {
	type key struct{}
	var told []string
	watch := func(name string) rpcfleet.ClientOption {
		return rpcfleet.WithCallHook(
			func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				outer, _ := ctx.Value(key{}).(string)
				told = append(told, name+" begins "+op.ID+" in "+outer)
				return context.WithValue(ctx, key{}, outer+name), func(outcome rpcfleet.CallResult) {
					told = append(told, fmt.Sprint(name, " ends with ", outcome.StatusCode))
				}
			})
	}
	_, server := scripted(t, respondJSON(200, record))
	_, err := get(server.client(t, watch("a"), watch("b"), watch("c")))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"a begins getEndpoint in ", "b begins getEndpoint in a", "c begins getEndpoint in ab",
		"c ends with 200", "b ends with 200", "a ends with 200",
	}, told)
}

func TestAnOuterObserverEndsThoughAnInnerOnePanics(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	ended := 0
	client := server.client(t,
		rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(rpcfleet.CallResult) { ended++ }
		}),
		rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(rpcfleet.CallResult) { panic("in the observer") }
		}))
	assert.PanicsWithValue(t, "in the observer", func() { _, _ = get(client) })
	assert.Equal(t, 1, ended)
}

func getOne(ctx context.Context, c *rpcfleet.Client) error {
	_, err := c.Endpoints.Get(ctx, "ep1")
	return err
}

// spyContext keeps the context that an attempt asks for credentials with.
type spyContext struct{ ctx context.Context }

func (s *spyContext) Credentials(ctx context.Context) (rpcfleet.Credentials, error) {
	s.ctx = ctx
	return rpcfleet.Credentials{APIKey: scalar.NewSecret(testKey)}, nil
}

type attemptKey struct{}

// contextual responds as the service does, and keeps the values of the requests' contexts.
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
		var outcomes []rpcfleet.AttemptResult
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL("https://api.example.com:8443/below"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithHTTPClient(&http.Client{Transport: service}), rpcfleet.WithPacer(slowPacer{}),
			rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				return context.WithValue(ctx, attemptKey{}, "the call"), nil
			}),
			rpcfleet.WithAttemptHook(
				func(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
					assert.Equal(t, "the call", ctx.Value(attemptKey{}), "an attempt begins in the context of its call")
					assert.Equal(t, "getEndpoint", a.Operation.ID)
					assert.Equal(t, "https://api.example.com:8443", a.Origin)
					return context.WithValue(ctx, attemptKey{}, a.Number),
						func(o rpcfleet.AttemptResult) { outcomes = append(outcomes, o) }
				}))
		require.NoError(t, err)
		_, err = get(client)
		require.NoError(t, err)
		assert.Equal(t, []any{"1 of getEndpoint", "2 of getEndpoint", "3 of getEndpoint"}, service.seen)
		require.Len(t, outcomes, 3)
		for i := range outcomes {
			assert.Equal(t, 2*time.Second, outcomes[i].PacerWait)
			assert.Zero(t, outcomes[i].Duration, "the pacer's time is not the attempt's")
			if outcomes[i].Retried {
				assert.LessOrEqual(t, outcomes[i].RetryIn, 30*time.Second)
			}
			outcomes[i].PacerWait, outcomes[i].RetryIn = 0, 0
		}
		assert.Equal(t, []rpcfleet.AttemptResult{
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
	watch := func(name string) rpcfleet.ClientOption {
		return rpcfleet.WithAttemptHook(
			func(ctx context.Context, _ rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
				outer, _ := ctx.Value(attemptKey{}).(string)
				told = append(told, name+" begins in "+outer)
				return context.WithValue(ctx, attemptKey{}, outer+name), func(o rpcfleet.AttemptResult) {
					told = append(told, fmt.Sprint(name, " ends with ", o.StatusCode, " ", o.Protocol))
				}
			})
	}
	nothing := rpcfleet.WithAttemptHook(
		func(context.Context, rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
			return nil, nil
		})
	_, server := scripted(t, respondJSON(200, record))
	_, err := get(server.client(t, watch("a"), nothing, watch("b")))
	require.NoError(t, err)
	assert.Equal(t, []string{"a begins in ", "b begins in a", "b ends with 200 HTTP/1.1", "a ends with 200 HTTP/1.1"},
		told)
}

func TestClassOfAnOutcome(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for want, test := range map[string]struct {
		ctx  context.Context
		line responder
	}{
		"ok":                {t.Context(), respondJSON(200, record)},
		"rate_limited":      {t.Context(), respondJSON(429, ``)},
		"not_found":         {t.Context(), respondJSON(404, ``)},
		"unauthorized":      {t.Context(), respondJSON(401, ``)},
		"forbidden":         {t.Context(), respondJSON(403, ``)},
		"conflict":          {t.Context(), respondJSON(409, ``)},
		"invalid_request":   {t.Context(), respondJSON(422, ``)},
		"server_error":      {t.Context(), respondJSON(500, ``)},
		"refused":           {t.Context(), respondJSON(200, `{"data":null,"error":"no"}`)},
		"canceled":          {stopped, respondJSON(200, record)},
		"timed_out":         {over, respondJSON(200, record)},
		"connection_failed": {t.Context(), hangUp},
		"unreadable":        {t.Context(), respondJSON(200, `{"data":`)},
		"failed":            {t.Context(), respondJSON(418, ``)},
	} {
		t.Run(want, func(t *testing.T) {
			_, server := scripted(t, test.line)
			var class string
			client := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1}), rpcfleet.WithCallHook(
				func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
					return ctx, func(outcome rpcfleet.CallResult) { class = string(outcome.Kind()) }
				}))
			_ = getOne(test.ctx, client)
			assert.Equal(t, want, class)
		})
	}
}
