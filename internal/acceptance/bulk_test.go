package acceptance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

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

func TestBulk(t *testing.T) {
	b, ctx := start(t), t.Context()
	existing := b.CreateEndpoints(2*rpcfleet.BulkSize + 50)
	ids := slices.Concat([]string{"no-such-1"}, existing, []string{"no-such-2"})

	count := func(params admin.ListEndpointsParams) int {
		page := must(b.Endpoints.List(ctx, params))(t)
		return page.Total
	}
	for _, status := range []admin.EndpointStatus{admin.EndpointStatusPaused, admin.EndpointStatusActive} {
		outcome, err := b.Endpoints.BulkSetStatus(ctx, ids, status)
		require.NoError(t, err, "that some failed is no error")
		checkOutcome(t, outcome, ids)
		assert.Nil(t, outcome.Tag)
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
