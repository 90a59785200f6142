package clienttest

import (
	"fmt"
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
)

// shrinking is a service with a listing that changes while it is read.
type shrinking struct {
	mu  sync.Mutex
	ids []string
	// largest is the largest page, unbounded leaves out the total, and before is called with the offset of a request.
	largest   int
	unbounded bool
	before    func(offset int)
}

func (s *shrinking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if s.before != nil {
		s.before(offset)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.largest > 0 {
		limit = min(limit, s.largest)
	}
	var items []string
	for _, id := range s.ids[min(offset, len(s.ids)):min(offset+limit, len(s.ids))] {
		items = append(items, fmt.Sprintf(`{"id":%q}`, id))
	}
	list := "[" + strings.Join(items, ",") + "]"
	if s.unbounded {
		respondJSON(200, list)(w, r)
		return
	}
	told := fmt.Sprintf(`{"total":%d,"limit":%d,"offset":%d}`, len(s.ids), limit, offset)
	respondJSON(200, `{"data":`+list+`,"pagination":`+told+`}`)(w, r)
}

func (s *shrinking) remove(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids = slices.DeleteFunc(slices.Clone(s.ids), func(id string) bool { return slices.Contains(ids, id) })
}

func (s *shrinking) add(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids = append(slices.Clone(s.ids), ids...)
}

func (s *shrinking) left() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids
}

// every returns every nth of some ids.
func every(n int, ids []string) (some []string) {
	for i := 0; i < len(ids); i += n {
		some = append(some, ids[i])
	}
	return some
}

// TestAListingThatShrinksLosesNothing has loops that take away endpoints of the listing, with pages fetched in advance
// and without. An endpoint that was there to the end is delivered, and nothing is delivered twice.
func TestAListingThatShrinksLosesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		largest int
		// change is the action of a loop with the ids of a page.
		change func(s *shrinking, page int, ids []string)
		// all is set if an endpoint is always delivered before it is taken away, so that all of them are.
		all bool
	}{
		"each goes":                     {10, func(s *shrinking, _ int, ids []string) { s.remove(ids...) }, true},
		"each goes, the limit is 1":     {1, func(s *shrinking, _ int, ids []string) { s.remove(ids...) }, true},
		"every second goes":             {10, func(s *shrinking, _ int, ids []string) { s.remove(every(2, ids)...) }, true},
		"every second goes, limit of 3": {3, func(s *shrinking, _ int, ids []string) { s.remove(every(2, ids)...) }, true},
		"the first of each page goes":   {10, func(s *shrinking, _ int, ids []string) { s.remove(ids[0]) }, true},
		"each goes, and three come": {10, func(s *shrinking, page int, ids []string) {
			if s.remove(ids...); page == 0 {
				s.add("new1", "new2", "new3")
			}
		}, true},
		"every second goes, and three come": {10, func(s *shrinking, page int, ids []string) {
			if s.remove(every(2, ids)...); page == 0 {
				s.add("new1", "new2", "new3")
			}
		}, true},
		"the last go": {10,
			func(s *shrinking, _ int, _ []string) { s.remove(s.left()[max(len(s.left())-3, 0):]...) }, false},
		"all go after the page": {10, func(s *shrinking, _ int, _ []string) { s.remove(s.left()...) }, false},
		"all but five go after two": {10, func(s *shrinking, page int, _ []string) {
			s.remove(s.left()[min(len(s.left()), 40-35*min(page, 1)):]...)
		}, false},
	} {
		for _, ahead := range []int{0, 1, 2, 5} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				service := &shrinking{ids: endpointIDs(0, 40), largest: test.largest}
				_, server := scripted(t, service.ServeHTTP)
				var ids []string
				pages := 0
				for page, err := range server.client(t, rpcfleet.WithPrefetch(ahead)).Endpoints.Pages(t.Context(),
					admin.ListEndpointsParams{}) {
					require.NoError(t, err)
					require.Less(t, pages, 100)
					var came []string
					for _, endpoint := range page.Items {
						came = append(came, endpoint.ID)
					}
					ids = append(ids, came...)
					test.change(service, pages, came)
					pages++
				}
				sorted := slices.Sorted(slices.Values(ids))
				assert.Equal(t, sorted, slices.Compact(slices.Clone(sorted)), "nothing comes twice")
				assert.Subset(t, ids, service.left())
				if test.all {
					assert.Subset(t, ids, endpointIDs(0, 40))
				}
			})
		}
	}
}

// TestAListingThatShrinksAnywhere takes away endpoints at random, in the loop and before a request, so that the listing
// also shrinks while a part of it is read again.
func TestAListingThatShrinksAnywhere(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 20))
		service := &shrinking{ids: endpointIDs(0, 20+random.IntN(60)), largest: 1 + random.IntN(12)}
		take := func() {
			for range random.IntN(4) {
				if left := service.left(); len(left) > 0 {
					service.remove(left[random.IntN(len(left))])
				}
			}
		}
		ahead := random.IntN(2) * random.IntN(4)
		if ahead == 0 { // Requests are made one at a time.
			service.before = func(int) { take() }
		}
		_, server := scripted(t, service.ServeHTTP)
		var ids []string
		for endpoint, err := range server.client(t, rpcfleet.WithPrefetch(ahead)).Endpoints.All(t.Context(),
			admin.ListEndpointsParams{}) {
			require.NoError(t, err)
			ids = append(ids, endpoint.ID)
			if random.IntN(3) == 0 {
				take()
			}
		}
		sorted := slices.Sorted(slices.Values(ids))
		require.Equal(t, sorted, slices.Compact(slices.Clone(sorted)), "seed %d: nothing comes twice", seed)
		require.Subset(t, ids, service.left(), "seed %d", seed)
	}
}

// TestPagesOfAListingThatShrinks leave out delivered endpoints: at first the last three go, then every second of a
// page.
func TestPagesOfAListingThatShrinks(t *testing.T) {
	service := &shrinking{ids: endpointIDs(0, 40), largest: 10}
	client, server := scripted(t, service.ServeHTTP)
	var spans [][3]int
	for page, err := range client.Endpoints.Pages(t.Context(), admin.ListEndpointsParams{Limit: new(10)}) {
		require.NoError(t, err)
		spans = append(spans, [3]int{page.Offset, page.Next, len(page.Items)})
		switch len(spans) {
		case 1:
			service.remove(endpointIDs(37, 40)...)
		case 2:
			service.remove(every(2, endpointIDs(10, 16))...)
		}
	}
	assert.Equal(t, [][3]int{{0, 10, 10}, {6, 16, 6}, {12, 22, 9}, {22, 32, 10}, {32, 34, 2}}, spans)
	var offsets []string
	for _, r := range server.Requests() {
		offsets = append(offsets, r.Query[strings.LastIndex(r.Query, "=")+1:])
	}
	assert.Equal(t, []string{"0", "10", "6", "16", "12", "22", "32"}, offsets,
		"one more is read again, to see that it is far enough")
}

// TestWhereAListingThatShrinksIsResumed has a listing of 50 from which some go after the first 20. The iteration fails
// at the request with which it goes back, or because it cannot go back.
func TestWhereAListingThatShrinksIsResumed(t *testing.T) {
	for name, test := range map[string]struct {
		start, resume int
		gone          []string
		failure       error
	}{
		"a part of the page has gone":   {0, 15, every(2, endpointIDs(10, 20)), rpcfleet.ErrInvalidRequest},
		"all that came has gone":        {0, 0, endpointIDs(0, 20), rpcfleet.ErrInvalidRequest},
		"all since the start has gone":  {10, 10, endpointIDs(10, 20), rpcfleet.ErrInvalidRequest},
		"some of what follows has gone": {0, 17, endpointIDs(40, 43), rpcfleet.ErrInvalidRequest},
		"more has gone than came":       {10, 5, endpointIDs(5, 20), rpcfleet.ErrIncompleteListing},
		"nearly all has gone":           {10, 0, endpointIDs(1, 50), rpcfleet.ErrIncompleteListing},
	} {
		t.Run(name, func(t *testing.T) {
			service := &shrinking{ids: endpointIDs(0, 50), largest: 10}
			broken := false
			client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				if offset, _ := strconv.Atoi(r.URL.Query().Get("offset")); broken && offset < 20 {
					respondJSON(400, `{"data":null,"error":"nope"}`)(w, r)
					return
				}
				service.ServeHTTP(w, r)
			})
			var ids []string
			var failure *rpcfleet.PageError
			for endpoint, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{Offset: &test.start}) {
				if err != nil {
					require.ErrorAs(t, err, &failure)
					require.ErrorIs(t, err, test.failure)
					continue
				}
				if ids = append(ids, endpoint.ID); endpoint.ID == "ep19" {
					service.remove(test.gone...)
					broken = true
				}
			}
			require.NotNil(t, failure)
			assert.Equal(t, test.resume, failure.Offset)

			broken = false
			rest, err := walk(t, client, admin.ListEndpointsParams{Offset: &failure.Offset})
			require.NoError(t, err)
			assert.Subset(t, append(append(endpointIDs(0, test.start), ids...), rest...), service.left())
		})
	}
}
