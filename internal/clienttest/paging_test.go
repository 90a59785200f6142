package clienttest

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// lists responds with a listing of n endpoints with pages of at most largest items, for any limit. total is the total
// that it claims, or -1 for no pagination record.
func lists(n, largest, total int) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		limit = min(limit, largest)
		var items []string
		for i := offset; i < min(offset+limit, n); i++ {
			items = append(items, fmt.Sprintf(`{"id":"ep%d"}`, i))
		}
		pagination := ""
		if total >= 0 {
			pagination = fmt.Sprintf(`,"pagination":{"total":%d,"limit":%d,"offset":%d}`, total, limit, offset)
		}
		respondJSON(200, `{"data":[`+strings.Join(items, ",")+`]`+pagination+`}`)(w, r)
	}
}

// walk iterates over everything and returns the ids, and the error if one came.
func walk(t *testing.T, client *rpcfleet.Client, params admin.ListEndpointsParams) ([]string, error) {
	t.Helper()
	all := client.Endpoints.All(t.Context(), params)
	return collect(t, idsOf(all, func(e admin.Endpoint) string { return e.ID }))
}

func endpointIDs(from, to int) []string {
	var ids []string
	for i := from; i < to; i++ {
		ids = append(ids, fmt.Sprintf("ep%d", i))
	}
	return ids
}

func TestIterationAdvancesByWhatCame(t *testing.T) {
	for name, test := range map[string]struct{ n, largest, total, requests int }{
		"pages lowered to 7, limit 100":    {1000, 7, 1000, 143},
		"no total: ends on an empty page":  {20, 7, -1, 5}, // And reads the first one again.
		"a total reached by a full page":   {21, 7, 21, 3},
		"one page":                         {5, 100, 5, 1},
		"nothing":                          {0, 100, 0, 1},
		"nothing, and no total":            {0, 100, -1, 1},
		"a total of zero beside the items": {30, 10, 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ahead := range []int{0, 4} {
				_, server := scripted(t, lists(test.n, test.largest, test.total))
				ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(ahead)), admin.ListEndpointsParams{Limit: new(100)})
				require.NoError(t, err)
				assert.Equal(t, endpointIDs(0, test.n), ids)
				assert.Len(t, server.Requests(), test.requests)
				assert.Contains(t, server.Requests()[0].Query, "limit=100")
			}
		})
	}
}

func TestIterationGoesOnWithoutATotal(t *testing.T) {
	for _, pagination := range []string{`null`, `{}`, `{"total":null,"limit":null,"offset":null}`,
		`{"limit":2,"offset":0}`} {
		client, server := scripted(t,
			respondJSON(200, `{"data":[{"id":"ep0"},{"id":"ep1"}],"pagination":`+pagination+`}`),
			respondJSON(200, `{"data":[{"id":"ep2"}],"pagination":`+pagination+`}`),
			respondJSON(200, `{"data":null,"pagination":`+pagination+`}`))
		page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Equal(t, -1, page.Total, pagination)
		assert.Equal(t, 2, page.Limit, pagination)
		assert.False(t, page.Last(), pagination)

		rest, err := walk(t, client, admin.ListEndpointsParams{Offset: new(2)})
		require.NoError(t, err)
		assert.Equal(t, []string{"ep2"}, rest, pagination)
		assert.Len(t, server.Requests(), 4, pagination)
	}
}

func TestARepeatedPageIsAnError(t *testing.T) {
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
	for name, line := range map[string]responder{
		"at another size, larger":  again(2, 3),
		"at another size, smaller": again(2, 1),
		"the same page for ever": func(w http.ResponseWriter, r *http.Request) {
			respondJSON(200, `{"data":[{"id":"ep0"},{"id":"ep1"}],"pagination":{"total":100,"limit":2,"offset":0}}`)(w, r)
		},
		"two pages in turn": func(w http.ResponseWriter, r *http.Request) {
			offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
			respondJSON(200, fmt.Sprintf(`{"data":[{"id":"ep%d"}]}`, offset%2))(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			ids, err := walk(t, client, admin.ListEndpointsParams{})
			require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
			assert.Equal(t, endpointIDs(0, 2), ids)
		})
	}
}

// TestPagesThatBeginAlike are not duplicates if their first items have no id.
func TestPagesThatBeginAlike(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":[{},{"id":"ep1"}]}`),
		respondJSON(200, `{"data":[{},{"id":"ep2"}]}`),
		respondJSON(200, `{"data":[]}`))
	ids, err := walk(t, client, admin.ListEndpointsParams{})
	require.NoError(t, err)
	assert.Equal(t, []string{"", "ep1", "", "ep2"}, ids)
}

func TestWhatAPageErrorSays(t *testing.T) {
	for want, failure := range map[string]rpcfleet.PageError{
		"why (on the first page)":                       {},
		"why (resume from offset 1)":                    {Offset: 1},
		"why (a cursor to resume from is in the error)": {Cursor: "made-up"},
	} {
		failure.Err = errors.New("why")
		assert.EqualError(t, &failure, want)
	}
}

func TestIterationCopiesItsParameters(t *testing.T) {
	client, server := scripted(t, lists(30, 10, 30))
	params := admin.ListEndpointsParams{Networks: []string{"mainnet"}, Limit: new(10)}
	for page, err := range client.Endpoints.Pages(t.Context(), params) {
		require.NoError(t, err)
		assert.Equal(t, page.Offset+10, page.Next)
		params.Networks[0], *params.Limit, params.Search = "changed", 1, new("changed")
	}
	requests := server.Requests()
	require.Len(t, requests, 3)
	for _, r := range requests {
		assert.NotContains(t, r.Query, "changed")
		assert.Contains(t, r.Query, "limit=10")
	}
	assert.Nil(t, params.Offset, "and does not write into them")
}

func TestPageSizeOption(t *testing.T) {
	client, server := scripted(t, lists(3, 100, 3))
	for range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, rpcfleet.WithPageSize(33)) {
		continue
	}
	for range server.client(t, rpcfleet.WithPageSize(44)).Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
		continue
	}
	_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
	require.NoError(t, err)
	requests := server.Requests()
	assert.Contains(t, requests[0].Query, "limit=33")
	assert.Contains(t, requests[1].Query, "limit=44")
	assert.Empty(t, requests[2].Query, "a single page is asked for as it is")
}

// pageAt responses an offset with the page that the script has for it, and every other offset with an empty page
// without a total.
func pageAt(pages map[int]responder) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		if page, there := pages[offset]; there {
			page(w, r)
			return
		}
		respondJSON(200, `{"data":null}`)(w, r)
	}
}

// ten is a page of ten endpoints, from the offset of the request on, and a total.
func ten(total int) responder { return several(10, total) }

// several is a page of so many endpoints, from the offset of the request on, and a total.
func several(n, total int) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		items := ""
		for i := offset; i < offset+n; i++ {
			items += fmt.Sprintf(`,{"id":"ep%d"}`, i)
		}
		respondJSON(200,
			fmt.Sprintf(`{"data":[%s],"pagination":{"total":%d,"limit":10,"offset":%d}}`, items[1:], total, offset))(w,
			r)
	}
}

// none is an empty page, spelled as an array or as null, and a total.
func none(data string, total int) responder {
	return respondJSON(200, fmt.Sprintf(`{"data":%s,"pagination":{"total":%d,"limit":10,"offset":0}}`, data, total))
}

// TestIterationOfAnIncompleteListing is about the meaning of an empty page: the page's own total decides, and it does
// so alike with pages fetched in advance.
func TestIterationOfAnIncompleteListing(t *testing.T) {
	for name, test := range map[string]struct {
		pages map[int]responder
		start int
		items int
		// resume is the offset that the error names, or -1 if there is no error.
		resume int
	}{
		"an empty page in the middle": {
			map[int]responder{0: ten(40), 10: ten(40), 20: none(`[]`, 40), 30: ten(40)}, 0, 20, 20},
		"a null page in the middle": {
			map[int]responder{0: ten(40), 10: ten(40), 20: none(`null`, 40), 30: ten(40)}, 0, 20, 20},
		"an empty page at the beginning": {map[int]responder{0: none(`[]`, 40), 10: ten(40)}, 0, 0, 0},
		"the only item is missing":       {map[int]responder{0: none(`[]`, 1)}, 0, 0, 0},
		"one item is missing":            {map[int]responder{0: ten(11), 10: none(`[]`, 11)}, 0, 10, 10},
		"a total that grew, and an empty page": {map[int]responder{0: ten(20), 10: ten(30), 20: none(`[]`, 30)}, 0, 20,
			20},
		"a total that grew on the empty page": {map[int]responder{0: ten(15), 10: none(`[]`, 30)}, 0, 10, 10},
		"a total that grew":                   {map[int]responder{0: ten(20), 10: ten(30), 20: ten(30)}, 0, 30, -1},
		"a total that goes up and down": {map[int]responder{0: ten(40), 10: ten(40), 20: none(`[]`, 20)}, 0, 20,
			0},
		"up and down, with another page between": {
			map[int]responder{0: ten(40), 10: ten(40), 20: ten(35), 14: several(6, 40)}, 0, 20, 15},
		"an empty page without a total":            {map[int]responder{0: ten(40), 10: ten(40)}, 0, 20, -1},
		"an offset beyond the end":                 {map[int]responder{100: none(`[]`, 40)}, 100, 0, -1},
		"an offset within, and nothing from there": {map[int]responder{20: none(`[]`, 40)}, 20, 0, 20},
	} {
		for _, ahead := range []int{0, 1, 3} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				_, server := scripted(t, pageAt(test.pages))
				client := server.client(t, rpcfleet.WithPrefetch(ahead))
				ids, err := walk(t, client, admin.ListEndpointsParams{Offset: &test.start, Limit: new(10)})
				assert.Equal(t, endpointIDs(test.start, test.start+test.items), ids)
				if test.resume < 0 {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing)
				failure := errorAs[*rpcfleet.PageError](t, err)
				assert.Equal(t, test.resume, failure.Offset)
				assert.Empty(t, failure.Cursor)
			})
		}
	}
}

func TestASinglePageIsReturnedAsItIs(t *testing.T) {
	client, _ := scripted(t, none(`null`, 40), ten(40), none(`[]`, 0), respondJSON(200, `{"data":[]}`))
	for _, want := range []struct{ incomplete, last bool }{{true, true}, {false, false}, {false, true}, {false, true}} {
		page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Equal(t, want.incomplete, page.Truncated())
		assert.Equal(t, want.last, page.Last())
	}
	client, _ = scripted(t, none(`[]`, 0))
	page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Offset: new(-1)})
	require.NoError(t, err)
	assert.False(t, page.Truncated(), "there are no items before the first")
}
