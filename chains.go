package rpcfleet

import (
	"context"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// ChainsService lists the chains that endpoints can be created on, and what calls on them cost.
type ChainsService struct{ client *Client }

// List returns the chains and their networks.
//
// GET /v0/chains
func (s *ChainsService) List(ctx context.Context, opts ...CallOption) ([]admin.Chain, error) {
	return fetch[[]admin.Chain](ctx, s.client, call{
		op: admin.ListChainsOperation, build: admin.NewListChainsRequest, opts: opts,
	})
}

// APICredits returns what each method costs on a chain, in API credits. The chain is a slug as List returns it. An
// unknown chain is ErrNotFound.
//
// GET /v0/api-credits/{chain}
func (s *ChainsService) APICredits(ctx context.Context, chain string, opts ...CallOption) ([]admin.APICredit, error) {
	return fetch[[]admin.APICredit](ctx, s.client, call{
		op: admin.ListAPICreditsOperation,
		build: func(base string) (*http.Request, error) {
			return admin.NewListAPICreditsRequest(base, chain)
		},
		checks: []*ValidationError{segment("chain", chain)},
		opts:   opts,
	})
}
