//go:build contestants

package main

import (
	"context"
	"fmt"
	"net/http"

	genqlient "github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/ogenapi"
)

func init() {
	generated = []contestant{{"ogen", "ogen client", ogenCalls}, {"genqlient", "genqlient", genqlientCalls}}
}

// withKey supplies the API key to the clients.
type withKey struct{ *http.Client }

// ApiKeyHeader implements ogenapi.SecuritySource.
func (withKey) ApiKeyHeader(context.Context, ogenapi.OperationName) (ogenapi.ApiKeyHeader, error) {
	return ogenapi.ApiKeyHeader{APIKey: apiKey}, nil
}

// Do implements genqlient's Doer.
func (c withKey) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("x-api-key", apiKey)
	return c.Client.Do(req)
}

// as returns one of the variants of a response of ogen's client.
func as[T any](response any, err error) (*T, error) {
	read, ok := response.(*T)
	if err == nil && !ok {
		err = fmt.Errorf("the response is %T: %v", response, response)
	}
	if err != nil {
		return new(T), err
	}
	return read, nil
}

func ogenCalls(url string, client *http.Client) (map[string]call, error) {
	c, err := ogenapi.NewClient(url, withKey{}, ogenapi.WithClient(client))
	return map[string]call{
		getEndpoint: func(ctx context.Context) (result, error) {
			response, err := c.GetEndpoint(ctx, ogenapi.GetEndpointParams{ID: endpointID})
			read, err := as[ogenapi.SingleEndpointEnvelope](response, err)
			return result{data: &read.Data}, err
		},
		createEndpoint: func(ctx context.Context) (result, error) {
			response, err := c.CreateEndpoint(ctx, &ogenapi.CreateEndpointRequest{Chain: chain, Network: network})
			read, err := as[ogenapi.SingleEndpointEnvelope](response, err)
			return result{data: &read.Data}, err
		},
		listEndpoints: func(ctx context.Context) (result, error) {
			response, err := c.ListEndpoints(ctx, ogenapi.ListEndpointsParams{Limit: ogenapi.NewOptInt(pageSize)})
			read, err := as[ogenapi.EndpointPageEnvelope](response, err)
			return result{data: &read.Data, total: read.Pagination.Total}, err
		},
		listLogs: func(ctx context.Context) (result, error) {
			response, err := c.ListLogs(ctx, ogenapi.ListLogsParams{ID: endpointID, From: from, To: to,
				IncludeDetails: ogenapi.NewOptBool(true), Limit: ogenapi.NewOptInt(logSize)})
			read, err := as[ogenapi.LogPageEnvelope](response, err)
			return result{data: &read.Data, next: read.NextAt.Value}, err
		},
		getUsage: func(ctx context.Context) (result, error) {
			response, err := c.GetUsageByMethod(ctx, ogenapi.GetUsageByMethodParams{
				StartTime: ogenapi.NewOptInt(int(from.Unix())), EndTime: ogenapi.NewOptInt(int(to.Unix()))})
			read, err := as[ogenapi.UsageByMethodEnvelope](response, err)
			return result{data: &read.Data}, err
		},
	}, err
}

func genqlientCalls(url string, client *http.Client) (map[string]call, error) {
	c := genqlient.NewClient(url+"/graphql", withKey{client})
	return map[string]call{
		listNFTs: func(ctx context.Context) (result, error) {
			data, err := graphql.ListCollectionNFTs(ctx, c, collectionAddress, new(nftSize), nil)
			if err != nil {
				return result{}, err
			}
			nfts := (*data.Chain.Collection).(*graphql.CollectionTokensERC721Collection).Nfts
			return result{&nfts.Edges, *nfts.TotalCount, *nfts.PageInfo.EndCursor}, nil
		},
	}, nil
}
