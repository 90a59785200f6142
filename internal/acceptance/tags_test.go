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
	outcome, err := b.Endpoints.BulkAddTag(ctx, ids[:2], "staging")
	require.NoError(t, err)
	tagID := outcome.Tag.TagID
	_, err = b.AppendLog(ids[0], emulator.LoggedCall{Method: "eth_call"})
	require.NoError(t, err)

	renamed, err := b.Tags.Rename(ctx, tagID, "production")
	require.NoError(t, err)
	assert.Equal(t, &admin.Tag{ID: tagID, Label: "production", UsageCount: 2}, renamed)

	tags, err := b.Tags.List(ctx)
	require.NoError(t, err)
	assert.Equal(t, []admin.Tag{*renamed}, tags)

	endpoint, err := b.Endpoints.Get(ctx, ids[0])
	require.NoError(t, err)
	want := []admin.EndpointTag{{TagID: &tagID, Label: new("production")}}
	assert.Equal(t, want, endpoint.Tags)

	page, err := b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"production"}})
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	assert.Equal(t, want, page.Items[1].Tags)
	page, err = b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"staging"}})
	require.NoError(t, err)
	assert.Empty(t, page.Items)

	usage, err := b.Usage.ByTag(ctx, admin.GetUsageParams{})
	require.NoError(t, err)
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
	outcome, err := b.Endpoints.BulkAddTag(ctx, ids, "staging")
	require.NoError(t, err)
	tagID := outcome.Tag.TagID

	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrInvalidRequest, "it is still in use")
	require.NoError(t, b.Endpoints.RemoveTag(ctx, ids[0], tagID))
	tags, err := b.Tags.List(ctx)
	require.NoError(t, err)
	assert.Equal(t, []admin.Tag{{ID: tagID, Label: "staging"}}, tags, "a tag without endpoints is listed")
	require.NoError(t, b.Tags.Delete(ctx, tagID))
	require.ErrorIs(t, b.Tags.Delete(ctx, tagID), rpcfleet.ErrNotFound)
	_, err = b.Tags.Rename(ctx, tagID, "production")
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	tags, err = b.Tags.List(ctx)
	require.NoError(t, err)
	assert.Empty(t, tags)
}

func TestTagRefusals(t *testing.T) {
	b, ctx := start(t, emulator.WithoutTagList()), t.Context()
	outcome, err := b.Endpoints.BulkAddTag(ctx, b.CreateEndpoints(1), "staging")
	require.NoError(t, err)
	tagID := outcome.Tag.TagID
	_, err = b.Tags.List(ctx)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden, "the plan does not include the list")
	_, err = b.Tags.Rename(ctx, tagID, "", rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)

	viewer := b.client(t, rpcfleet.WithAPIKey(b.ViewerKey))
	_, err = viewer.Tags.Rename(ctx, tagID, "production")
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	require.ErrorIs(t, viewer.Tags.Delete(ctx, tagID), rpcfleet.ErrForbidden)
}
