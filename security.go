package rpcfleet

import (
	"cmp"
	"context"
	"slices"
	"strings"

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

// Credentials of an endpoint's callers: the tokens in the endpoint's addresses, and JWTs.

// CreateToken creates a token. If the service sends no entry, ID and Token are empty.
// POST /v0/endpoints/{id}/security/tokens
func (s *SecurityService) CreateToken(ctx context.Context, id string,
	opts ...CallOption) (*admin.EndpointToken, error) {
	return fetch(ctx, (*engine)(s), api.CreateToken(id), opts)
}

// AddJWT allows JWTs signed by the key.
// POST /v0/endpoints/{id}/security/jwts
func (s *SecurityService) AddJWT(ctx context.Context, id string, jwt admin.AddJWTRequest,
	opts ...CallOption) (*admin.EndpointJWT, error) {
	added, err := fetch(ctx, (*engine)(s), api.AddJWT(id, jwt), opts)
	if err != nil {
		return nil, err
	}
	added.PublicKey = cmp.Or(added.PublicKey, jwt.PublicKey)
	added.Kid, added.Name = cmp.Or(added.Kid, jwt.Kid), cmp.Or(added.Name, jwt.Name)
	return added, nil
}

// Entries that restrict the origin of calls and their methods.

// AddReferrer allows a referrer.
// POST /v0/endpoints/{id}/security/referrers
func (s *SecurityService) AddReferrer(ctx context.Context, id, referrer string,
	opts ...CallOption) (*admin.EndpointReferrer, error) {
	added, err := fetch(ctx, (*engine)(s), api.AddReferrer(id, referrer), opts)
	if err != nil {
		return nil, err
	}
	added.Referrer = cmp.Or(added.Referrer, referrer)
	return added, nil
}

// AddIP allows calls from the IP.
// POST /v0/endpoints/{id}/security/ips
func (s *SecurityService) AddIP(ctx context.Context, id, ip string, opts ...CallOption) (*admin.EndpointIP, error) {
	added, err := fetch(ctx, (*engine)(s), api.AddIP(id, ip), opts)
	if err != nil {
		return nil, err
	}
	added.IP = cmp.Or(added.IP, ip)
	return added, nil
}

// AddDomainMask makes the endpoint reachable under the domain.
// POST /v0/endpoints/{id}/security/domain_masks
func (s *SecurityService) AddDomainMask(ctx context.Context, id, domain string,
	opts ...CallOption) (*admin.EndpointDomainMask, error) {
	added, err := fetch(ctx, (*engine)(s), api.AddDomainMask(id, domain), opts)
	if err != nil {
		return nil, err
	}
	added.Domain = cmp.Or(added.Domain, domain)
	return added, nil
}

// AddRequestFilter allows calls of the methods.
// POST /v0/endpoints/{id}/security/request_filters
func (s *SecurityService) AddRequestFilter(ctx context.Context, id string, methods []string,
	opts ...CallOption) (*admin.RequestFilter, error) {
	added, err := fetch(ctx, (*engine)(s), api.AddRequestFilter(id, methods), opts)
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
	has, err := s.entries(ctx, id, api.CreateToken(id).Request, opts)
	return findMatches(has.Tokens, err,
		func(entry *admin.EndpointToken) string { return entry.ID },
		func(*admin.EndpointToken) bool { return true },
	)
}

// FindAddedJWT compares name and key id.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (
	Lookup[admin.EndpointJWT], error) {
	has, err := s.entries(ctx, id, api.AddJWT(id, jwt).Request, opts)
	return findMatches(has.JWTs, err,
		func(entry *admin.EndpointJWT) string { return entry.ID },
		func(entry *admin.EndpointJWT) bool {
			return entry.Kid == jwt.Kid && entry.Name == jwt.Name
		},
	)
}

// FindAddedReferrer ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedReferrer(ctx context.Context, id, referrer string, opts ...CallOption) (
	Lookup[admin.EndpointReferrer], error) {
	has, err := s.entries(ctx, id, api.AddReferrer(id, referrer).Request, opts)
	return findMatches(has.Referrers, err,
		func(entry *admin.EndpointReferrer) string { return entry.ID },
		func(entry *admin.EndpointReferrer) bool { return strings.EqualFold(entry.Referrer, referrer) },
	)
}

// FindAddedIP ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedIP(ctx context.Context, id, ip string, opts ...CallOption) (Lookup[admin.EndpointIP],
	error) {
	has, err := s.entries(ctx, id, api.AddIP(id, ip).Request, opts)
	return findMatches(has.IPs, err,
		func(entry *admin.EndpointIP) string { return entry.ID },
		func(entry *admin.EndpointIP) bool { return strings.EqualFold(entry.IP, ip) },
	)
}

// FindAddedDomainMask ignores case.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (
	Lookup[admin.EndpointDomainMask], error) {
	has, err := s.entries(ctx, id, api.AddDomainMask(id, domain).Request, opts)
	return findMatches(has.DomainMasks, err,
		func(entry *admin.EndpointDomainMask) string { return entry.ID },
		func(entry *admin.EndpointDomainMask) bool { return strings.EqualFold(entry.Domain, domain) },
	)
}

// FindAddedRequestFilter ignores the order.
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (
	Lookup[admin.RequestFilter], error) {
	has, err := s.entries(ctx, id, api.AddRequestFilter(id, methods).Request, opts)
	return findMatches(has.RequestFilters, err,
		func(entry *admin.RequestFilter) string { return entry.ID },
		func(entry *admin.RequestFilter) bool { return equalSets(entry.Method, methods) },
	)
}

// entries returns the endpoint's entries, or no entries and an error. The arguments of the add are checked.
func (s *SecurityService) entries(
	ctx context.Context, id string, add api.Request, opts []CallOption,
) (*admin.EndpointSecurity, error) {
	has, err := fetch(ctx, (*engine)(s), api.GetEndpointSecurity(id), opts, errorOf(add.Violation))
	return orNew(has), err
}
