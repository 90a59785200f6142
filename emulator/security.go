package emulator

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// security protects one endpoint. Two entries of a list may have the same value (assumed).
type security struct {
	Lists adminapi.EndpointSecurity // Without its options.
	// On has the options that are enabled.
	On map[adminapi.SecurityOptionName]bool
	// IPHeader is the name of the request header with the caller's IP, or nil.
	IPHeader *string
}

// newSecurity returns the security of a new endpoint: callers need a token.
func newSecurity() security {
	return security{
		Lists: adminapi.EndpointSecurity{
			Tokens: []adminapi.EndpointToken{}, Referrers: []adminapi.EndpointReferrer{}, IPs: []adminapi.EndpointIP{},
			DomainMasks: []adminapi.EndpointDomainMask{}, JWTs: []adminapi.EndpointJWT{},
			RequestFilters: []adminapi.RequestFilter{},
		},
		On: map[adminapi.SecurityOptionName]bool{adminapi.SecurityOptionNameTokens: true},
	}
}

// record shows the options as booleans. Logging of responses cannot be changed here.
func (s *security) record() adminapi.EndpointSecurity {
	record := s.Lists
	record.Options = &adminapi.EndpointSecurityOptions{
		Tokens: new(s.On[adminapi.SecurityOptionNameTokens]), Referrers: new(s.On[adminapi.SecurityOptionNameReferrers]),
		JWTs: new(s.On[adminapi.SecurityOptionNameJWTs]), IPs: new(s.On[adminapi.SecurityOptionNameIPs]),
		DomainMasks: new(s.On[adminapi.SecurityOptionNameDomainMasks]), HSTS: new(s.On[adminapi.SecurityOptionNameHSTS]),
		CORS:            new(s.On[adminapi.SecurityOptionNameCORS]),
		RequestFilters:  new(s.On[adminapi.SecurityOptionNameRequestFilters]),
		ResponseLogging: new(true), IPCustomHeader: &adminapi.IPCustomHeader{Value: s.IPHeader},
	}
	return record
}

// optionList shows the options as a list of switches.
func (s *security) optionList() []adminapi.SecurityOption {
	var list []adminapi.SecurityOption
	for _, name := range []adminapi.SecurityOptionName{
		adminapi.SecurityOptionNameTokens, adminapi.SecurityOptionNameReferrers, adminapi.SecurityOptionNameJWTs,
		adminapi.SecurityOptionNameIPs, adminapi.SecurityOptionNameDomainMasks, adminapi.SecurityOptionNameHSTS,
		adminapi.SecurityOptionNameCORS, adminapi.SecurityOptionNameRequestFilters, adminapi.SecurityOptionNameIPCustomHeader,
	} {
		option := adminapi.SecurityOption{Option: name, Status: adminapi.SwitchDisabled}
		if s.On[name] {
			option.Status = adminapi.SwitchEnabled
		}
		if name == adminapi.SecurityOptionNameIPCustomHeader {
			option.Value = s.IPHeader
		}
		list = append(list, option)
	}
	return list
}

// setIPHeader names the request header with the caller's IP, and enables the option as well (assumed).
func (s *security) setIPHeader(name string) {
	s.IPHeader, s.On[adminapi.SecurityOptionNameIPCustomHeader] = &name, true
}

// GetEndpointSecurity is GET /v0/endpoints/{id}/security.
func (h adminHandlers) GetEndpointSecurity(ctx context.Context, _ adminapi.GetEndpointSecurityRequestObject) (
	adminapi.GetEndpointSecurityResponseObject, error) {
	return adminapi.GetEndpointSecurity200JSONResponse{Data: info(ctx).endpoint.Security.record()}, nil
}

// GetSecurityOptions is GET /v0/endpoints/{id}/security_options.
func (h adminHandlers) GetSecurityOptions(ctx context.Context, _ adminapi.GetSecurityOptionsRequestObject) (
	adminapi.GetSecurityOptionsResponseObject, error) {
	return adminapi.GetSecurityOptions200JSONResponse{Data: info(ctx).endpoint.Security.optionList()}, nil
}

// UpdateSecurityOptions is PATCH /v0/endpoints/{id}/security_options. It changes all options in the body, or none if
// one of them is not acceptable. An empty object changes nothing.
func (h adminHandlers) UpdateSecurityOptions(ctx context.Context, _ adminapi.UpdateSecurityOptionsRequestObject) (
	adminapi.UpdateSecurityOptionsResponseObject, error) {
	body, err := decodeBody[struct {
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
	security := &info(ctx).endpoint.Security
	for name, position := range body.Options {
		security.On[name] = position == adminapi.SwitchEnabled
	}
	return adminapi.UpdateSecurityOptions200JSONResponse{Data: security.optionList()}, nil
}

// SetIPCustomHeader is PATCH /v0/endpoints/{id}/ip_custom_header.
func (h adminHandlers) SetIPCustomHeader(ctx context.Context, r adminapi.SetIPCustomHeaderRequestObject) (
	adminapi.SetIPCustomHeaderResponseObject, error) {
	name := r.Body.HeaderName
	if name == "" {
		return nil, badRequest("header_name is required")
	}
	info(ctx).endpoint.Security.setIPHeader(name)
	return adminapi.SetIPCustomHeader200JSONResponse{Data: adminapi.IPCustomHeaderSetting{HeaderName: name}}, nil
}

// RemoveIPCustomHeader is DELETE /v0/endpoints/{id}/ip_custom_header. It disables the option as well.
func (h adminHandlers) RemoveIPCustomHeader(ctx context.Context, _ adminapi.RemoveIPCustomHeaderRequestObject) (
	adminapi.RemoveIPCustomHeaderResponseObject, error) {
	security := &info(ctx).endpoint.Security
	removed := security.IPHeader != nil
	security.IPHeader, security.On[adminapi.SecurityOptionNameIPCustomHeader] = nil, false
	return adminapi.RemoveIPCustomHeader200JSONResponse{Data: removed}, nil
}

// remove removes the entry with an id from a list and reports whether there was one. All lists but that of request
// filters respond with false if there was none.
func remove[T any](list *[]T, id string, idOf func(T) *string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(entry T) bool { return valueOr(idOf(entry), "") == id })
	return len(*list) < before
}

// add adds an entry to a list, and returns a copy of it.
func add[T any](list *[]T, entry T) *T {
	*list = append(*list, entry)
	return &entry
}

func (s *security) addToken(ids *ids, token string) *adminapi.EndpointToken {
	return add(&s.Lists.Tokens, adminapi.EndpointToken{ID: ids.numberText(), Token: &token})
}

// CreateToken is POST /v0/endpoints/{id}/security/tokens.
func (h adminHandlers) CreateToken(ctx context.Context, _ adminapi.CreateTokenRequestObject) (
	adminapi.CreateTokenResponseObject, error) {
	added := info(ctx).endpoint.Security.addToken(&h.state.IDs, h.state.IDs.token())
	return adminapi.CreateToken200JSONResponse{Data: added}, nil
}

// DeleteToken is DELETE /v0/endpoints/{id}/security/tokens/{token_id}. The addresses of the endpoint keep the first
// token even if it is deleted, because nothing responds there.
func (h adminHandlers) DeleteToken(ctx context.Context, r adminapi.DeleteTokenRequestObject) (
	adminapi.DeleteTokenResponseObject, error) {
	removed := remove(&info(ctx).endpoint.Security.Lists.Tokens, r.TokenID,
		func(e adminapi.EndpointToken) *string { return e.ID })
	return adminapi.DeleteToken200JSONResponse{Data: removed}, nil
}

func (s *security) addReferrer(ids *ids, referrer string) (*adminapi.EndpointReferrer, error) {
	if referrer == "" {
		return nil, badRequest("referrer is required")
	}
	return add(&s.Lists.Referrers, adminapi.EndpointReferrer{ID: ids.numberText(), Referrer: &referrer}), nil
}

// AddReferrer is POST /v0/endpoints/{id}/security/referrers.
func (h adminHandlers) AddReferrer(ctx context.Context, r adminapi.AddReferrerRequestObject) (
	adminapi.AddReferrerResponseObject, error) {
	added, err := info(ctx).endpoint.Security.addReferrer(&h.state.IDs, r.Body.Referrer)
	return adminapi.AddReferrer200JSONResponse{Data: added}, err
}

// RemoveReferrer is DELETE /v0/endpoints/{id}/security/referrers/{referrer_id}.
func (h adminHandlers) RemoveReferrer(ctx context.Context, r adminapi.RemoveReferrerRequestObject) (
	adminapi.RemoveReferrerResponseObject, error) {
	removed := remove(&info(ctx).endpoint.Security.Lists.Referrers, r.ReferrerID,
		func(e adminapi.EndpointReferrer) *string { return e.ID })
	return adminapi.RemoveReferrer200JSONResponse{Data: removed}, nil
}

// addIP adds an address or a range such as 192.0.2.0/24 (assumed).
func (s *security) addIP(ids *ids, ip string) (*adminapi.EndpointIP, error) {
	if ip == "" {
		return nil, badRequest("ip is required")
	}
	_, notAddress := netip.ParseAddr(ip)
	_, notRange := netip.ParsePrefix(ip)
	if notAddress != nil && notRange != nil {
		return nil, badRequest("ip must be an IP address")
	}
	return add(&s.Lists.IPs, adminapi.EndpointIP{ID: ids.numberText(), IP: &ip}), nil
}

// AddIP is POST /v0/endpoints/{id}/security/ips.
func (h adminHandlers) AddIP(ctx context.Context, r adminapi.AddIPRequestObject) (adminapi.AddIPResponseObject, error) {
	added, err := info(ctx).endpoint.Security.addIP(&h.state.IDs, r.Body.IP)
	return adminapi.AddIP200JSONResponse{Data: added}, err
}

// RemoveIP is DELETE /v0/endpoints/{id}/security/ips/{ip_id}.
func (h adminHandlers) RemoveIP(ctx context.Context, r adminapi.RemoveIPRequestObject) (adminapi.RemoveIPResponseObject,
	error) {
	removed := remove(&info(ctx).endpoint.Security.Lists.IPs, r.IPID, func(e adminapi.EndpointIP) *string { return e.ID })
	return adminapi.RemoveIP200JSONResponse{Data: removed}, nil
}

func (s *security) addDomainMask(ids *ids, mask string) (*adminapi.EndpointDomainMask, error) {
	if mask == "" {
		return nil, badRequest("domain_mask is required")
	}
	return add(&s.Lists.DomainMasks, adminapi.EndpointDomainMask{ID: ids.numberText(), Domain: &mask}), nil
}

// AddDomainMask is POST /v0/endpoints/{id}/security/domain_masks.
func (h adminHandlers) AddDomainMask(ctx context.Context, r adminapi.AddDomainMaskRequestObject) (
	adminapi.AddDomainMaskResponseObject, error) {
	added, err := info(ctx).endpoint.Security.addDomainMask(&h.state.IDs, r.Body.DomainMask)
	return adminapi.AddDomainMask200JSONResponse{Data: added}, err
}

// RemoveDomainMask is DELETE /v0/endpoints/{id}/security/domain_masks/{domain_mask_id}.
func (h adminHandlers) RemoveDomainMask(ctx context.Context, r adminapi.RemoveDomainMaskRequestObject) (
	adminapi.RemoveDomainMaskResponseObject, error) {
	removed := remove(&info(ctx).endpoint.Security.Lists.DomainMasks, r.DomainMaskID,
		func(e adminapi.EndpointDomainMask) *string { return e.ID })
	return adminapi.RemoveDomainMask200JSONResponse{Data: removed}, nil
}

// addJWT adds a public key, which is not parsed. All three fields are required, although the contract documents only
// the error of a missing name.
func (s *security) addJWT(ids *ids, key adminapi.AddJWTRequest) (*adminapi.EndpointJWT, error) {
	switch "" {
	case key.Name:
		return nil, badRequest("name is required")
	case key.Kid:
		return nil, badRequest("kid is required")
	case key.PublicKey:
		return nil, badRequest("public_key is required")
	}
	return add(&s.Lists.JWTs,
		adminapi.EndpointJWT{ID: ids.numberText(), PublicKey: &key.PublicKey, Kid: &key.Kid, Name: &key.Name}), nil
}

// AddJWT is POST /v0/endpoints/{id}/security/jwts.
func (h adminHandlers) AddJWT(ctx context.Context, r adminapi.AddJWTRequestObject) (adminapi.AddJWTResponseObject,
	error) {
	added, err := info(ctx).endpoint.Security.addJWT(&h.state.IDs, *r.Body)
	return adminapi.AddJWT200JSONResponse{Data: added}, err
}

// RemoveJWT is DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}.
func (h adminHandlers) RemoveJWT(ctx context.Context, r adminapi.RemoveJWTRequestObject) (
	adminapi.RemoveJWTResponseObject, error) {
	removed := remove(&info(ctx).endpoint.Security.Lists.JWTs, r.JWTID,
		func(e adminapi.EndpointJWT) *string { return e.ID })
	return adminapi.RemoveJWT200JSONResponse{Data: removed}, nil
}

// checkMethods refuses a list of RPC methods that is empty or contains an empty name.
func checkMethods(field string, methods []string) error {
	if len(methods) == 0 {
		return badRequest(field + " is required")
	}
	if slices.Contains(methods, "") {
		return badRequest(field + " has an empty name in it")
	}
	return nil
}

func (s *security) addRequestFilter(ids *ids, methods []string) (string, error) {
	if err := checkMethods("method", methods); err != nil {
		return "", err
	}
	return add(&s.Lists.RequestFilters, adminapi.RequestFilter{ID: *ids.numberText(), Method: methods}).ID, nil
}

// AddRequestFilter is POST /v0/endpoints/{id}/security/request_filters.
func (h adminHandlers) AddRequestFilter(ctx context.Context, r adminapi.AddRequestFilterRequestObject) (
	adminapi.AddRequestFilterResponseObject, error) {
	id, err := info(ctx).endpoint.Security.addRequestFilter(&h.state.IDs, r.Body.Method)
	return adminapi.AddRequestFilter200JSONResponse{Data: adminapi.CreatedRequestFilter{ID: id}}, err
}

// UpdateRequestFilter is PUT /v0/endpoints/{id}/security/request_filters/{request_filter_id}.
func (h adminHandlers) UpdateRequestFilter(ctx context.Context, r adminapi.UpdateRequestFilterRequestObject) (
	adminapi.UpdateRequestFilterResponseObject, error) {
	if err := checkMethods("method", r.Body.Method); err != nil {
		return nil, err
	}
	filters := info(ctx).endpoint.Security.Lists.RequestFilters
	at := slices.IndexFunc(filters, func(f adminapi.RequestFilter) bool { return f.ID == r.RequestFilterID })
	if at < 0 {
		return nil, unknownRequestFilter
	}
	filters[at].Method = r.Body.Method
	return adminapi.UpdateRequestFilter204Response{}, nil
}

// RemoveRequestFilter is DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}. A 204 has no body that
// could be false, so an unknown id is a 404.
func (h adminHandlers) RemoveRequestFilter(ctx context.Context, r adminapi.RemoveRequestFilterRequestObject) (
	adminapi.RemoveRequestFilterResponseObject, error) {
	filters := &info(ctx).endpoint.Security.Lists.RequestFilters
	if !remove(filters, r.RequestFilterID, func(f adminapi.RequestFilter) *string { return &f.ID }) {
		return nil, unknownRequestFilter
	}
	return adminapi.RemoveRequestFilter204Response{}, nil
}

var unknownRequestFilter = notFound("request filter not found")
