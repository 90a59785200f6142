package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
)

func TestIdleConnectionsAreClosedOnDemand(t *testing.T) {
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

// TestA101EndsTheCallAndItsConnection: net/http returns the connection as the body, and no context ends it any more.
func TestA101EndsTheCallAndItsConnection(t *testing.T) {
	for name, call := range map[string]use{
		"read":   func(ctx context.Context, c *rpcfleet.Client) error { _, err := c.Chains.List(ctx); return err },
		"create": func(ctx context.Context, c *rpcfleet.Client) error { return createEndpoint(ctx, c) },
		"graph": func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := graph.Query[map[string]int](ctx, c.Graph, "{ a }", nil)
			return err
		},
	} {
		ends := func(t *testing.T, client *rpcfleet.Client, closed <-chan bool) {
			err := call(t.Context(), client)
			failure := errorAs[*rpcfleet.Error](t, err)
			assert.Equal(t, http.StatusSwitchingProtocols, failure.StatusCode)
			assert.Equal(t, 1, failure.Attempts)
			assert.Equal(t, name == "create", errors.Is(err, rpcfleet.ErrOutcomeUnknown))
			assert.True(t, <-closed, "the connection was left open")
		}
		t.Run(name+", the client's own connections", func(t *testing.T) {
			closed := make(chan bool, 1)
			client, _ := scripted(t, switches(closed))
			ends(t, client, closed)
		})
		t.Run(name+", those of http.Client", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed := make(chan bool, 1)
				client := piped(t, switches(closed), rpcfleet.WithAttemptTimeout(time.Second))
				begun := time.Now()
				ends(t, client, closed)
				assert.Zero(t, time.Since(begun))
			})
		})
	}
}

func TestErrorsTellWhenTheQuotaEndedTheRetries(t *testing.T) {
	small := rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Budget: 4})
	_, server := scripted(t, respondJSON(503, ``))
	_, err := get(server.client(t, small))
	failure := errorAs[*rpcfleet.Error](t, err)
	assert.True(t, failure.RetryBudgetExhausted)
	assert.Equal(t, 1, failure.Attempts)
	assert.Contains(t, err.Error(), "retry budget exhausted")

	_, err = get(server.client(t, small), rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Budget: -1}))
	require.ErrorAs(t, err, &failure)
	assert.False(t, failure.RetryBudgetExhausted)
	assert.Equal(t, 4, failure.Attempts)
	assert.NotContains(t, err.Error(), "quota")

	unlimited := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Budget: -1}))
	for range 40 {
		_, err = get(unlimited)
		require.ErrorAs(t, err, &failure)
		require.Equal(t, 4, failure.Attempts)
	}

	_, server = scripted(t, truncate)
	_, err = get(server.client(t, small))
	unreadable := errorAs[*rpcfleet.DecodeError](t, err)
	assert.True(t, unreadable.RetryBudgetExhausted)
	assert.Contains(t, err.Error(), "retry budget exhausted")
	_, err = get(server.client(t, small), rpcfleet.WithoutRetries())
	require.ErrorAs(t, err, &unreadable)
	assert.False(t, unreadable.RetryBudgetExhausted, "no other attempt was due")

	assert.Equal(t, 500, rpcfleet.DefaultRetryPolicy().Budget)
}

// turns responds to each request with the next status, and to the rest with the last one. A status of 0 is a connection
// that is lost, and one of 1 a response that never comes.
type turns struct {
	statuses []int
	header   http.Header
	sent     int
}

func (s *turns) RoundTrip(r *http.Request) (*http.Response, error) {
	status := s.statuses[min(s.sent, len(s.statuses)-1)]
	s.sent++
	switch status {
	case 0:
		return nil, http.ErrServerClosed
	case 1:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	recorder := &canned{body: []byte(record),
		header: http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req-7"}}}
	for name, values := range s.header {
		recorder.header[name] = values
	}
	response, err := recorder.RoundTrip(r)
	response.StatusCode = status
	return response, err
}

// logged returns the records of a level and above that a call leaves, which is one inside a bubble.
func logged(t *testing.T, level slog.Level, ctx context.Context, service *turns, options ...rpcfleet.ClientOption) (
	records []map[string]any) {
	t.Helper()
	var log bytes.Buffer
	logger := rpcfleet.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: level})))
	_, _ = over(t, service, append(options, logger)...).Endpoints.Get(ctx, "ep-secret")
	for _, secret := range []string{testKey, "t0k3n", "ep-secret", "example.com"} {
		assert.NotContains(t, log.String(), secret)
	}
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &fields))
		records = append(records, fields)
	}
	return records
}

func TestEachAttemptIsADebugRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := logged(t, slog.LevelDebug, t.Context(), &turns{statuses: []int{503, 0, 200}})
		require.Len(t, records, 3)
		for i, want := range []map[string]any{{"status": 503.0, "request_id": "req-7"}, {"failure": "connection failed"},
			{"status": 200.0, "request_id": "req-7"}} {
			assert.Equal(t, "DEBUG", records[i]["level"])
			assert.Equal(t, "getEndpoint", records[i]["operation"])
			assert.InDelta(t, i+1, records[i]["attempt"], 0)
			assert.Equal(t, i < 2, records[i]["retry_in"] != nil)
			for _, field := range []string{"status", "failure", "request_id"} {
				assert.Equal(t, want[field], records[i][field], field)
			}
		}
	})
}

func TestARetryThatGaveUpIsAWarning(t *testing.T) {
	tight := func(t *testing.T, limit time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		t.Cleanup(cancel)
		return ctx
	}
	patient := rpcfleet.WithRetryPolicy(
		rpcfleet.RetryPolicy{MaxAttempts: 3, BaseDelay: time.Second, MaxDelay: time.Second, MaxRetryAfter: time.Second})
	for name, test := range map[string]struct {
		service turns
		limit   time.Duration
		option  rpcfleet.ClientOption
		reason  string // Empty for no warning.
		want    map[string]any
	}{
		"no attempts left": {turns{statuses: []int{503}}, time.Hour, patient, "no attempts left",
			map[string]any{"attempts": 3.0, "status": 503.0, "request_id": "req-7"}},
		"the last one has no response": {turns{statuses: []int{502, 0}}, time.Hour, patient, "no attempts left",
			map[string]any{"attempts": 3.0, "failure": "connection failed", "request_id": "req-7"}},
		"a long Retry-After": {
			turns{statuses: []int{429}, header: http.Header{"Retry-After": {"60"}}}, time.Hour, patient,
			"Retry-After is longer than the policy allows",
			map[string]any{"attempts": 1.0, "status": 429.0, "retry_after": 6e10},
		},
		"a near deadline": {turns{statuses: []int{429}, header: http.Header{"Retry-After": {"1"}}},
			time.Second / 2, patient, "the deadline comes before the next attempt", map[string]any{"attempts": 1.0}},
		"the deadline in a retry": {turns{statuses: []int{503, 1}}, 5 * time.Second, patient, "the deadline has passed",
			map[string]any{"attempts": 2.0, "failure": "canceled", "request_id": "req-7"}},
		"the quota": {turns{statuses: []int{503}}, time.Hour,
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 3, Budget: 5}), "retry budget exhausted",
			map[string]any{"attempts": 2.0}},
		"a success after retries":         {turns{statuses: []int{503, 503, 200}}, time.Hour, patient, "", nil},
		"a failure that ends the call":    {turns{statuses: []int{503, 404}}, time.Hour, patient, "", nil},
		"a deadline in the first attempt": {turns{statuses: []int{1}}, time.Second, patient, "", nil},
		"retries are off": {turns{statuses: []int{503}}, time.Hour,
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1}), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				records := logged(t, slog.LevelInfo, tight(t, test.limit), &test.service, test.option)
				if test.reason == "" {
					assert.Empty(t, records)
					return
				}
				require.Len(t, records, 1)
				assert.Equal(t, "WARN", records[0]["level"])
				assert.Equal(t, test.reason, records[0]["reason"])
				for field, value := range test.want {
					assert.Equal(t, value, records[0][field], field)
				}
			})
		})
	}
}

func TestACanceledRetryIsNoWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		service := &turns{statuses: []int{503, 1}}
		assert.Empty(t, logged(t, slog.LevelWarn, ctx, service))
		assert.Equal(t, 2, service.sent)
	})
}
