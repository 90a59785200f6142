package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NFT returns one token. The concrete type tells the standard; an ERC-721 token has its owner. A token that does not
// exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) NFT(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (graph.NFT, error) {
	c := s.call(queries.GetNFT(chain, contractAddress, tokenID.String()), opts,
		required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	return fetchGraph(ctx, c, func(data *queries.GetNFTResponse) (graph.NFT, bool) {
		return data.Chain.NFT, data.Chain.NFT != nil
	})
}

// CollectionNFTs lists the tokens of a collection. A collection that does not exist is [ErrNotFound]. One of a type
// that is newer than this version, or that the service does not tell, is a [*DecodeError]: its tokens were not asked
// for.
//
// POST /graphql
func (s *GraphService) CollectionNFTs(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.NFT] {
	return connectReading(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListCollectionNFTs(chain, contractAddress, w)
	}, func(r *response, data *queries.ListCollectionNFTsResponse) (*queries.List[graph.NFT], error) {
		collection := data.Chain.Collection
		if collection != nil && !isCollection(collection.Typename) {
			return nil, r.newerType("collection")
		}
		return orNothing(collection).NFTs, nil
	}, required("contractAddress", contractAddress))
}

// NFTOwners lists the wallets that hold a token: those of an ERC-1155 token, of which there can be many, or the one of
// an ERC-721 token. A token that does not exist is [ErrNotFound]. One of a type that is newer than this version, or
// that the service does not tell, is a [*DecodeError]: its owners were not asked for.
//
// POST /graphql
func (s *GraphService) NFTOwners(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) *Connection[graph.Wallet] {
	return connectReading(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListNFTOwners(chain, contractAddress, tokenID.String(), w)
	}, func(r *response, data *queries.ListNFTOwnersResponse) (*queries.List[graph.Wallet], error) {
		nft := data.Chain.NFT
		switch {
		case nft == nil:
			return nil, nil
		case nft.Typename == "ERC721NFT":
			return queries.ListOf(nft.Wallet), nil
		case nft.Typename == "ERC1155NFT":
			return nft.Wallets, nil
		}
		return nil, r.newerType("token")
	}, required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
}

// isCollection reports whether a type is one of the two whose fields a query asks for.
func isCollection(typename string) bool {
	return typename == "ERC721Collection" || typename == "ERC1155Collection"
}

// newerType is the error of a record of a type whose fields the query did not ask for.
func (r *response) newerType(what string) error {
	return r.contentError(&envelope.Malformed{
		Reason: envelope.Shape, Detail: "the " + what + " is of a type that is newer than this version",
	})
}
