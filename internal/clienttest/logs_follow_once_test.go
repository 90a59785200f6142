package clienttest

import (
	"cmp"
	"context"
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

// growing is a log that grows. It lists by id, which says nothing about the time, and its cursor is the last id: an
// entry that arrives in the middle of a reading may be passed over by that reading.
type growing struct {
	arrivals []arrival
	// lower changes the lower bound as a service with a coarser one does, spell how timestamps look.
	lower func(time.Time) time.Time
	spell func(time.Time) time.Time
	// down tells when the service is out of order.
	down func(time.Time) bool
}

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now, query := time.Now(), r.URL.Query()
	if g.down != nil && g.down(now) {
		says(503, "out of order")(w, r)
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
	says(200, logPage(next, lines...))(w, r)
}

// ids are those of all entries, in order.
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

func TestFollowDeliversEveryEntryOnce(t *testing.T) {
	for name, prepare := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const window = 45 * time.Second
				began := time.Now().Add(300 * time.Microsecond)
				service := &growing{arrivals: arrivals(700, began, window)}
				prepare(service, began)
				client := piped(t, service)
				ctx, cancel := context.WithTimeout(t.Context(), 40*time.Minute)
				defer cancel()
				ids, ended := follow(ctx, t, client, began, rpcfleet.FollowOptions{
					LateWindow: window, PageLimit: 17, MaxFailures: 1000, MinInterval: 15 * time.Second,
				})
				require.ErrorIs(t, ended, context.DeadlineExceeded)
				time.Sleep(time.Second) // The service finishes the page that it was about to send.
				slices.Sort(ids)
				assert.Equal(t, service.ids(), ids)
			})
		})
	}
}

func TestFollowTellsOddEntriesApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		odd := logPage("null",
			strings.Replace(logLine("r0", at), at.UTC().Format(time.RFC3339Nano), "yesterday", 1), // A time that cannot be read.
			logLine("", at), logLine("", at.Add(time.Millisecond)), // No ids.
			logLine("r1", at.Add(time.Hour))) // A clock that is ahead.
		client, server := clocked(t, says(200, odd))
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		ids, _ := follow(ctx, t, client, at.Add(-time.Second), rpcfleet.FollowOptions{})
		assert.Equal(t, []string{"r0", "", "", "r1"}, ids)
		assert.Greater(t, len(server.Requests()), 2)
	})
}
