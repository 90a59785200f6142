package rpcfleet

import (
	"cmp"
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// The entries that say where calls may come from, and which methods they may call.

// AddReferrer lets calls in that name the referrer. A referrer that is missing is [ErrInvalidRequest].
//
// POST /v0/endpoints/{id}/security/referrers
func (s *SecurityService) AddReferrer(ctx context.Context, id, referrer string, opts ...CallOption) (*admin.EndpointReferrer, error) {
	added, err := fetch[admin.EndpointReferrer](ctx, s.engine.call(api.AddReferrer(id, admin.AddReferrerRequest{Referrer: referrer}), opts))
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
func (s *SecurityService) AddDomainMask(ctx context.Context, id, domain string, opts ...CallOption) (*admin.EndpointDomainMask, error) {
	added, err := fetch[admin.EndpointDomainMask](ctx, s.engine.call(api.AddDomainMask(id, admin.AddDomainMaskRequest{DomainMask: domain}), opts))
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
func (s *SecurityService) AddRequestFilter(ctx context.Context, id string, methods []string, opts ...CallOption) (*admin.RequestFilter, error) {
	added, err := fetch[admin.CreatedRequestFilter](ctx, s.engine.call(api.AddRequestFilter(id, admin.AddRequestFilterRequest{Method: methods}), opts))
	if err != nil {
		return nil, err
	}
	return &admin.RequestFilter{ID: added.ID, Method: slices.Clone(methods), Extra: added.Extra}, nil
}

// UpdateRequestFilter replaces the methods that a request filter allows.
//
// PUT /v0/endpoints/{id}/security/request_filters/{request_filter_id}
func (s *SecurityService) UpdateRequestFilter(ctx context.Context, id, requestFilterID string, methods []string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.UpdateRequestFilter(id, requestFilterID, admin.UpdateRequestFilterRequest{Method: methods}), opts))
}

// RemoveRequestFilter takes a request filter off the endpoint.
//
// DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}
func (s *SecurityService) RemoveRequestFilter(ctx context.Context, id, requestFilterID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveRequestFilter(id, requestFilterID), opts))
}
