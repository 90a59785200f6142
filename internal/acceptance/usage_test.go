package acceptance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestUsage compares the five reports with each other. Their counts, and the range if none is given, are tested in
// package emulator; the difference between null and zero, in the root.
func TestUsage(t *testing.T) {
	now := time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
	b, ctx := start(t, emulator.WithClock(func() time.Time { return now })), t.Context()
	tagged := must(b.AddEndpoint(
		emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"backend"}}))(t)
	plain := must(b.AddEndpoint(emulator.EndpointSpec{Chain: "solana", Network: "solana-mainnet", Label: "plain"}))(t)
	for endpoint, calls := range map[string][]emulator.LoggedCall{
		tagged: {
			{Method: "eth_call", Timestamp: now.Add(-time.Hour)},
			{Method: "eth_call", Timestamp: now.Add(-2 * time.Hour), Archive: true},
			{Method: "eth_getLogs", Timestamp: now.AddDate(0, -2, 0)},
		},
		plain: {{Method: "getSlot", Timestamp: now.Add(-time.Minute)}},
	} {
		require.NoError(t, second(b.AppendLog(endpoint, calls...)))
	}
	period, ever := admin.GetUsageParams{},
		admin.GetUsageParams{StartTime: now.AddDate(-1, 0, 0), EndTime: now}

	listing := must(b.Endpoints.List(ctx, admin.ListEndpointsParams{}))(t)
	for _, within := range []admin.GetUsageParams{period, ever} {
		total := must(b.Usage.Total(ctx, within))(t)
		assert.Positive(t, total.CreditsUsed)

		byTag := must(b.Usage.ByTag(ctx, within))(t)
		require.Len(t, byTag.Tags, 2)
		require.NotNil(t, byTag.Tags[0].TagID)
		assert.Equal(t, "backend", byTag.Tags[0].Label)
		assert.Nil(t, byTag.Tags[1].TagID, "the endpoints without a tag")
		assert.Equal(t, int64(1), byTag.Tags[1].Requests)
		assert.Equal(t, total.CreditsUsed, byTag.Tags[0].CreditsUsed+byTag.Tags[1].CreditsUsed)

		byEndpoint := must(b.Usage.ByEndpoint(ctx, within))(t)
		require.Len(t, byEndpoint.Endpoints, 2)
		assert.Equal(t, new("plain"), byEndpoint.Endpoints[1].Label)
		assert.NotEmpty(t, byEndpoint.Endpoints[0].MethodsBreakdown)
		assert.Equal(t, total.CreditsUsed, *byEndpoint.Endpoints[0].CreditsUsed+*byEndpoint.Endpoints[1].CreditsUsed)

		byID, others := rpcfleet.GroupUsageByEndpointID(byEndpoint, listing.Items)
		assert.Empty(t, others)
		assert.Len(t, byID, 2)
		assert.Equal(t, byEndpoint.Endpoints[:1], byID[tagged])
		assert.Equal(t, byEndpoint.Endpoints[1:], byID[plain])

		byChain := must(b.Usage.ByChain(ctx, within))(t)
		require.Len(t, byChain.Chains, 2)
		assert.Equal(t, new("ethereum"), byChain.Chains[0].Name)
		assert.Equal(t, total.CreditsUsed, *byChain.Chains[0].CreditsUsed+*byChain.Chains[1].CreditsUsed)

		byMethod := must(b.Usage.ByMethod(ctx, within))(t)
		var credits int64
		for _, method := range byMethod.Methods {
			credits += *method.CreditsUsed
		}
		assert.Equal(t, total.CreditsUsed, credits)
	}
}
