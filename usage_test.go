package rpcfleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// usages are the five operations, without their results.
var usages = map[string]func(context.Context, *rpcfleet.Client, rpcfleet.UsageRange, ...rpcfleet.CallOption) error{
	"/v0/usage/rpc": func(ctx context.Context, c *rpcfleet.Client, within rpcfleet.UsageRange, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.Total(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-tag": func(ctx context.Context, c *rpcfleet.Client, within rpcfleet.UsageRange, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByTag(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-endpoint": func(ctx context.Context, c *rpcfleet.Client, within rpcfleet.UsageRange, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByEndpoint(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-method": func(ctx context.Context, c *rpcfleet.Client, within rpcfleet.UsageRange, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByMethod(ctx, within, opts...)
		return err
	},
	"/v0/usage/rpc/by-chain": func(ctx context.Context, c *rpcfleet.Client, within rpcfleet.UsageRange, opts ...rpcfleet.CallOption) error {
		_, err := c.Usage.ByChain(ctx, within, opts...)
		return err
	},
}

func TestUsageRange(t *testing.T) {
	start := time.Date(2026, time.March, 1, 12, 0, 0, 999, time.FixedZone("", 2*60*60))
	for path, usage := range usages {
		for query, within := range map[string]rpcfleet.UsageRange{
			"":                      {},
			"start_time=1772359200": {Start: start},
			"end_time=1772362800":   {End: start.Add(time.Hour)},
			"start_time=1772359200&end_time=1772362800": {Start: start, End: start.Add(time.Hour)},
			"start_time=1772359200&end_time=1772359200": {Start: start, End: start},
			"start_time=0&end_time=1":                   {Start: time.Unix(0, 0), End: time.Unix(1, 0)},
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
	total, err := client.Usage.Total(t.Context(), rpcfleet.UsageRange{})
	require.NoError(t, err)
	assert.Equal(t, int64(5), total.CreditsUsed)
	assert.Equal(t, new(int64(0)), total.CreditsRemaining)
	assert.Nil(t, total.Limit)
	assert.Nil(t, total.Overages)
	assert.Equal(t, int64(2), total.EndTime)

	byTag, err := client.Usage.ByTag(t.Context(), rpcfleet.UsageRange{})
	require.NoError(t, err)
	require.Len(t, byTag.Tags, 2)
	assert.Equal(t, new(int64(0)), byTag.Tags[0].TagID)
	assert.Nil(t, byTag.Tags[1].TagID)
	assert.Nil(t, byTag.Tags[0].Bytes)
	assert.Equal(t, new(int64(0)), byTag.Tags[1].Bytes)
}
