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

// SecurityService says who may use an endpoint: tokens, JWTs, IPs, referrers, domain masks and request filters, and the
// options that switch each of these controls on or off.
//
// Every method takes the endpoint's id first and returns [ErrNotFound] where there is no such endpoint. A method that
// adds an entry returns it as it then is. Where the service sent no entry (observed on older responses), its ID is an
// empty text, what was sent is filled in, and Get lists the entry with its id; an empty id is refused by the methods
// that remove. An add is not repeated after a failure that leaves open whether the service acted, which is
// [ErrOutcomeUnknown]: the methods that begin with Find tell then whether the entry exists. A method that removes
// something that is not there returns [ErrRejected] or [ErrNotFound], as the service says it.
type SecurityService struct{ engine *engine }

// Get returns all entries and options of the endpoint. [SecurityOptionsOf] reads the options. A domain mask comes under
// one of two names on the wire; here, Domain always has it.
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

// SetIPCustomHeader names the request header that the caller's IP is read from. A name that is missing is
// [ErrInvalidRequest]. Where the service sent no record, the result has the name that was sent.
//
// PATCH /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) SetIPCustomHeader(
	ctx context.Context, id, headerName string, opts ...CallOption,
) (*admin.IPCustomHeaderSetting, error) {
	call := s.engine.call(api.SetIPCustomHeader(id, admin.SetIPCustomHeaderRequest{HeaderName: headerName}), opts)
	return change(ctx, call, admin.IPCustomHeaderSetting{HeaderName: headerName})
}

// RemoveIPCustomHeader makes the endpoint take the caller's IP from the connection again. Where no header was set, it
// returns [ErrRejected].
//
// DELETE /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) RemoveIPCustomHeader(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveIPCustomHeader(id), opts))
}

// What a caller of an endpoint proves itself with: the tokens of the endpoint's addresses, and JWTs.

// CreateToken makes another token for the endpoint's addresses. The token is of a type that does not print it. Where
// the service sent no entry, both ID and Token are empty and not nil: Get lists the new token.
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

// DeleteToken takes a token off the endpoint: addresses with it stop working. The id is the entry's, not the token
// itself.
//
// DELETE /v0/endpoints/{id}/security/tokens/{token_id}
func (s *SecurityService) DeleteToken(ctx context.Context, id, tokenID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteToken(id, tokenID), opts))
}

// AddJWT lets calls in that carry a JWT signed with the private half of the key. A name that is missing is
// [ErrInvalidRequest].
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

// RemoveJWT takes a public key off the endpoint. The id is the entry's, not the key's own.
//
// DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}
func (s *SecurityService) RemoveJWT(ctx context.Context, id, jwtID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveJWT(id, jwtID), opts))
}

// The entries that say where calls may come from, and which methods they may call.

// AddReferrer lets calls in that name the referrer. A referrer that is missing is [ErrInvalidRequest].
//
// POST /v0/endpoints/{id}/security/referrers
func (s *SecurityService) AddReferrer(
	ctx context.Context, id, referrer string, opts ...CallOption,
) (*admin.EndpointReferrer, error) {
	call := s.engine.call(api.AddReferrer(id, admin.AddReferrerRequest{Referrer: referrer}), opts)
	added, err := fetch[admin.EndpointReferrer](ctx, call)
	if err != nil {
		return nil, err
	}
	added.ID, added.Referrer = cmp.Or(added.ID, new("")), cmp.Or(added.Referrer, &referrer)
	return &added, nil
}

// RemoveReferrer takes a referrer off the endpoint.
//
// DELETE /v0/endpoints/{id}/security/referrers/{referrer_id}
func (s *SecurityService) RemoveReferrer(ctx context.Context, id, referrerID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveReferrer(id, referrerID), opts))
}

// AddIP lets calls in that come from the IP. An IP that is missing is [ErrInvalidRequest].
//
// POST /v0/endpoints/{id}/security/ips
func (s *SecurityService) AddIP(ctx context.Context, id, ip string, opts ...CallOption) (*admin.EndpointIP, error) {
	added, err := fetch[admin.EndpointIP](ctx, s.engine.call(api.AddIP(id, admin.AddIPRequest{IP: ip}), opts))
	if err != nil {
		return nil, err
	}
	added.ID, added.IP = cmp.Or(added.ID, new("")), cmp.Or(added.IP, &ip)
	return &added, nil
}

// RemoveIP takes an IP off the endpoint. The id is the entry's, not the IP itself.
//
// DELETE /v0/endpoints/{id}/security/ips/{ip_id}
func (s *SecurityService) RemoveIP(ctx context.Context, id, ipID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveIP(id, ipID), opts))
}

// AddDomainMask lets the endpoint be reached under the domain.
//
// POST /v0/endpoints/{id}/security/domain_masks
func (s *SecurityService) AddDomainMask(
	ctx context.Context, id, domain string, opts ...CallOption,
) (*admin.EndpointDomainMask, error) {
	call := s.engine.call(api.AddDomainMask(id, admin.AddDomainMaskRequest{DomainMask: domain}), opts)
	added, err := fetch[admin.EndpointDomainMask](ctx, call)
	if err != nil {
		return nil, err
	}
	nameDomain(&added)
	added.ID, added.Domain = cmp.Or(added.ID, new("")), cmp.Or(added.Domain, &domain)
	return &added, nil
}

// RemoveDomainMask takes a domain mask off the endpoint.
//
// DELETE /v0/endpoints/{id}/security/domain_masks/{domain_mask_id}
func (s *SecurityService) RemoveDomainMask(ctx context.Context, id, domainMaskID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveDomainMask(id, domainMaskID), opts))
}

// AddRequestFilter allows calls of the methods. A list that is missing is [ErrInvalidRequest].
//
// POST /v0/endpoints/{id}/security/request_filters
func (s *SecurityService) AddRequestFilter(
	ctx context.Context, id string, methods []string, opts ...CallOption,
) (*admin.RequestFilter, error) {
	call := s.engine.call(api.AddRequestFilter(id, admin.AddRequestFilterRequest{Method: methods}), opts)
	added, err := fetch[admin.CreatedRequestFilter](ctx, call)
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
	request := api.UpdateRequestFilter(id, requestFilterID, admin.UpdateRequestFilterRequest{Method: methods})
	return confirm(ctx, s.engine.call(request, opts))
}

// RemoveRequestFilter takes a request filter off the endpoint.
//
// DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}
func (s *SecurityService) RemoveRequestFilter(
	ctx context.Context, id, requestFilterID string, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.RemoveRequestFilter(id, requestFilterID), opts))
}

// What a method that adds an entry was to do shows in the endpoint's entries: see [Lookup].

// FindCreatedToken looks for what CreateToken was to make. It finds all tokens of the endpoint: only the difference
// to an earlier lookup tells which is new.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindCreatedToken(ctx context.Context, id string, opts ...CallOption) (Lookup[admin.EndpointToken], error) {
	has, err := s.entries(ctx, id, opts)
	return lookUp(has.Tokens, err,
		func(entry *admin.EndpointToken) string { return orZero(entry.ID) },
		func(*admin.EndpointToken) bool { return true },
	)
}

// FindAddedJWT looks for what AddJWT was to add: the entries of that name and key id.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (Lookup[admin.EndpointJWT], error) {
	has, err := s.entries(ctx, id, opts, required("kid", jwt.Kid), required("name", jwt.Name))
	return lookUp(has.JWTs, err,
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
	return lookUp(has.Referrers, err,
		func(entry *admin.EndpointReferrer) string { return orZero(entry.ID) },
		func(entry *admin.EndpointReferrer) bool { return strings.EqualFold(orZero(entry.Referrer), referrer) },
	)
}

// FindAddedIP looks for what AddIP was to add, in capital or small letters.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedIP(ctx context.Context, id, ip string, opts ...CallOption) (Lookup[admin.EndpointIP], error) {
	has, err := s.entries(ctx, id, opts, required("ip", ip))
	return lookUp(has.IPs, err,
		func(entry *admin.EndpointIP) string { return orZero(entry.ID) },
		func(entry *admin.EndpointIP) bool { return strings.EqualFold(orZero(entry.IP), ip) },
	)
}

// FindAddedDomainMask looks for what AddDomainMask was to add, in capital or small letters.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (Lookup[admin.EndpointDomainMask], error) {
	has, err := s.entries(ctx, id, opts, required("domain_mask", domain))
	return lookUp(has.DomainMasks, err,
		func(entry *admin.EndpointDomainMask) string { return orZero(entry.ID) },
		func(entry *admin.EndpointDomainMask) bool { return strings.EqualFold(orZero(entry.Domain), domain) },
	)
}

// FindAddedRequestFilter looks for what AddRequestFilter was to add: the filters of those methods, in any order.
//
// GET /v0/endpoints/{id}/security
func (s *SecurityService) FindAddedRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (Lookup[admin.RequestFilter], error) {
	has, err := s.entries(ctx, id, opts, requiredList("method", methods))
	return lookUp(has.RequestFilters, err,
		func(entry *admin.RequestFilter) string { return entry.ID },
		func(entry *admin.RequestFilter) bool { return sameNames(entry.Method, methods) },
	)
}

// entries returns the endpoint's entries, or none and an error.
func (s *SecurityService) entries(
	ctx context.Context, id string, opts []CallOption, checks ...*ValidationError,
) (admin.EndpointSecurity, error) {
	security, err := s.get(ctx, id, opts, checks...)
	if err != nil {
		return admin.EndpointSecurity{}, err
	}
	return *security, nil
}
