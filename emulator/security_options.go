package emulator

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// securityOptionNames are the options in the order in which they are listed.
var securityOptionNames = []adminapi.SecurityOptionName{
	adminapi.SecurityOptionNameTokens,
	adminapi.SecurityOptionNameReferrers,
	adminapi.SecurityOptionNameJWTs,
	adminapi.SecurityOptionNameIPs,
	adminapi.SecurityOptionNameDomainMasks,
	adminapi.SecurityOptionNameHSTS,
	adminapi.SecurityOptionNameCORS,
	adminapi.SecurityOptionNameRequestFilters,
	adminapi.SecurityOptionNameIPCustomHeader,
}

// optionsRecord shows the options as booleans, which is how an endpoint's record has them. That responses are logged
// cannot be changed here.
func (s *securityState) optionsRecord() *adminapi.EndpointSecurityOptions {
	return &adminapi.EndpointSecurityOptions{
		Tokens:          new(s.on[adminapi.SecurityOptionNameTokens]),
		Referrers:       new(s.on[adminapi.SecurityOptionNameReferrers]),
		JWTs:            new(s.on[adminapi.SecurityOptionNameJWTs]),
		IPs:             new(s.on[adminapi.SecurityOptionNameIPs]),
		DomainMasks:     new(s.on[adminapi.SecurityOptionNameDomainMasks]),
		HSTS:            new(s.on[adminapi.SecurityOptionNameHSTS]),
		CORS:            new(s.on[adminapi.SecurityOptionNameCORS]),
		RequestFilters:  new(s.on[adminapi.SecurityOptionNameRequestFilters]),
		ResponseLogging: new(true),
		IPCustomHeader:  &adminapi.IPCustomHeader{Value: s.ipHeader},
	}
}

// optionList shows the options as a list of switches.
func (s *securityState) optionList() []adminapi.SecurityOption {
	list := make([]adminapi.SecurityOption, 0, len(securityOptionNames))
	for _, name := range securityOptionNames {
		option := adminapi.SecurityOption{Option: name, Status: adminapi.SwitchDisabled}
		if s.on[name] {
			option.Status = adminapi.SwitchEnabled
		}
		if name == adminapi.SecurityOptionNameIPCustomHeader {
			option.Value = s.ipHeader
		}
		list = append(list, option)
	}
	return list
}

// GetSecurityOptions is GET /v0/endpoints/{id}/security_options.
func (h adminHandlers) GetSecurityOptions(_ context.Context, r adminapi.GetSecurityOptionsRequestObject) (adminapi.GetSecurityOptionsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.GetSecurityOptions200JSONResponse{Data: endpoint.security.optionList()}, nil
}

// UpdateSecurityOptions is PATCH /v0/endpoints/{id}/security_options. It changes all the options that were sent, or
// none when one of them is not acceptable. An empty object changes nothing.
func (h adminHandlers) UpdateSecurityOptions(ctx context.Context, r adminapi.UpdateSecurityOptionsRequestObject) (adminapi.UpdateSecurityOptionsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	body, err := sent[struct {
		Options map[adminapi.SecurityOptionName]adminapi.Switch `json:"options"`
	}](ctx)
	if err != nil {
		return nil, err
	}
	if body.Options == nil {
		return nil, badRequest("options is required")
	}
	for _, name := range slices.Sorted(maps.Keys(body.Options)) {
		if !name.Valid() {
			return nil, badRequest(fmt.Sprintf("options has no key %q", name))
		}
		if !body.Options[name].Valid() {
			return nil, badRequest(fmt.Sprintf("options.%s must be enabled or disabled", name))
		}
	}
	for name, position := range body.Options {
		endpoint.security.on[name] = position == adminapi.SwitchEnabled
	}
	return adminapi.UpdateSecurityOptions200JSONResponse{Data: endpoint.security.optionList()}, nil
}

// SetIPCustomHeader is PATCH /v0/endpoints/{id}/ip_custom_header. Naming a header enables the option as well, which
// the contract leaves open.
func (h adminHandlers) SetIPCustomHeader(_ context.Context, r adminapi.SetIPCustomHeaderRequestObject) (adminapi.SetIPCustomHeaderResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	name := r.Body.HeaderName
	if name == "" {
		return nil, badRequest("header_name is required")
	}
	endpoint.security.ipHeader = &name
	endpoint.security.on[adminapi.SecurityOptionNameIPCustomHeader] = true
	return adminapi.SetIPCustomHeader200JSONResponse{Data: adminapi.IPCustomHeaderSetting{HeaderName: name}}, nil
}

// RemoveIPCustomHeader is DELETE /v0/endpoints/{id}/ip_custom_header. It disables the option as well.
func (h adminHandlers) RemoveIPCustomHeader(_ context.Context, r adminapi.RemoveIPCustomHeaderRequestObject) (adminapi.RemoveIPCustomHeaderResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	removed := endpoint.security.ipHeader != nil
	endpoint.security.ipHeader = nil
	endpoint.security.on[adminapi.SecurityOptionNameIPCustomHeader] = false
	return adminapi.RemoveIPCustomHeader200JSONResponse{Data: removed}, nil
}
