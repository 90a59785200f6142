package clienttest

import (
	"cmp"
	"errors"
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
	"github.com/rpcfleet/rpcfleet-go/alerts"
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

// TestPrefetch_isBounded has a loop that takes its time: no more than the pages asked for are fetched meanwhile.
func TestPrefetch_isBounded(t *testing.T) {
	for _, ahead := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			service := &slow{pages: lists(91, 10, 91), delay: evenly(time.Second)}
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

func TestPrefetch_endedGoroutineIsError(t *testing.T) {
	_, server := scripted(t, lists(100, 10, 100))
	var sent atomic.Int64
	client := clientOf(t, server.URL, tripper(func(req *http.Request) (*http.Response, error) {
		if sent.Add(1) > 1 {
			runtime.Goexit()
		}
		return http.DefaultTransport.RoundTrip(req)
	}), rpcfleet.WithPrefetch(3))
	ids, err := walk(t, client, admin.ListEndpointsParams{})
	require.ErrorContains(t, err, "the fetching of a page ended without a result", "and the loop does not wait for ever")
	assert.Equal(t, numbered("ep", 0, 10), ids)
}

// destinations iterates over the destinations from an offset on.
func destinations(t *testing.T, client *rpcfleet.Client, offset int, opts ...rpcfleet.CallOption) ([]string, error) {
	t.Helper()
	return collect(t, idsOf(client.Destinations.All(t.Context(), alerts.ListDestinationsParams{Offset: &offset}, opts...),
		destinationID))
}

func destinationID(d alerts.Destination) string { return d.ID }

// TestAlertsAll_noTotal_deliversOnceOrReports goes through the ways in which a service may page, with listings shorter
// than, as long as and longer than a page. Nothing is delivered twice, and anything not delivered is reported.
func TestAlertsAll_noTotal_deliversOnceOrReports(t *testing.T) {
	never := func(int, int) bool { return false }
	full, equal := func(n, size int) bool { return n >= size }, func(n, size int) bool { return n == size }
	for name, test := range map[string]struct {
		service *listing
		// unclear reports whether items may be out of reach, which is an error.
		unclear func(n, size int) bool
	}{
		"goes by both":             {&listing{bare: true}, never},
		"lowers the limit":         {&listing{bare: true, largest: 3}, never},
		"goes by the offset alone": {&listing{bare: true, noLimit: true}, never},
		"goes by both, under data": {&listing{noTotal: true}, never},
		"goes by neither":          {&listing{bare: true, noLimit: true, noOffset: true}, equal},
		"goes by the limit alone":  {&listing{bare: true, noOffset: true}, full},
		// The client cannot know that this one is cut.
		"goes by a lowered limit alone": {&listing{bare: true, noOffset: true, largest: 3},
			func(n, size int) bool { return size <= 3 && n >= size }},
		"repeats the end of a listing": {&listing{bare: true, clamps: true}, full},
		"repeats the end, lowers the limit": {&listing{bare: true, clamps: true, largest: 3},
			func(n, size int) bool { return n > 3 || n >= size }},
	} {
		for _, size := range []int{1, 2, 10} {
			for _, n := range []int{0, 1, 2, 3, 4, 10, 11, 20, 21} {
				t.Run(fmt.Sprintf("%s/%d by %d", name, n, size), func(t *testing.T) {
					test.service.set(numbered("t", 0, n))
					client, _ := scripted(t, test.service.ServeHTTP)
					ids, err := destinations(t, client, 0, rpcfleet.WithPageSize(size))
					size := max(size, 2) // One item more is requested than would bring a new one.
					if n > 0 && test.unclear(n, size) {
						require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
						assert.GreaterOrEqual(t, errorAs[*rpcfleet.PageError](t, err).Offset, len(ids))
					} else {
						require.NoError(t, err)
					}
					if test.service.noOffset && !test.service.noLimit {
						n = min(n, size, cmp.Or(test.service.largest, size))
					}
					assert.Equal(t, numbered("t", 0, n), ids)
				})
			}
		}
	}
}

// TestAlertsAll_noTotal_survivesOverlapAndRepeats covers the results if a listing changes meanwhile, or if the service
// makes mistakes. The pages are separated by bars, and a dash is an item without an id.
func TestAlertsAll_noTotal_survivesOverlapAndRepeats(t *testing.T) {
	for name, test := range map[string]struct {
		pages, want, offsets string // Behind the offsets of an error stands a mark.
	}{
		"an overlap, as a new item shifts the rest":     {"a b | b c | ", "a b c", "0 1 2 1 0"},
		"all of them, and one more the second time":     {"a b | a b c", "a b c", "0 1 3 5"},
		"all of them, in another order":                 {"a b | b a", "a b", "0 1 2"},
		"a later page twice":                            {"a b | b c | b c", "a b c", "0 1 2 3!"},
		"the first page again, later":                   {"a b | b c | a b", "a b c", "0 1 2 3!"},
		"a part of the first page":                      {"a b | b", "a b", "0 1 2!"},
		"items without ids":                             {"- - | ", "- -", "0 2"},
		"items without ids, all of them again":          {"- - | - -", "- -", "0 2 4"},
		"items without ids, and others":                 {"- a | - b | ", "- a b", "0 1 2 1 0"},
		"items without ids behind a known item":         {"- a | a - b | ", "- a - b", "0 1 3 2 0"},
		"an item that has lost its id":                  {"a b | - c | ", "a b c", "0 1 2 1 0"},
		"items without ids that may be old or new ones": {"- - | -", "- -", "0 2 3!"},
		"null at the end":                               {"a | null", "a", "0 0"},
		"null under data at the end":                    {`a | {"data":null}`, "a", "0 0"},
	} {
		var lines []responder
		for page := range strings.SplitSeq(test.pages, " | ") {
			if !strings.Contains(page, "null") {
				page = strings.ReplaceAll(list(strings.Fields(page)...), "-", "")
			}
			lines = append(lines, ok(page))
		}
		client, server := scripted(t, lines...)
		ids, err := destinations(t, client, 0)
		assert.Equal(t, strings.ReplaceAll(test.want, "-", ""), strings.Join(ids, " "), name)
		offsets := strings.Join(offsetsOf(server), " ")
		if errors.Is(err, rpcfleet.ErrRepeatedPage) {
			offsets += "!"
		} else {
			require.NoError(t, err, name)
		}
		assert.Equal(t, test.offsets, offsets, name)
	}
}

func TestAlertsPages_noTotal_statesOffsetAndNext(t *testing.T) {
	client, server := scripted(t, (&listing{ids: numbered("t", 0, 45), bare: true, largest: 20}).ServeHTTP)
	params := alerts.ListDestinationsParams{Limit: new(20), Offset: new(3)}
	pages := client.Destinations.Pages(t.Context(), params)
	*params.Limit, *params.Offset = 1, 1
	var spans [][4]int
	for page, err := range pages {
		require.NoError(t, err)
		spans = append(spans, [4]int{page.Offset, page.Next, len(page.Items), page.Total})
	}
	assert.Equal(t, [][4]int{{3, 23, 20, -1}, {22, 42, 19, -1}, {41, 45, 3, -1}}, spans)
	assert.Equal(t, []string{"3", "22", "41", "44", "45"}, offsetsOf(server),
		"each begins with a known item, except for the empty one at the end")
}

// TestAlertsAll_refusesBadLimitAndOffset has options that a single page accepts and an iteration does not.
func TestAlertsAll_refusesBadLimitAndOffset(t *testing.T) {
	client, server := scripted(t, (&listing{ids: numbered("t", 0, 3), bare: true}).ServeHTTP)
	bad := map[string]alerts.ListDestinationsParams{"limit": {Limit: new(0)}, "offset": {Offset: new(-1)}}
	for field, params := range bad {
		invalid := errorAs[*rpcfleet.ValidationError](t, run(client.Destinations.All(t.Context(), params)))
		assert.Equal(t, []string{field, "listDestinations"}, []string{invalid.Field, invalid.Operation})
	}
	events := client.Notifications.AllEvents(t.Context(), "..", alerts.ListNotificationEventsParams{})
	assert.Equal(t, "id", errorAs[*rpcfleet.ValidationError](t, run(events)).Field)
	require.EqualError(t, errOf(destinations(t, client, 0, rpcfleet.WithPageSize(0))),
		"rpcfleet: page size must be at least 1, not 0 (on the first page)")
	assert.Empty(t, server.Requests())
	for _, params := range bad {
		require.NoError(t, first(client.Destinations.All(t.Context(), params, rpcfleet.WithoutValidation())))
	}
	assert.Len(t, server.Requests(), 2)
}

// TestAlertsAll_noTotal_reachesItemsThatLoopRemoves takes away destinations of each page, although no total shows it.
func TestAlertsAll_noTotal_reachesItemsThatLoopRemoves(t *testing.T) {
	each := func(s *listing, ids []string) { s.remove(ids...) }
	for name, test := range map[string]struct {
		n, start int
		change   func(s *listing, ids []string)
		failure  error
	}{
		"each goes":                  {45, 0, each, nil},
		"each goes, twice the limit": {40, 0, each, nil},
		"each goes, many":            {130, 0, each, nil},
		"some go at the beginning":   {45, 0, func(s *listing, _ []string) { s.remove("t3", "t7") }, nil},
		"the only one goes":          {1, 0, each, nil},
		// Others may have gone before the start.
		"each goes, from an offset on": {45, 5, each, rpcfleet.ErrIncompleteListing},
	} {
		service, seen := &listing{ids: numbered("t", 0, test.n), bare: true}, map[string]bool{}
		client, _ := scripted(t, service.ServeHTTP)
		for resume := &test.start; resume != nil; {
			pages := client.Destinations.Pages(t.Context(), alerts.ListDestinationsParams{Offset: resume},
				rpcfleet.WithPageSize(20))
			resume = nil
			for page, err := range pages {
				if err != nil {
					require.ErrorIs(t, err, test.failure, name)
					resume = &errorAs[*rpcfleet.PageError](t, err).Offset
					break
				}
				var ids []string
				for _, destination := range page.Items {
					ids, seen[destination.ID] = append(ids, destination.ID), true
				}
				test.change(service, ids)
			}
		}
		assert.Len(t, seen, test.n, name)
	}
}

// TestAlertsAll_noTotal_acceptsMovedItems has not shrunk: of events, which come newest first, the oldest goes when one
// is new.
func TestAlertsAll_noTotal_acceptsMovedItems(t *testing.T) {
	service := &listing{ids: numbered("t", 0, 45), bare: true}
	service.before = func(offset int) {
		if offset == 44 {
			service.set(append([]string{"new"}, numbered("t", 0, 44)...))
		}
	}
	client, _ := scripted(t, service.ServeHTTP)
	assert.Equal(t, numbered("t", 0, 45), must(destinations(t, client, 0, rpcfleet.WithPageSize(20)))(t))
}
