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
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestFollow_failures(t *testing.T) {
	for name, test := range map[string]struct {
		line     responder
		requests int
		match    error
		reason   string
	}{
		"a server error":                    {respondJSON(503, "x"), 3, rpcfleet.ErrServer, ""},
		"no connection":                     {hangUp, 3, rpcfleet.ErrConnection, ""},
		"a response that is cut short":      {truncate, 3, rpcfleet.ErrConnection, rpcfleet.ReasonTruncated},
		"a timeout that the service states": {respondJSON(408, "x"), 3, nil, ""},
		"too early":                         {respondJSON(425, "x"), 3, nil, ""},
		"too many requests":                 {later(429, "60"), 3, rpcfleet.ErrRateLimited, ""},
		"too many requests, and no end":     {later(429, "61"), 1, rpcfleet.ErrRateLimited, ""},
		"a gateway's page":                  {respond("text/html", 200, "<html>"), 3, nil, rpcfleet.ReasonHTML},
		"a wrong key":                       {respondJSON(401, "x"), 1, rpcfleet.ErrUnauthorized, ""},
		"no such endpoint":                  {respondJSON(404, "{}"), 1, rpcfleet.ErrNotFound, ""},
		"a log in circles": {respondJSON(200, logPage(`"a"`, logLine("r0", time.Now()))), 2,
			rpcfleet.ErrRepeatedPage, ""},
		"a failure with a success's status": {respondJSON(200, `{"data":null,"error":"no"}`), 1, rpcfleet.ErrRejected, ""},
		"an odd response":                   {respondJSON(200, `{"data":7}`), 1, nil, rpcfleet.ReasonUnexpectedType},
	} {
		bubble(t, name, func(t *testing.T) {
			client, server := clocked(t, test.line)
			from := time.Now().Add(-time.Hour)
			_, ended := follow(t.Context(), t, client, from, rpcfleet.FollowOptions{MaxFailures: 3})
			if test.match != nil {
				require.ErrorIs(t, ended, test.match)
			}
			if unreadable := (*rpcfleet.DecodeError)(nil); errors.As(ended, &unreadable) {
				assert.Equal(t, test.reason, unreadable.Reason)
			}
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
		down := respondJSON(502, "x")
		more := func(id string) responder {
			return func(w http.ResponseWriter, r *http.Request) {
				respondJSON(200, logPage(`"`+id+`"`, logLine(id, time.Now())))(w, r)
			}
		}
		client, server := clocked(t, down, down, nothingNew, down, down, nothingNew, later(429, "45"), down, nothingNew,
			down, more("r0"), down, down, more("r1"), down, down, down)
		_, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{MaxFailures: 3})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 17, "only failures in a row count")
		gaps := server.Gaps()
		assert.LessOrEqual(t, gaps[0], 4*time.Second)
		assert.Greater(t, gaps[4], 10*time.Second, "the waits grow")
		assert.Equal(t, 45*time.Second, gaps[6], "Retry-After is granted")
	})
}

func TestFollow_retriesFailedPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		client, server := clocked(t,
			respondJSON(200, logPage(`"a"`, logLine("r0", at))), respondJSON(200, logPage(`"b"`, logLine("r1", at))),
			respondJSON(503, "x"), respondJSON(503, "x"),
			respondJSON(200, logPage(`"c"`, logLine("r2", at))), respondJSON(200, logPage(`"d"`)), respondJSON(503, "x"),
			nothingNew, nothingNew)
		ctx := timeout(t, 30*time.Second)
		ids, _ := follow(ctx, t, client, at.Add(-time.Second), rpcfleet.FollowOptions{})
		assert.Equal(t, numbered("r", 0, 3), ids)
		requests := server.Requests()
		require.Greater(t, len(requests), 8)
		for i, cursor := range []string{"", "a", "b", "b", "b", "c", "d", "d", ""} {
			query := mustParse(t, "/?"+requests[i].Query).Query()
			assert.Equal(t, cursor, query.Get("next_at"), "request %d", i)
			if i < 8 {
				assert.Equal(t, mustParse(t, "/?"+requests[0].Query).Query().Get("to"), query.Get("to"),
					"the cursor belongs to the range")
			}
		}
	})
}

// TestFollow_continuesWithoutAnEndpoint that fails after two minutes. Failures are counted by endpoint: one that works
// does not hide that another does not.
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
		ended := make(chan struct{}, 2)
		waits := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			ended <- struct{}{}
		})
		service := &slow{delay: evenly(0), pages: logsOf{"ep0": steady(time.Minute), "ep1": waits, "ep2": waits}.ServeHTTP}
		client := piped(t, service, rpcfleet.WithAttemptTimeout(0))
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}
		for _, err := range client.Logs.Follow(t.Context(), numbered("ep", 0, 3), options) {
			require.NoError(t, err)
			synctest.Wait() // The others are asked for.
			break
		}
		<-ended
		<-ended
		_, _, before := service.counts()
		time.Sleep(time.Hour)
		_, _, seen := service.counts()
		assert.Equal(t, before, seen, "nothing is sent any more")
	})
}

func TestFollow_endsWithTheContext(t *testing.T) {
	at := time.Now()
	for name, lines := range map[string][]responder{
		"in a wait": {nothingNew}, "in a call": {scriptnet.Wait}, "in the wait after a failure": {respondJSON(503, "x")},
		"in a call, after a failure that was waited out": {respondJSON(503, "x"),
			respondJSON(200, logPage(`"a"`, logLine("r0", at))),
			scriptnet.Wait},
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

// TestFollow_endsWithTheContextInTheLoop, within a page and with a page of another log under way: the failure of that
// page does not end it.
func TestFollow_endsWithTheContextInTheLoop(t *testing.T) {
	places := map[string]bool{}
	for i := range 20 { // It may see either one first.
		synctest.Test(t, func(t *testing.T) {
			lines := []string{logLine("r0", time.Now()), logLine("r1", time.Now())}[:1+i%2]
			client := piped(t,
				logsOf{"ep0": respondJSON(200, logPage("null", lines...)), "ep1": http.HandlerFunc(scriptnet.Wait)})
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
			assert.Equal(t, len(lines) == 2, last == ended.Checkpoint.String(), "after its last entry, a page is read")
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

func TestFollowError_text(t *testing.T) {
	err := &rpcfleet.FollowError{From: logStart, Err: context.Canceled}
	assert.Equal(t, "rpcfleet: following the log ended, resume from 2026-03-01T10:00:00Z: context canceled", err.Error())
	assert.Equal(t, fmt.Sprint(err), err.Error())
	err.EndpointID = "ep1"
	assert.Contains(t, err.Error(), `the log of endpoint "ep1" ended`)
	err.EndpointID = "https://a.example.com/t0k3n/"
	assert.NotContains(t, err.Error(), "t0k3n", "a mistake that is easily made")
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
		opts           []rpcfleet.CallOption
	}{
		"by default":              {0, 4, nil},
		"one":                     {1, 1, []rpcfleet.CallOption{rpcfleet.WithPrefetch(4)}},
		"seven":                   {7, 7, nil},
		"more than there are":     {50, 20, nil},
		"with responses captured": {7, 1, []rpcfleet.CallOption{rpcfleet.WithResponse(new(rpcfleet.Response))}},
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
