package acceptance

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestFollowUnderLoad follows a log that several programs write to at once, some of it late. Its time is made up, so
// that the number of readings does not depend on how fast the machine is.
func TestFollowUnderLoad(t *testing.T) {
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
