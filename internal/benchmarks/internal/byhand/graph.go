package byhand

import (
	"context"
	"errors"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// query selects the same fields as rpcfleet's query of the same name.
const query = `query ListCollectionNFTs($contractAddress: String!, $first: Int, $after: String) {
  chain: ethereum {
    collection(contractAddress: $contractAddress) {
      __typename
      ... on ERC721Collection { nfts(first: $first, after: $after) { ...Page } }
    }
  }
}
fragment Page on ERC721CollectionTokensConnection {
  edges { cursor node { __typename contractAddress tokenId name collectionSlug uploads { url mimeType height width } } }
  pageInfo { endCursor hasNextPage }
  totalCount
}`

func listNFTs(ctx context.Context, c *Client, lib library) (contestant.Result, error) {
	request, err := lib.marshal(record.Request{
		Query:         query,
		Variables:     record.NFTsVariables{ContractAddress: payload.Collection, First: payload.NFTSize},
		OperationName: "ListCollectionNFTs",
	})
	if err != nil {
		return contestant.Result{}, err
	}
	read, err := body[record.Response[record.CollectionNFTs]]{lib}.read(c.Post(ctx, "/graphql", request))
	if err != nil {
		return contestant.Result{}, err
	}
	if len(read.Errors) > 0 {
		return contestant.Result{}, errors.New(read.Errors[0].Message)
	}
	if read.Data.Chain.Collection == nil {
		return contestant.Result{}, errors.New("there is no such collection")
	}
	nfts := &read.Data.Chain.Collection.NFTs
	return contestant.Result{Data: &nfts.Edges, Total: *nfts.TotalCount, Next: *nfts.PageInfo.EndCursor}, nil
}
