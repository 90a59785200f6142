package acceptance

import (
	"math/rand/v2"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

var logBegin = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

// logged appends n calls to an endpoint's log, a second apart, and returns their ids.
func logged(t *testing.T, e *emulator.Emulator, endpoint string, n int, details string) []string {
	t.Helper()
	entries := make([]emulator.LoggedCall, n)
	for i := range entries {
		entries[i] = emulator.LoggedCall{
			Timestamp: logBegin.Add(time.Duration(i) * time.Second), Method: "eth_call", Request: details, Response: details,
		}
	}
	return must(e.AppendLog(endpoint, entries...))(t)
}

func TestLogs_listAndDetails(t *testing.T) {
	b, ctx := start(t), t.Context()
	endpoint := b.CreateEndpoints(1)[0]
	ids := logged(t, b.Emulator, endpoint, 25, `{"jsonrpc":"2.0"}`)
	failed := must(b.AppendLog(endpoint, emulator.LoggedCall{
		Timestamp: logBegin.Add(time.Minute), Method: "eth_getLogs", Status: 429, ErrorCode: new(-32005), HTTPMethod: "GET",
	}))(t)
	query := admin.ListLogsParams{From: scalar.NewTime(logBegin), To: scalar.NewTime(logBegin.Add(time.Hour)),
		Limit: new(10)}

	page := must(b.Logs.List(ctx, endpoint, query))(t)
	require.Len(t, page.Items, 10)
	assert.False(t, page.Last())
	first := page.Items[0]
	assert.Equal(t, ids[0], first.RequestID)
	assert.True(t, logBegin.Equal(first.Timestamp.Time))
	assert.Equal(t, "eth_call", first.Method)
	assert.Equal(t, "ethereum-mainnet", first.Network)
	assert.Equal(t, http.MethodPost, first.HTTPMethod)
	assert.Equal(t, 200, first.Status)
	assert.Nil(t, first.ErrorCode)
	assert.Nil(t, first.Details)
	assert.NotEmpty(t, first.URL.Reveal())

	query.IncludeDetails, query.NextAt = new(true), &page.NextCursor
	var rest []string
	for entry, err := range b.Logs.All(ctx, endpoint, query) {
		require.NoError(t, err)
		require.NotNil(t, entry.Details)
		if entry.RequestID == failed[0] {
			assert.Equal(t, new(-32005), entry.ErrorCode)
			assert.Equal(t, 429, entry.Status)
		} else {
			assert.Equal(t, `{"jsonrpc":"2.0"}`, entry.Details.Response)
		}
		rest = append(rest, entry.RequestID)
	}
	assert.Equal(t, append(ids[10:], failed...), rest, "an iteration starts from a stored cursor")

	assert.Equal(t, `{"jsonrpc":"2.0"}`, must(b.Logs.Details(ctx, endpoint, ids[3]))(t).Request)
}

func TestLogsAll_lowerPageLimitDeliversAll(t *testing.T) {
	b := start(t, emulator.WithLogPageCap(7))
	endpoint := b.CreateEndpoints(1)[0]
	want := logged(t, b.Emulator, endpoint, 100, "{}")
	query := admin.ListLogsParams{From: scalar.NewTime(logBegin), To: scalar.NewTime(logBegin.Add(time.Hour)),
		Limit: new(50)}
	all := b.Logs.All(t.Context(), endpoint, query)
	assert.Equal(t, want, ids(t, all, func(entry admin.LogEntry) string { return entry.RequestID }))
	assert.Len(t, b.Calls("listLogs"), 15)
}

// liveHeap is the size of the memory in use.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestFollow_deliversOnceUnderLoad follows a log that several programs write to at once, some of it late. Its time is
// made up, so that the number of readings does not depend on how fast the machine is.
func TestFollow_deliversOnceUnderLoad(t *testing.T) {
	const writers, window = 8, 10 * time.Second
	each := 1250
	if race.Enabled {
		each = 250
	}
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		client := must(rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(e.APIKey),
			rpcfleet.WithoutRetries(), rpcfleet.WithHTTPClient(pipenet.Serve(t, validated(t, e)))))(t)
		endpoint := e.CreateEndpoints(1)[0]
		before, began := liveHeap(), time.Now()
		var mu sync.Mutex
		var writing sync.WaitGroup
		written := map[string]bool{}
		for range writers {
			writing.Go(func() {
				for i := range each {
					time.Sleep(rand.N(200 * time.Millisecond))
					entry := emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now()}
					if i%3 == 0 {
						entry.Timestamp = entry.Timestamp.Add(-rand.N(window / 2))
					}
					ids, err := e.AppendLog(endpoint, entry)
					if assert.NoError(t, err) {
						mu.Lock()
						written[ids[0]] = true
						mu.Unlock()
					}
				}
			})
		}

		seen := make(map[string]bool, writers*each)
		for followed, err := range client.Logs.Follow(t.Context(), []string{endpoint}, rpcfleet.FollowOptions{
			From: began.Add(-window), LateWindow: window, PageLimit: 300,
		}) {
			require.NoError(t, err)
			require.False(t, seen[followed.Entry.RequestID], "an entry came twice")
			seen[followed.Entry.RequestID] = true
			if len(seen) > writers*each {
				break
			}
			if len(seen) == writers*each {
				// One more: the readings until it comes bring nothing twice.
				time.AfterFunc(5*time.Minute, func() {
					assert.NoError(t, second(e.AppendLog(endpoint, emulator.LoggedCall{Method: "the last one"})))
				})
				grown := liveHeap() - before
				t.Logf("the live heap has grown by %.1f MiB", float64(grown)/(1<<20))
				assert.Less(t, grown, int64(8<<20), "what following keeps is bounded")
			}
		}
		writing.Wait()
		require.Len(t, written, writers*each)
		for id := range written {
			assert.True(t, seen[id], "an entry was lost")
		}
	})
}
