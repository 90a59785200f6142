package clienttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// arrival is an entry that turns up in a log some time after its timestamp.
type arrival struct {
	id       string
	at, seen time.Time
}

// growing is a log that grows. It lists by id: a reading may pass over an entry that arrives meanwhile.
type growing struct {
	arrivals []arrival
	// lower changes the lower bound as a service with a coarser one does, spell how timestamps look.
	lower func(time.Time) time.Time
	spell func(time.Time) time.Time
	// down reports whether the service is out of order.
	down func(time.Time) bool
}

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now, query := time.Now(), r.URL.Query()
	if g.down != nil && g.down(now) {
		respondJSON(503, "out of order")(w, r)
		return
	}
	from, _ := time.Parse(time.RFC3339Nano, query.Get("from"))
	to, _ := time.Parse(time.RFC3339Nano, query.Get("to"))
	limit, _ := strconv.Atoi(query.Get("limit"))
	if g.lower != nil {
		from = g.lower(from)
	}
	var lines []string
	next := "null"
	for _, a := range g.arrivals {
		if a.seen.After(now) || a.at.Before(from) || a.at.After(to) || a.id <= query.Get("next_at") {
			continue
		}
		if len(lines) == limit {
			next = strconv.Quote(strings.Split(lines[limit-1], `"request_id":"`)[1][:6])
			break
		}
		at := a.at
		if g.spell != nil {
			at = g.spell(at)
		}
		lines = append(lines, logLine(a.id, at))
	}
	time.Sleep(50 * time.Millisecond) // A page takes its time, so that entries arrive in the middle of a reading.
	ok(logPage(next, lines...))(w, r)
}

// ids are the ids of all entries, in order.
func (g *growing) ids() []string {
	ids := make([]string, len(g.arrivals))
	for i, a := range g.arrivals {
		ids[i] = a.id
	}
	return ids
}

// arrivals makes entries of half an hour, each up to a window late.
func arrivals(n int, began time.Time, window time.Duration) []arrival {
	made := make([]arrival, n)
	for i, number := range rand.Perm(n) {
		at := began.Add(rand.N(30 * time.Minute))
		late := rand.N(window)
		if i%10 == 0 {
			late = window
		}
		made[i] = arrival{fmt.Sprintf("r%05d", number), at, at.Add(late)}
	}
	slices.SortFunc(made, func(a, b arrival) int { return cmp.Compare(a.id, b.id) })
	return made
}

// services are ways in which a log may be served.
var services = map[string]func(*growing, time.Time){
	"an exact service": func(*growing, time.Time) {},
	"a service with outages": func(g *growing, began time.Time) {
		g.down = func(now time.Time) bool {
			minute := now.Sub(began).Minutes()
			return minute > 10 && minute < 14 || rand.N(20) == 0
		}
	},
	"a lower bound in whole minutes": func(g *growing, _ time.Time) {
		g.lower = func(t time.Time) time.Time { return t.Truncate(time.Minute) }
	},
	"no lower bound": func(g *growing, _ time.Time) { g.lower = func(time.Time) time.Time { return time.Time{} } },
	"timestamps cut to milliseconds": func(g *growing, _ time.Time) {
		g.spell = func(t time.Time) time.Time { return t.Truncate(time.Millisecond) }
	},
	"timestamps cut to seconds": func(g *growing, _ time.Time) {
		g.spell = func(t time.Time) time.Time { return t.Truncate(time.Second) }
	},
}

// logsOf serves a log for each endpoint.
type logsOf map[string]http.Handler

func (f logsOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f[strings.Split(r.URL.Path, "/")[3]].ServeHTTP(w, r)
}

// TestFollow_deliversEveryEntryOnce follows two logs by one program, and by programs that each end somewhere, lose all
// after the last checkpoint, and are started again some time later.
func TestFollow_deliversEveryEntryOnce(t *testing.T) {
	for name, prepare := range services {
		for lives, longest := range map[string]int{"one program": 10_000, "many programs": 60} {
			t.Run(name+", "+lives, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { deliversOnce(t, prepare, longest) })
			})
		}
	}
}

// deliversOnce has programs that end after so many entries at most, and in the end one that is not interrupted.
func deliversOnce(t *testing.T, prepare func(*growing, time.Time), longest int) {
	const window = 45 * time.Second
	began := time.Now().Add(300 * time.Microsecond)
	logs := map[string]*growing{
		"ep1": {arrivals: arrivals(400, began, window)}, "ep2": {arrivals: arrivals(200, began, window)},
	}
	prepare(logs["ep1"], began)
	prepare(logs["ep2"], began)
	client := piped(t, logsOf{"ep1": logs["ep1"], "ep2": logs["ep2"]})
	done, stored, programs := map[string][]string{}, rpcfleet.Checkpoint{}.String(), 0
	run := func(ctx context.Context, left int) {
		var unsaved []rpcfleet.FollowedEntry
		save := func() {
			for _, saved := range unsaved {
				done[saved.EndpointID] = append(done[saved.EndpointID], saved.Entry.RequestID)
			}
			unsaved = nil
		}
		programs++
		for followed, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2"}, rpcfleet.FollowOptions{
			From: began, Checkpoint: readCheckpoint(t, stored),
			LateWindow: window, PageLimit: 17, MaxFailures: 1000, MinInterval: 15 * time.Second,
		}) {
			if ended := (*rpcfleet.FollowError)(nil); errors.As(err, &ended) {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				stored = ended.Checkpoint.String()
				save()
				return
			}
			unsaved = append(unsaved, followed)
			if rand.N(3) == 0 {
				stored = followed.Checkpoint.String()
				save()
			}
			if left--; left < 0 {
				return
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Minute) // The entries cover 31 minutes.
	defer cancel()
	for ctx.Err() == nil {
		run(ctx, rand.N(longest))
		time.Sleep(rand.N(2 * time.Minute))
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	run(ctx, 10_000)
	time.Sleep(time.Second) // The service finishes the page that it was about to send.
	for id, log := range logs {
		slices.Sort(done[id])
		assert.Equal(t, log.ids(), done[id])
	}
	assert.Equal(t, longest < 100, programs > 10)
}

func TestFollow_takesOtherEndpointsThanCheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		entry := func(id string) *growing { return &growing{arrivals: []arrival{{id, began.Add(-time.Minute), began}}} }
		client := piped(t, logsOf{"ep1": entry("r1"), "ep2": entry("r2"), "ep3": entry("r3")})
		options := rpcfleet.FollowOptions{From: began.Add(-time.Hour)}
		read := func(ids ...string) (entries []string) {
			all, ended := followAll(timeout(t, time.Minute), t, client, ids, options)
			options.Checkpoint = readCheckpoint(t, ended.Checkpoint.String())
			for _, followed := range all {
				entries = append(entries, followed.Entry.RequestID)
			}
			time.Sleep(time.Second)
			slices.Sort(entries)
			return entries
		}
		assert.Equal(t, []string{"r1", "r2"}, read("ep1", "ep2"))
		assert.Equal(t, []string{"r3"}, read("ep2", "ep3"), "a new one begins at From, a known one where it was")
		assert.Equal(t, []string{"r1"}, read("ep1", "ep2", "ep3"),
			"what was not followed in between is not in the checkpoint")
	})
}

func TestFollow_deliversOddEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		odd := logPage("null",
			strings.Replace(logLine("r0", at), at.UTC().Format(time.RFC3339Nano), "yesterday", 1), // A time that cannot be read.
			logLine("", at), logLine("", at.Add(time.Millisecond)), // No ids.
			logLine("r1", at.Add(time.Hour))) // A clock that is ahead.
		client, server := clocked(t, ok(odd))
		ctx := timeout(t, 30*time.Second)
		ids, _ := follow(ctx, t, client, at.Add(-time.Second), rpcfleet.FollowOptions{})
		assert.Equal(t, []string{"r0", "", "", "r1"}, ids)
		assert.Greater(t, len(server.Requests()), 2)
	})
}
