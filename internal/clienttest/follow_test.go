package clienttest

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// follow follows the log of one endpoint to the end, and returns the ids of the entries and the error.
func follow(ctx context.Context, t *testing.T, client *rpcfleet.Client, from time.Time,
	options rpcfleet.FollowOptions) (ids []string, ended *rpcfleet.FollowError) {
	t.Helper()
	options.From = from
	entries, ended := followAll(ctx, t, client, []string{"ep1"}, options)
	for _, entry := range entries {
		assert.Equal(t, "ep1", entry.EndpointID)
		ids = append(ids, entry.Entry.RequestID)
	}
	return ids, ended
}

// followAll follows the logs of several endpoints, in a list that is changed meanwhile.
func followAll(ctx context.Context, t *testing.T, client *rpcfleet.Client, endpoints []string,
	options rpcfleet.FollowOptions) (entries []rpcfleet.FollowedEntry, ended *rpcfleet.FollowError) {
	t.Helper()
	given := slices.Clone(endpoints)
	iteration := client.Logs.Follow(ctx, given, options)
	clear(given)
	for followed, err := range iteration {
		require.Nil(t, ended, "nothing comes after an error")
		if err != nil {
			require.ErrorAs(t, err, &ended)
			continue
		}
		entries = append(entries, followed)
	}
	require.NotNil(t, ended, "it ends with an error, if not by a break")
	return entries, ended
}

// timeout is a context that ends after a while.
func timeout(t *testing.T, after time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	t.Cleanup(cancel)
	return ctx
}

var nothingNew = ok(`{"data":[],"next_at":null}`)

func TestFollow_adaptsItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := slices.Repeat([]responder{nothingNew}, 30)
		lines[20] = entries(time.Time{}, "", "r0")
		client, server := clocked(t, lines...)
		options := rpcfleet.FollowOptions{MinInterval: 2 * time.Second, MaxInterval: 20 * time.Second}
		ids, ended := follow(timeout(t, time.Hour), t, client, time.Now().Add(-time.Hour), options)
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

		client, _ = clocked(t, nothingNew, respondJSON(404, "{}"))
		var response rpcfleet.Response
		options = rpcfleet.FollowOptions{From: time.Date(1, 6, 1, 0, 0, 0, 0, time.UTC), MinInterval: 1, MaxInterval: 1}
		entries := client.Logs.Follow(t.Context(), []string{"ep1"}, options, rpcfleet.WithResponse(&response))
		require.ErrorIs(t, first(entries), rpcfleet.ErrNotFound)
		assert.Equal(t, 404, response.StatusCode)
	})
}

func TestFollow_readsTheLateWindowAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, nothingNew)
		from := time.Now().Add(-10 * time.Minute).Add(700 * time.Millisecond)
		_, ended := follow(timeout(t, 5*time.Minute), t, client, from, rpcfleet.FollowOptions{
			MinInterval: time.Minute, MaxInterval: time.Minute, LateWindow: 90 * time.Second, IncludeDetails: true, PageLimit: 7,
		})
		spell := func(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
		requests := server.Requests()
		require.Greater(t, len(requests), 4)
		lower := from
		for _, r := range requests {
			assert.Equal(t, url.Values{"from": {spell(lower)}, "to": {spell(r.At)}, "include_details": {"true"},
				"limit": {"7"}}, queryOf(t, r), "from the window before the last reading on")
			lower = r.At.Add(-90 * time.Second).Truncate(time.Second)
		}
		assert.Equal(t, lower, ended.From.Local(), "where to follow on")
	})
}

// awake is a context that keeps the longest time between two looks at it, which each turn of the loop takes.
type awake struct {
	context.Context
	last    time.Time
	longest time.Duration
}

func (a *awake) Done() <-chan struct{} {
	if !a.last.IsZero() {
		a.longest = max(a.longest, time.Since(a.last))
	}
	a.last = time.Now()
	return a.Context.Done()
}

func TestFollow_waitsInSlicesOfMaxInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, later(429, "59"), nothingNew)
		from := time.Now().Add(time.Minute)
		ctx := &awake{Context: timeout(t, 5*time.Minute)}
		_, ended := follow(ctx, t, client, from,
			rpcfleet.FollowOptions{LateWindow: time.Minute, MaxInterval: 7 * time.Second})
		require.ErrorIs(t, ended, context.DeadlineExceeded)
		require.NotEmpty(t, server.Requests())
		assert.True(t, server.Requests()[0].At.After(from), "there is nothing to ask for before")
		assert.Equal(t, 59*time.Second, server.Gaps()[0])
		assert.LessOrEqual(t, ctx.longest, 7*time.Second, "a clock that is corrected is noticed")
	})
}

// TestFollow_endsIfClocksDiffer by more than the window, by the Date of a response.
func TestFollow_endsIfClocksDiffer(t *testing.T) {
	const second, none = time.Second, time.Duration(1<<63 - 1)
	for name, test := range map[string]struct {
		ahead, window, before, after time.Duration // The service's clock, and the time that the response takes around it.
		err                          error
	}{
		"just behind":                        {-31 * second, 0, 0, 0, rpcfleet.ErrClock},
		"just ahead":                         {31 * second, 0, 0, 0, rpcfleet.ErrClock},
		"behind a short window":              {-3 * second, 2 * second, 0, 0, rpcfleet.ErrClock},
		"within the window, behind":          {-30 * second, 0, 0, 0, context.DeadlineExceeded},
		"within the window, ahead":           {30 * second, 0, 0, 0, context.DeadlineExceeded},
		"within a nanosecond":                {0, 1, 0, 0, context.DeadlineExceeded},
		"slow, dated when the request came":  {-second, second, 0, 20 * second, context.DeadlineExceeded},
		"slow, dated when the response left": {second, second, 20 * second, 0, context.DeadlineExceeded},
		"slow and behind":                    {-45 * second, 0, 5 * second, 5 * second, rpcfleet.ErrClock},
		"without a date":                     {none, 0, 0, 0, context.DeadlineExceeded},
	} {
		bubble(t, name, func(t *testing.T) {
			var dates []string
			client, server := clocked(t, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(test.before)
				w.Header()["Date"] = nil
				if test.ahead != none {
					dates = append(dates, time.Now().Add(test.ahead).UTC().Format(http.TimeFormat))
					w.Header()["Date"] = dates[len(dates)-1:]
				}
				time.Sleep(test.after)
				entries(time.Now(), "", "r0")(w, r)
			})
			began := time.Now()
			ids, ended := follow(timeout(t, 10*time.Minute), t, client, began.Add(-time.Hour), rpcfleet.FollowOptions{
				LateWindow: test.window, OnEndpointError: func(*rpcfleet.FollowError) bool { return true },
			})
			time.Sleep(test.before + test.after) // The service finishes the page that it was about to send.
			require.ErrorIs(t, ended, test.err)
			if test.err == rpcfleet.ErrClock {
				require.Len(t, server.Requests(), 1)
				assert.Empty(t, ids, "the page is read again after the checkpoint")
				assert.Empty(t, ended.EndpointID, "no log can be followed")
				assert.Equal(t, began.Add(-time.Hour).UTC(), ended.From)
				date := must(http.ParseTime(dates[0]))(t)
				for _, at := range []time.Time{began.Add(test.before + test.after), date} {
					assert.Contains(t, ended.Error(), at.UTC().Format(time.RFC3339))
				}
			}
		})
	}
}

func TestFollow_defaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.Zero(t, began.Nanosecond())
		client, server := clocked(t, nothingNew, respondJSON(503, "x"))
		_, ended := follow(t.Context(), t, client, began.Add(-time.Hour),
			rpcfleet.FollowOptions{MaxInterval: 2 * time.Second})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		require.Len(t, server.Requests(), 1+10, "MaxFailures")
		for _, gap := range server.Gaps() {
			assert.GreaterOrEqual(t, gap, time.Second, "MinInterval")
			assert.LessOrEqual(t, gap, 2*time.Second, "MinInterval")
		}
		query := queryOf(t, server.Requests()[1])
		assert.Equal(t, began.Add(-30*time.Second).UTC().Format(time.RFC3339Nano), query.Get("from"), "LateWindow")
		assert.Equal(t, "100", query.Get("limit"), "PageLimit")
		assert.False(t, query.Has("include_details") || query.Has("next_at"))
	})
}

func TestFollow_refusesArguments(t *testing.T) {
	client, server := scripted(t, nothingNew)
	type options = rpcfleet.FollowOptions
	const negative = "must not be negative"
	const ahead, future = "must not be after the present by more than LateWindow", "2999-03-01T10:00:00Z"
	at := func(from, to string) options {
		const log = `{"logs":[{"endpoint":"ep0","from":%q},{"endpoint":"ep1","from":%[2]q,"to":%[3]q}]}`
		return options{Checkpoint: readCheckpoint(t, checkpointText(fmt.Sprintf(log, future, from, to)))}
	}
	early := time.Date(0, 12, 31, 23, 59, 59, 0, time.UTC)
	var none context.Context
	for _, test := range []struct {
		ids     string
		options options
		field   string
		rule    string
		value   any
	}{
		{"no context", options{From: logStart}, "context", "must not be nil", nil},
		{"", options{From: logStart}, "ids", "must have at least one item", nil},
		{"/", options{From: logStart}, "ids[0]", "must not be empty", nil},
		{"ep1/..", options{From: logStart}, "ids[1]", "must not be a dot segment", ".."},
		{"ep1/ep2/ep1", options{From: logStart}, "ids[2]", "must be unique", "ep1"},
		{"ep1", options{}, "From", "is required", nil}, {"ep1", options{From: early}, "From", "is required", nil},
		{"ep1", options{From: must(time.Parse(time.RFC3339, future))(t)}, "From", ahead, future},
		{"ep1", at(future, "0001-01-01T00:00:00Z"), "Checkpoint", ahead, future},
		{"ep1", at("2000-01-01T00:00:00Z", future), "Checkpoint", ahead, future},
		{"ep1", options{From: logStart, MinInterval: -1}, "MinInterval", negative, time.Duration(-1)},
		{"ep1", options{From: logStart, MaxInterval: -1}, "MaxInterval", negative, time.Duration(-1)},
		{"ep1", options{From: logStart, MinInterval: 2, MaxInterval: 1}, "MaxInterval", "must be at least MinInterval",
			time.Duration(1)},
		{"ep1", options{From: logStart, LateWindow: -1}, "LateWindow", negative, time.Duration(-1)},
		{"ep1", options{From: logStart, PageLimit: -1}, "PageLimit", negative, -1},
		{"ep1", options{From: logStart, MaxFailures: -1}, "MaxFailures", negative, -1},
		{"ep1", options{From: logStart, Parallel: -1}, "Parallel", negative, -1},
		{"ep1", options{From: logStart, MaxTracked: -1}, "MaxTracked", negative, -1},
	} {
		ctx, ids := t.Context(), strings.Split(test.ids, "/")
		switch test.ids {
		case "no context":
			ctx = none
		case "":
			ids = nil
		}
		test.options.OnEndpointError = func(*rpcfleet.FollowError) bool { t.Error("no endpoint failed"); return true }
		delivered := 0
		for _, err := range client.Logs.Follow(ctx, ids, test.options) {
			invalid := errorAs[*rpcfleet.ValidationError](t, err)
			assert.Equal(t, []any{"listLogs", test.field, test.rule, test.value},
				[]any{invalid.Operation, invalid.Field, invalid.Rule, invalid.Value})
			ended := errorAs[*rpcfleet.FollowError](t, err)
			assert.Equal(t, test.options.Checkpoint.String(), ended.Checkpoint.String(), "where it would have begun")
			assert.Equal(t, test.options.From, ended.From)
			delivered++
		}
		assert.Equal(t, 1, delivered)
	}
	err := first(client.Logs.Follow(t.Context(), []string{"ep1"}, options{From: logStart}, rpcfleet.WithPageSize(0)))
	require.ErrorContains(t, err, "page size must be at least 1")
	assert.NotContains(t, err.Error(), "ep1", "it is not one endpoint's failure")
	assert.Empty(t, server.Requests())
}

// steady is a log of an entry every so often, from always to forever. The ids belong to one endpoint.
func steady(pace time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		first, _ := time.Parse(time.RFC3339Nano, query.Get("from"))
		to, _ := time.Parse(time.RFC3339Nano, query.Get("to"))
		limit, _ := strconv.Atoi(query.Get("limit"))
		if next := query.Get("next_at"); next != "" {
			first, _ = time.Parse(time.RFC3339Nano, next)
		}
		var lines []string
		at := first.Truncate(pace)
		for ; !at.After(to) && len(lines) < limit; at = at.Add(pace) {
			lines = append(lines, logLine(strings.Split(r.URL.Path, "/")[3]+strconv.FormatInt(at.UnixMilli(), 10), at))
		}
		next := "null"
		if !at.After(to) {
			next = strconv.Quote(at.Format(time.RFC3339Nano))
		}
		ok(logPage(next, lines...))(w, r)
	}
}

func TestFollow_remembersAtMostMaxTracked(t *testing.T) {
	for _, most := range []int{1, 12, 23, 24} {
		synctest.Test(t, func(t *testing.T) {
			at := time.Now().Add(-time.Second)
			client, _ := clocked(t, entries(at, "", numbered("r", 0, 12)...))
			came, ended := followAll(timeout(t, time.Minute), t, client, []string{"ep1", "ep2"},
				rpcfleet.FollowOptions{From: at.Add(-time.Second), LateWindow: time.Hour, MaxTracked: most})
			assert.Equal(t, most < 24, errors.Is(ended, rpcfleet.ErrFollowLimit), "%v", ended)
			assert.Equal(t, most < 24, strings.HasSuffix(ended.Error(), "more log entries to track than MaxTracked allows"))
			assert.Empty(t, ended.EndpointID)
			assert.Len(t, came, most, "the memory of both is one")
		})
	}
}

// TestFollow_forgetsOldEntries the ids that cannot come again: with every page, and with every reading.
func TestFollow_forgetsOldEntries(t *testing.T) {
	for name, test := range map[string]struct {
		next func(i int) string
		ago  time.Duration // How old an entry is when it comes.
		most int
	}{
		"page by page": {strconv.Itoa, time.Minute, 1}, "reading by reading": {func(int) string { return "" }, 0, 2},
	} {
		bubble(t, name, func(t *testing.T) {
			var lines []responder
			for i := range 10 {
				lines = append(lines, func(w http.ResponseWriter, r *http.Request) {
					entries(time.Now().Add(-test.ago), test.next(i), fmt.Sprint("r", i))(w, r)
				})
			}
			client, _ := clocked(t, append(lines, respondJSON(404, "{}"))...)
			ids, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{
				MinInterval: time.Hour, MaxTracked: test.most,
			})
			require.ErrorIs(t, ended, rpcfleet.ErrNotFound)
			assert.Len(t, ids, 10)
			assert.Less(t, len(ended.Checkpoint.String()), 220, "no more than the last entry")
		})
	}
}

// TestFollow_remembersTheLateWindow: up to the whole second that the next reading begins with, and no longer.
func TestFollow_remembersTheLateWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		first, last := entries(began.Add(-30*time.Second), "", "r0"), entries(began.Add(3*time.Hour), "", "r0")
		client, server := clocked(t, first, first, nothingNew, last, respondJSON(404, "{}")) // The late window, and later.
		ids, ended := follow(t.Context(), t, client, began.Add(-time.Hour), rpcfleet.FollowOptions{MinInterval: time.Hour})
		require.ErrorIs(t, ended, rpcfleet.ErrNotFound)
		assert.Len(t, server.Requests(), 5)
		assert.Equal(t, []string{"r0", "r0"}, ids, "an id that comes again in hours is that of another entry")

		again, _ := clocked(t, last, respondJSON(404, "{}"))
		ids, _ = follow(t.Context(), t, again, time.Time{}, rpcfleet.FollowOptions{Checkpoint: ended.Checkpoint})
		assert.Empty(t, ids)
	})
}

func TestFollow_tracksQuarterMillionByDefault(t *testing.T) {
	race.Skip(t)
	client, _ := scripted(t, respondJSON(404, "{}"))
	for n, match := range map[int]error{250_000: rpcfleet.ErrNotFound, 250_001: rpcfleet.ErrFollowLimit} {
		var marks []byte
		for mark := range n {
			marks = binary.BigEndian.AppendUint64(marks, uint64(mark))
		}
		checkpoint := readCheckpoint(t, checkpointText(fmt.Sprintf(
			`{"logs":[{"endpoint":"ep1","from":"2026-03-01T10:00:00Z","seen":{"%d":%q}}]}`,
			logStart.Unix(), base64.StdEncoding.EncodeToString(marks))))
		_, ended := followAll(t.Context(), t, client, []string{"ep1"}, rpcfleet.FollowOptions{Checkpoint: checkpoint})
		require.ErrorIs(t, ended, match)
		assert.Equal(t, n > 250_000, strings.HasSuffix(ended.Error(), "MaxTracked allows: the checkpoint has 250001"))
		assert.InDelta(t, len(checkpoint.String()), len(ended.Checkpoint.String()), 100, "nothing is lost of it")
	}
}
