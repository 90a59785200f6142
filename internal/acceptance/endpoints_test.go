package acceptance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// ethereum is an endpoint to create.
var ethereum = admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"}

func TestTheLifeOfAnEndpoint(t *testing.T) {
	b, ctx := start(t), t.Context()
	created := must(b.Endpoints.Create(ctx, ethereum))(t)
	assert.Equal(t, "ethereum", created.Chain)
	assert.Equal(t, "ethereum-mainnet", created.Network)
	assert.Equal(t, admin.EndpointStatusActive, created.Status)
	assert.Nil(t, created.Label)
	assert.Contains(t, created.HTTPURL.Reveal(), "https://")
	require.NotNil(t, created.WSSURL)
	assert.Contains(t, created.WSSURL.Reveal(), "wss://")
	id := created.ID

	require.NoError(t, b.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: new("Payments")}))
	require.NoError(t, b.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{}))
	got := must(b.Endpoints.Get(ctx, id))(t)
	assert.Equal(t, "Payments", *got.Label, "a label that is nil is left as it is")
	require.NoError(t, b.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{}, rpcfleet.WithBodyField("label", nil)))
	got = must(b.Endpoints.Get(ctx, id))(t)
	assert.Nil(t, got.Label, "null takes it away")

	for _, status := range []admin.EndpointStatus{admin.EndpointStatusPaused, admin.EndpointStatusActive} {
		require.NoError(t, b.Endpoints.SetStatus(ctx, id, status))
		got = must(b.Endpoints.Get(ctx, id))(t)
		assert.Equal(t, status, got.Status)
	}
	require.NoError(t, b.Endpoints.Pause(ctx, id))
	require.NoError(t, b.Endpoints.Activate(ctx, id))

	require.NoError(t, b.Endpoints.Archive(ctx, id))
	require.ErrorIs(t, second(b.Endpoints.Get(ctx, id)), rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Endpoints.Archive(ctx, id), rpcfleet.ErrNotFound)
	page := must(b.Endpoints.List(ctx, admin.ListEndpointsParams{}))(t)
	assert.Empty(t, page.Items)
	assert.True(t, page.Last())
}

func TestMultichain(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	urls := must(b.Endpoints.URLs(ctx, id))(t)
	assert.Empty(t, urls.MultichainURLs)
	plain := urls.HTTPURL.Reveal()

	require.NoError(t, b.Endpoints.EnableMultichain(ctx, id))
	urls = must(b.Endpoints.URLs(ctx, id))(t)
	assert.Equal(t, plain, urls.HTTPURL.Reveal())
	require.Contains(t, urls.MultichainURLs, "solana-mainnet")
	assert.NotNil(t, urls.MultichainURLs["solana-mainnet"].WSSURL)
	require.Contains(t, urls.MultichainURLs, "bitcoin-mainnet")
	assert.Nil(t, urls.MultichainURLs["bitcoin-mainnet"].WSSURL, "a network without WebSockets")

	require.NoError(t, b.Endpoints.DisableMultichain(ctx, id))
	got := must(b.Endpoints.Get(ctx, id))(t)
	assert.False(t, got.IsMultichain)
}

func TestEndpointTags(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	require.NoError(t, b.Endpoints.AddTag(ctx, id, "production"))
	require.NoError(t, b.Endpoints.AddTag(ctx, id, "production"))
	got := must(b.Endpoints.Get(ctx, id))(t)
	require.Len(t, got.Tags, 1, "an endpoint has a tag once")
	assert.Equal(t, "production", *got.Tags[0].Label)
	tagID := *got.Tags[0].TagID

	require.NoError(t, b.Endpoints.RemoveTag(ctx, id, tagID))
	require.ErrorIs(t, b.Endpoints.RemoveTag(ctx, id, tagID), rpcfleet.ErrNotFound)
}
