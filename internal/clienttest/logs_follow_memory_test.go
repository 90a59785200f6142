package clienttest

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
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

// steady is a log of an entry every so often, from always to forever. The ids are those of one endpoint.
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
		says(200, logPage(next, lines...))(w, r)
	}
}

// TestFollowMemoryIsBounded follows three logs, of two entries a second altogether, for hours, after a backlog of the
// same length: once for as long as 20,000 entries take, and once for twice as long.
func TestFollowMemoryIsBounded(t *testing.T) {
	race.Skip(t)
	const pace = 1500 * time.Millisecond
	follow := func(long time.Duration) (entries int, most int64, text int) {
		synctest.Test(t, func(t *testing.T) {
			client := piped(t, steady(pace))
			ctx, cancel := context.WithTimeout(t.Context(), long)
			defer cancel()
			start := liveHeap()
			for followed, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2", "ep3"}, rpcfleet.FollowOptions{
				From: time.Now().Add(-long), PageLimit: 500, MinInterval: 30 * time.Second, MaxRemembered: 2000,
			}) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					break
				}
				if entries++; entries%5000 == 0 {
					most = max(most, liveHeap()-start)
				}
				if entries%100 == 0 {
					text = max(text, len(followed.Checkpoint().String()))
				}
			}
			assert.InDelta(t, int(2*long/pace)*3, entries, float64(3*time.Minute/pace))
		})
		return entries, most, text
	}
	long := 5000 * time.Second
	once, most, text := follow(long)
	twice, mostOfTwice, textOfTwice := follow(2 * long)
	t.Logf("%d entries: %d KiB, checkpoints of %d bytes; %d entries: %d KiB, checkpoints of %d bytes",
		once, most>>10, text, twice, mostOfTwice>>10, textOfTwice)
	assert.GreaterOrEqual(t, once, 19_000)
	assert.Less(t, mostOfTwice, most+1<<20, "twice the entries take no more, beyond what the race detector keeps")
	assert.Less(t, textOfTwice, 2*text)
	assert.Less(t, textOfTwice, 15_000)
}

func TestFollowRemembersSoMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(-time.Second)
		lines := make([]string, 12)
		for i := range lines {
			lines[i] = logLine(fmt.Sprint("r", i), at)
		}
		page := logPage("null", lines...)
		for _, most := range []int{1, 12, 23, 24} {
			client, _ := clocked(t, says(200, page))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			count := 0
			var ended *rpcfleet.FollowError
			for _, err := range client.Logs.Follow(ctx, []string{"ep1", "ep2"}, rpcfleet.FollowOptions{
				From: at.Add(-time.Second), LateWindow: time.Hour, MaxRemembered: most,
			}) {
				if err == nil {
					count++
					continue
				}
				require.ErrorAs(t, err, &ended)
				assert.Equal(t, most < 24, errors.Is(err, rpcfleet.ErrFollowMemory), "%v", err)
				assert.Equal(t, most < 24, strings.HasSuffix(err.Error(), "more log entries are to be remembered than MaxRemembered allows"))
				assert.Empty(t, ended.EndpointID)
			}
			cancel()
			require.NotNil(t, ended)
			assert.Equal(t, most, count, "the memory of both is one")
		}
	})
}

// TestFollowForgets what cannot come again: with every page, and with every reading.
func TestFollowForgets(t *testing.T) {
	for name, test := range map[string]struct {
		ago  time.Duration // how old an entry is when it comes
		next func(i int) string
		most int
	}{
		"page by page":       {time.Minute, func(i int) string { return fmt.Sprintf(`"%d"`, i) }, 1},
		"reading by reading": {0, func(int) string { return "null" }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var lines []responder
				for i := range 10 {
					lines = append(lines, func(w http.ResponseWriter, r *http.Request) {
						says(200, logPage(test.next(i), logLine(fmt.Sprint("r", i), time.Now().Add(-test.ago))))(w, r)
					})
				}
				client, _ := clocked(t, append(lines, says(404, "{}"))...)
				ids, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{
					MinInterval: time.Hour, MaxRemembered: test.most,
				})
				require.ErrorIs(t, ended, rpcfleet.ErrNotFound)
				assert.Len(t, ids, 10)
				assert.Less(t, len(ended.Checkpoint.String()), 220, "no more than the last entry")
			})
		})
	}
}

// TestFollowRemembersAsLongAsAnEntryCanCome: up to the whole second that the next reading begins with, and no longer.
func TestFollowRemembersAsLongAsAnEntryCanCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		page := func(at time.Time) responder { return says(200, logPage("null", logLine("r0", at))) }
		first := page(began.Add(-30 * time.Second)) // The late window.
		client, server := clocked(t, first, first, nothingNew, page(began.Add(3*time.Hour)), says(404, "{}"))
		ids, ended := follow(t.Context(), t, client, began.Add(-time.Hour), rpcfleet.FollowOptions{MinInterval: time.Hour})
		require.ErrorIs(t, ended, rpcfleet.ErrNotFound)
		assert.Len(t, server.Requests(), 5)
		assert.Equal(t, []string{"r0", "r0"}, ids, "an id that comes again in hours is that of another entry")

		ids, _ = follow(t.Context(), t, piped(t, scriptnet.New(page(began.Add(3*time.Hour)), says(404, "{}"))), time.Time{},
			rpcfleet.FollowOptions{Checkpoint: ended.Checkpoint})
		assert.Empty(t, ids)
	})
}

func TestFollowRemembersAQuarterOfAMillion(t *testing.T) {
	race.Skip(t)
	remembering := func(n int) (checkpoint rpcfleet.Checkpoint) {
		now := time.Now()
		var marks []byte
		for mark := range n {
			marks = binary.BigEndian.AppendUint64(marks, uint64(mark))
		}
		content := fmt.Sprintf(`{"logs":[{"endpoint":"ep1","from":%q,"seen":{"%d":%q}}]}`,
			now.Add(-30*time.Second).Format(time.RFC3339), now.Unix(), base64.StdEncoding.EncodeToString(marks))
		require.NoError(t, checkpoint.UnmarshalText([]byte(checkpointText(content))))
		return checkpoint
	}
	for n, match := range map[int]error{250_000: rpcfleet.ErrNotFound, 250_001: rpcfleet.ErrFollowMemory} {
		client, _ := scripted(t, says(404, "{}"))
		checkpoint := remembering(n)
		for _, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, rpcfleet.FollowOptions{Checkpoint: checkpoint}) {
			require.ErrorIs(t, err, match)
			if n > 250_000 {
				assert.Contains(t, err.Error(), "MaxRemembered allows: the checkpoint has 250001")
			}
			var ended *rpcfleet.FollowError
			require.ErrorAs(t, err, &ended)
			assert.InDelta(t, len(checkpoint.String()), len(ended.Checkpoint.String()), 100, "nothing is lost of it")
		}
	}
}

// liveHeap is the size of what is in use.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
