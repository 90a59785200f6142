// Package fleet is rpcfleet as a contestant, with its default settings.
package fleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Contestant is rpcfleet.
var Contestant = contestant.Contestant{Name: "rpcfleet", Title: "**rpcfleet**", Calls: calls}

func calls(target contestant.Target) (contestant.Calls, error) {
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL(target.BaseURL), rpcfleet.WithAPIKey(target.Key), rpcfleet.WithHTTPClient(target.HTTP))
	if err != nil {
		return nil, err
	}
	pageSize := rpcfleet.WithPageSize(payload.NFTSize)
	return contestant.Calls{
		payload.Endpoint: func(ctx context.Context) (contestant.Result, error) {
			endpoint, err := client.Endpoints.Get(ctx, payload.EndpointID)
			return contestant.Result{Data: endpoint}, err
		},
		payload.Create: func(ctx context.Context) (contestant.Result, error) {
			endpoint, err := client.Endpoints.Create(ctx,
				admin.CreateEndpointRequest{Chain: payload.Chain, Network: payload.Network})
			return contestant.Result{Data: endpoint}, err
		},
		payload.Endpoints: func(ctx context.Context) (contestant.Result, error) {
			page, err := client.Endpoints.List(ctx, admin.ListEndpointsParams{Limit: new(payload.PageSize)})
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &page.Items, Total: page.Total}, nil
		},
		payload.Logs: func(ctx context.Context) (contestant.Result, error) {
			page, err := client.Logs.List(ctx, payload.EndpointID, admin.ListLogsParams{
				From: payload.From, To: payload.To,
				IncludeDetails: new(true), Limit: new(payload.LogSize),
			})
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &page.Items, Next: page.NextCursor}, nil
		},
		payload.Usage: func(ctx context.Context) (contestant.Result, error) {
			usage, err := client.Usage.ByMethod(ctx,
				admin.GetUsageParams{StartTime: payload.From, EndTime: payload.To})
			return contestant.Result{Data: usage}, err
		},
		payload.NFTs: func(ctx context.Context) (contestant.Result, error) {
			page, err := client.Graph.CollectionNFTs(graph.ChainEthereum, payload.Collection, pageSize).Page(ctx)
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &page.Items, Total: page.Total, Next: page.NextCursor}, nil
		},
	}, nil
}
