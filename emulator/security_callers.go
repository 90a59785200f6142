package emulator

import (
	"context"
	"net/netip"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// The lists that say where calls may come from. Removing an entry that does not exist responds with false, and does so
// for domain masks too, of which the contract only says that the status is 200.

func referrerRecord(e entry[string]) adminapi.EndpointReferrer {
	return adminapi.EndpointReferrer{ID: &e.id, Referrer: &e.value}
}

// AddReferrer is POST /v0/endpoints/{id}/security/referrers.
func (h adminHandlers) AddReferrer(_ context.Context, r adminapi.AddReferrerRequestObject) (adminapi.AddReferrerResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body.Referrer == "" {
		return nil, badRequest("referrer is required")
	}
	added := endpoint.security.referrers.add(h.state.ids, r.Body.Referrer)
	return adminapi.AddReferrer200JSONResponse{Data: new(referrerRecord(added))}, nil
}

// RemoveReferrer is DELETE /v0/endpoints/{id}/security/referrers/{referrer_id}.
func (h adminHandlers) RemoveReferrer(_ context.Context, r adminapi.RemoveReferrerRequestObject) (adminapi.RemoveReferrerResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.RemoveReferrer200JSONResponse{Data: endpoint.security.referrers.remove(r.ReferrerID)}, nil
}

func ipRecord(e entry[string]) adminapi.EndpointIP {
	return adminapi.EndpointIP{ID: &e.id, IP: &e.value}
}

// AddIP is POST /v0/endpoints/{id}/security/ips. An IP is an address or, which is assumed, a range such as
// 192.0.2.0/24.
func (h adminHandlers) AddIP(_ context.Context, r adminapi.AddIPRequestObject) (adminapi.AddIPResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkIP(r.Body.IP); err != nil {
		return nil, err
	}
	added := endpoint.security.ips.add(h.state.ids, r.Body.IP)
	return adminapi.AddIP200JSONResponse{Data: new(ipRecord(added))}, nil
}

func checkIP(ip string) error {
	if ip == "" {
		return badRequest("ip is required")
	}
	_, notAddress := netip.ParseAddr(ip)
	_, notRange := netip.ParsePrefix(ip)
	if notAddress != nil && notRange != nil {
		return badRequest("ip must be an IP address")
	}
	return nil
}

// RemoveIP is DELETE /v0/endpoints/{id}/security/ips/{ip_id}.
func (h adminHandlers) RemoveIP(_ context.Context, r adminapi.RemoveIPRequestObject) (adminapi.RemoveIPResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.RemoveIP200JSONResponse{Data: endpoint.security.ips.remove(r.IPID)}, nil
}

func domainMaskRecord(e entry[string]) adminapi.EndpointDomainMask {
	return adminapi.EndpointDomainMask{ID: &e.id, Domain: &e.value}
}

// AddDomainMask is POST /v0/endpoints/{id}/security/domain_masks.
func (h adminHandlers) AddDomainMask(_ context.Context, r adminapi.AddDomainMaskRequestObject) (adminapi.AddDomainMaskResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body.DomainMask == "" {
		return nil, badRequest("domain_mask is required")
	}
	added := endpoint.security.domainMasks.add(h.state.ids, r.Body.DomainMask)
	return adminapi.AddDomainMask200JSONResponse{Data: new(domainMaskRecord(added))}, nil
}

// RemoveDomainMask is DELETE /v0/endpoints/{id}/security/domain_masks/{domain_mask_id}.
func (h adminHandlers) RemoveDomainMask(_ context.Context, r adminapi.RemoveDomainMaskRequestObject) (adminapi.RemoveDomainMaskResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.RemoveDomainMask200JSONResponse{Data: endpoint.security.domainMasks.remove(r.DomainMaskID)}, nil
}
