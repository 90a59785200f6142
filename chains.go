package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// ChainsService lists the chains that endpoints can be created on, and what calls on them cost.
type ChainsService struct{ engine *engine }

// List returns the chains and their networks.
//
// GET /v0/chains
func (s *ChainsService) List(ctx context.Context, opts ...CallOption) ([]admin.ListedChain, error) {
	return fetch[[]admin.ListedChain](ctx, s.engine.call(api.ListChains(), opts))
}

// APICredits returns what each method costs on a chain, in API credits. The chain is a slug as List returns it. An
// unknown chain is [ErrNotFound].
//
// GET /v0/api-credits/{chain}
func (s *ChainsService) APICredits(ctx context.Context, chain string, opts ...CallOption) ([]admin.APICredit, error) {
	return fetch[[]admin.APICredit](ctx, s.engine.call(api.ListAPICredits(chain), opts))
}
