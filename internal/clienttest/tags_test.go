package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestTagsList(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"tags":[{"id":7,"label":"prod","usage_count":3},{"id":8,"label":"idle","usage_count":0}]},"error":null}`))
	tags, err := client.Tags.List(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []admin.Tag{{ID: 7, Label: "prod", UsageCount: 3}, {ID: 8, Label: "idle"}}, tags)
	assert.Equal(t, "/v0/endpoints/tags", server.Requests()[0].Path)

	client, _ = scripted(t, saysAs("text/html", 403, "<html>upgrade</html>"))
	_, err = client.Tags.List(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
}

func TestTagsRename(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"id":7,"label":"live","usage_count":3},"error":null}`))
	tag, err := client.Tags.Rename(t.Context(), 7, "live")
	require.NoError(t, err)
	assert.Equal(t, &admin.Tag{ID: 7, Label: "live", UsageCount: 3}, tag)
	request := server.Requests()[0]
	assert.Equal(t, "PATCH", request.Method)
	assert.Equal(t, "/v0/endpoints/tags/7", request.Path)
	assert.JSONEq(t, `{"label":"live"}`, request.Body)
}

func TestTagsDelete(t *testing.T) {
	remove := func(ctx context.Context, c *rpcfleet.Client) error { return c.Tags.Delete(ctx, 7) }
	testSends(t, says(200, `{"data":{"success":true}}`), map[string]sent{
		"Delete": {remove, "DELETE", "/v0/endpoints/tags/7", ""},
	})
	testVerdicts(t, map[string]use{"Delete": remove})
}
