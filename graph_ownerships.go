package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// Ownerships reports which of several tokens a wallet holds, and how many of each, in the order of the tokens. They are
// asked for as many at a time as [WithPageSize] says. A token that the wallet does not hold is no error, whether it
// exists or not; a wallet that does not exist is [ErrNotFound]. See Ownership.
//
// POST /graphql
func (s *GraphService) Ownerships(ctx context.Context, chain graph.Chain, wallet string, tokens []graph.TokenRef, opts ...CallOption) ([]Ownership, error) {
	checks := []*ValidationError{walletID("wallet", wallet), tokenRefs("tokens", tokens)}
	held := map[string]Ownership{}
	for chunk := range slices.Chunk(distinct(tokens), s.engine.with(opts).settings.pageSize) {
		for page, err := range s.held(ctx, chain, wallet, chunk, opts, checks).Pages() {
			if err != nil {
				return nil, withoutPlace(err)
			}
			for _, item := range page.Items {
				held[tokenKey(item.NFT.GetContractAddress(), item.NFT.GetTokenID().String())] = ownership(&item)
			}
		}
	}
	made := make([]Ownership, len(tokens))
	for i, token := range tokens {
		made[i] = ownership(nil)
		if one, found := held[tokenKey(token.ContractAddress, token.TokenID.String())]; found {
			made[i] = one
		}
	}
	return made, nil
}

// held lists those of the tokens that the wallet holds. One that is not named, or not as any that was asked for, could
// be any of them.
func (s *GraphService) held(ctx context.Context, chain graph.Chain, wallet string, tokens []graph.WalletNFTsContractTokenFilterInput, opts []CallOption, checks []*ValidationError) *Connection[graph.WalletNFT] {
	asked := map[string]bool{}
	for _, token := range tokens {
		asked[tokenKey(token.ContractAddress, *orNothing(token.TokenID))] = true
	}
	return connectReading(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListOwnerships(chain, wallet, w, tokens)
	}, func(r *response, data *queries.ListOwnershipsResponse) (*queries.List[graph.WalletNFT], error) {
		list := orNothing(data.Chain.Wallet).WalletNFTs
		for _, edge := range orNothing(list).Edges {
			node := &edge.Value.Node
			if !node.Read {
				continue // The page says so.
			}
			if nft := node.Value.NFT; nft == nil || !asked[tokenKey(nft.GetContractAddress(), nft.GetTokenID().String())] {
				return nil, r.contentError(&envelope.Malformed{
					Reason: envelope.Shape, Detail: "there is a token that is not named, or not one of those asked for",
				})
			}
		}
		return list, nil
	}, checks...)
}

// distinct returns the filters for the tokens, each once. Where there is no token, it is a filter all the same, so that
// the call comes to the checks.
func distinct(tokens []graph.TokenRef) []graph.WalletNFTsContractTokenFilterInput {
	filters := make([]graph.WalletNFTsContractTokenFilterInput, 0, len(tokens))
	seen := map[string]bool{}
	for _, token := range tokens {
		id := token.TokenID.String()
		if key := tokenKey(token.ContractAddress, id); !seen[key] {
			seen[key] = true
			filters = append(filters, graph.WalletNFTsContractTokenFilterInput{ContractAddress: token.ContractAddress, TokenID: &id})
		}
	}
	if len(filters) == 0 {
		filters = append(filters, graph.WalletNFTsContractTokenFilterInput{})
	}
	return filters
}

// tokenKey identifies a token. Addresses are the same in any case.
func tokenKey(contractAddress, tokenID string) string {
	return strings.ToLower(contractAddress) + "/" + tokenID
}

// tokenRefs checks that there are tokens, and each of them.
func tokenRefs(field string, tokens []graph.TokenRef) *ValidationError {
	if len(tokens) == 0 {
		return &ValidationError{Field: field, Rule: "must have at least one item", always: true}
	}
	for i, token := range tokens {
		at := fmt.Sprintf("%s[%d].", field, i)
		if broken := required(at+"contractAddress", token.ContractAddress); broken != nil {
			return broken
		}
		if broken := notNegative(at+"tokenId", token.TokenID); broken != nil {
			return broken
		}
	}
	return nil
}

// withoutPlace takes the place in a listing off an error: the caller has asked for no listing.
func withoutPlace(err error) error {
	if place, ok := errors.AsType[*PageError](err); ok {
		return place.Err
	}
	return err
}
