package clienttest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestFollow_failures(t *testing.T) {
	for name, test := range map[string]struct {
		line     responder
		requests int
		kind     string
	}{
		"a server error":                    {respondJSON(503, "x"), 3, "server_error"},
		"no connection":                     {hangUp, 3, "connection_failed"},
		"a response that is cut short":      {truncate, 3, "connection_failed"},
		"a timeout that the service states": {respondJSON(408, "x"), 3, "failed"},
		"too early":                         {respondJSON(425, "x"), 3, "failed"},
		"too many requests":                 {later(429, "60"), 3, "rate_limited"},
		"too many requests, and no end":     {later(429, "61"), 1, "rate_limited"},
		"a gateway's page":                  {respond("text/html", 200, "<html>"), 3, "unreadable"},
		"a wrong key":                       {respondJSON(401, "x"), 1, "unauthorized"},
		"no such endpoint":                  {respondJSON(404, "{}"), 1, "not_found"},
		"a log in circles":                  {entries(logStart, "a", "r0"), 2, "failed"},
		"a failure with a success's status": {ok(`{"data":null,"error":"no"}`), 1, "rejected"},
		"an odd response":                   {ok(`{"data":7}`), 1, "unreadable"},
	} {
		bubble(t, name, func(t *testing.T) {
			client, server := clocked(t, test.line)
			from := time.Now().Add(-time.Hour)
			_, ended := follow(t.Context(), t, client, from, rpcfleet.FollowOptions{MaxFailures: 3})
			assert.Equal(t, test.kind, rpcfleet.KindOf(ended))
			assert.Equal(t, name == "a log in circles", errors.Is(ended, rpcfleet.ErrRepeatedPage))
			require.NotErrorAs(t, ended, new(*rpcfleet.PageError), "the checkpoint has the page")
			assert.Equal(t, "ep1", ended.EndpointID)
			assert.True(t, from.Equal(ended.From))
			assert.Len(t, server.Requests(), test.requests)
		})
	}
}

// TestFollow_waitsFailuresOut counts failures in a row: entries in between are a new beginning, also within a reading.
func TestFollow_waitsFailuresOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, now := respondJSON(502, "x"), time.Time{}
		client, server := clocked(t, down, down, nothingNew, down, down, nothingNew, later(429, "45"), down, nothingNew,
			down, entries(now, "a", "r0"), down, down, entries(now, "b", "r1"), down, down, down)
		_, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{MaxFailures: 3})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 17, "only failures in a row count")
		gaps := server.Gaps()
		assert.LessOrEqual(t, gaps[0], 4*time.Second)
		assert.Greater(t, gaps[4], 10*time.Second, "the waits grow")
		assert.Equal(t, 45*time.Second, gaps[6], "Retry-After is granted")
	})
}

// TestFollow_readsFailedPageAgain with the same cursor and range, also after a restart from the checkpoint.
func TestFollow_readsFailedPageAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, down, refused := time.Now(), respondJSON(503, "x"), respondJSON(401, "x")
		client, server := clocked(t, entries(at, "a", "r0"), entries(at, "b", "r1"), down, down, refused,
			entries(at, "c", "r0", "r2"), entries(at, "d"), down, nothingNew, refused)
		ids, ended := follow(t.Context(), t, client, at.Add(-time.Second), rpcfleet.FollowOptions{})
		assert.Equal(t, []string{"r0", "r1"}, ids)
		time.Sleep(time.Hour)
		from := rpcfleet.FollowOptions{Checkpoint: readCheckpoint(t, ended.Checkpoint.String())}
		ids, _ = follow(t.Context(), t, client, time.Time{}, from)
		assert.Equal(t, []string{"r2"}, ids)
		var cursors []string
		for i, r := range server.Requests() {
			query := queryOf(t, r)
			cursors = append(cursors, query.Get("next_at"))
			assert.Equal(t, i < 9, query.Get("to") == at.UTC().Format(time.RFC3339Nano), "request %d", i)
		}
		assert.Equal(t, []string{"", "a", "b", "b", "b", "b", "c", "d", "d", ""}, cursors)
	})
}

// TestFollow_continuesWithoutAnEndpoint that fails after two minutes. Failures are counted by endpoint.
func TestFollow_continuesWithoutAnEndpoint(t *testing.T) {
	failing := func(began time.Time, status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if time.Since(began) > 2*time.Minute {
				respondJSON(status, "{}")(w, r)
				return
			}
			steady(time.Minute)(w, r)
		})
	}
	for name, test := range map[string]struct {
		status             int
		asks, answer, both bool
		reported           []string
		err                error
	}{
		"nobody is asked":      {404, false, false, false, nil, rpcfleet.ErrNotFound},
		"too many failures":    {503, false, false, false, nil, rpcfleet.ErrServer},
		"no":                   {404, true, false, false, []string{"ep1"}, rpcfleet.ErrNotFound},
		"yes":                  {404, true, true, false, []string{"ep1"}, context.DeadlineExceeded},
		"yes, many failures":   {503, true, true, false, []string{"ep1"}, context.DeadlineExceeded},
		"yes, and of the last": {404, true, true, true, []string{"ep0", "ep1"}, rpcfleet.ErrNotFound},
	} {
		bubble(t, name, func(t *testing.T) {
			began := time.Now()
			handlers := logsOf{"ep0": steady(time.Minute), "ep1": failing(began, test.status)}
			if test.both {
				handlers["ep0"] = failing(began, test.status)
			}
			client, options, reported := piped(t, handlers), rpcfleet.FollowOptions{From: began.Add(-time.Minute)}, []string(nil)
			if test.asks {
				options.OnEndpointError = func(failure *rpcfleet.FollowError) bool {
					reported = append(reported, failure.EndpointID)
					return test.answer
				}
			}
			read := func(long time.Duration, ids ...string) (map[string]int, *rpcfleet.FollowError) {
				entries, ended := followAll(timeout(t, long), t, client, ids, options)
				counts := map[string]int{}
				for _, entry := range entries {
					counts[entry.EndpointID]++
				}
				return counts, ended
			}
			counts, ended := read(10*time.Minute, "ep0", "ep1")
			require.ErrorIs(t, ended, test.err)
			slices.Sort(reported)
			assert.Equal(t, test.reported, reported)
			assert.InDelta(t, 3, counts["ep1"], 1)
			goesOn := test.err == context.DeadlineExceeded
			assert.Equal(t, goesOn, counts["ep0"] > 8, "%v", counts)
			assert.Equal(t, goesOn, ended.EndpointID == "")
			assert.NotContains(t, ended.Error(), ", after ", "the failure of ep1 was reported before")

			// The endpoint is there again, and goes on from its place.
			handlers["ep1"], options.Checkpoint = steady(time.Minute), ended.Checkpoint
			missed, _ := read(time.Minute, "ep1")
			assert.InDelta(t, time.Since(began).Minutes()+1, counts["ep1"]+missed["ep1"], 1)
		})
	}
}

func TestFollow_endsWithTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := http.HandlerFunc(scriptnet.Wait)
		service := &slow{delay: evenly(0), pages: logsOf{"ep0": steady(time.Minute), "ep1": waits, "ep2": waits}.ServeHTTP}
		client := piped(t, service, rpcfleet.WithAttemptTimeout(0))
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}
		for _, err := range client.Logs.Follow(t.Context(), numbered("ep", 0, 3), options) {
			require.NoError(t, err)
			synctest.Wait() // The others are asked for.
			break
		}
		synctest.Wait()
		now, _, before := service.counts()
		assert.Equal(t, []int{0, 3}, []int{now, before}, "all of them have ended")
		time.Sleep(time.Hour)
		_, _, seen := service.counts()
		assert.Equal(t, before, seen, "nothing is sent any more")
	})
}

func TestFollow_endsWithTheContext(t *testing.T) {
	at := time.Now()
	for name, lines := range map[string][]responder{
		"in a wait": {nothingNew}, "in a call": {scriptnet.Wait}, "in the wait after a failure": {respondJSON(503, "x")},
		"in a call, after a failure that was waited out": {respondJSON(503, "x"), entries(at, "a", "r0"), scriptnet.Wait},
	} {
		bubble(t, name, func(t *testing.T) {
			client, _ := clocked(t, lines...)
			ctx, cancel := context.WithCancelCause(t.Context())
			began, cause := time.Now(), errors.New("the shift is over")
			const later = 20500 * time.Millisecond
			time.AfterFunc(later, func() { cancel(cause) })
			_, ended := follow(ctx, t, client, began.Add(-time.Second), rpcfleet.FollowOptions{MinInterval: 10 * time.Second})
			require.ErrorIs(t, ended, context.Canceled)
			require.ErrorIs(t, ended, cause)
			assert.Equal(t, name == "in the wait after a failure", errors.Is(ended, rpcfleet.ErrServer),
				"the error has the failure that it waited out")
			assert.Equal(t, later, time.Since(began), "it ends at once")
		})
	}
}

// TestFollow_endsWithTheContextInTheLoop, within a page and not by the failure of a page that was under way.
func TestFollow_endsWithTheContextInTheLoop(t *testing.T) {
	places := map[string]bool{}
	for i := range 20 { // It may see either one first.
		synctest.Test(t, func(t *testing.T) {
			log := entries(time.Now(), "", numbered("r", 0, 1+i%2)...)
			client := piped(t, logsOf{"ep0": log, "ep1": http.HandlerFunc(scriptnet.Wait)})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var ended *rpcfleet.FollowError
			var last string
			for followed, err := range client.Logs.Follow(ctx, numbered("ep", 0, 2),
				rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}) {
				if err != nil {
					require.ErrorAs(t, err, &ended)
					break
				}
				require.Equal(t, "r0", followed.Entry.RequestID, "the rest of the page comes after a restart")
				last = followed.Checkpoint.String()
				cancel()
				synctest.Wait()
			}
			require.ErrorIs(t, ended, context.Canceled)
			assert.Empty(t, ended.EndpointID)
			assert.True(t, strings.HasSuffix(ended.Error(), ": context canceled"), ended.Error())
			assert.Equal(t, i%2 == 1, last == ended.Checkpoint.String(), "after its last entry, a page is read")
			places[ended.Checkpoint.String()] = true
		})
	}
	assert.Len(t, places, 2, "a page under way does not count")
}

// TestFollow_reportsOneFailureOfSeveral that it was waiting out when its context ended, and the earliest of the places.
func TestFollow_reportsOneFailureOfSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := respondJSON(503, "x")
		client := piped(t, logsOf{"ep0": nothingNew, "ep1": down, "ep2": down, "ep3": respondJSON(404, "{}")})
		from := time.Now().Add(-time.Hour)
		_, ended := followAll(timeout(t, 10*time.Second), t, client, []string{"ep0", "ep3", "ep1", "ep2"},
			rpcfleet.FollowOptions{From: from, OnEndpointError: func(*rpcfleet.FollowError) bool { return true }})
		assert.Equal(t, from.UTC(), ended.From)
		require.ErrorIs(t, ended, context.DeadlineExceeded)
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		require.NotErrorIs(t, ended, rpcfleet.ErrNotFound, "it continued without that one")
		assert.Equal(t, 1, strings.Count(ended.Error(), ", after "), ended.Error())
	})
}

// TestFollow_isFairToQuietLogs: an endpoint with a page that follows every page does not hold up the others.
func TestFollow_isFairToQuietLogs(t *testing.T) {
	for i, parallel := range []int{2, 1, 5} {
		if race.Thin(i, 0) {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			noisy, page := steady(time.Millisecond), 100*time.Millisecond // 1,000 a second, and read slower than that.
			service := &slow{delay: evenly(page), pages: logsOf{
				"ep0": noisy, "ep1": noisy, "ep2": steady(time.Second), "ep3": steady(time.Second), "ep4": steady(time.Second),
			}.ServeHTTP}
			client := piped(t, service)
			ctx := timeout(t, 2*time.Minute)
			worst, counts := time.Duration(0), map[string]int{}
			for followed, err := range client.Logs.Follow(ctx, numbered("ep", 0, 5), rpcfleet.FollowOptions{
				From: began.Add(-10 * time.Minute), LateWindow: time.Second, Parallel: parallel, PageLimit: 20,
				MinInterval: time.Second, MaxInterval: time.Second,
			}) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					break
				}
				counts[followed.EndpointID]++
				// Behind the backlog.
				if quiet := followed.EndpointID > "ep1"; quiet && followed.Entry.Timestamp.After(began.Add(30*time.Second)) {
					worst = max(worst, time.Since(followed.Entry.Timestamp))
				}
			}
			// It waits for the interval, for a turn, and twice for the others' pages before that.
			assert.LessOrEqual(t, worst, 2*time.Second+10*page)
			for id, count := range counts {
				assert.Greater(t, count, 600, "%s of %v", id, counts)
			}
			assert.InDelta(t, 1, float64(counts["ep0"])/float64(counts["ep1"]), 0.5, "%v", counts)
			assert.Len(t, counts, 5)
			time.Sleep(time.Second) // The service finishes the pages that it was about to send.
		})
	}
}

func TestFollow_readsInParallel(t *testing.T) {
	for name, test := range map[string]struct {
		parallel, want int
		opts           opts
	}{
		"by default":              {0, 4, nil},
		"one":                     {1, 1, opts{rpcfleet.WithPrefetch(4)}},
		"seven":                   {7, 7, nil},
		"more than there are":     {50, 20, nil},
		"with responses captured": {7, 1, opts{rpcfleet.WithResponse(new(rpcfleet.Response))}},
	} {
		bubble(t, name, func(t *testing.T) {
			service := &slow{delay: evenly(time.Second), pages: steady(time.Minute)}
			client := piped(t, service)
			ctx := timeout(t, 70*time.Minute)
			options := rpcfleet.FollowOptions{From: time.Now().Add(-10 * time.Minute), Parallel: test.parallel}
			first := true
			for _, err := range client.Logs.Follow(ctx, numbered("ep", 0, 20), options, test.opts...) {
				if first { // It keeps so many pages while the loop asks for no more.
					time.Sleep(time.Hour)
					_, _, total := service.counts()
					assert.Equal(t, test.want, total)
					first = false
				}
				if err == nil && test.want == 1 {
					synctest.Wait()
					now, _, _ := service.counts()
					assert.Zero(t, now, "nothing is under way while the loop works")
				}
			}
			_, most, total := service.counts()
			assert.Equal(t, test.want, most)
			assert.Greater(t, total, 20*5)
			time.Sleep(time.Minute) // The service finishes the pages that it was about to send.
		})
	}
}
