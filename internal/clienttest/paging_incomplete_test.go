package clienttest

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// pageAt responses an offset with the page that the script has for it, and every other offset with an empty page
// without a total.
func pageAt(pages map[int]responder) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		if page, there := pages[offset]; there {
			page(w, r)
			return
		}
		says(200, `{"data":null}`)(w, r)
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
		says(200, fmt.Sprintf(`{"data":[%s],"pagination":{"total":%d,"limit":10,"offset":%d}}`, items[1:], total, offset))(w, r)
	}
}

// none is an empty page, spelled as an array or as null, and a total.
func none(data string, total int) responder {
	return says(200, fmt.Sprintf(`{"data":%s,"pagination":{"total":%d,"limit":10,"offset":0}}`, data, total))
}

// TestIterationOfAnIncompleteListing is about what an empty page means: the page's own total decides, and it does so
// alike with pages fetched in advance.
func TestIterationOfAnIncompleteListing(t *testing.T) {
	for name, test := range map[string]struct {
		pages map[int]responder
		start int
		items int
		// resume is the offset that the error names, or -1 where there is no error.
		resume int
	}{
		"an empty page in the middle":              {map[int]responder{0: ten(40), 10: ten(40), 20: none(`[]`, 40), 30: ten(40)}, 0, 20, 20},
		"a null page in the middle":                {map[int]responder{0: ten(40), 10: ten(40), 20: none(`null`, 40), 30: ten(40)}, 0, 20, 20},
		"an empty page at the beginning":           {map[int]responder{0: none(`[]`, 40), 10: ten(40)}, 0, 0, 0},
		"the only item is missing":                 {map[int]responder{0: none(`[]`, 1)}, 0, 0, 0},
		"one item is missing":                      {map[int]responder{0: ten(11), 10: none(`[]`, 11)}, 0, 10, 10},
		"a total that grew, and an empty page":     {map[int]responder{0: ten(20), 10: ten(30), 20: none(`[]`, 30)}, 0, 20, 20},
		"a total that grew on the empty page":      {map[int]responder{0: ten(15), 10: none(`[]`, 30)}, 0, 10, 10},
		"a total that grew":                        {map[int]responder{0: ten(20), 10: ten(30), 20: ten(30)}, 0, 30, -1},
		"a total that goes up and down":            {map[int]responder{0: ten(40), 10: ten(40), 20: none(`[]`, 20)}, 0, 20, 0},
		"up and down, with another page between":   {map[int]responder{0: ten(40), 10: ten(40), 20: ten(35), 14: several(6, 40)}, 0, 20, 15},
		"an empty page without a total":            {map[int]responder{0: ten(40), 10: ten(40)}, 0, 20, -1},
		"an offset beyond the end":                 {map[int]responder{100: none(`[]`, 40)}, 100, 0, -1},
		"an offset within, and nothing from there": {map[int]responder{20: none(`[]`, 40)}, 20, 0, 20},
	} {
		for _, ahead := range []int{0, 1, 3} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				_, server := scripted(t, pageAt(test.pages))
				client := server.client(t, rpcfleet.WithPrefetch(ahead))
				ids, err := walk(t, client, admin.ListEndpointsParams{Offset: &test.start, Limit: new(10)})
				assert.Equal(t, expected(test.start, test.start+test.items), ids)
				if test.resume < 0 {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing)
				var failure *rpcfleet.PageError
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, test.resume, failure.Offset)
				assert.Empty(t, failure.Cursor)
			})
		}
	}
}

func TestAnIncompleteListingCanBeResumed(t *testing.T) {
	client, server := scripted(t, ten(20), none(`null`, 20), ten(20))
	ids, err := walk(t, client, admin.ListEndpointsParams{Limit: new(10)})
	var failure *rpcfleet.PageError
	require.ErrorAs(t, err, &failure)
	rest, err := walk(t, client, admin.ListEndpointsParams{Limit: new(10), Offset: &failure.Offset})
	require.NoError(t, err)
	assert.Equal(t, expected(0, 20), append(ids, rest...))
	assert.Len(t, server.Requests(), 3)
}

// TestAnEmptyPageIsNotDelivered: it is how a listing without a total ends.
func TestAnEmptyPageIsNotDelivered(t *testing.T) {
	client, _ := scripted(t, pageAt(map[int]responder{0: ten(40), 10: ten(40)}))
	var sizes []int
	for page, err := range client.Endpoints.Pages(t.Context(), admin.ListEndpointsParams{}) {
		require.NoError(t, err)
		sizes = append(sizes, len(page.Items))
	}
	assert.Equal(t, []int{10, 10}, sizes)
}

func TestASinglePageIsReturnedAsItIs(t *testing.T) {
	client, _ := scripted(t, none(`null`, 40), ten(40), none(`[]`, 0), says(200, `{"data":[]}`))
	for _, want := range []struct{ incomplete, last bool }{{true, true}, {false, false}, {false, true}, {false, true}} {
		page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Equal(t, want.incomplete, page.Incomplete())
		assert.Equal(t, want.last, page.Last())
	}
	client, _ = scripted(t, none(`[]`, 0))
	page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Offset: new(-1)})
	require.NoError(t, err)
	assert.False(t, page.Incomplete(), "there are no items before the first")
}
