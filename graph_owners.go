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
	query := &graphql.GetOwnership{Wallet: wallet, ContractAddress: address, TokenID: tokenID.String()}
	held, err := fetchGraph(ctx, s, chain, query, opts,
		walletID("wallet", wallet), required("contractAddress", address), notNegative("tokenId", tokenID))
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

// Ownerships is Ownership for several tokens, in their order, with [WithPageSize] tokens per request. Tokens that do
// not exist are no errors.
func (s *GraphService) Ownerships(ctx context.Context, chain graph.Chain, wallet string, tokens []graph.TokenRef,
	opts ...CallOption) ([]Ownership, error) {
	checks := []*ValidationError{walletID("wallet", wallet), tokenRefs("tokens", tokens)}
	held := map[string]*graph.WalletNFT{}
	for chunk := range slices.Chunk(distinct(tokens), s.settings(opts).pageSize) {
		query := &graphql.ListOwnerships{Wallet: wallet, Tokens: chunk}
		for page, err := range connectChecked(s, chain, query, onlyTokens(chunk), opts, checks).Pages(ctx) {
			if err != nil {
				return nil, errors.Unwrap(err) // Without the position: the caller did not request a listing.
			}
			for _, item := range page.Items {
				held[keyOf(item.NFT)] = &item
			}
		}
	}
	made := make([]Ownership, len(tokens))
	for i, token := range tokens {
		made[i] = ownershipOf(held[tokenKey(token.ContractAddress, token.TokenID.String())])
	}
	return made, nil
}

// onlyTokens returns a check of a page of tokens. If an item lacks its token, or has one that was not requested, it
// could be any of them.
func onlyTokens(tokens []graph.WalletNFTsContractTokenFilterInput) func(*graphql.List[graph.WalletNFT]) error {
	return func(page *graphql.List[graph.WalletNFT]) error {
		asked := map[string]bool{}
		for _, token := range tokens {
			asked[tokenKey(token.ContractAddress, *token.TokenID)] = true
		}
		for _, item := range page.Nodes {
			if item.NFT == nil || !asked[keyOf(item.NFT)] {
				return &reply.Malformed{
					Reason: reply.Shape, Detail: "a token without a name, or one that was not requested",
				}
			}
		}
		return page.Check()
	}
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
func tokenKey(address, tokenID string) string { return strings.ToLower(address) + "/" + tokenID }

func keyOf(nft graph.NFT) string {
	return tokenKey(nft.GetContractAddress(), nft.GetTokenID().String())
}

// tokenRefs checks that the list is not empty, and checks each token.
func tokenRefs(field string, tokens []graph.TokenRef) *ValidationError {
	if len(tokens) == 0 {
		return unusable(field, "must have at least one item")
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
