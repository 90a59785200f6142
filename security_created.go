package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// What a method that adds an entry was to do shows in the endpoint's entries: see [Lookup].

// FindCreatedToken looks for what CreateToken was to make. It finds all tokens of the endpoint: only the difference to an
// earlier lookup tells which is new.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindCreatedToken(ctx context.Context, id string, opts ...CallOption) (Lookup[admin.EndpointToken], error) {
	has, err := s.entries(ctx, id, opts)
	return lookAmong(has.Tokens, err,
		func(entry *admin.EndpointToken) string { return orZero(entry.ID) },
		func(*admin.EndpointToken) bool { return true },
	)
}

// FindAddedJWT looks for what AddJWT was to add: the entries of that name and key id.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (Lookup[admin.EndpointJWT], error) {
	has, err := s.entries(ctx, id, opts, required("kid", jwt.Kid), required("name", jwt.Name))
	return lookAmong(has.JWTs, err,
		func(entry *admin.EndpointJWT) string { return orZero(entry.ID) },
		func(entry *admin.EndpointJWT) bool {
			return orZero(entry.Kid) == jwt.Kid && orZero(entry.Name) == jwt.Name
		},
	)
}

// FindAddedReferrer looks for what AddReferrer was to add, in capital or small letters.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedReferrer(ctx context.Context, id, referrer string, opts ...CallOption) (Lookup[admin.EndpointReferrer], error) {
	has, err := s.entries(ctx, id, opts, required("referrer", referrer))
	return lookAmong(has.Referrers, err,
		func(entry *admin.EndpointReferrer) string { return orZero(entry.ID) },
		func(entry *admin.EndpointReferrer) bool { return strings.EqualFold(orZero(entry.Referrer), referrer) },
	)
}

// FindAddedIP looks for what AddIP was to add, in capital or small letters.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedIP(ctx context.Context, id, ip string, opts ...CallOption) (Lookup[admin.EndpointIP], error) {
	has, err := s.entries(ctx, id, opts, required("ip", ip))
	return lookAmong(has.IPs, err,
		func(entry *admin.EndpointIP) string { return orZero(entry.ID) },
		func(entry *admin.EndpointIP) bool { return strings.EqualFold(orZero(entry.IP), ip) },
	)
}

// FindAddedDomainMask looks for what AddDomainMask was to add, in capital or small letters.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (Lookup[admin.EndpointDomainMask], error) {
	has, err := s.entries(ctx, id, opts, required("domain_mask", domain))
	return lookAmong(has.DomainMasks, err,
		func(entry *admin.EndpointDomainMask) string { return orZero(entry.ID) },
		func(entry *admin.EndpointDomainMask) bool { return strings.EqualFold(orZero(entry.Domain), domain) },
	)
}

// FindAddedRequestFilter looks for what AddRequestFilter was to add: the filters of those methods, in any order.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (Lookup[admin.RequestFilter], error) {
	has, err := s.entries(ctx, id, opts, requiredList("method", methods))
	return lookAmong(has.RequestFilters, err,
		func(entry *admin.RequestFilter) string { return entry.ID },
		func(entry *admin.RequestFilter) bool { return sameNames(entry.Method, methods) },
	)
}

// entries returns the endpoint's entries, or none and an error.
func (s *SecurityService) entries(ctx context.Context, id string, opts []CallOption, checks ...*ValidationError) (admin.EndpointSecurity, error) {
	security, err := s.get(ctx, id, opts, checks...)
	if err != nil {
		return admin.EndpointSecurity{}, err
	}
	return *security, nil
}
