package clienttest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// withIDs adds headers to a response.
func withHeaders(line responder, headers ...string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		line(w, r)
	}
}

// TestTheIDOfARequestIsToldEverywhere looks for it in errors of all kinds, in logs, in outcomes and in responses.
func TestTheIDOfARequestIsToldEverywhere(t *testing.T) {
	for name, line := range map[string]responder{
		"a failure":         respondJSON(400, `{"error":"no"}`),
		"a refusal":         respondJSON(200, `{"error":"no"}`),
		"an unreadable one": respondJSON(200, `{"data":1}`),
		"one cut short":     truncate,
		"a good one":        respondJSON(200, record),
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, withHeaders(respondJSON(503, ``), "X-Request-Id", "first"),
				withHeaders(line, "X-Request-Id", "second"))
			var log bytes.Buffer
			var outcome rpcfleet.CallResult
			client := server.client(t,
				rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2}),
				rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
				rpcfleet.WithCallHook(func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
					return ctx, func(o rpcfleet.CallResult) { outcome = o }
				}))
			var response rpcfleet.Response
			_, err := get(client, rpcfleet.WithResponse(&response))
			lines := strings.Split(log.String(), "\n")
			assert.Contains(t, lines[0], " request_id=first")
			assert.Contains(t, lines[1], " request_id=second")
			last := "second"
			if name == "one cut short" {
				last = "first" // That is the last response that came to its end.
			}
			assert.Equal(t, last, outcome.RequestID)
			assert.Equal(t, last, response.RequestID)
			if name == "a good one" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, "request id second)")
			assert.Equal(t, "second", requestID(t, err))
		})
	}
}

// requestID is the request id that an error of a call contains.
func requestID(t *testing.T, err error) string {
	t.Helper()
	switch err := err.(type) {
	case *rpcfleet.Error:
		return err.RequestID
	case *rpcfleet.DecodeError:
		return err.RequestID
	}
	require.Fail(t, "it is no error of a call", "%v", err)
	return ""
}

func TestWhereTheIDOfARequestStands(t *testing.T) {
	for name, test := range map[string]struct {
		headers []string
		want    string
	}{
		"none":  {nil, ""},
		"blank": {[]string{"X-Request-Id", "  ", "CF-Ray", "c"}, "c"},
		"the service's": {
			[]string{"CF-Ray", "c", "X-Amzn-Trace-Id", "t", "X-Amzn-RequestId", "a", "X-Correlation-ID", "k", "Request-Id", "r",
				"X-Request-ID", "x"}, "x"},
		"without a prefix": {
			[]string{"CF-Ray", "c", "X-Amzn-Trace-Id", "t", "X-Amzn-RequestId", "a", "X-Correlation-ID", "k", "Request-Id", "r"},
			"r"},
		"of a chain of calls": {
			[]string{"CF-Ray", "c", "X-Amzn-Trace-Id", "t", "X-Amzn-RequestId", "a", "X-Correlation-ID", "k"}, "k"},
		"of a gateway": {[]string{"CF-Ray", "c", "X-Amzn-Trace-Id", "t", "X-Amzn-RequestId", "a"}, "a"},
		"of a balancer": {[]string{"CF-Ray", "c", "X-Amzn-Trace-Id", "Root=1-67891233-abcdef012345678912345678"},
			"Root=1-67891233-abcdef012345678912345678"},
		"of an edge": {[]string{"CF-Ray", "8c1f2a3b4c5d6e7f-FRA"}, "8c1f2a3b4c5d6e7f-FRA"},
		"a UUID": {[]string{"X-Request-Id", "0b0e9c1a-7b39-4c1e-9a39-9f1d1c2b3a4d"},
			"0b0e9c1a-7b39-4c1e-9a39-9f1d1c2b3a4d"},
		"32 digits": {[]string{"X-Request-Id", "4bf92f3577b34da6a3ce929d0e0e4736"},
			"4bf92f3577b34da6a3ce929d0e0e4736"},
		"endless":              {[]string{"X-Request-Id", strings.Repeat("ab ", 100)}, strings.Repeat("ab ", 42) + "ab…"},
		"with what has no ink": {[]string{"X-Request-Id", "a\tb\u00e9c"}, "abc"},
		"with the key":         {[]string{"X-Request-Id", "for " + testKey}, "for [redacted]"},
		"with an address":      {[]string{"X-Request-Id", "https://a.example.com/t0k3n"}, "https://a.example.com/[redacted]"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, withHeaders(respondJSON(400, ``), test.headers...))
			_, err := get(client)
			assert.Equal(t, test.want, requestID(t, err))
			assert.Equal(t, test.want != "", strings.Contains(err.Error(), "request id"))
		})
	}
}

// TestAnIDOfTheCallersOwnIsNotHidden if the service responds with the id that it was sent.
func TestAnIDOfTheCallersOwnIsNotHidden(t *testing.T) {
	client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("X-Request-Id"))
		w.WriteHeader(http.StatusBadRequest)
	})
	_, err := get(client, rpcfleet.WithHeader("X-Request-Id", "job-4711"))
	assert.Equal(t, "job-4711", requestID(t, err))
}
