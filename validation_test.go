package rpcfleet_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestValidation(t *testing.T) {
	list := func(params *admin.ListEndpointsParams) func(context.Context, *rpcfleet.Client) error {
		return func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Endpoints.List(ctx, params)
			return err
		}
	}
	for name, test := range map[string]struct {
		field string
		call  func(context.Context, *rpcfleet.Client) error
	}{
		"a limit below 1":              {"limit", list(&admin.ListEndpointsParams{Limit: new(0)})},
		"an offset below 0":            {"offset", list(&admin.ListEndpointsParams{Offset: new(-1)})},
		"a status outside the enum":    {"statuses[1]", list(&admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{"active", "asleep"}})},
		"an empty status":              {"statuses[0]", list(&admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{""}})},
		"a sort outside the enum":      {"sort_by", list(&admin.ListEndpointsParams{SortBy: new(admin.SortBy("beauty"))})},
		"a direction outside the enum": {"sort_direction", list(&admin.ListEndpointsParams{SortDirection: new(admin.SortDirection("up"))})},
		"tag ids together with labels": {"tag_ids", list(&admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{"a"}})},
		"no chain":                     {"chain", create(admin.CreateEndpointRequest{Network: "mainnet"})},
		"no network":                   {"network", create(admin.CreateEndpointRequest{Chain: "ethereum"})},
		"a status to set outside of enum": {"status", func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Endpoints.SetStatus(ctx, "ep1", "asleep")
		}},
		"no status": {"status", func(ctx context.Context, c *rpcfleet.Client) error { return c.Endpoints.SetStatus(ctx, "ep1", "") }},
		"no label":  {"label", func(ctx context.Context, c *rpcfleet.Client) error { return c.Endpoints.AddTag(ctx, "ep1", "") }},
		"a label of 26 characters": {"label", func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Endpoints.AddTag(ctx, "ep1", strings.Repeat("ü", 26))
		}},
		"a bulk change of nothing": {"ids", func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Endpoints.BulkSetStatus(ctx, nil, admin.EndpointStatusActive)
			return err
		}},
		"an empty id in bulk": {"ids[1]", func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Endpoints.BulkRemoveTag(ctx, []string{"ep1", ""}, 7)
			return err
		}},
		"a bulk status outside the enum": {"status", func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Endpoints.BulkSetStatus(ctx, []string{"ep1"}, "asleep")
			return err
		}},
		"an empty label in bulk": {"label", func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Endpoints.BulkAddTag(ctx, []string{"ep1"}, "")
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":[]}`))
			err := test.call(t.Context(), client)
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, test.field, invalid.Field)
			assert.NotEmpty(t, invalid.Operation)
			assert.NotEmpty(t, invalid.Rule)
			assert.Contains(t, err.Error(), test.field)
			assert.Empty(t, server.requests(), "nothing is sent")
		})
	}
}

func create(endpoint admin.CreateEndpointRequest) func(context.Context, *rpcfleet.Client) error {
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Endpoints.Create(ctx, endpoint)
		return err
	}
}

func TestValidationCanBeTurnedOff(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[]}`))
	_, err := client.Endpoints.List(t.Context(), &admin.ListEndpointsParams{Limit: new(0)}, rpcfleet.WithoutValidation())
	require.NoError(t, err)
	assert.Equal(t, "limit=0", server.requests()[0].query)
}

func TestAnIterationReportsInvalidParametersOnce(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[]}`))
	ids, err := walk(t, client, &admin.ListEndpointsParams{Limit: new(0)})
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, err, &invalid)
	assert.Empty(t, ids)
	assert.Empty(t, server.requests())
}
