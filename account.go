package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService tells about the account that the API key belongs to.
type AccountService struct{ engine *engine }

// Info returns the account's name, subscription and billing version.
//
// GET /v0/account/info
func (s *AccountService) Info(ctx context.Context, opts ...CallOption) (*admin.AccountInfo, error) {
	return fetch[*admin.AccountInfo](ctx, s.engine.call(api.GetAccountInfo(), opts))
}
