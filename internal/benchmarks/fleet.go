package main

import (
	"context"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// fleet is rpcfleet with its default settings.
var fleet = contestant{"rpcfleet", "**rpcfleet**", func(url string, client *http.Client) (map[string]call, error) {
	c, err := rpcfleet.New(
		rpcfleet.WithBaseURL(url), rpcfleet.WithAPIKey(apiKey), rpcfleet.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	return map[string]call{
		getEndpoint: func(ctx context.Context) (result, error) {
			endpoint, err := c.Endpoints.Get(ctx, endpointID)
			return result{data: endpoint}, err
		},
		createEndpoint: func(ctx context.Context) (result, error) {
			endpoint, err := c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: chain, Network: network})
			return result{data: endpoint}, err
		},
		listEndpoints: func(ctx context.Context) (result, error) {
			page, err := c.Endpoints.List(ctx, admin.ListEndpointsParams{Limit: new(pageSize)})
			if err != nil {
				return result{}, err
			}
			return result{data: &page.Items, total: page.Total}, nil
		},
		listLogs: func(ctx context.Context) (result, error) {
			params := admin.ListLogsParams{From: from, To: to, IncludeDetails: new(true), Limit: new(logSize)}
			page, err := c.Logs.List(ctx, endpointID, params)
			if err != nil {
				return result{}, err
			}
			return result{data: &page.Items, next: page.NextCursor}, nil
		},
		getUsage: func(ctx context.Context) (result, error) {
			usage, err := c.Usage.ByMethod(ctx, admin.GetUsageParams{StartTime: from, EndTime: to})
			return result{data: usage}, err
		},
		listNFTs: func(ctx context.Context) (result, error) {
			size := rpcfleet.WithPageSize(nftSize)
			page, err := c.Graph.CollectionNFTs(graph.ChainEthereum, collectionAddress, size).Page(ctx)
			if err != nil {
				return result{}, err
			}
			return result{data: &page.Items, total: page.Total, next: page.NextCursor}, nil
		},
	}, nil
}}
