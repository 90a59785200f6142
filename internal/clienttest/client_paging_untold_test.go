package clienttest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestUntoldListings goes through the ways in which a service may page, with listings shorter than, as long as and
// longer than a page. Nothing is delivered twice, and what is not delivered is reported.
func TestUntoldListings(t *testing.T) {
	never := func(int, int) bool { return false }
	full := func(n, size int) bool { return n >= size }
	for name, test := range map[string]struct {
		service untold
		// unclear reports whether items may be out of reach, which is an error.
		unclear func(n, size int) bool
	}{
		"goes by both":             {untold{}, never},
		"lowers the limit":         {untold{largest: 3}, never},
		"goes by the offset alone": {untold{noLimit: true}, never},
		"goes by both, under data": {untold{wraps: true}, never},
		"goes by neither":          {untold{noLimit: true, noOffset: true}, func(n, size int) bool { return n == size }},
		"goes by the limit alone":  {untold{noOffset: true}, full},
		// That this one is cut, nobody can know.
		"goes by a lowered limit alone":     {untold{noOffset: true, largest: 3}, func(n, size int) bool { return size <= 3 && n >= size }},
		"repeats the end of a listing":      {untold{clamps: true}, full},
		"repeats the end, lowers the limit": {untold{clamps: true, largest: 3}, func(n, size int) bool { return n > 3 || n >= size }},
	} {
		for kind, list := range listings {
			for _, size := range []int{1, 2, 10} {
				for _, n := range []int{0, 1, 2, 3, 4, 10, 11, 20, 21} {
					t.Run(fmt.Sprintf("%s/%s, %d by %d", name, kind, n, size), func(t *testing.T) {
						t.Parallel()
						service := test.service
						service.n = n
						client, _ := scripted(t, service.ServeHTTP)
						ids, err := gather(t, list(t.Context(), client, -1, rpcfleet.WithPageSize(size)))
						if n > 0 && test.unclear(n, size) {
							require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
							var failure *rpcfleet.PageError
							require.ErrorAs(t, err, &failure)
							assert.GreaterOrEqual(t, failure.Offset, len(ids))
						} else {
							require.NoError(t, err)
						}
						if test.service.noOffset && !test.service.noLimit {
							n = min(n, size, cmp.Or(test.service.largest, size))
						}
						assert.Equal(t, named(0, n), ids)
					})
				}
			}
		}
	}
}

func TestAnUntoldListingIsReadFromAnOffset(t *testing.T) {
	for name, service := range map[string]untold{
		"goes by both": {n: 45}, "lowers the limit": {n: 45, largest: 3}, "goes by the offset alone": {n: 45, noLimit: true},
		"goes by neither": {n: 45, noLimit: true, noOffset: true},
	} {
		for kind, list := range listings {
			for _, offset := range []int{0, 1, 10, 44, 45, 46, 100} {
				t.Run(fmt.Sprintf("%s/%s from %d", name, kind, offset), func(t *testing.T) {
					t.Parallel()
					client, _ := scripted(t, service.ServeHTTP)
					ids, err := gather(t, list(t.Context(), client, offset, rpcfleet.WithPageSize(10)))
					require.NoError(t, err)
					if service.noOffset {
						offset = 0 // All comes, from whatever offset.
					}
					assert.Equal(t, named(offset, 45), ids)
				})
			}
		}
	}
}

// TestAnUntoldListingIsResumed breaks each request once, and goes on at the place that the error tells.
func TestAnUntoldListingIsResumed(t *testing.T) {
	for name, service := range map[string]untold{
		"goes by both": {n: 45}, "lowers the limit": {n: 45, largest: 3}, "goes by the offset alone": {n: 45, noLimit: true},
		"goes by neither": {n: 45, noLimit: true, noOffset: true}, "goes by neither, and is short": {n: 4, noLimit: true, noOffset: true},
	} {
		for kind, list := range listings {
			for broken := range 4 {
				t.Run(fmt.Sprintf("%s/%s, request %d", name, kind, broken), func(t *testing.T) {
					t.Parallel()
					lines := slices.Repeat([]responder{service.ServeHTTP}, broken)
					lines = append(lines, says(400, `{"message":"nope"}`), service.ServeHTTP)
					client, _ := scripted(t, lines...)
					ids, err := gather(t, list(t.Context(), client, -1, rpcfleet.WithPageSize(10)))
					if err != nil {
						var failure *rpcfleet.PageError
						require.ErrorAs(t, err, &failure)
						require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
						assert.Equal(t, len(ids), failure.Offset)
						rest, err := gather(t, list(t.Context(), client, failure.Offset, rpcfleet.WithPageSize(10)))
						require.NoError(t, err)
						if service.noOffset {
							ids = nil // All comes again.
						}
						ids = append(ids, rest...)
					}
					assert.Equal(t, named(0, service.n), ids)
				})
			}
		}
	}
}

// TestUntoldListingsThatChange has what may come where a listing changes meanwhile, or the service makes mistakes.
func TestUntoldListingsThatChange(t *testing.T) {
	page := func(ids ...string) responder {
		items := make([]string, len(ids))
		for i, id := range ids {
			items[i] = `{"id":"` + id + `","name":"x"}`
		}
		return says(200, "["+strings.Join(items, ",")+"]")
	}
	for name, test := range map[string]struct {
		lines    []responder
		want     []string
		repeated bool
	}{
		"an overlap, as a new item shifts the rest":     {[]responder{page("a", "b"), page("b", "c"), page()}, []string{"a", "b", "c"}, false},
		"all of them, and one more the second time":     {[]responder{page("a", "b"), page("a", "b", "c")}, []string{"a", "b", "c"}, false},
		"all of them, in another order":                 {[]responder{page("a", "b"), page("b", "a")}, []string{"a", "b"}, false},
		"a later page twice":                            {[]responder{page("a", "b"), page("c", "d"), page("c", "d")}, []string{"a", "b", "c", "d"}, true},
		"the first page again, later":                   {[]responder{page("a", "b"), page("c", "d"), page("a", "b")}, []string{"a", "b", "c", "d"}, true},
		"a part of the first page":                      {[]responder{page("a", "b"), page("b")}, []string{"a", "b"}, true},
		"items without ids":                             {[]responder{page("", ""), page()}, []string{"", ""}, false},
		"items without ids, all of them again":          {[]responder{page("", ""), page("", "")}, []string{"", ""}, false},
		"items without ids, and others":                 {[]responder{page("", "a"), page("", "b"), page()}, []string{"", "a", "", "b"}, false},
		"items without ids that may be old or new ones": {[]responder{page("", ""), page("")}, []string{"", ""}, true},
		"null at the end":                               {[]responder{page("a"), says(200, `null`)}, []string{"a"}, false},
		"null under data at the end":                    {[]responder{page("a"), says(200, `{"data":null}`)}, []string{"a"}, false},
	} {
		for kind, list := range listings {
			t.Run(name+"/"+kind, func(t *testing.T) {
				client, _ := scripted(t, test.lines...)
				ids, err := gather(t, list(t.Context(), client, -1))
				assert.Equal(t, test.want, ids)
				if test.repeated {
					require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
				} else {
					require.NoError(t, err)
				}
			})
		}
	}
}

func TestPagesOfAnUntoldListing(t *testing.T) {
	client, server := scripted(t, untold{n: 45, largest: 20}.ServeHTTP)
	params := alerts.ListDestinationsParams{Limit: new(20), Offset: new(3)}
	pages := client.Destinations.Pages(t.Context(), params)
	assert.Empty(t, server.Requests(), "nothing is sent before the loop")
	*params.Limit, *params.Offset = 1, 1
	var spans [][4]int
	for page, err := range pages {
		require.NoError(t, err)
		spans = append(spans, [4]int{page.Offset, page.Next, len(page.Items), page.Total})
	}
	assert.Equal(t, [][4]int{{3, 23, 20, -1}, {23, 43, 20, -1}, {43, 45, 2, -1}}, spans)
	var queries []string
	for _, r := range server.Requests() {
		queries = append(queries, r.Query)
	}
	assert.Equal(t, []string{
		"limit=20&offset=3", "limit=20&offset=23", "limit=20&offset=43", "limit=20&offset=45", "limit=20&offset=3",
	}, queries, "at the end the first page is asked for again")
}

func TestAnUntoldListingIsLazy(t *testing.T) {
	for kind, list := range listings {
		client, server := scripted(t, untold{n: 45}.ServeHTTP)
		for _, err := range list(t.Context(), client, -1, rpcfleet.WithPrefetch(3)) {
			require.NoError(t, err)
			break
		}
		assert.Len(t, server.Requests(), 1, kind)
		assert.Equal(t, "limit=100&offset=0", server.Requests()[0].Query, kind)
		for range list(t.Context(), server.client(t, rpcfleet.WithPageSize(44)), -1) {
			break
		}
		assert.Equal(t, "limit=44&offset=0", server.Requests()[1].Query, kind)
	}
}

// TestAnIterationNeedsAPageSize has what a single page may be asked for with, and an iteration may not.
func TestAnIterationNeedsAPageSize(t *testing.T) {
	for field, params := range map[string]alerts.ListDestinationsParams{"limit": {Limit: new(0)}, "offset": {Offset: new(-1)}} {
		client, server := scripted(t, untold{n: 3}.ServeHTTP)
		for _, err := range client.Destinations.All(t.Context(), params) {
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, field, invalid.Field)
			assert.Equal(t, "listDestinations", invalid.Operation)
		}
		assert.Empty(t, server.Requests())
		for range client.Destinations.All(t.Context(), params, rpcfleet.WithoutValidation()) {
			break
		}
		assert.NotEmpty(t, server.Requests())
	}
	client, server := scripted(t, untold{n: 3}.ServeHTTP)
	for _, err := range client.Notifications.AllEvents(t.Context(), "..", alerts.ListNotificationEventsParams{}) {
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, err, &invalid)
		assert.Equal(t, "id", invalid.Field)
	}
	for kind, list := range listings {
		ids, err := gather(t, list(t.Context(), client, -1, rpcfleet.WithPageSize(0)))
		require.EqualError(t, err, "rpcfleet: page size must be at least 1, not 0 (on the first page)", kind)
		assert.Empty(t, ids)
	}
	assert.Empty(t, server.Requests())
	ids, err := gather(t, identified(client.Destinations.All(t.Context(), alerts.ListDestinationsParams{Limit: new(1)}),
		func(d alerts.Destination) string { return d.ID }))
	require.NoError(t, err)
	assert.Equal(t, named(0, 3), ids, "one at a time is the least")
}
