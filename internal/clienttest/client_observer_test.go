package clienttest

import (
	"context"
	"fmt"
	"testing"

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
		"a success after a retry": {[]responder{says(502, ``), says(200, record)}, getOne, "getEndpoint", 200, 2},
		"a failure":               {[]responder{says(404, ``)}, getOne, "getEndpoint", 404, 1},
		"an unreadable response":  {[]responder{says(200, ``)}, getOne, "getEndpoint", 200, 1},
		"no response":             {[]responder{hangsUp}, getOne, "getEndpoint", 0, 4},
		"a delete that was done before": {[]responder{hangsUp, says(404, ``)}, func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Endpoints.Archive(ctx, "ep1")
		}, "archiveEndpoint", 404, 2},
		"a query": {[]responder{says(200, `{"errors":[{"message":"no"}]}`)}, func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := graph.Query[map[string]any](ctx, c.Graph, "query Mine { ethereum { __typename } }", nil)
			return err
		}, "Mine", 200, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.lines...)
			begun := 0
			var ends []rpcfleet.Outcome
			spy := &spyContext{}
			client := server.client(t, rpcfleet.WithCredentialSource(spy), rpcfleet.WithObserver(
				func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
					begun++
					assert.Equal(t, test.op, op.ID)
					return context.WithValue(ctx, key{}, "span"), func(o rpcfleet.Outcome) { ends = append(ends, o) }
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
		_, server := scripted(t, says(200, record))
		client := server.client(t, rpcfleet.WithObserver(
			func(context.Context, rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
				t.Error("observed")
				return nil, nil
			}))
		_, err := client.Endpoints.Get(t.Context(), "")
		require.Error(t, err)
	})
	t.Run("an observer may return nothing", func(t *testing.T) {
		_, server := scripted(t, says(200, record))
		nothing := rpcfleet.WithObserver(
			func(context.Context, rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) { return nil, nil })
		_, err := get(server.client(t, nothing, nothing))
		require.NoError(t, err)
	})
}

func TestObserversStack(t *testing.T) {
	type key struct{}
	var told []string
	watch := func(name string) rpcfleet.Option {
		return rpcfleet.WithObserver(func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			outer, _ := ctx.Value(key{}).(string)
			told = append(told, name+" begins "+op.ID+" in "+outer)
			return context.WithValue(ctx, key{}, outer+name), func(outcome rpcfleet.Outcome) {
				told = append(told, fmt.Sprint(name, " ends with ", outcome.StatusCode))
			}
		})
	}
	_, server := scripted(t, says(200, record))
	_, err := get(server.client(t, watch("a"), rpcfleet.WithPacer(nil), watch("b"), watch("c")))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"a begins getEndpoint in ", "b begins getEndpoint in a", "c begins getEndpoint in ab",
		"c ends with 200", "b ends with 200", "a ends with 200",
	}, told)
}

func TestAnOuterObserverEndsThoughAnInnerOnePanics(t *testing.T) {
	_, server := scripted(t, says(200, record))
	ended := 0
	client := server.client(t,
		rpcfleet.WithObserver(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			return ctx, func(rpcfleet.Outcome) { ended++ }
		}),
		rpcfleet.WithObserver(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			return ctx, func(rpcfleet.Outcome) { panic("in the observer") }
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
