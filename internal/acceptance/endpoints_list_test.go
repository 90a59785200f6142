package acceptance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// startFleet makes a few endpoints that differ in everything that a listing looks at.
func startFleet(t *testing.T) *fixture {
	t.Helper()
	b := start(t, emulator.WithClock(still))
	for i, spec := range []emulator.EndpointSpec{
		{Chain: "eth", Network: "ethereum-sepolia", Label: "alpha", Tags: []string{"prod"}, Dedicated: true},
		{Chain: "eth", Network: "mainnet", Label: "beta", Tags: []string{"test"}, Paused: true},
		{Chain: "matic", Network: "matic", Label: "charlie", Tags: []string{"test", "prod"}, FlatRate: true},
		{Chain: "base", Network: "base-mainnet"},
	} {
		id := must(b.AddEndpoint(spec))(t)
		for range []int{1, 2, 0, 3}[i] {
			require.NoError(t, second(b.AppendLog(id, emulator.LoggedCall{Method: "eth_call"})))
		}
	}
	return b
}

// names are the first letters of the labels of endpoints, and d for the one without.
func names(endpoints []admin.Endpoint) (names string) {
	for _, endpoint := range endpoints {
		if endpoint.Label == "" {
			endpoint.Label = "d"
		}
		names += endpoint.Label[:1]
	}
	return names
}

// listed returns the names of the items of a listing, in its order.
func (b *fixture) listed(t *testing.T, params admin.ListEndpointsParams, opts ...rpcfleet.CallOption) string {
	t.Helper()
	page := must(b.Endpoints.List(t.Context(), params, opts...))(t)
	assert.Equal(t, len(page.Items), page.Total)
	return names(page.Items)
}

func TestEndpointsList_filters(t *testing.T) {
	f := startFleet(t)
	tags := must(f.Tags.List(t.Context()))(t)
	require.Equal(t, []string{"prod", "test"}, []string{tags[0].Label, tags[1].Label})
	subdomain := must(f.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t).Items[3].Name

	for name, test := range map[string]struct {
		params admin.ListEndpointsParams
		want   string
	}{
		"nothing":            {admin.ListEndpointsParams{}, "abcd"},
		"search a label":     {admin.ListEndpointsParams{Search: new("ALPH")}, "a"},
		"search a subdomain": {admin.ListEndpointsParams{Search: &subdomain}, "d"},
		"search in vain":     {admin.ListEndpointsParams{Search: new("no such thing & more")}, ""},
		"networks":           {admin.ListEndpointsParams{Networks: []string{"ethereum-sepolia", "base-mainnet"}}, "ad"},
		"active":             {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{"active"}}, "acd"},
		"paused":             {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{"paused"}}, "b"},
		"both statuses":      {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{"active", "paused"}}, "abcd"},
		"labels":             {admin.ListEndpointsParams{Labels: []string{"alpha", "charlie"}}, "ac"},
		"dedicated":          {admin.ListEndpointsParams{Dedicated: new(true)}, "a"},
		"not dedicated":      {admin.ListEndpointsParams{Dedicated: new(false)}, "bcd"},
		"flat rate":          {admin.ListEndpointsParams{IsFlatRate: new(true)}, "c"},
		"tag ids":            {admin.ListEndpointsParams{TagIDs: []int64{tags[0].ID}}, "ac"},
		"two tag ids":        {admin.ListEndpointsParams{TagIDs: []int64{tags[0].ID, tags[1].ID}}, "abc"},
		"tag labels":         {admin.ListEndpointsParams{TagLabels: []string{"test"}}, "bc"},
		"two filters together": {
			admin.ListEndpointsParams{TagLabels: []string{"test"}, Dedicated: new(false),
				Statuses: []admin.EndpointStatus{"active"}}, "c"},
		"no hit": {admin.ListEndpointsParams{Labels: []string{"alpha"}, Networks: []string{"base-mainnet"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, f.listed(t, test.params))
		})
	}
}

func TestEndpointsList_sorts(t *testing.T) {
	f := startFleet(t)
	page := must(f.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
	slices.SortFunc(page.Items, func(a, b admin.Endpoint) int { return strings.Compare(a.Name, b.Name) })
	byName := names(page.Items)
	for sortBy, want := range map[admin.EndpointSort]struct{ ascending, descending string }{
		admin.EndpointSortName:      {byName, reversed(byName)},
		admin.EndpointSortStatus:    {"acdb", "bacd"},
		admin.EndpointSortNetwork:   {"dabc", "cbad"},
		admin.EndpointSortLabel:     {"dabc", "cbad"},
		admin.EndpointSortTags:      {"dacb", "bcad"},
		admin.EndpointSortUsage:     {"cabd", "dbac"},
		admin.EndpointSortCreatedAt: {"abcd", "dcba"},
	} {
		t.Run(string(sortBy), func(t *testing.T) {
			ascending := admin.ListEndpointsParams{SortBy: &sortBy, SortDirection: new(admin.SortDirectionAsc)}
			assert.Equal(t, want.ascending, f.listed(t, ascending))
			descending := admin.ListEndpointsParams{SortBy: &sortBy, SortDirection: new(admin.SortDirectionDesc)}
			assert.Equal(t, want.descending, f.listed(t, descending))
		})
	}
}

func reversed(text string) string {
	letters := []byte(text)
	slices.Reverse(letters)
	return string(letters)
}

// TestEndpointsAll_deliversEachOnce asks for more in a page than the service gives.
func TestEndpointsAll_deliversEachOnce(t *testing.T) {
	b := start(t, emulator.WithMaxPageSize(7))
	want := b.CreateEndpoints(1000)
	var got []string
	for endpoint, err := range b.Endpoints.All(t.Context(), admin.ListEndpointsParams{Limit: new(100)}) {
		require.NoError(t, err)
		got = append(got, endpoint.ID)
	}
	assert.Equal(t, want, got)
	assert.Len(t, b.Calls("listEndpoints"), 167, "pages of 7, of which 6 are new")

	page := must(b.Endpoints.List(t.Context(), admin.ListEndpointsParams{Limit: new(100), Offset: new(994)}))(t)
	assert.Equal(t, []any{7, 994, 1000, true}, []any{page.Limit, page.Offset, page.Total, page.Last()})
	assert.Len(t, page.Items, 6)
	page = must(b.Endpoints.List(t.Context(), admin.ListEndpointsParams{Offset: new(5000)}))(t)
	assert.Empty(t, page.Items, "the service sends null for an empty page")
}

// TestEndpointsAll_reachesItemsThatLoopRemoves has loops that remove each item from the listing that they read. They
// reach all items, with All, with Pages, and with pages fetched in advance.
func TestEndpointsAll_reachesItemsThatLoopRemoves(t *testing.T) {
	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	for name, test := range map[string]struct {
		params admin.ListEndpointsParams
		take   func(s *rpcfleet.EndpointsService, ctx context.Context, id string, opts ...rpcfleet.CallOption) error
	}{
		"archived":                         {admin.ListEndpointsParams{}, (*rpcfleet.EndpointsService).Archive},
		"paused, of those that are active": {active, (*rpcfleet.EndpointsService).Pause},
	} {
		for _, ahead := range []int{0, 1, 2, 5} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				b := start(t)
				endpoints := b.client(t, rpcfleet.WithPrefetch(ahead)).Endpoints
				var got []string
				take := func(endpoint admin.Endpoint) {
					require.NoError(t, test.take(endpoints, t.Context(), endpoint.ID))
					got = append(got, endpoint.ID)
				}
				want := b.CreateEndpoints(350)
				for endpoint, err := range endpoints.All(t.Context(), test.params) {
					require.NoError(t, err)
					take(endpoint)
				}
				want = append(want, b.CreateEndpoints(350)...)
				for page, err := range endpoints.Pages(t.Context(), test.params) {
					require.NoError(t, err)
					for _, endpoint := range page.Items {
						take(endpoint)
					}
				}
				assert.Equal(t, want, got)
				assert.Zero(t, must(endpoints.List(t.Context(), test.params))(t).Total)
			})
		}
	}
}
