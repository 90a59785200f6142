package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// securityState is what guards one endpoint.
type securityState struct {
	tokens         entries[string]
	referrers      entries[string]
	ips            entries[string]
	domainMasks    entries[string]
	jwts           entries[publicKey]
	requestFilters entries[[]string]

	// on holds the options that are enabled.
	on map[adminapi.SecurityOptionName]bool
	// ipHeader is the request header that holds the caller's IP, or nil.
	ipHeader *string
}

// newSecurity is what a fresh endpoint is guarded by: the token of its address. The endpoint has its id and its token
// already.
func newSecurity(s *state, of *endpoint) securityState {
	security := securityState{on: map[adminapi.SecurityOptionName]bool{adminapi.SecurityOptionNameTokens: true}}
	security.tokens.add(s.ids, of.token)
	return security
}

// record is what an endpoint's record tells about its security.
func (s *securityState) record() adminapi.EndpointSecurity {
	return adminapi.EndpointSecurity{
		Options:        s.optionsRecord(),
		Tokens:         records(s.tokens, tokenRecord),
		Referrers:      records(s.referrers, referrerRecord),
		IPs:            records(s.ips, ipRecord),
		DomainMasks:    records(s.domainMasks, domainMaskRecord),
		JWTs:           records(s.jwts, jwtRecord),
		RequestFilters: records(s.requestFilters, requestFilterRecord),
	}
}

// GetEndpointSecurity is GET /v0/endpoints/{id}/security.
func (h adminHandlers) GetEndpointSecurity(_ context.Context, r adminapi.GetEndpointSecurityRequestObject) (adminapi.GetEndpointSecurityResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.GetEndpointSecurity200JSONResponse{Data: endpoint.security.record()}, nil
}
