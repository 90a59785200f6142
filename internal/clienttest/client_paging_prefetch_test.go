package clienttest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestPrefetchKeepsOrderAndCount(t *testing.T) {
	for name, test := range map[string]struct{ n, largest, total int }{
		"full pages":   {1000, 100, 1000},
		"lowered to 7": {1000, 7, 1000},
		"no total":     {50, 7, -1},
		"one page":     {5, 100, 5},
		"nothing":      {0, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, lists(test.n, test.largest, test.total))
			ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(4)), admin.ListEndpointsParams{})
			require.NoError(t, err)
			assert.Equal(t, expected(0, test.n), ids)
		})
	}
}

func TestPrefetchAfterAPageThatCameShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{delay: evenly(time.Second), pages: func(w http.ResponseWriter, r *http.Request) {
			largest := 10
			if strings.Contains(r.URL.RawQuery, "offset=20") {
				largest = 3 // One page in the middle is lowered further.
			}
			lists(100, largest, 100)(w, r)
		}}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		start := time.Now()
		ids, err := walk(t, client, admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Equal(t, expected(0, 100), ids)
		// 0 alone, three pages of which the second is short, 23 alone, and seven more in three rounds.
		assert.Equal(t, 6*time.Second, time.Since(start))
		_, most, _ := service.counts()
		assert.Equal(t, 3, most, "what is dropped is not read to its end")
	})
}

func TestPrefetchDeliversAnErrorInItsPlace(t *testing.T) {
	_, server := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.RawQuery, "offset=20") {
			says(400, `{"data":null,"error":"nope"}`)(w, r)
			return
		}
		lists(100, 10, 100)(w, r)
	})
	ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(5)), admin.ListEndpointsParams{})
	assert.Equal(t, expected(0, 20), ids)
	var failure *rpcfleet.PageError
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, 20, failure.Offset)
}

// TestPrefetchOfAListingThatGrows: the newest come first, and one comes up when the third page has been read and the
// second has not. It moves an item from the second to the third page, which is read again.
func TestPrefetchOfAListingThatGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		service := &slow{
			delay: func(offset int) time.Duration {
				if offset == 10 {
					return 2 * time.Second
				}
				return time.Second
			},
			pages: func(w http.ResponseWriter, r *http.Request) {
				n := 30
				if time.Since(begin) > 2500*time.Millisecond {
					n++
				}
				offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
				var items []string
				for i := offset; i < min(offset+10, n); i++ {
					items = append(items, fmt.Sprintf(`{"id":"ep%d"}`, n-1-i))
				}
				says(200, fmt.Sprintf(`{"data":[%s],"pagination":{"total":%d,"limit":10,"offset":%d}}`, strings.Join(items, ","), n, offset))(w, r)
			},
		}
		client, _ := service.client(t, rpcfleet.WithPrefetch(2))
		seen := map[string]bool{}
		for endpoint, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{Limit: new(10)}) {
			require.NoError(t, err)
			seen[endpoint.ID] = true
		}
		for i := range 30 {
			assert.True(t, seen[fmt.Sprintf("ep%d", i)], "ep%d is left out", i)
		}
	})
}
