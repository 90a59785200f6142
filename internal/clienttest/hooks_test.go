package clienttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestCallHook_getsTheResult(t *testing.T) {
	read := func(c *rpcfleet.Client) error { return errOf(get(c)) }
	for name, test := range map[string]struct {
		lines            []responder
		call             func(*rpcfleet.Client) error
		op               string
		status, attempts int
	}{
		"a success after a retry": {[]responder{respondJSON(502, ``), respondJSON(200, record)}, read, "getEndpoint", 200, 2},
		"a failure":               {[]responder{respondJSON(404, ``)}, read, "getEndpoint", 404, 1},
		"an unreadable response":  {[]responder{respondJSON(200, ``)}, read, "getEndpoint", 200, 1},
		"a create without a record": {[]responder{respondJSON(200, `{}`)},
			func(c *rpcfleet.Client) error { return createEndpoint(t.Context(), c) }, "createEndpoint", 200, 1},
		"no response": {[]responder{hangUp}, read, "getEndpoint", 0, 4},
		"a delete that was done before": {[]responder{hangUp, respondJSON(404, ``)},
			func(c *rpcfleet.Client) error { return c.Endpoints.Archive(t.Context(), "ep1") }, "archiveEndpoint", 404, 2},
		"a query": {[]responder{respondJSON(200, `{"errors":[{"message":"no"}]}`)}, func(c *rpcfleet.Client) error {
			return errOf(graph.Query[any](t.Context(), c.Graph, "query Mine { ethereum { __typename } }", nil))
		}, "Mine", 200, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.lines...)
			var results []rpcfleet.CallResult
			client := server.client(t, onResult(func(op rpcfleet.Operation, r rpcfleet.CallResult) {
				assert.Equal(t, test.op, op.ID)
				assert.NotEmpty(t, op.Source)
				results = append(results, r)
			}))
			err := test.call(client)
			require.Error(t, errOf(client.Endpoints.Get(t.Context(), "")))
			require.Len(t, results, 1, "nothing is sent, and no call begins, if an argument is invalid")
			assert.Equal(t, []any{test.status, test.attempts, err},
				[]any{results[0].Response.StatusCode, results[0].Response.Attempts, results[0].Err})
			assert.Equal(t, errors.Is(err, rpcfleet.ErrNoRecord), results[0].Response.NoRecord)
			assert.Positive(t, results[0].Response.Duration)
		})
	}
}

// hookKey is the key of the value that hooks put into the context.
type hookKey struct{}

// noHooks return neither a context nor a function.
var noHooks = []rpcfleet.ClientOption{
	rpcfleet.WithCallHook(func(context.Context, rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
		return nil, nil
	}),
	rpcfleet.WithAttemptHook(func(context.Context, rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
		return nil, nil
	}),
}

func TestHooks_nest(t *testing.T) {
	var events []string
	var last rpcfleet.CallResult
	enter := func(ctx context.Context, name, of string) context.Context {
		outer, _ := ctx.Value(hookKey{}).(string)
		events = append(events, name+" begins "+of+" in "+outer)
		return context.WithValue(ctx, hookKey{}, outer+name)
	}
	call := func(name string) rpcfleet.ClientOption {
		return rpcfleet.WithCallHook(
			func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				return enter(ctx, name, op.ID), func(r rpcfleet.CallResult) {
					events = append(events, fmt.Sprint(name, " ends with ", r.Response.StatusCode))
					last = r
					assert.Equal(t, record, string(r.Response.Body()))
				}
			})
	}
	attempt := func(name string) rpcfleet.ClientOption {
		return rpcfleet.WithAttemptHook(
			func(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
				return enter(ctx, name, fmt.Sprint(a.Number)), func(r rpcfleet.AttemptResult) {
					events = append(events, fmt.Sprint(name, " ends with ", r.StatusCode, " ", r.Protocol))
					assert.Positive(t, r.Duration)
				}
			})
	}
	_, server := scripted(t, respondJSON(200, record))
	options := []rpcfleet.ClientOption{call("a"), call("b"), call("c"), attempt("d"), attempt("e")}
	require.NoError(t, errOf(get(server.client(t, append(noHooks, options...)...))))
	assert.Equal(t, []string{
		"a begins getEndpoint in ", "b begins getEndpoint in a", "c begins getEndpoint in ab",
		"d begins 1 in abc", "e begins 1 in abcd", "e ends with 200 HTTP/1.1", "d ends with 200 HTTP/1.1",
		"c ends with 200", "b ends with 200", "a ends with 200",
	}, events)
	assert.Nil(t, last.Response.Body(), "its memory is used again")
}

// TestWithLogger_warnsOnceOfEnd of each operation, whatever its status. The texts are the service's.
func TestWithLogger_warnsOnceOfEnd(t *testing.T) {
	end := []string{"Deprecation", "@1795651200", "Sunset", "Fri, 01 Jan 2027 00:00:00 GMT; key=" + testKey}
	_, server := scripted(t, respondJSON(200, record), withHeaders(respondJSON(200, record), end...),
		withHeaders(respondJSON(404, ``), end...), withHeaders(respondJSON(404, ``), end[:2]...))
	var log bytes.Buffer
	client := server.client(t, rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for range 3 {
		_, _ = get(client)
	}
	require.Error(t, client.Endpoints.Archive(t.Context(), "ep1"))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2)
	assert.Regexp(t, `level=WARN msg="rpcfleet: the service will end an operation" operation=getEndpoint `+
		`deprecation=@1795651200 sunset="Fri, 01 Jan 2027 00:00:00 GMT; key=\[redacted\]"$`, lines[0])
	assert.Regexp(t, `operation=archiveEndpoint deprecation=@1795651200 sunset=""$`, lines[1])
}

func TestCallHook_endsIfInnerHookPanics(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	ended := 0
	client := server.client(t, onResult(func(rpcfleet.Operation, rpcfleet.CallResult) { ended++ }),
		onResult(func(rpcfleet.Operation, rpcfleet.CallResult) { panic("in the hook") }))
	assert.PanicsWithValue(t, "in the hook", func() { _, _ = get(client) })
	assert.Equal(t, 1, ended)
}

// TestAttemptHook_getsTheResult of attempts, of which the third is redirected before it fails.
func TestAttemptHook_getsTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := []string{"X-Request-Id", "req-7"}
		script := scriptnet.New(hangUp, withHeaders(later(503, "3"), id...), withHeaders(redirect("/moved"), id...),
			withHeaders(respondJSON(200, record), id...))
		pipe, seen := pipenet.Serve(t, script).Transport, []any(nil)
		service := tripper(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Context().Value(hookKey{}))
			if time.Sleep(time.Second); r.URL.Path == "/moved" {
				return nil, io.ErrUnexpectedEOF
			}
			return pipe.RoundTrip(r)
		})
		var outcomes []rpcfleet.AttemptResult
		client := clientOf(t, "http://localhost:8443/below", service,
			rpcfleet.WithPacer(pacing(func() error {
				time.Sleep(2 * time.Second)
				return nil
			})),
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, MaxRetryAfter: time.Minute}),
			rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				return context.WithValue(ctx, hookKey{}, "the call"), nil
			}),
			rpcfleet.WithAttemptHook(
				func(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
					assert.Equal(t, "the call", ctx.Value(hookKey{}), "an attempt begins in the context of its call")
					assert.Equal(t, "getEndpoint", a.Operation.ID)
					assert.Equal(t, "http://localhost:8443", a.Origin)
					ctx, cancel := context.WithCancel(context.WithValue(ctx, hookKey{}, a.Number))
					cancel() // A hook cannot end a call.
					return ctx, func(o rpcfleet.AttemptResult) { outcomes = append(outcomes, o) }
				}))
		require.NoError(t, errOf(get(client)))
		assert.Equal(t, []any{1, 2, 3, 3, 4}, seen)
		const waited = 2 * time.Second // It is not a part of the duration.
		assert.Equal(t, []rpcfleet.AttemptResult{
			{Failure: "connection failed", Duration: time.Second, PacerWait: waited, Retried: true},
			{StatusCode: 503, Protocol: "HTTP/1.1", RequestID: "req-7", Duration: time.Second, PacerWait: waited,
				Retried: true, RetryIn: 3 * time.Second},
			{Failure: "connection failed", Duration: 2 * time.Second, PacerWait: 2 * waited, Retried: true},
			{StatusCode: 200, Protocol: "HTTP/1.1", RequestID: "req-7", Duration: time.Second, PacerWait: waited},
		}, outcomes)
	})
}

type pacing func() error

func (p pacing) Wait(context.Context) error { return p() }

func TestRetryBudget_endsRetries(t *testing.T) {
	small := rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Budget: 4})
	none := rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Budget: -1})
	_, server := scripted(t, respondJSON(503, ``))
	for _, test := range []struct {
		client   *rpcfleet.Client
		call     opts
		attempts int
	}{{server.client(t, small), nil, 1}, {server.client(t, small), opts{none}, 4}, {server.client(t), opts{none}, 4}} {
		failure := errorAs[*rpcfleet.Error](t, errOf(get(test.client, test.call...)))
		assert.Equal(t, test.attempts, failure.Attempts)
		assert.Equal(t, test.attempts == 1, failure.RetryBudgetExhausted)
	}
	server.Play(truncate)
	assert.True(t, errorAs[*rpcfleet.DecodeError](t, errOf(get(server.client(t, small)))).RetryBudgetExhausted)
	_, err := get(server.client(t, small), rpcfleet.WithoutRetries())
	assert.False(t, errorAs[*rpcfleet.DecodeError](t, err).RetryBudgetExhausted, "no other attempt was due")
}

func TestCloseIdleConnections_closesCallersTransport(t *testing.T) {
	closed := 0
	over(t, &idler{tripper(nil), &closed}).CloseIdleConnections()
	assert.Equal(t, 1, closed)
}

// switches responds with 101 and keeps the connection open until the client closes it, for 15 seconds at most. It
// reports whether the client did.
func switches(closed chan<- bool) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_ = conn.SetReadDeadline(time.Now().Add(15 * time.Second))
		_, err = conn.Read(make([]byte, 1))
		closed <- !errors.Is(err, os.ErrDeadlineExceeded)
		_ = conn.Close()
	}
}

// TestSwitchingProtocols_endsCallAndConnection: net/http returns the connection as the body, and no context ends
// it any more.
func TestSwitchingProtocols_endsCallAndConnection(t *testing.T) {
	closed := make(chan bool, 1)
	client, _ := scripted(t, switches(closed))
	err := createEndpoint(t.Context(), client)
	failure := errorAs[*rpcfleet.Error](t, err)
	assert.Equal(t, http.StatusSwitchingProtocols, failure.StatusCode)
	assert.Equal(t, 1, failure.Attempts)
	require.ErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
	assert.True(t, <-closed, "the connection was left open")
}
