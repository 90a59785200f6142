package acceptance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// ethereum is an endpoint to create.
var ethereum = admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}

// TestChains_everyNetworkTakesEndpoint creates an endpoint on each network that the service lists. Names of other areas,
// which the addresses of a multichain endpoint have, are rejected, and the error has the right ones.
func TestChains_everyNetworkTakesEndpoint(t *testing.T) {
	b, ctx := start(t), t.Context()
	multichain := b.CreateEndpoints(1)[0]
	require.NoError(t, b.Endpoints.EnableMultichain(ctx, multichain))
	urls := must(b.Endpoints.URLs(ctx, multichain))(t).MultichainURLs
	for _, chain := range must(b.Chains.List(ctx))(t) {
		for _, network := range chain.Networks {
			created := must(b.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: chain.Slug, Network: network.Slug}))(t)
			assert.Equal(t, []string{chain.Slug, network.Slug}, []string{created.Chain, created.Network})
			assert.Contains(t, urls, admin.NetworkName(network.Slug))
		}
	}
	networks := must(b.Chains.Networks(ctx))(t)
	ethereum := admin.Network{Chain: "eth", Slug: "mainnet", Name: "ethereum-mainnet", Title: "Ethereum Mainnet", ChainID: 1}
	for _, name := range []string{"mainnet", "ethereum-mainnet", "Ethereum-Mainnet"} {
		found, ok := networks.Find(name)
		assert.True(t, ok, name)
		assert.Equal(t, ethereum, found, name)
	}
	found, _ := networks.ByChainID(84532)
	assert.Equal(t, "base-sepolia", found.Name, "most names are the slugs")
	_, ok := networks.ByChainID(0)
	assert.False(t, ok, "Solana has no id")
	_, ok = networks.Find("ethereum")
	assert.False(t, ok)
	_, err := b.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"})
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	require.ErrorContains(t, err, `chain must be "eth", not "ethereum", network must be "mainnet", not "ethereum-mainnet"`)
}

func TestEndpoints_createUpdateArchive(t *testing.T) {
	b, ctx := start(t), t.Context()
	created := must(b.Endpoints.Create(ctx, ethereum))(t)
	assert.Equal(t, []any{"eth", "mainnet", admin.EndpointStatusActive},
		[]any{created.Chain, created.Network, created.Status})
	id := created.ID
	require.NoError(t, b.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: new("Payments")}))
	for _, unchanged := range []admin.UpdateEndpointRequest{{}, {Label: new("")}} {
		require.NoError(t, b.Endpoints.Update(ctx, id, unchanged))
		assert.Equal(t, "Payments", must(b.Endpoints.Get(ctx, id))(t).Label, "a label cannot be cleared")
	}

	require.NoError(t, b.Endpoints.Pause(ctx, id))
	assert.Equal(t, admin.EndpointStatusPaused, must(b.Endpoints.Get(ctx, id))(t).Status)
	require.NoError(t, b.Endpoints.Activate(ctx, id))
	assert.Equal(t, admin.EndpointStatusActive, must(b.Endpoints.Get(ctx, id))(t).Status)

	require.NoError(t, b.Endpoints.Archive(ctx, id))
	require.ErrorIs(t, second(b.Endpoints.Get(ctx, id)), rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Endpoints.Archive(ctx, id), rpcfleet.ErrNotFound)
	assert.Empty(t, must(b.Endpoints.List(ctx, admin.ListEndpointsParams{}))(t).Items)
}

func TestEndpoints_enableAndDisableMultichain(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	urls := must(b.Endpoints.URLs(ctx, id))(t)
	assert.Empty(t, urls.MultichainURLs)
	plain := urls.HTTPURL.Reveal()

	require.NoError(t, b.Endpoints.EnableMultichain(ctx, id))
	urls = must(b.Endpoints.URLs(ctx, id))(t)
	assert.Equal(t, plain, urls.HTTPURL.Reveal())
	require.Contains(t, urls.MultichainURLs, "solana-mainnet")
	assert.NotZero(t, urls.MultichainURLs["solana-mainnet"].WSSURL)
	require.Contains(t, urls.MultichainURLs, "bitcoin-mainnet")
	assert.Zero(t, urls.MultichainURLs["bitcoin-mainnet"].WSSURL, "a network without WebSockets")

	bitcoin := must(b.AddEndpoint(emulator.EndpointSpec{Chain: "btc", Network: "btc"}))(t)
	assert.Zero(t, must(b.Endpoints.URLs(ctx, bitcoin))(t).WSSURL)

	require.NoError(t, b.Endpoints.DisableMultichain(ctx, id))
	assert.False(t, must(b.Endpoints.Get(ctx, id))(t).IsMultichain)
}

func TestTags_renameAppliesEverywhere(t *testing.T) {
	b, ctx := start(t, emulator.WithClock(still)), t.Context()
	ids := b.CreateEndpoints(3)
	tagID := must(b.Endpoints.BulkAddTag(ctx, ids[:2], "staging"))(t).Tag.TagID
	require.NoError(t, second(b.AppendLog(ids[0], emulator.LoggedCall{Method: "eth_call"})))

	renamed := must(b.Tags.Rename(ctx, tagID, "production"))(t)
	assert.Equal(t, &admin.Tag{ID: tagID, Label: "production", UsageCount: 2}, renamed)

	assert.Equal(t, []admin.Tag{*renamed}, must(b.Tags.List(ctx))(t))
	want := []admin.EndpointTag{{TagID: tagID, Label: "production"}}
	assert.Equal(t, want, must(b.Endpoints.Get(ctx, ids[0]))(t).Tags)
	page := must(b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"production"}}))(t)
	require.Len(t, page.Items, 2)
	assert.Equal(t, want, page.Items[1].Tags)
	page = must(b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"staging"}}))(t)
	assert.Empty(t, page.Items)

	usage := must(b.Usage.ByTag(ctx, admin.GetUsageParams{}))(t).Tags
	assert.True(t, slices.ContainsFunc(usage, func(of admin.TagUsage) bool { return of.Label == "production" }))
	assert.False(t, slices.ContainsFunc(usage, func(of admin.TagUsage) bool { return of.Label == "staging" }))
}

func TestTags_deleteRefusesUsedTag(t *testing.T) {
	b, ctx := start(t), t.Context()
	ids := b.CreateEndpoints(1)
	tagID := must(b.Endpoints.BulkAddTag(ctx, ids, "staging"))(t).Tag.TagID
	require.NoError(t, b.Endpoints.AddTag(ctx, ids[0], "staging"), "an endpoint has a tag once")
	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrInvalidRequest, "it is still in use")
	require.NoError(t, b.Endpoints.RemoveTag(ctx, ids[0], tagID))
	require.ErrorIs(t, b.Endpoints.RemoveTag(ctx, ids[0], tagID), rpcfleet.ErrNotFound)
	assert.Equal(t, []admin.Tag{{ID: tagID, Label: "staging"}}, must(b.Tags.List(ctx))(t), "without endpoints")
	require.NoError(t, b.Tags.Delete(ctx, tagID))
	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrNotFound)
	require.ErrorIs(t, second(b.Tags.Rename(ctx, tagID, "production")), rpcfleet.ErrNotFound)
	assert.Empty(t, must(b.Tags.List(ctx))(t))
}

// checkOutcome holds an outcome against the ids asked for, of which two do not exist.
func checkOutcome(t *testing.T, outcome *rpcfleet.BulkOutcome, ids []string) {
	t.Helper()
	assert.Equal(t, int64(len(ids)), outcome.Total)
	assert.Equal(t, int64(len(ids)-2), outcome.UpdatedCount)
	assert.Equal(t, int64(2), outcome.FailedCount)
	assert.Equal(t, []string{"no-such-1", "no-such-2"}, outcome.Failed())
	assert.Empty(t, outcome.Unconfirmed)
	require.Len(t, outcome.Results, len(ids))
	for i, result := range outcome.Results {
		assert.Equal(t, ids[i], result.ID, "in the caller's order")
	}
}

func TestBulk_splitsIDsAndReportsFailures(t *testing.T) {
	b, ctx := start(t), t.Context()
	existing := b.CreateEndpoints(250)
	ids := slices.Concat([]string{"no-such-1"}, existing, []string{"no-such-2"})

	count := func(params admin.ListEndpointsParams) int { return must(b.Endpoints.List(ctx, params))(t).Total }
	for _, status := range []admin.EndpointStatus{admin.EndpointStatusPaused, admin.EndpointStatusActive} {
		outcome, err := b.Endpoints.BulkSetStatus(ctx, ids, status)
		require.NoError(t, err, "that some failed is no error")
		checkOutcome(t, outcome, ids)
		assert.Zero(t, outcome.Tag)
		assert.Equal(t, len(existing), count(admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{status}}))
	}

	outcome := must(b.Endpoints.BulkAddTag(ctx, ids, "fleet"))(t)
	checkOutcome(t, outcome, ids)
	require.NotNil(t, outcome.Tag)
	assert.Equal(t, "fleet", outcome.Tag.Label)
	tagID := outcome.Tag.TagID
	assert.Equal(t, len(existing), count(admin.ListEndpointsParams{TagIDs: []int64{tagID}}))

	outcome = must(b.Endpoints.BulkRemoveTag(ctx, ids, tagID))(t)
	checkOutcome(t, outcome, ids)
	assert.Zero(t, count(admin.ListEndpointsParams{TagIDs: []int64{tagID}}))
}
