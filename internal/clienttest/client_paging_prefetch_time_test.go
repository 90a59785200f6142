package clienttest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestPrefetchTakesThatMuchLessTime reads 40 pages at 20 ms. The first page comes alone, because it tells the total,
// and all slots are full from then on.
func TestPrefetchTakesThatMuchLessTime(t *testing.T) {
	const page = 20 * time.Millisecond
	for ahead, test := range map[int]struct {
		rounds int
		most   float64
	}{0: {40, 1}, 1: {40, 1}, 3: {14, 0.36}, 4: {11, 0.29}, 8: {6, 0.18}, 39: {2, 0.05}, 100: {2, 0.05}} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: lists(400, 10, 400), delay: evenly(page)}
				client, _ := service.client(t, rpcfleet.WithPrefetch(ahead))
				start := time.Now()
				ids, err := walk(t, client, admin.ListEndpointsParams{})
				took := time.Since(start)
				require.NoError(t, err)
				assert.Equal(t, expected(0, 400), ids)
				assert.Equal(t, time.Duration(test.rounds)*page, took)
				assert.LessOrEqual(t, took.Seconds()/(40*page).Seconds(), test.most)
				_, most, seen := service.counts()
				assert.Equal(t, max(min(ahead, 39), 1), most, "as many requests at a time as asked for")
				assert.Equal(t, 40, seen, "each page is asked for once")
			})
		})
	}
}

// TestPrefetchIsBounded has a loop that takes its time: no more than the pages asked for are fetched meanwhile.
func TestPrefetchIsBounded(t *testing.T) {
	for _, ahead := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			service := &slow{pages: lists(100, 10, 100), delay: func(offset int) time.Duration {
				return time.Second + time.Duration(offset%3)*time.Millisecond
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
