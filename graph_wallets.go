package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Wallet returns a wallet's address and its ENS name, whichever is given.
func (s *GraphService) Wallet(ctx context.Context, chain graph.Chain, wallet string, opts ...CallOption) (*graph.Wallet,
	error) {
	return fetchGraph(ctx, s, chain, &graphql.GetWallet{Wallet: wallet}, opts, walletID("wallet", wallet))
}

// WalletNFTs lists the tokens that a wallet holds, with the amount of each.
func (s *GraphService) WalletNFTs(chain graph.Chain, wallet string, params graph.WalletNFTsParams,
	opts ...CallOption) *Connection[graph.WalletNFT] {
	return connect(s, chain, &graphql.ListWalletNFTs{
		Wallet: wallet, Filter: params.Filter, OrderBy: params.OrderBy, OrderDirection: params.OrderDirection,
	}, opts, walletID("wallet", wallet))
}

// Ownership is a wallet's holding of a token.
type Ownership struct {
	Held  bool      // Held reports whether the wallet holds the token.
	Count *int      // The number of units held, 0 if none. It is nil if the service does not report it.
	NFT   graph.NFT // The token, or nil if the wallet does not hold it.
}

// Format prints the record.
func (o Ownership) Format(state fmt.State, _ rune) { redact.Record(state, o) }

// UnmarshalJSON decodes a record written by encoding/json.
func (o *Ownership) UnmarshalJSON(text []byte) error {
	type plain Ownership
	return graph.Unmarshal(text, (*plain)(o))
}

// Ownership reports whether a wallet holds a token, and how many units.
func (s *GraphService) Ownership(ctx context.Context, chain graph.Chain, wallet, address string,
	tokenID scalar.BigInt, opts ...CallOption) (*Ownership, error) {
	query := graphql.GetOwnership{Wallet: wallet, ContractAddress: address, TokenID: tokenID.String()}
	c := s.call(chain, &query, opts,
		walletID("wallet", wallet), required("contractAddress", address), notNegative("tokenId", tokenID))
	read := func(r *response, data *graphql.GetOwnershipResponse) (*graph.WalletNFT, error) {
		if data.Chain.Wallet == nil {
			return nil, r.notFound()
		}
		return data.Chain.Wallet.WalletNFT, nil
	}
	held, err := readGraph(ctx, c, query.Response(), read)
	if err != nil && held == nil { // In a response with errors, a missing value may still exist.
		return nil, err
	}
	return new(ownershipOf(held)), err
}

// ownershipOf converts a wallet's record of a token, which is nil if the wallet does not hold the token.
func ownershipOf(held *graph.WalletNFT) Ownership {
	if held == nil || held.NFTsCount != nil && *held.NFTsCount == 0 {
		return Ownership{Count: new(0)}
	}
	return Ownership{Held: true, Count: held.NFTsCount, NFT: held.NFT}
}

// WalletCollections lists the collections in a wallet with their tokens.
func (s *GraphService) WalletCollections(chain graph.Chain, wallet string, params graph.WalletCollectionsParams,
	opts ...CallOption) *Connection[graph.WalletCollection] {
	return connect(s, chain, &graphql.ListWalletCollections{
		Wallet: wallet, Filter: params.Filter, OrderBy: params.OrderBy, OrderDirection: params.OrderDirection,
	}, opts, walletID("wallet", wallet))
}

// WalletCollection returns the number of tokens, or [ErrNotFound] for none.
func (s *GraphService) WalletCollection(ctx context.Context, chain graph.Chain, wallet, address string,
	opts ...CallOption) (*graph.WalletCollection, error) {
	return fetchGraph(ctx, s, chain, &graphql.GetWalletCollection{
		Wallet: wallet, CollectionAddress: address,
	}, opts, walletID("wallet", wallet), required("collectionAddress", address))
}

// TokenBalances lists a wallet's ERC-20 balances in the smallest unit.
func (s *GraphService) TokenBalances(chain graph.Chain, wallet string, params graph.TokenBalancesParams,
	opts ...CallOption) *Connection[graph.TokenBalance] {
	return connect(s, chain, &graphql.ListTokenBalances{
		Wallet: wallet, OrderBy: params.OrderBy, OrderDirection: params.OrderDirection,
	}, opts, walletID("wallet", wallet))
}

// Ownerships is Ownership for several tokens, in their order, with [WithPageSize] tokens per request. Tokens that do
// not exist are no errors.
func (s *GraphService) Ownerships(ctx context.Context, chain graph.Chain, wallet string, tokens []graph.TokenRef,
	opts ...CallOption) ([]Ownership, error) {
	checks := []*ValidationError{walletID("wallet", wallet), tokenRefs("tokens", tokens)}
	held := map[string]*graph.WalletNFT{}
	for chunk := range slices.Chunk(distinct(tokens), orNew(s).pageSize(opts)) {
		for page, err := range s.ownedNFTs(chain, wallet, chunk, opts, checks).Pages(ctx) {
			if err != nil {
				return nil, withoutPlace(err)
			}
			for _, item := range page.Items {
				held[tokenKey(item.NFT.GetContractAddress(), item.NFT.GetTokenID().String())] = &item
			}
		}
	}
	made := make([]Ownership, len(tokens))
	for i, token := range tokens {
		made[i] = ownershipOf(held[tokenKey(token.ContractAddress, token.TokenID.String())])
	}
	return made, nil
}

// ownedNFTs lists the tokens that the wallet holds. If an item lacks its token, or has an unexpected one, it could be
// any of them, so the call fails.
func (s *GraphService) ownedNFTs(chain graph.Chain, wallet string, tokens []graph.WalletNFTsContractTokenFilterInput,
	opts []CallOption, checks []*ValidationError) *Connection[graph.WalletNFT] {
	asked := map[string]bool{}
	for _, token := range tokens {
		asked[tokenKey(token.ContractAddress, *orNew(token.TokenID))] = true
	}
	find := func(r *response, data *graphql.ListOwnershipsResponse) (*graphql.List[graph.WalletNFT], error) {
		list, _ := data.Found()
		for _, item := range orNew(list).Nodes {
			if nft := item.NFT; nft == nil || !asked[tokenKey(nft.GetContractAddress(), nft.GetTokenID().String())] {
				return nil, r.contentError(&reply.Malformed{
					Reason: reply.Shape, Detail: "a token without a name, or one that was not requested",
				})
			}
		}
		return list, nil
	}
	return connectWith(s, chain, &graphql.ListOwnerships{Wallet: wallet, Tokens: tokens}, find, opts, checks...)
}

// distinct returns a filter for each distinct token. If there are no tokens, it returns one empty filter, so that the
// call reaches the checks.
func distinct(tokens []graph.TokenRef) []graph.WalletNFTsContractTokenFilterInput {
	filters := make([]graph.WalletNFTsContractTokenFilterInput, 0, len(tokens))
	seen := map[string]bool{}
	for _, token := range tokens {
		id := token.TokenID.String()
		if key := tokenKey(token.ContractAddress, id); !seen[key] {
			seen[key] = true
			filters = append(filters,
				graph.WalletNFTsContractTokenFilterInput{ContractAddress: token.ContractAddress, TokenID: &id})
		}
	}
	if len(filters) == 0 {
		filters = append(filters, graph.WalletNFTsContractTokenFilterInput{})
	}
	return filters
}

// tokenKey identifies a token. Addresses are compared without regard to case.
func tokenKey(address, tokenID string) string {
	return strings.ToLower(address) + "/" + tokenID
}

// tokenRefs checks that the list is not empty, and checks each token.
func tokenRefs(field string, tokens []graph.TokenRef) *ValidationError {
	if len(tokens) == 0 {
		return &ValidationError{Field: field, Rule: "must have at least one item", always: true}
	}
	for i, token := range tokens {
		at := fmt.Sprintf("%s[%d].", field, i)
		violation := cmp.Or(required(at+"contractAddress", token.ContractAddress), notNegative(at+"tokenId", token.TokenID))
		if violation != nil {
			return violation
		}
	}
	return nil
}

// withoutPlace removes the position from an error: the caller did not request a listing.
func withoutPlace(err error) error {
	if place, ok := errors.AsType[*PageError](err); ok {
		return place.Err
	}
	return err
}
