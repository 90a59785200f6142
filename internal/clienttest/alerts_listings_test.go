package clienttest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// unbounded is a service that lists things without a total, in one of the ways that it may go by limit and offset.
type unbounded struct {
	n                        int
	largest                  int // 0 for no separate limit.
	noLimit, noOffset, wraps bool
	// clamps moves an offset back so that the last page is full, as some services do.
	clamps bool
}

// ServeHTTP responds with a page.
func (u unbounded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	limit, offset := number("limit", 20), number("offset", 0)
	if u.largest > 0 {
		limit = min(limit, u.largest)
	}
	if u.noLimit {
		limit = u.n
	}
	if u.noOffset {
		offset = 0
	}
	if u.clamps {
		offset = min(offset, max(u.n-limit, 0))
	}
	body := list(numbered("t", offset, min(offset+limit, u.n))...)
	if u.wraps {
		body = `{"data":` + body + `}`
	}
	respondJSON(200, body)(w, r)
}

// destinations iterates over the destinations from an offset on. The acceptance tests have all listings without a
// total.
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
	full := func(n, size int) bool { return n >= size }
	for name, test := range map[string]struct {
		service unbounded
		// unclear reports whether items may be out of reach, which is an error.
		unclear func(n, size int) bool
	}{
		"goes by both":             {unbounded{}, never},
		"lowers the limit":         {unbounded{largest: 3}, never},
		"goes by the offset alone": {unbounded{noLimit: true}, never},
		"goes by both, under data": {unbounded{wraps: true}, never},
		"goes by neither":          {unbounded{noLimit: true, noOffset: true}, func(n, size int) bool { return n == size }},
		"goes by the limit alone":  {unbounded{noOffset: true}, full},
		// The client cannot know that this one is cut.
		"goes by a lowered limit alone": {unbounded{noOffset: true, largest: 3},
			func(n, size int) bool { return size <= 3 && n >= size }},
		"repeats the end of a listing": {unbounded{clamps: true}, full},
		"repeats the end, lowers the limit": {unbounded{clamps: true, largest: 3},
			func(n, size int) bool { return n > 3 || n >= size }},
	} {
		for _, size := range []int{1, 2, 10} {
			for _, n := range []int{0, 1, 2, 3, 4, 10, 11, 20, 21} {
				t.Run(fmt.Sprintf("%s/%d by %d", name, n, size), func(t *testing.T) {
					service := test.service
					service.n = n
					client, _ := scripted(t, service.ServeHTTP)
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

// TestAlertsAll_noTotal_resumesAtOffsetOfError breaks each request once, and goes on at the place that the error names.
func TestAlertsAll_noTotal_resumesAtOffsetOfError(t *testing.T) {
	for name, service := range map[string]unbounded{
		"goes by both": {n: 45}, "lowers the limit": {n: 45, largest: 3}, "goes by the offset alone": {n: 45, noLimit: true},
		"goes by neither":               {n: 45, noLimit: true, noOffset: true},
		"goes by neither, and is short": {n: 4, noLimit: true, noOffset: true},
	} {
		for failing := range 4 {
			t.Run(fmt.Sprintf("%s, request %d", name, failing), func(t *testing.T) {
				lines := slices.Repeat([]responder{service.ServeHTTP}, failing)
				lines = append(lines, respondJSON(400, `{"message":"nope"}`), service.ServeHTTP)
				client, _ := scripted(t, lines...)
				ids, err := destinations(t, client, 0, rpcfleet.WithPageSize(10))
				if err != nil {
					failure := errorAs[*rpcfleet.PageError](t, err)
					require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
					assert.True(t, failure.Offset == len(ids) || service.noOffset, failure.Offset)
					rest := must(destinations(t, client, failure.Offset, rpcfleet.WithPageSize(10)))(t)
					if service.noOffset {
						ids = nil // All comes again.
					}
					ids = append(ids, rest...)
				}
				assert.Equal(t, numbered("t", 0, service.n), ids)
			})
		}
	}
}

// TestAlertsAll_noTotal_survivesOverlapAndRepeats covers the results if a listing changes meanwhile, or if the service
// makes mistakes.
func TestAlertsAll_noTotal_survivesOverlapAndRepeats(t *testing.T) {
	page := func(ids ...string) responder { return respondJSON(200, list(ids...)) }
	for name, test := range map[string]struct {
		lines    []responder
		want     []string
		repeated bool
	}{
		"an overlap, as a new item shifts the rest": {[]responder{page("a", "b"), page("b", "c"), page()},
			[]string{"a", "b", "c"}, false},
		"all of them, and one more the second time": {[]responder{page("a", "b"), page("a", "b", "c")},
			[]string{"a", "b", "c"}, false},
		"all of them, in another order": {[]responder{page("a", "b"), page("b", "a")}, []string{"a", "b"}, false},
		"a later page twice":            {[]responder{page("a", "b"), page("b", "c"), page("b", "c")}, []string{"a", "b", "c"}, true},
		"the first page again, later": {[]responder{page("a", "b"), page("b", "c"), page("a", "b")},
			[]string{"a", "b", "c"}, true},
		"a part of the first page":             {[]responder{page("a", "b"), page("b")}, []string{"a", "b"}, true},
		"items without ids":                    {[]responder{page("", ""), page()}, []string{"", ""}, false},
		"items without ids, all of them again": {[]responder{page("", ""), page("", "")}, []string{"", ""}, false},
		"items without ids, and others": {[]responder{page("", "a"), page("", "b"), page()},
			[]string{"", "a", "b"}, false},
		"items without ids that may be old or new ones": {[]responder{page("", ""), page("")}, []string{"", ""}, true},
		"null at the end":            {[]responder{page("a"), respondJSON(200, `null`)}, []string{"a"}, false},
		"null under data at the end": {[]responder{page("a"), respondJSON(200, `{"data":null}`)}, []string{"a"}, false},
	} {
		client, _ := scripted(t, test.lines...)
		ids, err := destinations(t, client, 0)
		assert.Equal(t, test.want, ids, name)
		assert.Equal(t, test.repeated, errors.Is(err, rpcfleet.ErrRepeatedPage), "%s: %v", name, err)
		assert.Equal(t, test.repeated, err != nil, name)
	}
}

func TestAlertsPages_noTotal_statesOffsetAndNext(t *testing.T) {
	client, server := scripted(t, unbounded{n: 45, largest: 20}.ServeHTTP)
	params := alerts.ListDestinationsParams{Limit: new(20), Offset: new(3)}
	pages := client.Destinations.Pages(t.Context(), params)
	assert.Empty(t, server.Requests(), "nothing is sent before the loop")
	*params.Limit, *params.Offset = 1, 1
	var spans [][4]int
	for page, err := range pages {
		require.NoError(t, err)
		spans = append(spans, [4]int{page.Offset, page.Next, len(page.Items), page.Total})
	}
	assert.Equal(t, [][4]int{{3, 23, 20, -1}, {22, 42, 19, -1}, {41, 45, 3, -1}}, spans)
	var queries []string
	for _, r := range server.Requests() {
		queries = append(queries, r.Query)
	}
	assert.Equal(t, []string{
		"limit=20&offset=3", "limit=20&offset=22", "limit=20&offset=41", "limit=20&offset=44", "limit=20&offset=45",
	}, queries, "each begins with a known item, except for the empty one at the end")
}

// TestAlertsAll_refusesBadLimitAndOffset has options that a single page accepts and an iteration does not.
func TestAlertsAll_refusesBadLimitAndOffset(t *testing.T) {
	for field, params := range map[string]alerts.ListDestinationsParams{"limit": {Limit: new(0)},
		"offset": {Offset: new(-1)}} {
		client, server := scripted(t, unbounded{n: 3}.ServeHTTP)
		for _, err := range client.Destinations.All(t.Context(), params) {
			invalid := errorAs[*rpcfleet.ValidationError](t, err)
			assert.Equal(t, field, invalid.Field)
			assert.Equal(t, "listDestinations", invalid.Operation)
		}
		assert.Empty(t, server.Requests())
		for range client.Destinations.All(t.Context(), params, rpcfleet.WithoutValidation()) {
			break
		}
		assert.NotEmpty(t, server.Requests())
	}
	client, server := scripted(t, unbounded{n: 3}.ServeHTTP)
	for _, err := range client.Notifications.AllEvents(t.Context(), "..", alerts.ListNotificationEventsParams{}) {
		assert.Equal(t, "id", errorAs[*rpcfleet.ValidationError](t, err).Field)
	}
	_, err := destinations(t, client, 0, rpcfleet.WithPageSize(0))
	require.EqualError(t, err, "rpcfleet: page size must be at least 1, not 0 (on the first page)")
	assert.Empty(t, server.Requests())
	ids := must(collect(t, idsOf(client.Destinations.All(t.Context(), alerts.ListDestinationsParams{Limit: new(1)}),
		destinationID)))(t)
	assert.Equal(t, numbered("t", 0, 3), ids, "one at a time is the least")
}

// TestAlertsAll_noTotal_reachesItemsThatLoopRemoves takes away destinations of each page, although no total shows it.
func TestAlertsAll_noTotal_reachesItemsThatLoopRemoves(t *testing.T) {
	each := func(s *shrinking, ids []string) { s.remove(ids...) }
	for name, test := range map[string]struct {
		n, start int
		change   func(s *shrinking, ids []string)
		failure  error
	}{
		"each goes":                  {45, 0, each, nil},
		"each goes, twice the limit": {40, 0, each, nil},
		"each goes, many":            {130, 0, each, nil},
		"some go at the beginning":   {45, 0, func(s *shrinking, _ []string) { s.remove("t3", "t7") }, nil},
		"the only one goes":          {1, 0, each, nil},
		// Others may have gone before the start.
		"each goes, from an offset on": {45, 5, each, rpcfleet.ErrIncompleteListing},
	} {
		service, seen := &shrinking{ids: numbered("t", 0, test.n), unbounded: true}, map[string]bool{}
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
	service := &shrinking{ids: numbered("t", 0, 45), unbounded: true}
	service.before = func(offset int) {
		if offset == 44 {
			service.remove(service.left()...)
			service.add(append([]string{"new"}, numbered("t", 0, 44)...)...)
		}
	}
	client, _ := scripted(t, service.ServeHTTP)
	assert.Equal(t, numbered("t", 0, 45), must(destinations(t, client, 0, rpcfleet.WithPageSize(20)))(t))
}
