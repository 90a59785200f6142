package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// SecurityService manages the access controls of an endpoint, whose id comes first: tokens, JWTs, IPs, referrers,
// domain masks, request filters, and the options that turn each control on or off. Other ids are the ids of entries,
// not keys, tokens or IPs. If the service sends no entry in response to an add (observed), the result contains the
// values that were sent and an empty ID, and Get lists the entry. If an entry does not exist, its removal returns
// [ErrRejected] or [ErrNotFound], depending on the service.
type SecurityService engine

// SetIPCustomHeader sets the name of the request header that contains the caller's IP.
// PATCH /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) SetIPCustomHeader(ctx context.Context, id, headerName string,
	opts ...CallOption) (*admin.IPCustomHeaderSetting, error) {
	sent := admin.IPCustomHeaderSetting{HeaderName: headerName}
	return fetchChanged(ctx, (*engine)(s), api.SetIPCustomHeader(id, headerName), opts, sent)
}
