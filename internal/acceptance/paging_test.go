package acceptance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// startPaged makes a service with 1,000 endpoints in pages of at most 7.
func startPaged(t *testing.T) (b *fixture, ids []string) {
	t.Helper()
	b = start(t, emulator.WithMaxPageSize(7))
	return b, b.CreateEndpoints(1000)
}

// hundred asks for more than the service gives.
var hundred = admin.ListEndpointsParams{Limit: new(100)}

func TestPagingYieldsEachOnce(t *testing.T) {
	b, want := startPaged(t)
	got := ids(t, b.Endpoints.All(t.Context(), hundred), func(e admin.Endpoint) string { return e.ID })
	assert.Equal(t, want, got)
	assert.Len(t, b.Calls("listEndpoints"), 143, "pages of 7")
}

func TestPagingTellsTheLimitInForce(t *testing.T) {
	b, _ := startPaged(t)
	page := must(b.Endpoints.List(t.Context(), admin.ListEndpointsParams{Limit: new(100), Offset: new(994)}))(t)
	assert.Equal(t, 7, page.Limit)
	assert.Equal(t, 994, page.Offset)
	assert.Equal(t, 1000, page.Total)
	assert.Len(t, page.Items, 6)
	assert.True(t, page.Last())
	page = must(b.Endpoints.List(t.Context(), admin.ListEndpointsParams{Offset: new(5000)}))(t)
	assert.Empty(t, page.Items, "the service sends null for an empty page")
}

// TestPagingReachesWhatALoopTakesAway has loops that remove each item from the listing that they read. They reach all
// items, with All, with Pages, and with pages fetched in advance.
func TestPagingReachesWhatALoopTakesAway(t *testing.T) {
	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	for name, test := range map[string]struct {
		params admin.ListEndpointsParams
		take   func(s *rpcfleet.EndpointsService, id string) error
		done   string
	}{
		"archived": {admin.ListEndpointsParams{}, func(s *rpcfleet.EndpointsService, id string) error {
			return s.Archive(t.Context(), id)
		}, "archiveEndpoint"},
		"paused, of those that are active": {active, func(s *rpcfleet.EndpointsService, id string) error {
			return s.Pause(t.Context(), id)
		}, "setEndpointStatus"},
	} {
		for _, ahead := range []int{0, 1, 2, 5} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				b := start(t)
				endpoints := b.client(t, rpcfleet.WithPrefetch(ahead)).Endpoints
				ids := b.CreateEndpoints(350)
				var all []string
				for endpoint, err := range endpoints.All(t.Context(), test.params) {
					require.NoError(t, err)
					require.NoError(t, test.take(endpoints, endpoint.ID))
					all = append(all, endpoint.ID)
				}
				assert.Equal(t, ids, all)

				ids = b.CreateEndpoints(350)
				var paged []string
				for page, err := range endpoints.Pages(t.Context(), test.params) {
					require.NoError(t, err)
					for _, endpoint := range page.Items {
						require.NoError(t, test.take(endpoints, endpoint.ID))
						paged = append(paged, endpoint.ID)
					}
				}
				assert.Equal(t, ids, paged)
				assert.Len(t, b.Calls(test.done), 700)
				left := must(endpoints.List(t.Context(), test.params))(t)
				assert.Zero(t, left.Total)
			})
		}
	}
}
