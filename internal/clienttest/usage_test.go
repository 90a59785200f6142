package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// usages are the five operations, without their results.
var usages = map[string]func(context.Context, *rpcfleet.Client, admin.GetUsageParams, ...rpcfleet.CallOption) error{
	"/v0/usage/rpc": func(ctx context.Context, c *rpcfleet.Client, within admin.GetUsageParams, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.Total(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-tag": func(ctx context.Context, c *rpcfleet.Client, within admin.GetUsageParams, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByTag(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-endpoint": func(ctx context.Context, c *rpcfleet.Client, within admin.GetUsageParams, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByEndpoint(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-method": func(ctx context.Context, c *rpcfleet.Client, within admin.GetUsageParams, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByMethod(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-chain": func(ctx context.Context, c *rpcfleet.Client, within admin.GetUsageParams, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByChain(ctx, within, opts...)
		return err
	},
}

func TestUsageRangeIsSent(t *testing.T) {
	start, end := new(int64(1772359200)), new(int64(1772362800))
	for path, usage := range usages {
		for query, within := range map[string]admin.GetUsageParams{
			"":                      {},
			"start_time=1772359200": {StartTime: start},
			"end_time=1772362800":   {EndTime: end},
			"start_time=1772359200&end_time=1772362800": {StartTime: start, EndTime: end},
			"start_time=1772359200&end_time=1772359200": {StartTime: start, EndTime: start},
			"start_time=0&end_time=1":                   {StartTime: new(int64(0)), EndTime: new(int64(1))},
		} {
			t.Run(path+"?"+query, func(t *testing.T) {
				client, server := scripted(t, says(200, `{"data":{}}`))
				require.NoError(t, usage(t.Context(), client, within))
				assert.Equal(t, path, server.Requests()[0].Path)
				assert.Equal(t, query, server.Requests()[0].Query)
			})
		}
	}
}

func TestUsageTellsNullFromZero(t *testing.T) {
	client, _ := scripted(t,
		says(200, `{"data":{"credits_used":5,"credits_remaining":0,"limit":null,"start_time":1,"end_time":2}}`),
		says(200, `{"data":{"tags":[
			{"tag_id":0,"label":"a","credits_used":1,"requests":2},
			{"tag_id":null,"label":"","credits_used":3,"bytes":0,"requests":4}],"start_time":1,"end_time":2}}`))
	total, err := client.Usage.Total(t.Context(), admin.GetUsageParams{})
	require.NoError(t, err)
	assert.Equal(t, int64(5), total.CreditsUsed)
	assert.Equal(t, new(int64(0)), total.CreditsRemaining)
	assert.Nil(t, total.Limit)
	assert.Nil(t, total.Overages)
	assert.Equal(t, int64(2), total.EndTime)

	byTag, err := client.Usage.ByTag(t.Context(), admin.GetUsageParams{})
	require.NoError(t, err)
	require.Len(t, byTag.Tags, 2)
	assert.Equal(t, new(int64(0)), byTag.Tags[0].TagID)
	assert.Nil(t, byTag.Tags[1].TagID)
	assert.Nil(t, byTag.Tags[0].Bytes)
	assert.Equal(t, new(int64(0)), byTag.Tags[1].Bytes)
}
