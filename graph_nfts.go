package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NFT returns one token. The concrete type tells the standard; an ERC-721 token has its owner. A token that does not
// exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) NFT(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (graph.NFT, error) {
	c := s.call(wire.GetNFT(chain, contractAddress, tokenID.String()), opts,
		required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	return fetchGraph(ctx, c, func(data *wire.GetNFTResponse) (graph.NFT, bool) {
		return data.Chain.NFT, data.Chain.NFT != nil
	})
}

// CollectionNFTs lists the tokens of a collection. A collection that does not exist is [ErrNotFound]. One of a type
// that is newer than this version, or that the service does not tell, is a [*DecodeError]: its tokens were not asked
// for.
//
// POST /graphql
func (s *GraphService) CollectionNFTs(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.NFTSummary] {
	return connectReading(ctx, s, opts, func(first *int, after *string) wire.Request {
		return wire.ListCollectionNFTs(chain, contractAddress, first, after)
	}, func(r *response, data *wire.ListCollectionNFTsResponse) (*CursorPage[graph.NFTSummary], error) {
		collection := data.Chain.Collection
		if collection != nil && collection.Typename != "ERC721Collection" && collection.Typename != "ERC1155Collection" {
			return nil, r.contentError(&envelope.Malformed{
				Reason: envelope.Shape, Detail: "the collection is of a type that is newer than this version",
			})
		}
		return pageOf(r, orNothing(collection).NFTs)
	}, required("contractAddress", contractAddress))
}
