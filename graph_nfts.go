package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NFT returns one token. The concrete type tells the standard; an ERC-721 token has its owner. A token that does not
// exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) NFT(ctx context.Context, chain graph.Chain, contractAddress string, tokenID scalar.BigInt, opts ...CallOption) (graph.NFT, error) {
	q := s.query(chain, opts, required("contractAddress", contractAddress), notNegative("tokenId", tokenID))
	answer, err := graph.GetNFT(ctx, q, contractAddress, tokenID.String())
	nft := answer.Chain.NFT
	return found(q, nft, nft != nil, err)
}

// CollectionNFTs lists the tokens of a collection. A collection that does not exist is ErrNotFound. One of a type that
// is younger than this version, or that the service does not tell, is a *DecodeError: its tokens were not asked for.
//
// POST /graphql
func (s *GraphService) CollectionNFTs(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) *Connection[graph.NFTSummary] {
	return connect(ctx, s.query(chain, opts, required("contractAddress", contractAddress)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.NFTSummary], error) {
			answer, err := graph.ListCollectionNFTs(ctx, q, contractAddress, q.first, q.after)
			switch collection := answer.Chain.Collection.(type) {
			case *graph.CollectionTokensERC721Collection:
				return pageOf(q, collection.NFTs, err, summary[*graph.NFTSummaryERC721NFT])
			case *graph.CollectionTokensERC1155Collection:
				return pageOf(q, collection.NFTs, err, summary[*graph.NFTSummaryERC1155NFT])
			case *graph.CollectionTokensUnknown:
				if err == nil {
					err = q.report.unreadable(&envelope.Malformed{
						Reason: envelope.Shape, Detail: "the collection is of a type that is younger than this version",
					})
				}
				return nil, err
			}
			return found[*CursorPage[graph.NFTSummary]](q, nil, false, err)
		})
}

// summary makes an item of a token of one standard.
func summary[N interface {
	comparable
	graph.NFTSummary
}](node N) (graph.NFTSummary, bool) {
	var none N
	return node, node != none
}

// notNegative checks the id of a token.
func notNegative(field string, value scalar.BigInt) *ValidationError {
	if value.Sign() < 0 {
		return &ValidationError{Field: field, Rule: "must not be negative", Value: value.String()}
	}
	return nil
}
