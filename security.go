package rpcfleet

import (
	"context"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
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
	c := (*engine)(s).call(api.SetIPCustomHeader(id, api.SetIPCustomHeaderRequest{HeaderName: headerName}), opts)
	return fetchChanged(ctx, c, admin.IPCustomHeaderSetting{HeaderName: headerName})
}

// Credentials of an endpoint's callers: the tokens in the endpoint's addresses, and JWTs.

// CreateToken creates a token. If the service sends no entry, ID and Token are empty but not nil.
// POST /v0/endpoints/{id}/security/tokens
func (s *SecurityService) CreateToken(ctx context.Context, id string,
	opts ...CallOption) (*admin.EndpointToken, error) {
	c := (*engine)(s).call(api.CreateToken(id), opts)
	return fetchAdded(ctx, c, admin.EndpointToken{ID: new(""), Token: new(scalar.Secret{})})
}

// AddJWT allows JWTs signed by the key.
// POST /v0/endpoints/{id}/security/jwts
func (s *SecurityService) AddJWT(ctx context.Context, id string, jwt admin.AddJWTRequest,
	opts ...CallOption) (*admin.EndpointJWT, error) {
	sent := admin.EndpointJWT{ID: new(""), PublicKey: &jwt.PublicKey, Kid: &jwt.Kid, Name: &jwt.Name}
	return fetchAdded(ctx, (*engine)(s).call(api.AddJWT(id, jwt), opts), sent)
}

// Entries that restrict the origin of calls and their methods.

// AddReferrer allows a referrer.
// POST /v0/endpoints/{id}/security/referrers
func (s *SecurityService) AddReferrer(ctx context.Context, id, referrer string,
	opts ...CallOption) (*admin.EndpointReferrer, error) {
	c := (*engine)(s).call(api.AddReferrer(id, api.AddReferrerRequest{Referrer: referrer}), opts)
	return fetchAdded(ctx, c, admin.EndpointReferrer{ID: new(""), Referrer: &referrer})
}

// AddIP allows calls from the IP.
// POST /v0/endpoints/{id}/security/ips
func (s *SecurityService) AddIP(ctx context.Context, id, ip string, opts ...CallOption) (*admin.EndpointIP, error) {
	c := (*engine)(s).call(api.AddIP(id, api.AddIPRequest{IP: ip}), opts)
	return fetchAdded(ctx, c, admin.EndpointIP{ID: new(""), IP: &ip})
}

// AddDomainMask makes the endpoint reachable under the domain.
// POST /v0/endpoints/{id}/security/domain_masks
func (s *SecurityService) AddDomainMask(ctx context.Context, id, domain string,
	opts ...CallOption) (*admin.EndpointDomainMask, error) {
	c := (*engine)(s).call(api.AddDomainMask(id, api.AddDomainMaskRequest{DomainMask: domain}), opts)
	return fetchAdded(ctx, c, admin.EndpointDomainMask{ID: new(""), Domain: &domain})
}

// AddRequestFilter allows calls of the methods.
// POST /v0/endpoints/{id}/security/request_filters
func (s *SecurityService) AddRequestFilter(ctx context.Context, id string, methods []string,
	opts ...CallOption) (*admin.RequestFilter, error) {
	c := (*engine)(s).call(api.AddRequestFilter(id, api.AddRequestFilterRequest{Method: methods}), opts)
	added, err := fetchPayload[api.CreatedRequestFilter](ctx, c)
	if err != nil {
		return nil, err
	}
	return &admin.RequestFilter{ID: added.ID, Method: slices.Clone(methods), Extra: added.Extra}, nil
}

// Lookups search the endpoint's entries for the result of an add: see [Lookup].

// FindCreatedToken finds all tokens: use Diff.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindCreatedToken(ctx context.Context, id string, opts ...CallOption) (
	Lookup[admin.EndpointToken], error) {
	has, err := s.entries(ctx, id, opts)
	return findMatches(has.Tokens, err,
		func(entry *admin.EndpointToken) string { return deref(entry.ID) },
		func(*admin.EndpointToken) bool { return true },
	)
}

// FindAddedJWT compares name and key id.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (
	Lookup[admin.EndpointJWT], error) {
	has, err := s.entries(ctx, id, opts, required("kid", jwt.Kid), required("name", jwt.Name))
	return findMatches(has.JWTs, err,
		func(entry *admin.EndpointJWT) string { return deref(entry.ID) },
		func(entry *admin.EndpointJWT) bool {
			return deref(entry.Kid) == jwt.Kid && deref(entry.Name) == jwt.Name
		},
	)
}

// FindAddedReferrer ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedReferrer(ctx context.Context, id, referrer string, opts ...CallOption) (
	Lookup[admin.EndpointReferrer], error) {
	has, err := s.entries(ctx, id, opts, required("referrer", referrer))
	return findMatches(has.Referrers, err,
		func(entry *admin.EndpointReferrer) string { return deref(entry.ID) },
		func(entry *admin.EndpointReferrer) bool { return strings.EqualFold(deref(entry.Referrer), referrer) },
	)
}

// FindAddedIP ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedIP(ctx context.Context, id, ip string, opts ...CallOption) (Lookup[admin.EndpointIP],
	error) {
	has, err := s.entries(ctx, id, opts, required("ip", ip))
	return findMatches(has.IPs, err,
		func(entry *admin.EndpointIP) string { return deref(entry.ID) },
		func(entry *admin.EndpointIP) bool { return strings.EqualFold(deref(entry.IP), ip) },
	)
}

// FindAddedDomainMask ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (
	Lookup[admin.EndpointDomainMask], error) {
	has, err := s.entries(ctx, id, opts, required("domain_mask", domain))
	return findMatches(has.DomainMasks, err,
		func(entry *admin.EndpointDomainMask) string { return deref(entry.ID) },
		func(entry *admin.EndpointDomainMask) bool { return strings.EqualFold(deref(entry.Domain), domain) },
	)
}

// FindAddedRequestFilter ignores the order.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (
	Lookup[admin.RequestFilter], error) {
	has, err := s.entries(ctx, id, opts, requiredList("method", methods))
	return findMatches(has.RequestFilters, err,
		func(entry *admin.RequestFilter) string { return entry.ID },
		func(entry *admin.RequestFilter) bool { return equalSets(entry.Method, methods) },
	)
}

// entries returns the endpoint's entries, or no entries and an error.
func (s *SecurityService) entries(
	ctx context.Context, id string, opts []CallOption, checks ...*ValidationError,
) (admin.EndpointSecurity, error) {
	return fetchPayload[admin.EndpointSecurity](ctx, (*engine)(s).call(api.GetEndpointSecurity(id), opts, checks...))
}
