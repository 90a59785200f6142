package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// SecurityService says who may use an endpoint: tokens, JWTs, IPs, referrers, domain masks and request filters, and the
// options that switch each of these controls on or off.
//
// Every method takes the endpoint's id first and returns [ErrNotFound] where there is no such endpoint. A method that
// adds an entry returns it as it then is. Where the service sent no entry (observed on older responses), its ID is an
// empty text, what was sent is filled in, and Get lists the entry with its id; an empty id is refused by the methods
// that remove. An add is not repeated after a failure that leaves open whether the service acted, which is
// [ErrMaybeCarriedOut]: the methods that begin with Find tell then whether the entry exists. A method that removes
// something that is not there returns [ErrRefused] or [ErrNotFound], as the service says it.
type SecurityService struct{ engine *engine }

// Get returns all entries and options of the endpoint. [SecurityOptionsOf] reads the options. A domain mask comes under
// one of two names on the wire; here, Domain always has it.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) Get(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointSecurity, error) {
	return s.get(ctx, id, opts)
}

func (s *SecurityService) get(ctx context.Context, id string, opts []CallOption, checks ...*ValidationError) (*admin.EndpointSecurity, error) {
	security, err := fetch[*admin.EndpointSecurity](ctx, s.engine.call(api.GetEndpointSecurity(id), opts, checks...))
	if err != nil {
		return nil, err
	}
	nameDomains(security.DomainMasks)
	return security, nil
}

// SetIPCustomHeader names the request header that the caller's IP is read from. A name that is missing is
// [ErrInvalidRequest]. Where the service sent no record, the result has the name that was sent.
//
// PATCH /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) SetIPCustomHeader(ctx context.Context, id, headerName string, opts ...CallOption) (*admin.IPCustomHeaderSetting, error) {
	return change(ctx, s.engine.call(api.SetIPCustomHeader(id, admin.SetIPCustomHeaderRequest{HeaderName: headerName}), opts), admin.IPCustomHeaderSetting{HeaderName: headerName})
}

// RemoveIPCustomHeader makes the endpoint take the caller's IP from the connection again. Where no header was set, it
// returns [ErrRefused].
//
// DELETE /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) RemoveIPCustomHeader(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveIPCustomHeader(id), opts))
}
