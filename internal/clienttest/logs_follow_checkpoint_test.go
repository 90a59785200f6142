package clienttest

import (
	"context"
	"math/rand/v2"
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
)

// logsOf serves a log for each endpoint.
type logsOf map[string]http.Handler

func (f logsOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f[strings.Split(r.URL.Path, "/")[3]].ServeHTTP(w, r)
}

// TestFollowGoesOnFromACheckpoint follows two logs by programs each of which ends somewhere, loses what it had after
// its last checkpoint, and is started again some time later.
func TestFollowGoesOnFromACheckpoint(t *testing.T) {
	for name, prepare := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const window = 45 * time.Second
				began := time.Now().Add(300 * time.Microsecond)
				one, two := &growing{arrivals: arrivals(400, began, window)}, &growing{arrivals: arrivals(200, began, window)}
				prepare(one, began)
				prepare(two, began)
				client := piped(t, logsOf{"ep1": one, "ep2": two})
				ctx, cancel := context.WithTimeout(t.Context(), 40*time.Minute) // The entries are those of 31.
				defer cancel()
				done, stored, programs := map[string][]string{}, rpcfleet.Checkpoint{}.String(), 0
				for ; ctx.Err() == nil; programs++ {
					var unsaved []rpcfleet.FollowedEntry
					left := rand.N(60)
					for followed, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2"}, rpcfleet.FollowOptions{
						From: began, Checkpoint: readCheckpoint(t, stored),
						LateWindow: window, PageLimit: 17, MaxFailures: 1000, MinInterval: 15 * time.Second,
					}) {
						if err != nil {
							require.ErrorIs(t, err, context.DeadlineExceeded)
							break
						}
						unsaved = append(unsaved, followed)
						if rand.N(3) == 0 {
							stored = followed.Checkpoint().String()
							for _, saved := range unsaved {
								done[saved.EndpointID] = append(done[saved.EndpointID], saved.Entry.RequestID)
							}
							unsaved = nil
						}
						if left--; left < 0 {
							break
						}
					}
					time.Sleep(rand.N(2 * time.Minute))
				}
				for id, log := range map[string]*growing{"ep1": one, "ep2": two} {
					slices.Sort(done[id])
					// What is not saved at the end was delivered after the last checkpoint.
					assert.Subset(t, log.ids(), done[id])
					assert.Len(t, slices.Compact(slices.Clone(done[id])), len(done[id]), "no entry came twice")
				}
				// The last program is not interrupted.
				ctx, cancel = context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				for followed, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2"}, rpcfleet.FollowOptions{
					Checkpoint: readCheckpoint(t, stored), LateWindow: window, PageLimit: 17, MaxFailures: 1000,
				}) {
					if err == nil {
						done[followed.EndpointID] = append(done[followed.EndpointID], followed.Entry.RequestID)
					}
				}
				time.Sleep(time.Second) // The service finishes the page that it was about to send.
				for id, log := range map[string]*growing{"ep1": one, "ep2": two} {
					slices.Sort(done[id])
					assert.Equal(t, log.ids(), done[id])
				}
				assert.Greater(t, programs, 10)
			})
		})
	}
}

// TestFollowGoesOnFromAnyEntry takes checkpoints of entries that a program has kept, when the loop is over.
func TestFollowGoesOnFromAnyEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := piped(t, logsOf{
			"ep1": &growing{arrivals: arrivals(100, began, time.Second)}, "ep2": &growing{arrivals: arrivals(30, began, time.Second)},
		})
		time.Sleep(29 * time.Minute) // The logs have hardly anything new any more, and some are in the late window.
		read := func(from rpcfleet.Checkpoint) (entries []rpcfleet.FollowedEntry, ids []string) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			for followed, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2"}, rpcfleet.FollowOptions{
				From: began, Checkpoint: from, PageLimit: 7, LateWindow: 10 * time.Minute,
			}) {
				if err == nil {
					entries, ids = append(entries, followed), append(ids, followed.EndpointID+followed.Entry.RequestID)
				}
			}
			time.Sleep(time.Second)
			return entries, ids
		}
		entries, all := read(rpcfleet.Checkpoint{})
		require.Len(t, entries, 130)
		for i, entry := range entries {
			if race.Thin(i, 0) {
				continue
			}
			_, rest := read(entry.Checkpoint())
			slices.Sort(rest)
			assert.Equal(t, slices.Sorted(slices.Values(all[i+1:])), rest, "from entry %d on", i)
		}
	})
}

// TestFollowErrorHasACheckpoint that begins with the page that failed.
func TestFollowErrorHasACheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		client, server := clocked(t,
			says(200, logPage(`"a"`, logLine("r0", at))), says(401, "x"),
			says(200, logPage(`null`, logLine("r0", at), logLine("r1", at.Add(-time.Minute)))), says(401, "x"))
		ids, ended := follow(t.Context(), t, client, at.Add(-time.Hour), rpcfleet.FollowOptions{})
		assert.Equal(t, []string{"r0"}, ids)
		checkpoint := readCheckpoint(t, ended.Checkpoint.String())
		time.Sleep(time.Hour)
		ids, _ = follow(t.Context(), t, client, time.Time{}, rpcfleet.FollowOptions{Checkpoint: checkpoint})
		assert.Equal(t, []string{"r1"}, ids)
		var queries []string
		for _, r := range server.Requests() {
			query := mustParse(t, "/?"+r.Query).Query()
			assert.Equal(t, query.Get("to") == at.UTC().Format(time.RFC3339Nano), len(queries) < 3, "the cursor belongs to the range")
			queries = append(queries, query.Get("next_at"))
		}
		assert.Equal(t, []string{"", "a", "a", ""}, queries)
	})
}

func TestFollowWithOtherEndpointsThanTheCheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		logs := func(name string) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				from, _ := time.Parse(time.RFC3339Nano, r.URL.Query().Get("from"))
				if at := began.Add(-time.Minute); !at.Before(from) {
					says(200, logPage("null", logLine(name, at)))(w, r)
					return
				}
				nothingNew(w, r)
			})
		}
		client := piped(t, logsOf{"ep1": logs("r1"), "ep2": logs("r2"), "ep3": logs("r3")})
		checkpoint := rpcfleet.Checkpoint{}
		read := func(ids ...string) (entries []string) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			options := rpcfleet.FollowOptions{From: began.Add(-time.Hour), Checkpoint: checkpoint}
			for followed, err := range client.Logs.Follow(ctx, ids, options) {
				if err == nil {
					entries = append(entries, followed.Entry.RequestID)
					continue
				}
				var ended *rpcfleet.FollowError
				require.ErrorAs(t, err, &ended)
				checkpoint = readCheckpoint(t, ended.Checkpoint.String())
			}
			slices.Sort(entries)
			return entries
		}
		assert.Equal(t, []string{"r1", "r2"}, read("ep1", "ep2"))
		assert.Equal(t, []string{"r3"}, read("ep2", "ep3"), "a new one begins at From, a known one where it was")
		assert.Equal(t, []string{"r1"}, read("ep1", "ep2", "ep3"), "what was not followed in between is not in the checkpoint")
	})
}
