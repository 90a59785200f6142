package clienttest

import (
	"context"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	return parsed
}

func TestFollowFailures(t *testing.T) {
	for name, test := range map[string]struct {
		line     responder
		requests int
		match    error
	}{
		"a server error":                    {says(503, "x"), 3, rpcfleet.ErrServer},
		"no connection":                     {hangsUp, 3, rpcfleet.ErrConnection},
		"a response that is cut short":      {cutShort, 3, rpcfleet.ErrConnection},
		"a timeout that the service states": {says(408, "x"), 3, nil},
		"too early":                         {says(425, "x"), 3, nil},
		"too many requests":                 {later(429, "60"), 3, rpcfleet.ErrRateLimited},
		"too many requests, and no end":     {later(429, "61"), 1, rpcfleet.ErrRateLimited},
		"a wrong key":                       {says(401, "x"), 1, rpcfleet.ErrUnauthorized},
		"no such endpoint":                  {says(404, "{}"), 1, rpcfleet.ErrNotFound},
		"a log in circles":                  {says(200, logPage(`"a"`, logLine("r0", time.Now()))), 2, rpcfleet.ErrRepeatedPage},
		"a failure with a success's status": {says(200, `{"data":null,"error":"no"}`), 1, rpcfleet.ErrRefused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := clocked(t, test.line)
				from := time.Now().Add(-time.Hour)
				_, ended := follow(t.Context(), t, client, from, rpcfleet.FollowOptions{MaxFailures: 3})
				if test.match != nil {
					require.ErrorIs(t, ended, test.match)
				}
				require.NotErrorAs(t, ended, new(*rpcfleet.PageError), "the checkpoint has the page")
				assert.Equal(t, "ep1", ended.EndpointID)
				assert.True(t, from.Equal(ended.From))
				assert.Len(t, server.Requests(), test.requests)
			})
		})
	}
	for name, test := range map[string]struct {
		line     responder
		requests int
		reason   rpcfleet.DecodeReason
	}{
		"a gateway's page":     {saysAs("text/html", 200, "<html>"), 3, rpcfleet.ReasonHTML},
		"an odd response":      {says(200, `{"data":7}`), 1, rpcfleet.ReasonShape},
		"no response of sorts": {says(200, ``), 1, rpcfleet.ReasonEmpty},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := clocked(t, test.line)
				_, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{MaxFailures: 3})
				var unreadable *rpcfleet.DecodeError
				require.ErrorAs(t, ended, &unreadable)
				assert.Equal(t, test.reason, unreadable.Reason)
				assert.Len(t, server.Requests(), test.requests)
			})
		})
	}
}

func TestFollowWaitsFailuresOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := says(502, "x")
		client, server := clocked(t,
			down, down, nothingNew, down, down, nothingNew, later(429, "45"), down, nothingNew, down, down, down)
		_, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{MaxFailures: 3})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 12, "only failures in a row count")
		gaps := server.Gaps()
		assert.LessOrEqual(t, gaps[0], 4*time.Second)
		assert.Greater(t, gaps[4], 10*time.Second, "the waits grow")
		assert.Equal(t, 45*time.Second, gaps[6], "Retry-After is granted")
	})
}

func TestFollowGoesOnWithThePageThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		client, server := clocked(t,
			says(200, logPage(`"a"`, logLine("r0", at))), says(200, logPage(`"b"`, logLine("r1", at))),
			says(503, "x"), says(503, "x"),
			says(200, logPage(`"c"`, logLine("r2", at))), says(200, logPage(`"d"`)), says(503, "x"), nothingNew, nothingNew)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		ids, _ := follow(ctx, t, client, at.Add(-time.Second), rpcfleet.FollowOptions{})
		assert.Equal(t, expectedLog(0, 3), ids)
		requests := server.Requests()
		require.Greater(t, len(requests), 8)
		for i, cursor := range []string{"", "a", "b", "b", "b", "c", "d", "d", ""} {
			query := mustParse(t, "/?"+requests[i].Query).Query()
			assert.Equal(t, cursor, query.Get("next_at"), "request %d", i)
			if i < 8 {
				assert.Equal(t, mustParse(t, "/?"+requests[0].Query).Query().Get("to"), query.Get("to"), "the cursor belongs to the range")
			}
		}
	})
}

// TestFollowCountsFailuresInARow: those with entries in between are not, also within a reading.
func TestFollowCountsFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, down := time.Now(), says(503, "x")
		client, server := clocked(t,
			down, says(200, logPage(`"a"`, logLine("r0", at))), down, says(200, logPage(`"b"`, logLine("r1", at))), down, down)
		_, ended := follow(t.Context(), t, client, at.Add(-time.Second), rpcfleet.FollowOptions{MaxFailures: 2})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 6)
	})
}
