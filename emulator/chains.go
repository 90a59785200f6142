package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// ListChains is GET /v0/chains.
func (h adminHandlers) ListChains(context.Context, adminapi.ListChainsRequestObject) (adminapi.ListChainsResponseObject, error) {
	chains := make([]adminapi.ListedChain, 0, len(catalogue))
	for _, chain := range catalogue {
		chains = append(chains, adminapi.ListedChain{
			Slug:          &chain.slug,
			IsSelectChain: &chain.selected,
			Networks:      networkRecords(chain),
		})
	}
	return adminapi.ListChains200JSONResponse{Data: chains}, nil
}

func networkRecords(of *chain) []adminapi.ChainNetwork {
	networks := make([]adminapi.ChainNetwork, 0, len(of.networks))
	for _, network := range of.networks {
		record := adminapi.ChainNetwork{Slug: &network.slug, Name: &network.name}
		if network.chainID != 0 {
			record.ChainID = &network.chainID
		}
		networks = append(networks, record)
	}
	return networks
}

// ListAPICredits is GET /v0/api-credits/{chain}.
func (h adminHandlers) ListAPICredits(_ context.Context, r adminapi.ListAPICreditsRequestObject) (adminapi.ListAPICreditsResponseObject, error) {
	chain, known := chainBySlug(r.Chain)
	if !known {
		return nil, notFound("chain not found")
	}
	credits := make([]adminapi.APICredit, 0, len(chain.costs))
	for _, cost := range chain.costs {
		credits = append(credits, adminapi.APICredit{Method: &cost.method, Credits: &cost.credits})
	}
	return adminapi.ListAPICredits200JSONResponse{Data: credits}, nil
}
