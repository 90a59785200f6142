package clienttest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// lists responds with a listing of n endpoints in pages of at most largest. A total of -1 is no pagination record.
func lists(n, largest, total int) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		limit = min(limit, largest)
		ok(page(numbered("ep", offset, min(offset+limit, n)), total, limit, offset))(w, r)
	}
}

// walk iterates over everything and returns the ids, and the error if one came.
func walk(t *testing.T, client *rpcfleet.Client, params admin.ListEndpointsParams) ([]string, error) {
	t.Helper()
	return collect(t, idsOf(client.Endpoints.All(t.Context(), params), endpointID))
}

func TestPaging_advancesByTheItemsReceived(t *testing.T) {
	for name, test := range map[string]struct{ n, largest, total, requests int }{
		"pages lowered to 7, limit 100":    {1000, 7, 1000, 167},
		"no total: ends on an empty page":  {20, 7, -1, 6},
		"a total reached by a full page":   {19, 7, 19, 3},
		"one page":                         {5, 100, 5, 1},
		"nothing":                          {0, 100, 0, 1},
		"nothing, and no total":            {0, 100, -1, 1},
		"a total of zero beside the items": {30, 10, 0, 6},
	} {
		for _, ahead := range []int{0, 4} {
			client, server := scriptedWith(t, with{rpcfleet.WithPrefetch(ahead)}, lists(test.n, test.largest, test.total))
			ids := must(walk(t, client, admin.ListEndpointsParams{Limit: new(100)}))(t)
			assert.Equal(t, numbered("ep", 0, test.n), ids, name)
			assert.Len(t, server.Requests(), test.requests, name)
			assert.Contains(t, server.last().Query, "limit=100")
		}
	}
}

func TestAll_repeatedPageIsError(t *testing.T) {
	// again lists the first endpoints for any offset: so many at first, and so many from then on, of one more.
	again := func(first, later int) responder {
		return func(w http.ResponseWriter, r *http.Request) {
			limit := later
			if strings.Contains(r.URL.RawQuery, "offset=0") {
				limit = first
			}
			r.URL.RawQuery = "offset=0&limit=" + strconv.Itoa(limit)
			lists(100, limit, first+later)(w, r)
		}
	}
	// same responds with the same two endpoints for any offset, and a total.
	same := func(total int) responder { return ok(page([]string{"ep0", "ep1"}, total, 2, 0)) }
	for name, line := range map[string]responder{
		"at another size, larger":  again(2, 3),
		"at another size, smaller": again(2, 1),
		"the same page for ever":   same(100), "and a total of zero": same(0),
		"two pages in turn": func(w http.ResponseWriter, r *http.Request) {
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			ok(fmt.Sprintf(`{"data":[{"id":"ep%d"}]}`, offset%2))(w, r)
		},
	} {
		client, _ := scripted(t, line)
		ids, err := walk(t, client, admin.ListEndpointsParams{})
		require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage, name)
		assert.Equal(t, numbered("ep", 0, max(len(ids), 2)), ids, name)
	}
}

// TestAll_emptyPageBeforeTotalIsError by the page's own total, alike with pages fetched in advance.
func TestAll_emptyPageBeforeTotalIsError(t *testing.T) {
	type pages = map[int][2]int // The items on the page at an offset, and the total. Others are empty, without a total.
	for name, test := range map[string]struct {
		pages  pages
		start  int
		items  int
		resume int // The offset that the error names, or -1 if there is no error.
	}{
		"an empty page in the middle":              {pages{0: {10, 40}, 9: {10, 40}, 18: {0, 40}, 27: {10, 40}}, 0, 19, 19},
		"an empty page at the beginning":           {pages{0: {0, 40}, 9: {10, 40}}, 0, 0, 0},
		"one item is missing":                      {pages{0: {10, 11}, 9: {1, 11}, 10: {0, 11}}, 0, 10, 10},
		"a total that grew, and an empty page":     {pages{0: {10, 20}, 9: {10, 30}, 18: {0, 30}}, 0, 19, 19},
		"a total that grew on the empty page":      {pages{0: {10, 15}, 9: {0, 30}}, 0, 10, 10},
		"a total that grew":                        {pages{0: {10, 20}, 9: {10, 30}, 18: {10, 30}, 27: {3, 30}}, 0, 30, -1},
		"a total that goes up and down":            {pages{0: {10, 40}, 9: {10, 40}, 18: {0, 18}}, 0, 19, 0},
		"an empty page without a total":            {pages{0: {10, 40}, 9: {10, 40}, 18: {1, -1}}, 0, 19, -1},
		"an offset beyond the end":                 {pages{100: {0, 40}}, 100, 0, -1},
		"an offset within, and nothing from there": {pages{20: {0, 40}}, 20, 0, 20},
	} {
		for _, ahead := range []int{0, 1, 3} {
			client, _ := scriptedWith(t, with{rpcfleet.WithPrefetch(ahead)}, func(w http.ResponseWriter, r *http.Request) {
				offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
				body := `{"data":null}`
				if at, there := test.pages[offset]; there {
					body = page(numbered("ep", offset, offset+at[0]), at[1], 10, offset)
				}
				ok(body)(w, r)
			})
			ids, err := walk(t, client, admin.ListEndpointsParams{Offset: &test.start, Limit: new(10)})
			assert.Equal(t, numbered("ep", test.start, test.start+test.items), ids, name)
			if test.resume < 0 {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing, name)
			failure := errorAs[*rpcfleet.PageError](t, err)
			assert.Equal(t, test.resume, failure.Offset, name)
			assert.Empty(t, failure.Cursor)
		}
	}
}

func TestAll_missingItemIsCounted(t *testing.T) {
	first := ok(page(numbered("ep", 1, 11), 12, 10, 1))
	second := ok(page([]string{"ep10", "ep5"}, 12, 10, 10))
	client, server := scripted(t, first, second, first, second)
	require.ErrorContains(t, errOf(walk(t, client, admin.ListEndpointsParams{Offset: new(1)})),
		": 10 of 11 items came (resume from offset 1)")
	assert.Equal(t, []string{"1", "10", "1", "10"}, offsetsOf(server), "it is read twice")
}

// TestAll_itemsWithoutIDs_goByTotal goes back because the total has decreased, if a page begins without an id.
func TestAll_itemsWithoutIDs_goByTotal(t *testing.T) {
	for _, second := range [][]string{{""}, {"", "c", "d"}} {
		client, server := scripted(t, ok(page([]string{"", "a", "b"}, 6, 3, 0)),
			ok(page(second, 5, 3, 2)), ok(page([]string{"b", "", "c", "d"}, 5, 4, 1)))
		assert.Equal(t, []string{"", "a", "b", "", "c", "d"}, must(walk(t, client, admin.ListEndpointsParams{}))(t))
		assert.Equal(t, []string{"0", "2", "1"}, offsetsOf(server))
	}
}

func TestPage_isReturnedAsItIs(t *testing.T) {
	for body, last := range map[string]bool{`{"data":null,"pagination":{"total":40,"limit":10,"offset":0}}`: true,
		page(numbered("ep", 0, 10), 40, 10, 0): false, page(nil, 0, 10, 0): true, `{"data":[]}`: true} {
		client, _ := scripted(t, ok(body))
		assert.Equal(t, last, must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t).Last())
	}
	require.Error(t, json.Unmarshal([]byte(`{"Items":7}`), new(rpcfleet.Page[int])))
}

// listing is a service with a listing by offset, which may change while it is read.
type listing struct {
	mu      sync.Mutex
	ids     []string
	largest int // The largest page, or 0.
	// The body has no total, or is the list alone.
	noTotal, bare bool
	// The service ignores limit or offset, or moves an offset back so that the last page is full.
	noLimit, noOffset, clamps bool
	// before is called with the offset of a request.
	before func(offset int)
}

func (l *listing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if l.before != nil {
		l.before(offset)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, total := len(l.ids), len(l.ids)
	limit = min(limit, cmp.Or(l.largest, limit))
	if l.noLimit {
		limit = n
	}
	if l.clamps {
		offset = min(offset, n-limit)
	}
	if l.noOffset {
		offset = 0
	}
	if l.noTotal {
		total = -1
	}
	first := min(max(offset, 0), n)
	ids := l.ids[first:min(first+limit, n)]
	if l.bare {
		ok(list(ids...))(w, r)
		return
	}
	ok(page(ids, total, limit, offset))(w, r)
}

func (l *listing) set(ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = ids
}

func (l *listing) left() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ids
}

func (l *listing) remove(ids ...string) {
	l.set(slices.DeleteFunc(slices.Clone(l.left()), func(id string) bool { return slices.Contains(ids, id) }))
}

// offsetsOf returns the offsets of the requests.
func offsetsOf(server script) (offsets []string) {
	for _, r := range server.Requests() {
		offsets = append(offsets, r.Query[strings.LastIndex(r.Query, "=")+1:])
	}
	return offsets
}

// every returns every nth of some ids.
func every(n int, ids []string) (some []string) {
	for i := 0; i < len(ids); i += n {
		some = append(some, ids[i])
	}
	return some
}

// TestAll_changingListing_deliversOnceOrReports changes a listing at random before each request. An endpoint that is
// there all the time is delivered, none is delivered twice, and changes of a single kind are no reason for an error.
func TestAll_changingListing_deliversOnceOrReports(t *testing.T) {
	type change = func(random *rand.Rand, ids []string) []string
	remove := func(random *rand.Rand, ids []string) []string {
		at := random.IntN(len(ids))
		return slices.Delete(ids, at, at+1)
	}
	created := 0
	insert := func(ids []string, at int) []string {
		created++
		return slices.Insert(ids, at, fmt.Sprint("new", created))
	}
	add := func(_ *rand.Rand, ids []string) []string { return insert(ids, len(ids)) }
	addFront := func(_ *rand.Rand, ids []string) []string { return insert(ids, 0) }
	addAnywhere := func(random *rand.Rand, ids []string) []string { return insert(ids, random.IntN(len(ids))) }
	replace := func(random *rand.Rand, ids []string) []string { return add(random, remove(random, ids)) }
	move := func(random *rand.Rand, ids []string) []string {
		from, to := random.IntN(len(ids)), random.IntN(len(ids))
		id := ids[from]
		return slices.Insert(slices.Delete(ids, from, from+1), to, id)
	}
	shuffle := func(random *rand.Rand, ids []string) []string {
		random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		return ids
	}
	for name, test := range map[string]struct {
		changes            []change
		mayFail, unbounded bool
	}{
		"deletes":                       {[]change{remove}, false, false},
		"deletes, no total":             {[]change{remove}, false, true},
		"appends":                       {[]change{add}, false, false},
		"front inserts":                 {[]change{addFront}, false, false},
		"deletes and appends":           {[]change{remove, add}, true, false},
		"deletes and appends, no total": {[]change{remove, add}, false, true},
		"deletes with an append each":   {[]change{replace}, true, false},
		"deletes and front inserts":     {[]change{remove, addFront}, true, false},
		"deletes and inserts":           {[]change{remove, addAnywhere}, true, false},
		"moves":                         {[]change{move}, true, false},
		"shuffles":                      {[]change{shuffle}, true, false},
	} {
		random, service := rand.New(rand.NewPCG(1, 20)), &listing{bare: test.unbounded}
		changes, stay := 0, map[string]bool{}
		service.before = func(int) {
			service.mu.Lock()
			defer service.mu.Unlock()
			for range min(random.IntN(4), changes, len(service.ids)-1) {
				changes--
				service.ids = test.changes[random.IntN(len(test.changes))](random, slices.Clone(service.ids))
			}
			maps.DeleteFunc(stay, func(id string, _ bool) bool { return !slices.Contains(service.ids, id) })
		}
		client, _ := scripted(t, service.ServeHTTP)
		for run := range 60 {
			service.mu.Lock() // A request of the run before may not have noticed its end.
			service.ids, service.largest, changes = numbered("ep", 0, 20+random.IntN(60)), 3+random.IntN(10), 50
			for _, id := range service.ids {
				stay[id] = true
			}
			service.mu.Unlock()
			prefetch := rpcfleet.WithPrefetch(run % 2 * 3)
			all := idsOf(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, prefetch), endpointID)
			if test.unbounded {
				all = idsOf(client.Destinations.All(t.Context(), alerts.ListDestinationsParams{}), destinationID)
			}
			ids, err := collect(t, all)
			assert.Len(t, slices.Compact(slices.Sorted(slices.Values(ids))), len(ids), "%s, %d: nothing twice", name, run)
			service.mu.Lock()
			if err == nil {
				assert.Subset(t, ids, slices.Collect(maps.Keys(stay)), "%s, %d", name, run)
			} else {
				assert.True(t, test.mayFail, "%s, %d: %v", name, run, err)
				assert.True(t, errors.Is(err, rpcfleet.ErrIncompleteListing) || errors.Is(err, rpcfleet.ErrRepeatedPage), "%v", err)
			}
			service.mu.Unlock()
		}
	}
}

// TestPages_omitDeliveredItems if others go. Parameters that change meanwhile have no effect, and are not changed.
func TestPages_omitDeliveredItems(t *testing.T) {
	service := &listing{ids: numbered("ep", 0, 40), largest: 10}
	client, server := scripted(t, service.ServeHTTP)
	params := admin.ListEndpointsParams{Limit: new(10), Statuses: []admin.EndpointStatus{"active"}}
	var spans [][3]int
	for page, err := range client.Endpoints.Pages(t.Context(), params) {
		require.NoError(t, err)
		spans = append(spans, [3]int{page.Offset, page.Next, len(page.Items)})
		params.Statuses[0], *params.Limit = "changed", 1
		switch len(spans) {
		case 1:
			service.remove(numbered("ep", 37, 40)...)
		case 2:
			service.remove(every(2, numbered("ep", 10, 16))...)
		}
	}
	assert.Equal(t, [][3]int{{0, 10, 10}, {9, 19, 9}, {15, 25, 9}, {24, 34, 9}}, spans)
	var queries []string
	for _, r := range server.Requests() {
		queries = append(queries, r.Query)
	}
	const query = "limit=10&offset=%d&statuses=active"
	assert.Equal(t, []string{fmt.Sprintf(query, 0), fmt.Sprintf(query, 9), fmt.Sprintf(query, 18), fmt.Sprintf(query, 15),
		fmt.Sprintf(query, 24)}, queries, "it goes back to delivered items")
	assert.Nil(t, params.Offset)
}

// TestAll_shrinkingListingResumesAfterError has a listing of 50 from which some go after the first page. The iteration
// fails at the request with which it goes back, or because it cannot go back.
func TestAll_shrinkingListingResumesAfterError(t *testing.T) {
	for name, test := range map[string]struct {
		start, resume int
		gone          []string
		failure       error
	}{
		"a part of the page has gone":        {0, 0, every(2, numbered("ep", 0, 10)), rpcfleet.ErrInvalidRequest},
		"all that came has gone":             {0, 0, numbered("ep", 0, 10), rpcfleet.ErrInvalidRequest},
		"all since the start has gone":       {10, 10, numbered("ep", 10, 20), rpcfleet.ErrInvalidRequest},
		"the same, and nothing fails":        {10, 50, numbered("ep", 10, 20), nil},
		"more has gone than came":            {10, 0, numbered("ep", 5, 20), rpcfleet.ErrIncompleteListing},
		"nearly all has gone":                {10, 0, numbered("ep", 1, 50), rpcfleet.ErrIncompleteListing},
		"more than came, from the second on": {1, 0, numbered("ep", 0, 21), rpcfleet.ErrIncompleteListing},
	} {
		service := &listing{ids: numbered("ep", 0, 50), largest: 10}
		broken := false
		client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
			if offset, _ := strconv.Atoi(r.URL.Query().Get("offset")); broken && offset < test.start+9 {
				respondJSON(400, `{"data":null,"error":"nope"}`)(w, r)
				return
			}
			service.ServeHTTP(w, r)
		})
		var ids []string
		failure := &rpcfleet.PageError{Offset: 50}
		for endpoint, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{Offset: &test.start}) {
			if err != nil {
				require.ErrorAs(t, err, &failure)
				continue
			}
			if ids = append(ids, endpoint.ID); len(ids) == 10 {
				service.remove(test.gone...)
				broken = errors.Is(test.failure, rpcfleet.ErrInvalidRequest)
			}
		}
		require.ErrorIs(t, failure.Err, test.failure, name)
		assert.Equal(t, test.resume, failure.Offset, name)
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(ids))), len(ids), "%s: nothing twice", name)

		broken = false
		rest := must(walk(t, client, admin.ListEndpointsParams{Offset: &failure.Offset}))(t)
		assert.Subset(t, append(append(numbered("ep", 0, test.start), ids...), rest...), service.left(), name)
	}
}
