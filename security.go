package rpcfleet

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// SecurityService manages the access controls of an endpoint: tokens, JWTs, IPs, referrers, domain masks and request
// filters, and the options that turn each of these controls on or off.
//
// Every method takes the endpoint's id first. If the endpoint does not exist, the error is [ErrNotFound]. A method that
// adds an entry returns it. If the service sends no entry (observed on older responses), the result contains the values
// that were sent and an empty ID, and Get lists the entry with its id; the methods that remove entries reject an empty
// id. If the outcome of an add is open, the error matches [ErrOutcomeUnknown]; see the methods that begin with Find. If
// the entry does not exist, a method that removes it returns [ErrRejected] or [ErrNotFound], depending on the service.
type SecurityService struct{ engine *engine }

// Get returns all entries and options of the endpoint. [SecurityOptionsOf] reads the options. A domain mask has one of
// two names on the wire; Domain is always set.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) Get(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointSecurity, error) {
	return s.get(ctx, id, opts)
}

func (s *SecurityService) get(
	ctx context.Context, id string, opts []CallOption, checks ...*ValidationError,
) (*admin.EndpointSecurity, error) {
	security, err := fetch[*admin.EndpointSecurity](ctx, s.engine.call(api.GetEndpointSecurity(id), opts, checks...))
	if err != nil {
		return nil, err
	}
	nameDomains(security.DomainMasks)
	return security, nil
}

// SetIPCustomHeader sets the name of the request header that contains the caller's IP. If the name is missing, the
// error is [ErrInvalidRequest]. If the service sends no record, the result contains the name that was sent.
//
// PATCH /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) SetIPCustomHeader(
	ctx context.Context, id, headerName string, opts ...CallOption,
) (*admin.IPCustomHeaderSetting, error) {
	call := s.engine.call(api.SetIPCustomHeader(id, api.SetIPCustomHeaderRequest{HeaderName: headerName}), opts)
	return change(ctx, call, admin.IPCustomHeaderSetting{HeaderName: headerName})
}

// RemoveIPCustomHeader makes the endpoint take the caller's IP from the connection again. If no header was set, the
// error is [ErrRejected].
//
// DELETE /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) RemoveIPCustomHeader(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveIPCustomHeader(id), opts))
}

// Credentials of an endpoint's callers: the tokens in the endpoint's addresses, and JWTs.

// CreateToken creates a token for the endpoint's addresses. The token's type does not print it. If the service sends no
// entry, ID and Token are empty but not nil: Get lists the new token. If the outcome is open, the error matches
// [ErrOutcomeUnknown]; see FindCreatedToken.
//
// POST /v0/endpoints/{id}/security/tokens
func (s *SecurityService) CreateToken(
	ctx context.Context, id string, opts ...CallOption,
) (*admin.EndpointToken, error) {
	created, err := fetch[admin.EndpointToken](ctx, s.engine.call(api.CreateToken(id), opts))
	if err != nil {
		return nil, err
	}
	created.ID, created.Token = cmp.Or(created.ID, new("")), cmp.Or(created.Token, new(scalar.Secret{}))
	return &created, nil
}

// DeleteToken deletes a token of the endpoint: addresses with the token stop working. The id is the entry's id, not the
// token itself.
//
// DELETE /v0/endpoints/{id}/security/tokens/{token_id}
func (s *SecurityService) DeleteToken(ctx context.Context, id, tokenID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteToken(id, tokenID), opts))
}

// AddJWT allows calls with a JWT that is signed with the private half of the key. If the name is missing, the error is
// [ErrInvalidRequest]. If the outcome is open, the error matches [ErrOutcomeUnknown]; see FindAddedJWT.
//
// POST /v0/endpoints/{id}/security/jwts
func (s *SecurityService) AddJWT(
	ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption,
) (*admin.EndpointJWT, error) {
	added, err := fetch[admin.EndpointJWT](ctx, s.engine.call(api.AddJWT(id, jwt), opts))
	if err != nil {
		return nil, err
	}
	added.ID, added.PublicKey = cmp.Or(added.ID, new("")), cmp.Or(added.PublicKey, &jwt.PublicKey)
	added.Kid, added.Name = cmp.Or(added.Kid, &jwt.Kid), cmp.Or(added.Name, &jwt.Name)
	return &added, nil
}

// RemoveJWT removes a public key from the endpoint. The id is the entry's id, not the key's.
//
// DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}
func (s *SecurityService) RemoveJWT(ctx context.Context, id, jwtID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveJWT(id, jwtID), opts))
}

// Entries that restrict the origin of calls and their methods.

// AddReferrer allows calls with the referrer. If the referrer is missing, the error is [ErrInvalidRequest]. If the
// outcome is open, the error matches [ErrOutcomeUnknown]; see FindAddedReferrer.
//
// POST /v0/endpoints/{id}/security/referrers
func (s *SecurityService) AddReferrer(
	ctx context.Context, id, referrer string, opts ...CallOption,
) (*admin.EndpointReferrer, error) {
	call := s.engine.call(api.AddReferrer(id, api.AddReferrerRequest{Referrer: referrer}), opts)
	added, err := fetch[admin.EndpointReferrer](ctx, call)
	if err != nil {
		return nil, err
	}
	added.ID, added.Referrer = cmp.Or(added.ID, new("")), cmp.Or(added.Referrer, &referrer)
	return &added, nil
}

// RemoveReferrer removes a referrer from the endpoint.
//
// DELETE /v0/endpoints/{id}/security/referrers/{referrer_id}
func (s *SecurityService) RemoveReferrer(ctx context.Context, id, referrerID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveReferrer(id, referrerID), opts))
}

// AddIP allows calls from the IP. If the IP is missing, the error is [ErrInvalidRequest]. If the outcome is open, the
// error matches [ErrOutcomeUnknown]; see FindAddedIP.
//
// POST /v0/endpoints/{id}/security/ips
func (s *SecurityService) AddIP(ctx context.Context, id, ip string, opts ...CallOption) (*admin.EndpointIP, error) {
	added, err := fetch[admin.EndpointIP](ctx, s.engine.call(api.AddIP(id, api.AddIPRequest{IP: ip}), opts))
	if err != nil {
		return nil, err
	}
	added.ID, added.IP = cmp.Or(added.ID, new("")), cmp.Or(added.IP, &ip)
	return &added, nil
}

// RemoveIP removes an IP from the endpoint. The id is the entry's id, not the IP itself.
//
// DELETE /v0/endpoints/{id}/security/ips/{ip_id}
func (s *SecurityService) RemoveIP(ctx context.Context, id, ipID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveIP(id, ipID), opts))
}

// AddDomainMask makes the endpoint reachable under the domain. If the outcome is open, the error matches
// [ErrOutcomeUnknown]; see FindAddedDomainMask.
//
// POST /v0/endpoints/{id}/security/domain_masks
func (s *SecurityService) AddDomainMask(
	ctx context.Context, id, domain string, opts ...CallOption,
) (*admin.EndpointDomainMask, error) {
	call := s.engine.call(api.AddDomainMask(id, api.AddDomainMaskRequest{DomainMask: domain}), opts)
	added, err := fetch[admin.EndpointDomainMask](ctx, call)
	if err != nil {
		return nil, err
	}
	nameDomain(&added)
	added.ID, added.Domain = cmp.Or(added.ID, new("")), cmp.Or(added.Domain, &domain)
	return &added, nil
}

// RemoveDomainMask removes a domain mask from the endpoint.
//
// DELETE /v0/endpoints/{id}/security/domain_masks/{domain_mask_id}
func (s *SecurityService) RemoveDomainMask(ctx context.Context, id, domainMaskID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveDomainMask(id, domainMaskID), opts))
}

// AddRequestFilter allows calls of the methods. If the list is missing, the error is [ErrInvalidRequest]. If the
// outcome is open, the error matches [ErrOutcomeUnknown]; see FindAddedRequestFilter.
//
// POST /v0/endpoints/{id}/security/request_filters
func (s *SecurityService) AddRequestFilter(
	ctx context.Context, id string, methods []string, opts ...CallOption,
) (*admin.RequestFilter, error) {
	call := s.engine.call(api.AddRequestFilter(id, api.AddRequestFilterRequest{Method: methods}), opts)
	added, err := fetch[api.CreatedRequestFilter](ctx, call)
	if err != nil {
		return nil, err
	}
	return &admin.RequestFilter{ID: added.ID, Method: slices.Clone(methods), Extra: added.Extra}, nil
}

// UpdateRequestFilter replaces the methods that a request filter allows.
//
// PUT /v0/endpoints/{id}/security/request_filters/{request_filter_id}
func (s *SecurityService) UpdateRequestFilter(
	ctx context.Context, id, requestFilterID string, methods []string, opts ...CallOption,
) error {
	request := api.UpdateRequestFilter(id, requestFilterID, api.UpdateRequestFilterRequest{Method: methods})
	return confirm(ctx, s.engine.call(request, opts))
}

// RemoveRequestFilter removes a request filter from the endpoint.
//
// DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}
func (s *SecurityService) RemoveRequestFilter(
	ctx context.Context, id, requestFilterID string, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.RemoveRequestFilter(id, requestFilterID), opts))
}

// Lookups search the endpoint's entries for the result of an add: see [Lookup].

// FindCreatedToken searches for the result of CreateToken. It returns all tokens of the endpoint: only the difference
// from an earlier lookup identifies the new one.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindCreatedToken(ctx context.Context, id string, opts ...CallOption) (
	Lookup[admin.EndpointToken], error) {
	has, err := s.entries(ctx, id, opts)
	return lookUp(has.Tokens, err,
		func(entry *admin.EndpointToken) string { return orZero(entry.ID) },
		func(*admin.EndpointToken) bool { return true },
	)
}

// FindAddedJWT searches for the result of AddJWT: the entries with that name and key id.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (
	Lookup[admin.EndpointJWT], error) {
	has, err := s.entries(ctx, id, opts, required("kid", jwt.Kid), required("name", jwt.Name))
	return lookUp(has.JWTs, err,
		func(entry *admin.EndpointJWT) string { return orZero(entry.ID) },
		func(entry *admin.EndpointJWT) bool {
			return orZero(entry.Kid) == jwt.Kid && orZero(entry.Name) == jwt.Name
		},
	)
}

// FindAddedReferrer searches for the result of AddReferrer, ignoring case.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedReferrer(ctx context.Context, id, referrer string, opts ...CallOption) (
	Lookup[admin.EndpointReferrer], error) {
	has, err := s.entries(ctx, id, opts, required("referrer", referrer))
	return lookUp(has.Referrers, err,
		func(entry *admin.EndpointReferrer) string { return orZero(entry.ID) },
		func(entry *admin.EndpointReferrer) bool { return strings.EqualFold(orZero(entry.Referrer), referrer) },
	)
}

// FindAddedIP searches for the result of AddIP, ignoring case.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedIP(ctx context.Context, id, ip string, opts ...CallOption) (Lookup[admin.EndpointIP],
	error) {
	has, err := s.entries(ctx, id, opts, required("ip", ip))
	return lookUp(has.IPs, err,
		func(entry *admin.EndpointIP) string { return orZero(entry.ID) },
		func(entry *admin.EndpointIP) bool { return strings.EqualFold(orZero(entry.IP), ip) },
	)
}

// FindAddedDomainMask searches for the result of AddDomainMask, ignoring case.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (
	Lookup[admin.EndpointDomainMask], error) {
	has, err := s.entries(ctx, id, opts, required("domain_mask", domain))
	return lookUp(has.DomainMasks, err,
		func(entry *admin.EndpointDomainMask) string { return orZero(entry.ID) },
		func(entry *admin.EndpointDomainMask) bool { return strings.EqualFold(orZero(entry.Domain), domain) },
	)
}

// FindAddedRequestFilter searches for the result of AddRequestFilter: the filters with those methods, in any order.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (
	Lookup[admin.RequestFilter], error) {
	has, err := s.entries(ctx, id, opts, requiredList("method", methods))
	return lookUp(has.RequestFilters, err,
		func(entry *admin.RequestFilter) string { return entry.ID },
		func(entry *admin.RequestFilter) bool { return sameNames(entry.Method, methods) },
	)
}

// entries returns the endpoint's entries, or no entries and an error.
func (s *SecurityService) entries(
	ctx context.Context, id string, opts []CallOption, checks ...*ValidationError,
) (admin.EndpointSecurity, error) {
	security, err := s.get(ctx, id, opts, checks...)
	if err != nil {
		return admin.EndpointSecurity{}, err
	}
	return *security, nil
}
