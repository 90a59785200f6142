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
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestCallHook_getsTheResult(t *testing.T) {
	const query = "query Mine { ethereum { __typename } }"
	read := func(c *rpcfleet.Client) error { return errOf(get(c)) }
	create := func(c *rpcfleet.Client) error { return createEndpoint(t.Context(), c) }
	archive := func(c *rpcfleet.Client) error { return c.Endpoints.Archive(t.Context(), "ep1") }
	ask := func(c *rpcfleet.Client) error { return errOf(graph.Query[any](t.Context(), c.Graph, query, nil)) }
	for _, test := range []struct {
		op               string
		call             func(*rpcfleet.Client) error
		lines            []responder
		status, attempts int
	}{
		{"getEndpoint", read, []responder{respondJSON(502, ``), ok(record)}, 200, 2},
		{"getEndpoint", read, []responder{respondJSON(404, ``)}, 404, 1},
		{"getEndpoint", read, []responder{ok(``)}, 200, 1},
		{"getEndpoint", read, []responder{hangUp}, 0, 4},
		{"createEndpoint", create, []responder{ok(`{}`)}, 200, 1},
		{"archiveEndpoint", archive, []responder{hangUp, respondJSON(404, ``)}, 404, 2},
		{"Mine", ask, []responder{ok(`{"errors":[{"message":"no"}]}`)}, 200, 1},
	} {
		var results []rpcfleet.CallResult
		client, _ := scriptedWith(t, with{onResult(func(op rpcfleet.Operation, r rpcfleet.CallResult) {
			assert.Equal(t, test.op, op.ID)
			assert.NotEmpty(t, op.Source)
			results = append(results, r)
		})}, test.lines...)
		err := test.call(client)
		require.Error(t, errOf(client.Endpoints.Get(t.Context(), "")))
		require.Len(t, results, 1, "nothing is sent, and no call begins, if an argument is invalid")
		assert.Equal(t, []any{test.status, test.attempts, err},
			[]any{results[0].Response.StatusCode, results[0].Response.Attempts, results[0].Err})
		assert.Equal(t, errors.Is(err, rpcfleet.ErrNoRecord), results[0].Response.NoRecord)
		assert.Positive(t, results[0].Response.Duration)
	}
}

// hookKey is the key of the value that hooks put into the context.
type hookKey struct{}

func TestHooks_nest(t *testing.T) {
	var events []string
	var last rpcfleet.CallResult
	enter := func(ctx context.Context, name, of string) context.Context {
		outer, _ := ctx.Value(hookKey{}).(string)
		events = append(events, name+" begins "+of+" in "+outer)
		return context.WithValue(ctx, hookKey{}, outer+name)
	}
	var options with
	for _, name := range []string{"", "a", "b", "c"} { // The first hook returns neither a context nor a function.
		options = append(options, rpcfleet.WithCallHook(
			func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
				if name == "" {
					return nil, nil
				}
				return enter(ctx, name, op.ID), func(r rpcfleet.CallResult) {
					events = append(events, fmt.Sprint(name, " ends with ", r.Response.StatusCode))
					last = r
					assert.Equal(t, record, string(r.Response.Body()))
				}
			}))
	}
	for _, name := range []string{"", "d", "e"} {
		options = append(options, rpcfleet.WithAttemptHook(
			func(ctx context.Context, a rpcfleet.Attempt) (context.Context, func(rpcfleet.AttemptResult)) {
				if name == "" {
					return nil, nil
				}
				return enter(ctx, name, fmt.Sprint(a.Number)), func(r rpcfleet.AttemptResult) {
					events = append(events, fmt.Sprint(name, " ends with ", r.StatusCode, " ", r.Protocol))
					assert.Positive(t, r.Duration)
				}
			}))
	}
	client, _ := scriptedWith(t, options, ok(record))
	require.NoError(t, errOf(get(client)))
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
	ended := 0
	client, _ := scriptedWith(t, with{onResult(func(rpcfleet.Operation, rpcfleet.CallResult) { ended++ }),
		onResult(func(rpcfleet.Operation, rpcfleet.CallResult) { panic("in the hook") })}, ok(record))
	assert.PanicsWithValue(t, "in the hook", func() { _, _ = get(client) })
	assert.Equal(t, 1, ended)
}

// TestAttemptHook_getsTheResult of attempts, of which the third is redirected before it fails.
func TestAttemptHook_getsTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := []string{"X-Request-Id", "req-7"}
		script := scriptnet.New(hangUp, withHeaders(later(503, "3"), id...), withHeaders(redirect("/moved"), id...),
			withHeaders(ok(record), id...))
		pipe, seen := pipenet.Serve(t, script).Transport, []any(nil)
		service := tripper(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Context().Value(hookKey{}))
			if time.Sleep(time.Second); r.URL.Path == "/moved" {
				return nil, io.ErrUnexpectedEOF
			}
			return pipe.RoundTrip(r)
		})
		var outcomes []rpcfleet.AttemptResult
		client := clientOf(t, "http://localhost:8443/below", service, rpcfleet.WithPacer(pacing(func() error {
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

// TestSwitchingProtocols_endsCallAndConnection, which is the body and which no context ends any more.
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

// TestWithDump_writesExchanges: TestErrors_hideSecrets looks for secrets in dumps.
func TestWithDump_writesExchanges(t *testing.T) {
	var dump bytes.Buffer
	_, server := scripted(t, withHeaders(respondJSON(503, "busy\x1b[2J"), "Date", "then"),
		withHeaders(ok(`{"data":{"token":"made-up-value"}}`), "Date", "now", "X-Request-Id", "r-1"), hangUp)
	client := server.client(t, rpcfleet.WithDump(&dump))
	change := admin.UpdateEndpointRequest{Label: new("line\nend")}
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", change))
	const sent = `PATCH /v0/endpoints/ep1
Host: HOST
Accept: application/json
Accept-Encoding: gzip
Content-Type: application/json
User-Agent: rpcfleet-go/` + rpcfleet.Version + `
X-Api-Key: [redacted]

{"label":"line\nend"}

`
	want := sent + `HTTP/1.1 503 Service Unavailable
Content-Length: 8
Content-Type: application/json
Date: then

busy\x1b[2J

` + sent + `HTTP/1.1 200 OK
Content-Length: 34
Content-Type: application/json
Date: now
X-Request-Id: r-1

{"data":{"token":"[redacted]"}}

`
	assert.Equal(t, strings.ReplaceAll(want, "HOST", strings.TrimPrefix(server.URL, "http://")), dump.String())
	dump.Reset()
	require.Error(t, errOf(get(client, rpcfleet.WithoutRetries())))
	assert.Contains(t, dump.String(), "\n\nNo complete response: ")
}

// TestErrors_areGroupsInLogs: the JSON of a log has the fields to search for.
func TestErrors_areGroupsInLogs(t *testing.T) {
	client, _ := scripted(t, withHeaders(respondJSON(409, `{"error":"taken"}`), "X-Request-Id", "r-1"), ok(`{`))
	refused, unreadable := createEndpoint(t.Context(), client), createEndpoint(t.Context(), client)
	const of = `{"error":%q,"kind":"conflict","operation":"createEndpoint","status":409,"request_id":"r-1","attempts":1}`
	inner := strings.Replace(of, "%q", quoted(t, refused.Error()), 1)
	for want, err := range map[string]error{
		inner: refused,
		`{"error":` + quoted(t, unreadable.Error()) + `,"kind":"unreadable","operation":"createEndpoint","status":200,
			"attempts":1,"reason":"response cut short","outcome_unknown":true}`: unreadable,
		`{"error":` + quoted(t, (&rpcfleet.PageError{Offset: 7, Cursor: "c", Err: refused}).Error()) +
			`,"kind":"conflict","offset":7,"cause":` + inner + `}`: &rpcfleet.PageError{Offset: 7, Cursor: "c", Err: refused},
		`{"error":"rpcfleet: following the log of endpoint \"ep1\" ended, resume from 1970-01-01T00:00:00Z: down",
			"kind":"failed","endpoint_id":"ep1","from":"1970-01-01T00:00:00Z","cause":"down"}`: &rpcfleet.FollowError{
			EndpointID: "ep1", From: time.Unix(0, 0).UTC(), Err: errors.New("down"),
		},
	} {
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", err)
		assert.Equal(t, decodeBody(t, want), decodeBody(t, log.String())["err"])
	}
}

// TestWithProgress_followsTheLoop: a call of the function comes after the loop has worked on a page.
func TestWithProgress_followsTheLoop(t *testing.T) {
	var progress []int
	report := rpcfleet.WithProgress(func(done, total int) { progress = append(progress, done, total) })
	first, second := ok(page(numbered("e", 0, 3), 5, 3, 0)), ok(page(numbered("e", 2, 5), 5, 3, 2))
	client, server := scripted(t, first, second, first, respondJSON(400, ``))
	endpoints := client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, report)
	require.NoError(t, run(endpoints))
	assert.Equal(t, []int{3, 5, 5, 5}, progress)
	require.ErrorIs(t, run(endpoints), rpcfleet.ErrInvalidRequest)
	assert.Equal(t, []int{3, 5, 5, 5, 3, 5}, progress, "up to a failure")

	progress = nil
	server.Play(ok(`{"data":[{"request_id":"a"}],"next_at":"c"}`), ok(`{"data":[{"request_id":"b"}]}`), first)
	require.NoError(t, run(client.Logs.All(t.Context(), "ep1", anHour, report, rpcfleet.WithPrefetch(1))))
	assert.Equal(t, []int{1, -1, 2, -1}, progress, "by cursor")
	progress = nil
	for range endpoints {
		assert.Nil(t, progress, "the loop has yet to work on the page")
		break
	}
	assert.Nil(t, progress, "not after a break")
}

// withRateLimits adds limits: pairs of a header's name below "x-ratelimit-" and its value.
func withRateLimits(line responder, pairs ...string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(pairs); i += 2 {
			w.Header().Add("x-ratelimit-"+pairs[i], pairs[i+1])
		}
		line(w, r)
	}
}

func TestRateLimit_readsHeaders(t *testing.T) {
	const reset, largest, overflow = "1794000000", "1000000000", "18446744073709551615"
	var none rpcfleet.RateLimitWindow
	minute := rpcfleet.RateLimitWindow{Limit: 900, Remaining: 3}
	epoch := rpcfleet.RateLimitWindow{Limit: 50, Remaining: 49, Reset: time.Unix(0, 0)}
	for headers, want := range map[string]rpcfleet.RateLimitWindow{ // The limit, the remainder and perhaps the reset.
		"50/49/" + reset: window(50, 49, 1794000000), "50/0/" + reset: window(50, 0, 1794000000),
		"50/49": window(50, 49, 0), "50/49/soon": window(50, 49, 0), "50/49/-1": window(50, 49, 0), "50/49/0": epoch,
		"50/49/253402300799": window(50, 49, 253402300799), "50/49/253402300800": window(50, 49, 0), // The end of 9999.
		"50/49/" + reset + ",1794000001": window(50, 49, 0), "50/49/" + overflow: window(50, 49, 0),
		largest + "/" + largest: window(1e9, 1e9, 0), largest + "/1000000001": none, "1000000001/49": none,
		overflow + "/" + overflow: none, "1/0": window(1, 0, 0), "0/0": none, "50/-1": none, "50/51": none, "+50/49": none,
		"50.0/49": none, "010/007": window(10, 7, 0), "/": none, "50,50/49": none, "50/49,48": none, "none/49/" + reset: none,
		"50/none": none,
	} {
		pairs := []string{"rpmlimit", "900", "rpmremaining", "3"}
		for i, values := range strings.Split(headers, "/") {
			for _, value := range strings.Split(values, ",") {
				if value != "none" {
					pairs = append(pairs, []string{"rpslimit", "rpsremaining", "rpsreset"}[i], value)
				}
			}
		}
		client, _ := scripted(t, withRateLimits(ok(record), pairs...))
		var response rpcfleet.Response
		require.NoError(t, errOf(get(client, rpcfleet.WithResponse(&response))))
		assert.Equal(t, want, response.RateLimit.PerSecond, headers)
		assert.Equal(t, minute, response.RateLimit.PerMinute, "one window says nothing of the other")
	}
}

// window makes a window, without a reset if reset is 0.
func window(limit, remaining int, reset int64) rpcfleet.RateLimitWindow {
	w := rpcfleet.RateLimitWindow{Limit: limit, Remaining: remaining}
	if reset != 0 {
		w.Reset = time.Unix(reset, 0)
	}
	return w
}

// TestRateLimit_isInEachResult with a response, whatever its status, also if the body is cut short.
func TestRateLimit_isInEachResult(t *testing.T) {
	second := []string{"rpslimit", "50", "rpsremaining", "7", "rpsreset", "1794000000"}
	dated := withHeaders(ok(record), "Date", "Sun, 22 Nov 2026 00:10:20 GMT")
	_, server := scripted(t, withRateLimits(redirect("/v0/endpoints/ep2"), "rpslimit", "5", "rpsremaining", "4"),
		withRateLimits(dated, second...),
		withRateLimits(later(500, "7"), "rpmlimit", "900", "rpmremaining", "2"),
		withRateLimits(later(429, "7"), "rpslimit", "50", "rpsremaining", "0"),
		withHeaders(ok(record), "Retry-After", "3"), withRateLimits(truncate, second...), hangUp,
	)
	var calls, attempts []rpcfleet.RateLimitState
	client := server.client(t, rpcfleet.WithoutRetries(),
		onResult(func(_ rpcfleet.Operation, r rpcfleet.CallResult) { calls = append(calls, r.Response.RateLimit) }),
		onAttempt(func(r rpcfleet.AttemptResult) { attempts = append(attempts, r.RateLimit) }))
	for range 6 {
		_, _ = get(client)
	}
	require.Len(t, attempts, 6)
	assert.Equal(t, rpcfleet.RateLimitState{PerSecond: window(50, 7, 1794000000),
		Date: time.Date(2026, 11, 22, 0, 10, 20, 0, time.UTC)}, attempts[0])
	assert.Equal(t, window(900, 2, 0), attempts[1].PerMinute)
	assert.Zero(t, attempts[1].RetryAfter, "only a 429 is about the limit")
	assert.Equal(t, 7*time.Second, attempts[2].RetryAfter)
	assert.Zero(t, attempts[3], "the response says nothing")
	assert.Equal(t, attempts[:4], calls[:4])
	assert.Equal(t, window(50, 7, 1794000000), attempts[4].PerSecond)
	assert.Zero(t, attempts[5])
}
