package clienttest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

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
		service *listing
		// unclear reports whether items may be out of reach, which is an error.
		unclear func(n, size int) bool
	}{
		"goes by both":             {&listing{bare: true}, never},
		"lowers the limit":         {&listing{bare: true, largest: 3}, never},
		"goes by the offset alone": {&listing{bare: true, noLimit: true}, never},
		"goes by both, under data": {&listing{noTotal: true}, never},
		"goes by neither": {&listing{bare: true, noLimit: true, noOffset: true},
			func(n, size int) bool { return n == size }},
		"goes by the limit alone": {&listing{bare: true, noOffset: true}, full},
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

// TestAlertsAll_noTotal_resumesAtOffsetOfError breaks each request once, and goes on at the place that the error names.
func TestAlertsAll_noTotal_resumesAtOffsetOfError(t *testing.T) {
	many, few := numbered("t", 0, 45), numbered("t", 0, 4)
	for name, service := range map[string]*listing{
		"goes by both": {ids: many}, "lowers the limit": {ids: many, largest: 3},
		"goes by the offset alone":      {ids: many, noLimit: true},
		"goes by neither":               {ids: many, noLimit: true, noOffset: true},
		"goes by neither, and is short": {ids: few, noLimit: true, noOffset: true},
	} {
		for failing := range 4 {
			service.bare = true
			lines := slices.Repeat([]responder{service.ServeHTTP}, failing)
			client, _ := scripted(t, append(lines, respondJSON(400, `{"message":"nope"}`), service.ServeHTTP)...)
			ids, err := destinations(t, client, 0, rpcfleet.WithPageSize(10))
			if err != nil {
				failure := errorAs[*rpcfleet.PageError](t, err)
				require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
				assert.True(t, failure.Offset == len(ids) || service.noOffset, "%s: %d", name, failure.Offset)
				rest := must(destinations(t, client, failure.Offset, rpcfleet.WithPageSize(10)))(t)
				if service.noOffset {
					ids = nil // All comes again.
				}
				ids = append(ids, rest...)
			}
			assert.Equal(t, service.ids, ids, "%s, request %d", name, failing)
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
			lines = append(lines, respondJSON(200, page))
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
	service := &listing{ids: numbered("t", 0, 3), bare: true}
	client, server := scripted(t, service.ServeHTTP)
	for field, params := range map[string]alerts.ListDestinationsParams{"limit": {Limit: new(0)},
		"offset": {Offset: new(-1)}} {
		before := len(server.Requests())
		for _, err := range client.Destinations.All(t.Context(), params) {
			invalid := errorAs[*rpcfleet.ValidationError](t, err)
			assert.Equal(t, []string{field, "listDestinations"}, []string{invalid.Field, invalid.Operation})
		}
		assert.Len(t, server.Requests(), before)
		for range client.Destinations.All(t.Context(), params, rpcfleet.WithoutValidation()) {
			break
		}
		assert.Len(t, server.Requests(), before+1)
	}
	before := len(server.Requests())
	for _, err := range client.Notifications.AllEvents(t.Context(), "..", alerts.ListNotificationEventsParams{}) {
		assert.Equal(t, "id", errorAs[*rpcfleet.ValidationError](t, err).Field)
	}
	_, err := destinations(t, client, 0, rpcfleet.WithPageSize(0))
	require.EqualError(t, err, "rpcfleet: page size must be at least 1, not 0 (on the first page)")
	assert.Len(t, server.Requests(), before)
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
