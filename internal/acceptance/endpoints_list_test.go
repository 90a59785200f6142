package acceptance

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// fleet is a few endpoints that differ in everything that a listing looks at.
type fleet struct {
	*fixture
	ids map[string]string // By a short name.
}

func startFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{fixture: start(t, emulator.WithClock(still)), ids: map[string]string{}}
	calls := map[string]int{"a": 1, "b": 2, "d": 3}
	for _, member := range []struct {
		name string
		spec emulator.EndpointSpec
	}{
		{
			"a", emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-sepolia", Label: "alpha", Tags: []string{"prod"},
				Dedicated: true}},
		{
			"b", emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Label: "beta", Tags: []string{"test"},
				Paused: true}},
		{
			"c", emulator.EndpointSpec{Chain: "polygon", Network: "polygon-mainnet", Label: "gamma",
				Tags: []string{"test", "prod"}, FlatRate: true}},
		{"d", emulator.EndpointSpec{Chain: "base", Network: "base-mainnet"}},
	} {
		id := must(f.AddEndpoint(member.spec))(t)
		f.ids[member.name] = id
		for range calls[member.name] {
			require.NoError(t, second(f.AppendLog(id, emulator.LoggedCall{Method: "eth_call"})))
		}
	}
	return f
}

// listed returns the short names of the items of a listing, in its order.
func (f *fleet) listed(t *testing.T, params admin.ListEndpointsParams, opts ...rpcfleet.CallOption) string {
	t.Helper()
	page := must(f.Endpoints.List(t.Context(), params, opts...))(t)
	names := ""
	for _, endpoint := range page.Items {
		for name, id := range f.ids {
			if id == endpoint.ID {
				names += name
			}
		}
	}
	assert.Equal(t, len(names), page.Total)
	return names
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
		"active": {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}},
			"acd"},
		"paused": {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusPaused}},
			"b"},
		"both statuses": {admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{"active", "paused"}}, "abcd"},
		"labels":        {admin.ListEndpointsParams{Labels: []string{"alpha", "gamma"}}, "ac"},
		"dedicated":     {admin.ListEndpointsParams{Dedicated: new(true)}, "a"},
		"not dedicated": {admin.ListEndpointsParams{Dedicated: new(false)}, "bcd"},
		"flat rate":     {admin.ListEndpointsParams{IsFlatRate: new(true)}, "c"},
		"tag ids":       {admin.ListEndpointsParams{TagIDs: []int64{tags[0].ID}}, "ac"},
		"two tag ids":   {admin.ListEndpointsParams{TagIDs: []int64{tags[0].ID, tags[1].ID}}, "abc"},
		"tag labels":    {admin.ListEndpointsParams{TagLabels: []string{"test"}}, "bc"},
		"two filters together": {
			admin.ListEndpointsParams{TagLabels: []string{"test"}, Dedicated: new(false),
				Statuses: []admin.EndpointStatus{"active"}}, "c"},
		"filters without a hit": {admin.ListEndpointsParams{Labels: []string{"alpha"}, Networks: []string{"base-mainnet"}},
			""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, f.listed(t, test.params))
			for _, style := range []rpcfleet.QueryArrayFormat{rpcfleet.QueryArrayBrackets, rpcfleet.QueryArrayCommas} {
				assert.Equal(t, test.want, f.listed(t, test.params, rpcfleet.WithQueryArrayFormat(style)), style)
			}
		})
	}
}

func TestEndpointsList_sorts(t *testing.T) {
	f := startFleet(t)
	page := must(f.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
	slices.SortFunc(page.Items, func(a, b admin.Endpoint) int { return cmp.Compare(a.Name, b.Name) })
	byName := ""
	for _, endpoint := range page.Items {
		byName += string("abcd"[slices.Index([]string{f.ids["a"], f.ids["b"], f.ids["c"], f.ids["d"]}, endpoint.ID)])
	}
	for sortBy, want := range map[admin.SortBy]struct{ ascending, descending string }{
		admin.SortByName:      {byName, reversed(byName)},
		admin.SortByStatus:    {"acdb", "bacd"},
		admin.SortByNetwork:   {"dbac", "cabd"},
		admin.SortByLabel:     {"dabc", "cbad"},
		admin.SortByTags:      {"dacb", "bcad"},
		admin.SortByUsage:     {"cabd", "dbac"},
		admin.SortByCreatedAt: {"abcd", "dcba"},
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

func TestEndpointsList_refusesInvalidParams(t *testing.T) {
	f := startFleet(t)
	for name, params := range map[string]admin.ListEndpointsParams{
		"a status outside the enum":    {Statuses: []admin.EndpointStatus{"asleep"}},
		"a sort outside the enum":      {SortBy: new(admin.SortBy("beauty"))},
		"a direction outside the enum": {SortDirection: new(admin.SortDirection("up"))},
		"tag ids together with labels": {TagIDs: []int64{1}, TagLabels: []string{"prod"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := f.Endpoints.List(t.Context(), params)
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, err, &invalid, "refused before it is sent")
			_, err = f.Endpoints.List(t.Context(), params, rpcfleet.WithoutValidation())
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "and by the service")
			_, err = f.Endpoints.List(t.Context(), params, rpcfleet.WithoutValidation(),
				rpcfleet.WithQueryArrayFormat(rpcfleet.QueryArrayBrackets))
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "whatever the style of arrays")
		})
	}
	for name, params := range map[string]admin.ListEndpointsParams{
		"a limit below 1":   {Limit: new(0)},
		"an offset below 0": {Offset: new(-1)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := f.Endpoints.List(t.Context(), params)
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "by the service: the contract states no rule")
		})
	}
}

// startPaged makes a service with 1,000 endpoints in pages of at most 7.
func startPaged(t *testing.T) (b *fixture, ids []string) {
	t.Helper()
	b = start(t, emulator.WithMaxPageSize(7))
	return b, b.CreateEndpoints(1000)
}

// hundred asks for more than the service gives.
var hundred = admin.ListEndpointsParams{Limit: new(100)}

func TestEndpointsAll_deliversEachOnce(t *testing.T) {
	b, want := startPaged(t)
	got := ids(t, b.Endpoints.All(t.Context(), hundred), func(e admin.Endpoint) string { return e.ID })
	assert.Equal(t, want, got)
	assert.Len(t, b.Calls("listEndpoints"), 143, "pages of 7")
}

func TestEndpointsList_returnsLimitInForce(t *testing.T) {
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

// TestEndpointsAll_reachesItemsThatLoopRemoves has loops that remove each item from the listing that they read. They
// reach all items, with All, with Pages, and with pages fetched in advance.
func TestEndpointsAll_reachesItemsThatLoopRemoves(t *testing.T) {
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
