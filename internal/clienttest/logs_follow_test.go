package clienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// piped makes a client of a handler behind a pipe, for where time is made up.
func piped(t *testing.T, handler http.Handler, options ...rpcfleet.Option) *rpcfleet.Client {
	t.Helper()
	client, err := rpcfleet.New(append([]rpcfleet.Option{
		rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries(),
		rpcfleet.WithHTTPClient(pipenet.Serve(t, handler)),
	}, options...)...)
	require.NoError(t, err)
	return client
}

// clocked is scripted behind a pipe, without retries.
func clocked(t *testing.T, lines ...responder) (*rpcfleet.Client, *scriptnet.Script) {
	t.Helper()
	script := scriptnet.New(lines...)
	return piped(t, script), script
}

// follow follows until the context or something else ends it, and returns the ids and the error.
func follow(ctx context.Context, t *testing.T, client *rpcfleet.Client, from time.Time, options rpcfleet.FollowOptions) ([]string, *rpcfleet.FollowError) {
	t.Helper()
	var ids []string
	var ended *rpcfleet.FollowError
	options.From = from
	for followed, err := range client.Logs.Follow(ctx, []string{"ep1"}, options) {
		require.Nil(t, ended, "nothing comes after an error")
		if err != nil {
			require.ErrorAs(t, err, &ended)
			continue
		}
		assert.Equal(t, "ep1", followed.EndpointID)
		ids = append(ids, followed.Entry.RequestID)
	}
	require.NotNil(t, ended, "it ends with an error, if not by a break")
	return ids, ended
}

var nothingNew = says(200, `{"data":[],"next_at":null}`)

func TestFollowSlowsDownAndHurriesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := make([]responder, 30)
		for i := range lines {
			lines[i] = nothingNew
		}
		lines[20] = func(w http.ResponseWriter, r *http.Request) {
			says(200, logPage("null", logLine("r0", time.Now())))(w, r)
		}
		client, server := clocked(t, lines...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		from := time.Now().Add(-time.Hour)
		options := rpcfleet.FollowOptions{MinInterval: 2 * time.Second, MaxInterval: 20 * time.Second}
		ids, ended := follow(ctx, t, client, from, options)
		assert.Equal(t, []string{"r0"}, ids)
		require.ErrorIs(t, ended, context.DeadlineExceeded)

		gaps := server.Gaps()
		require.Greater(t, len(gaps), 30)
		interval, different := 2*time.Second, map[time.Duration]bool{}
		for i, gap := range gaps {
			interval = min(interval*2, 20*time.Second)
			if i == 20 {
				interval = 2 * time.Second
			}
			assert.LessOrEqual(t, gap, interval, "wait %d", i)
			assert.GreaterOrEqual(t, gap, interval/2, "wait %d", i)
			different[gap] = true
		}
		assert.Greater(t, len(different), len(gaps)/2, "the waits are jittered")
		assert.Less(t, slices.Min(gaps[25:]), 12*time.Second, "from half the interval on")
	})
}

func TestFollowAsksForWhatCanStillCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, nothingNew)
		from := time.Now().Add(-10 * time.Minute).Add(700 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		_, ended := follow(ctx, t, client, from, rpcfleet.FollowOptions{
			MinInterval: time.Minute, MaxInterval: time.Minute, LateWindow: 90 * time.Second, IncludeDetails: true, PageLimit: 7,
		})
		spell := func(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
		requests := server.Requests()
		require.Greater(t, len(requests), 4)
		for i, r := range requests {
			query := (&http.Request{URL: mustParse(t, "/?"+r.Query)}).FormValue
			assert.Equal(t, spell(r.At), query("to"))
			assert.Equal(t, "true", query("include_details"))
			assert.Equal(t, "7", query("limit"))
			lower := from
			if i > 0 {
				lower = requests[i-1].At.Add(-90 * time.Second).Truncate(time.Second)
			}
			assert.Equal(t, spell(lower), query("from"), "from the window before the last reading on")
		}
		last := requests[len(requests)-1].At
		assert.Equal(t, last.Add(-90*time.Second).Truncate(time.Second), ended.From.Local(), "where to follow on")
	})
}

func TestFollowFromTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, nothingNew)
		from := time.Now().Add(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		_, ended := follow(ctx, t, client, from, rpcfleet.FollowOptions{})
		require.ErrorIs(t, ended, context.DeadlineExceeded)
		require.NotEmpty(t, server.Requests())
		assert.True(t, server.Requests()[0].At.After(from), "there is nothing to ask for before")
	})
}

func TestFollowEndsWithTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, says(200, logPage(`"a"`, logLine("r0", time.Now()), logLine("r1", time.Now()))))
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Second)}
		for followed, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, options) {
			require.NoError(t, err)
			assert.Equal(t, "r0", followed.Entry.RequestID)
			break
		}
		time.Sleep(time.Hour)
		assert.Len(t, server.Requests(), 1)
	})
}

func TestFollowEndsWithTheContext(t *testing.T) {
	at := time.Now()
	for name, lines := range map[string][]responder{
		"in a wait": {nothingNew}, "in a call": {scriptnet.Wait}, "in the wait after a failure": {says(503, "x")},
		"in a call, after a failure that was waited out": {says(503, "x"), says(200, logPage(`"a"`, logLine("r0", at))), scriptnet.Wait},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, _ := clocked(t, lines...)
				ctx, cancel := context.WithCancel(t.Context())
				began := time.Now()
				const later = 20500 * time.Millisecond
				time.AfterFunc(later, cancel)
				_, ended := follow(ctx, t, client, began.Add(-time.Second), rpcfleet.FollowOptions{MinInterval: 10 * time.Second})
				require.ErrorIs(t, ended, context.Canceled)
				assert.Equal(t, name == "in the wait after a failure", errors.Is(ended, rpcfleet.ErrServer), "what it waited for is told")
				assert.Equal(t, later, time.Since(began), "it ends at once")
			})
		})
	}
}

// TestFollowEndsWithTheContextInTheLoop, with a page of another log under way: its failure is not what ends it.
func TestFollowEndsWithTheContextInTheLoop(t *testing.T) {
	places := map[string]bool{}
	for range 20 { // It has a choice of what to see first.
		synctest.Test(t, func(t *testing.T) {
			client := piped(t, logsOf{"ep0": says(200, logPage("null", logLine("r0", time.Now()))), "ep1": http.HandlerFunc(scriptnet.Wait)})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var ended *rpcfleet.FollowError
			for _, err := range client.Logs.Follow(ctx, numbered(2), rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}) {
				if err != nil {
					require.ErrorAs(t, err, &ended)
					break
				}
				cancel()
				synctest.Wait()
			}
			require.ErrorIs(t, ended, context.Canceled)
			assert.Empty(t, ended.EndpointID)
			assert.True(t, strings.HasSuffix(ended.Error(), ": context canceled"), ended.Error())
			places[ended.Checkpoint.String()] = true
		})
	}
	assert.Len(t, places, 1, "what was under way is not done")
}

// TestFollowTellsOneFailureOfSeveral that it was waiting out when the context ended.
func TestFollowTellsOneFailureOfSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := says(503, "x")
		client := piped(t, logsOf{"ep0": nothingNew, "ep1": down, "ep2": down, "ep3": says(404, "{}")})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var ended *rpcfleet.FollowError
		for _, err := range client.Logs.Follow(ctx, []string{"ep3", "ep0", "ep1", "ep2"}, rpcfleet.FollowOptions{
			From: time.Now().Add(-time.Hour), GoOnWithout: func(*rpcfleet.FollowError) bool { return true },
		}) {
			require.ErrorAs(t, err, &ended)
		}
		require.ErrorIs(t, ended, context.DeadlineExceeded)
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		require.NotErrorIs(t, ended, rpcfleet.ErrNotFound, "it went on without that one")
		assert.Equal(t, 1, strings.Count(ended.Error(), ", after "), ended.Error())
	})
}

func TestFollowErrorSaysWhereToGoOn(t *testing.T) {
	err := &rpcfleet.FollowError{From: logStart, Err: context.Canceled}
	assert.Equal(t, "rpcfleet: following the log ended, to go on from 2026-03-01T10:00:00Z: context canceled", err.Error())
	assert.Equal(t, fmt.Sprint(err), err.Error())
	err.EndpointID = "ep1"
	assert.Contains(t, err.Error(), `the log of endpoint "ep1" ended`)
	err.EndpointID = "https://a.example.com/t0k3n/"
	assert.NotContains(t, err.Error(), "t0k3n", "a mistake that is easily made")
}
