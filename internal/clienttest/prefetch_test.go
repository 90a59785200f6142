package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestPrefetch_readsOnAfterAShortPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{delay: evenly(time.Second), pages: func(w http.ResponseWriter, r *http.Request) {
			largest := 10
			if strings.Contains(r.URL.RawQuery, "offset=18") {
				largest = 3 // One page in the middle is lowered further.
			}
			lists(100, largest, 100)(w, r)
		}}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		start := time.Now()
		assert.Equal(t, numbered("ep", 0, 100), must(walk(t, client, admin.ListEndpointsParams{}))(t))
		// 0 alone, three pages of which the second is short, 20 alone, and eight more in three rounds.
		assert.Equal(t, 6*time.Second, time.Since(start))
		_, most, _ := service.counts()
		assert.Equal(t, 3, most, "dropped pages are not read to their end")
	})
}

// TestPrefetch_takesLessTime reads 40 pages at 20 ms. The first page comes alone, because it contains the total,
// and all slots are full from then on.
func TestPrefetch_takesLessTime(t *testing.T) {
	const delay = 20 * time.Millisecond
	for ahead, rounds := range map[int]int{0: 40, 1: 40, 3: 14, 4: 11, 8: 6, 39: 2, 100: 2} {
		for n, largest := range map[int]int{361: 10, 41: 2} {
			bubble(t, fmt.Sprintf("%d, %d ahead", n, ahead), func(t *testing.T) {
				service := &slow{pages: lists(n, largest, n), delay: evenly(delay)}
				client, _ := service.client(t, rpcfleet.WithPrefetch(ahead))
				start := time.Now()
				assert.Equal(t, numbered("ep", 0, n), must(walk(t, client, admin.ListEndpointsParams{}))(t))
				assert.Equal(t, time.Duration(rounds)*delay, time.Since(start))
				_, most, seen := service.counts()
				assert.Equal(t, max(min(ahead, 39), 1), most, "as many requests at a time as asked for")
				assert.Equal(t, 40, seen, "each page is asked for once")
			})
		}
	}
}

// TestPrefetch_goesBackAlone loses five endpoints before the last page of five: one more page is fetched.
func TestPrefetch_goesBackAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := &listing{ids: numbered("ep", 0, 46), largest: 10}
		service := &slow{pages: listed.ServeHTTP, delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		came := 0
		for page, err := range client.Endpoints.Pages(t.Context(), admin.ListEndpointsParams{}) {
			require.NoError(t, err)
			if came += len(page.Items); came == 37 {
				listed.remove(numbered("ep", 0, 5)...)
			}
		}
		assert.Equal(t, 46, came)
		_, _, seen := service.counts()
		assert.Equal(t, 6, seen)
	})
}

// TestPrefetch_isBounded has a loop that takes its time: no more than the pages asked for are fetched meanwhile.
func TestPrefetch_isBounded(t *testing.T) {
	for _, ahead := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			service := &slow{pages: lists(91, 10, 91), delay: func(offset int) time.Duration {
				return time.Second + time.Duration(offset%4)*time.Millisecond
			}}
			client, _ := service.client(t, rpcfleet.WithPrefetch(ahead))
			delivered := 0
			for page, err := range client.Endpoints.Pages(t.Context(), admin.ListEndpointsParams{}) {
				require.NoError(t, err)
				delivered++
				time.Sleep(time.Minute)
				synctest.Wait()
				now, most, seen := service.counts()
				assert.Zero(t, now)
				assert.LessOrEqual(t, most, ahead)
				assert.Equal(t, min(delivered+ahead, 10), seen, "at offset %d", page.Offset)
			}
			assert.Equal(t, 10, delivered)
		})
	}
}

// afterFirst is an HTTP client that sends requests, but does something else instead from the second one on.
func afterFirst(do func()) rpcfleet.ClientOption {
	var sent atomic.Int64
	return rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
		if sent.Add(1) > 1 {
			do()
		}
		return http.DefaultTransport.RoundTrip(req)
	})})
}

func TestPrefetch_endedGoroutineIsError(t *testing.T) {
	_, server := scripted(t, lists(100, 10, 100))
	ends := server.client(t, rpcfleet.WithPrefetch(3), afterFirst(runtime.Goexit))
	ids, err := walk(t, ends, admin.ListEndpointsParams{})
	require.ErrorContains(t, err, "the fetching of a page ended without a result", "and the loop does not wait for ever")
	assert.Equal(t, numbered("ep", 0, 10), ids)
}

func TestPrefetch_endsIfLoopPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(100, 10, 100), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		assert.Panics(t, func() {
			for range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
				panic("in the loop")
			}
		})
		synctest.Wait()
		now, _, _ := service.counts()
		assert.Zero(t, now, "nothing is left under way")
	})
}

func TestPrefetch_endsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(100, 10, 100), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		ctx := timeout(t, 2500*time.Millisecond)
		var ids []string
		var failure error
		for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
			if failure = err; err == nil {
				ids = append(ids, endpoint.ID)
			}
		}
		require.ErrorIs(t, failure, context.DeadlineExceeded)
		assert.Equal(t, 37, errorAs[*rpcfleet.PageError](t, failure).Offset)
		assert.Equal(t, numbered("ep", 0, 37), ids)
		synctest.Wait()
		now, _, _ := service.counts()
		assert.Zero(t, now)
	})
}
