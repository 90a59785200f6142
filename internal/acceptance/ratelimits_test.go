package acceptance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// effectiveLimit returns the service's current limit of a bucket. The endpoint's own record must contain the same limit.
func effectiveLimit(t *testing.T, b *fixture, id string, bucket admin.RateLimitBucket) rpcfleet.RateLimit {
	t.Helper()
	limit, found := must(b.RateLimits.Get(t.Context(), id))(t).Effective(bucket)
	require.True(t, found)
	shown, found := rpcfleet.RateLimitsOf(must(b.Endpoints.Get(t.Context(), id))(t).RateLimits).Effective(bucket)
	require.True(t, found)
	assert.Equal(t, limit.Requests, shown.Requests)
	assert.Equal(t, limit.Unlimited, shown.Unlimited)
	return limit
}

func TestRateLimits_updateAndRemoveOverride(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	plan := effectiveLimit(t, b, id, admin.RateLimitBucketRPS)
	assert.Equal(t, admin.RateLimitSourcePlanDefault, plan.Source)
	require.NotNil(t, plan.Requests)
	daily := effectiveLimit(t, b, id, admin.RateLimitBucketRPD)
	assert.True(t, daily.Unlimited, "-1 is no number to compute with")
	assert.Nil(t, daily.Requests)

	updated := must(b.RateLimits.Update(ctx, id, map[admin.RateLimitBucket]int{"rps": 20}))(t)
	limit, _ := updated.Effective(admin.RateLimitBucketRPS)
	assert.Equal(t, 20, *limit.Requests)
	override := effectiveLimit(t, b, id, admin.RateLimitBucketRPS)
	assert.Equal(t, admin.RateLimitSourceUserOverride, override.Source)
	require.NotEmpty(t, override.OverrideID)
	assert.True(t, effectiveLimit(t, b, id, admin.RateLimitBucketRPD).Unlimited, "buckets that are left out stay")

	require.NoError(t, second(b.RateLimits.Update(ctx, id, map[admin.RateLimitBucket]int{"rpm": 500, "rpd": 8000})))
	//nolint:staticcheck // The deprecated alias has to work as long as the service keeps it.
	require.NoError(t, second(b.RateLimits.Replace(ctx, id, map[admin.RateLimitBucket]int{"rpm": 600, "rpd": 9000})))
	assert.Equal(t, 20, *effectiveLimit(t, b, id, admin.RateLimitBucketRPS).Requests)
	assert.Equal(t, 9000, *effectiveLimit(t, b, id, admin.RateLimitBucketRPD).Requests)

	limits := must(b.RateLimits.Get(ctx, id))(t)
	assert.Len(t, limits, 6, "each bucket once for each source")
	removable := effectiveLimit(t, b, id, admin.RateLimitBucketRPS).OverrideID
	require.NotEmpty(t, removable)
	require.NoError(t, b.RateLimits.RemoveOverride(ctx, id, removable))
	assert.Equal(t, plan, effectiveLimit(t, b, id, admin.RateLimitBucketRPS))
	require.ErrorIs(t, b.RateLimits.RemoveOverride(ctx, id, removable), rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.RateLimits.RemoveOverride(ctx, "no-such-endpoint", removable), rpcfleet.ErrNotFound)
}

func TestRateLimits_methodLimits(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	list := must(b.RateLimits.ListMethodLimits(ctx, id))(t)
	assert.Empty(t, list)
	for _, interval := range []admin.RateLimitInterval{"second", "minute", "day"} {
		request := admin.CreateMethodRateLimitRequest{Interval: interval, Methods: []string{"eth_call", "eth_getLogs"},
			Rate: 10}
		created := must(b.RateLimits.CreateMethodLimit(ctx, id, request))(t)
		assert.Equal(t, []any{interval, request.Methods, 10, admin.SwitchEnabled},
			[]any{created.Interval, created.Methods, created.Rate, created.Status})
		list = append(list, *created)
	}
	assert.Equal(t, list, must(b.RateLimits.ListMethodLimits(ctx, id))(t))
	want := list[0]
	update := func(change admin.UpdateMethodRateLimitRequest) {
		t.Helper()
		assert.Equal(t, &want, must(b.RateLimits.UpdateMethodLimit(ctx, id, want.ID, change))(t))
	}
	want.Status = admin.SwitchDisabled
	update(admin.UpdateMethodRateLimitRequest{Status: &want.Status})
	want.Rate = 3
	update(admin.UpdateMethodRateLimitRequest{Rate: &want.Rate})
	want.Methods, want.Status, want.Rate = []string{"eth_call"}, admin.SwitchEnabled, 4
	update(admin.UpdateMethodRateLimitRequest{Methods: want.Methods, Status: &want.Status, Rate: &want.Rate})

	require.NoError(t, b.RateLimits.DeleteMethodLimit(ctx, id, want.ID))
	require.ErrorIs(t, b.RateLimits.DeleteMethodLimit(ctx, id, want.ID), rpcfleet.ErrNotFound)
	gone := admin.UpdateMethodRateLimitRequest{Rate: new(1)}
	require.ErrorIs(t, second(b.RateLimits.UpdateMethodLimit(ctx, id, want.ID, gone)), rpcfleet.ErrNotFound)
	assert.Equal(t, list[1:], must(b.RateLimits.ListMethodLimits(ctx, id))(t))
}
