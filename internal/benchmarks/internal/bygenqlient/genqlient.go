//go:build contestants

// Package bygenqlient calls the graph area with genqlient's client.
package bygenqlient

import (
	"context"
	"fmt"
	"net/http"

	"github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	generated "github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Contestant is genqlient's client.
var Contestant = contestant.Contestant{Name: "genqlient", Title: "genqlient", Calls: calls}

// withKey adds the API key to requests.
type withKey contestant.Target

func (t withKey) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("x-api-key", t.Key)
	return t.HTTP.Do(req)
}

func calls(target contestant.Target) (contestant.Calls, error) {
	client := graphql.NewClient(target.BaseURL+"/graphql", withKey(target))
	return contestant.Calls{
		payload.NFTs: func(ctx context.Context) (contestant.Result, error) {
			data, err := generated.ListCollectionNFTs(ctx, client, payload.Collection, new(payload.NFTSize), nil)
			if err != nil {
				return contestant.Result{}, err
			}
			collection, ok := (*data.Chain.Collection).(*generated.CollectionTokensERC721Collection)
			if !ok {
				return contestant.Result{}, fmt.Errorf("the collection is %T", *data.Chain.Collection)
			}
			nfts := collection.Nfts
			return contestant.Result{Data: &nfts.Edges, Total: *nfts.TotalCount, Next: *nfts.PageInfo.EndCursor}, nil
		},
	}, nil
}
