package acceptance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestATagRenamedIsRenamedEverywhere(t *testing.T) {
	b, ctx := start(t, emulator.WithClock(still)), t.Context()
	ids := b.CreateEndpoints(3)
	outcome := must(b.Endpoints.BulkAddTag(ctx, ids[:2], "staging"))(t)
	tagID := outcome.Tag.TagID
	require.NoError(t, second(b.AppendLog(ids[0], emulator.LoggedCall{Method: "eth_call"})))

	renamed := must(b.Tags.Rename(ctx, tagID, "production"))(t)
	assert.Equal(t, &admin.Tag{ID: tagID, Label: "production", UsageCount: 2}, renamed)

	tags := must(b.Tags.List(ctx))(t)
	assert.Equal(t, []admin.Tag{*renamed}, tags)

	endpoint := must(b.Endpoints.Get(ctx, ids[0]))(t)
	want := []admin.EndpointTag{{TagID: &tagID, Label: new("production")}}
	assert.Equal(t, want, endpoint.Tags)

	page := must(b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"production"}}))(t)
	require.Len(t, page.Items, 2)
	assert.Equal(t, want, page.Items[1].Tags)
	page = must(b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"staging"}}))(t)
	assert.Empty(t, page.Items)

	usage := must(b.Usage.ByTag(ctx, admin.GetUsageParams{}))(t)
	var labels []string
	for _, item := range usage.Tags {
		if item.TagID != nil && *item.TagID == tagID {
			labels = append(labels, item.Label)
		}
	}
	assert.Equal(t, []string{"production"}, labels)
}

func TestTagDeletion(t *testing.T) {
	b, ctx := start(t), t.Context()
	ids := b.CreateEndpoints(1)
	outcome := must(b.Endpoints.BulkAddTag(ctx, ids, "staging"))(t)
	tagID := outcome.Tag.TagID

	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrInvalidRequest, "it is still in use")
	require.NoError(t, b.Endpoints.RemoveTag(ctx, ids[0], tagID))
	tags := must(b.Tags.List(ctx))(t)
	assert.Equal(t, []admin.Tag{{ID: tagID, Label: "staging"}}, tags, "a tag without endpoints is listed")
	require.NoError(t, b.Tags.Delete(ctx, tagID))
	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrNotFound)
	require.ErrorIs(t, second(b.Tags.Rename(ctx, tagID, "production")), rpcfleet.ErrNotFound)
	tags = must(b.Tags.List(ctx))(t)
	assert.Empty(t, tags)
}
