package emulator

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// securityData protects one endpoint. Two entries of a list may have the same value (assumed).
type securityData struct {
	adminapi.EndpointSecurity // Without its options.

	options []adminapi.SecurityOption
}

// newSecurity returns the security of a new endpoint: callers need a token.
func newSecurity() securityData {
	s := securityData{EndpointSecurity: adminapi.EndpointSecurity{
		Tokens: []adminapi.EndpointToken{}, Referrers: []adminapi.EndpointReferrer{}, IPs: []adminapi.EndpointIP{},
		DomainMasks: []adminapi.EndpointDomainMask{}, JWTs: []adminapi.EndpointJWT{},
		RequestFilters: []adminapi.RequestFilter{},
	}}
	for _, name := range []adminapi.SecurityOptionName{
		"tokens", "referrers", "jwts", "ips", "domainMasks", "hsts", "cors", "requestFilters", ipCustomHeader,
	} {
		s.options = append(s.options, adminapi.SecurityOption{Option: name, Status: adminapi.SwitchDisabled})
	}
	s.option("tokens").Status = adminapi.SwitchEnabled
	return s
}

// ipCustomHeader is the option with a value: the name of the request header with the caller's IP, or nil.
const ipCustomHeader = adminapi.SecurityOptionNameIPCustomHeader

// option finds an option, or returns nil for an unknown name.
func (s *securityData) option(name adminapi.SecurityOptionName) *adminapi.SecurityOption {
	for i := range s.options {
		if s.options[i].Option == name {
			return &s.options[i]
		}
	}
	return nil
}

func (h adminHandlers) GetEndpointSecurity(ctx context.Context) (*adminapi.EndpointSecurity, error) {
	return new(infoOf(ctx).endpoint.security.record()), nil
}

// record shows the options as booleans. Logging of responses cannot be changed here.
func (s *securityData) record() adminapi.EndpointSecurity {
	record := s.EndpointSecurity
	on := func(name adminapi.SecurityOptionName) *bool {
		return new(s.option(name).Status == adminapi.SwitchEnabled)
	}
	record.Options = &adminapi.EndpointSecurityOptions{
		Tokens: on("tokens"), Referrers: on("referrers"), JWTs: on("jwts"), IPs: on("ips"), DomainMasks: on("domainMasks"),
		HSTS: on("hsts"), CORS: on("cors"), RequestFilters: on("requestFilters"), ResponseLogging: new(true),
		IPCustomHeader: &adminapi.IPCustomHeader{Value: s.option(ipCustomHeader).Value},
	}
	return record
}

func (h adminHandlers) GetSecurityOptions(ctx context.Context) ([]adminapi.SecurityOption, error) {
	return infoOf(ctx).endpoint.security.options, nil
}

// UpdateSecurityOptions is PATCH /v0/endpoints/{id}/security_options. It changes all options in the body, or none if
// one of them is not acceptable. An empty object changes nothing.
func (h adminHandlers) UpdateSecurityOptions(ctx context.Context, _ *adminapi.UpdateSecurityOptionsRequest) (
	[]adminapi.SecurityOption, error) {
	body, err := decodeBody[struct {
		Options map[adminapi.SecurityOptionName]adminapi.Switch
	}](ctx)
	if err != nil {
		return nil, err
	}
	changed := securityData{options: slices.Clone(infoOf(ctx).endpoint.security.options)}
	for name, position := range body.Options {
		option := changed.option(name)
		if option == nil {
			return nil, badRequest(fmt.Sprintf("options has no key %q", name))
		}
		if !position.Valid() { // It is null.
			return nil, badRequest(fmt.Sprintf("options.%s must be enabled or disabled", name))
		}
		option.Status = position
	}
	infoOf(ctx).endpoint.security.options = changed.options
	return changed.options, nil
}

// SetIPCustomHeader is PATCH /v0/endpoints/{id}/ip_custom_header. It enables the option as well (assumed).
func (h adminHandlers) SetIPCustomHeader(ctx context.Context, body *adminapi.SetIPCustomHeaderRequest) (
	*adminapi.IPCustomHeaderSetting, error) {
	option := infoOf(ctx).endpoint.security.option(ipCustomHeader)
	option.Status, option.Value = adminapi.SwitchEnabled, &body.HeaderName
	return &adminapi.IPCustomHeaderSetting{HeaderName: body.HeaderName}, nil
}

// RemoveIPCustomHeader is DELETE /v0/endpoints/{id}/ip_custom_header. It disables the option as well.
func (h adminHandlers) RemoveIPCustomHeader(ctx context.Context) (bool, error) {
	option := infoOf(ctx).endpoint.security.option(ipCustomHeader)
	removed := option.Value != nil
	option.Status, option.Value = adminapi.SwitchDisabled, nil
	return removed, nil
}

func lists(ctx context.Context) *adminapi.EndpointSecurity {
	return &infoOf(ctx).endpoint.security.EndpointSecurity
}

// remove removes the entry with an id from a list and reports whether there was one. All lists but the one of request
// filters respond with false if there was none.
func remove[T any](list *[]T, id string, idOf func(T) *string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(entry T) bool { return valueOr(idOf(entry), "") == id })
	return len(*list) < before
}

// addTo adds an entry to a list, and returns a copy of it.
func addTo[T any](list *[]T, entry T) *T {
	*list = append(*list, entry)
	return &entry
}

func (s *securityData) addToken(ids *idSource, token string) *adminapi.EndpointToken {
	return addTo(&s.Tokens, adminapi.EndpointToken{ID: ids.numberText(), Token: &token})
}

func (h adminHandlers) CreateToken(ctx context.Context) (*adminapi.EndpointToken, error) {
	return infoOf(ctx).endpoint.security.addToken(&h.state.ids, h.state.ids.token()), nil
}

// DeleteToken is DELETE /v0/endpoints/{id}/security/tokens/{token_id}. The addresses of the endpoint keep the first
// token even if it is deleted, because nothing responds there.
func (h adminHandlers) DeleteToken(ctx context.Context, tokenID string) (bool, error) {
	return remove(&lists(ctx).Tokens, tokenID, func(e adminapi.EndpointToken) *string { return e.ID }), nil
}

func (h adminHandlers) AddReferrer(ctx context.Context, body *adminapi.AddReferrerRequest) (
	*adminapi.EndpointReferrer, error) {
	added := adminapi.EndpointReferrer{ID: h.state.ids.numberText(), Referrer: &body.Referrer}
	return addTo(&lists(ctx).Referrers, added), nil
}

func (h adminHandlers) RemoveReferrer(ctx context.Context, referrerID string) (bool, error) {
	return remove(&lists(ctx).Referrers, referrerID, func(e adminapi.EndpointReferrer) *string { return e.ID }), nil
}

// AddIP is POST /v0/endpoints/{id}/security/ips. It accepts an address, or a range such as 192.0.2.0/24 (assumed).
func (h adminHandlers) AddIP(ctx context.Context, body *adminapi.AddIPRequest) (*adminapi.EndpointIP, error) {
	_, notAddress := netip.ParseAddr(body.IP)
	_, notRange := netip.ParsePrefix(body.IP)
	if notAddress != nil && notRange != nil {
		return nil, badRequest("ip must be an IP address")
	}
	return addTo(&lists(ctx).IPs, adminapi.EndpointIP{ID: h.state.ids.numberText(), IP: &body.IP}), nil
}

func (h adminHandlers) RemoveIP(ctx context.Context, ipID string) (bool, error) {
	return remove(&lists(ctx).IPs, ipID, func(e adminapi.EndpointIP) *string { return e.ID }), nil
}

func (h adminHandlers) AddDomainMask(ctx context.Context, body *adminapi.AddDomainMaskRequest) (
	*adminapi.EndpointDomainMask, error) {
	added := adminapi.EndpointDomainMask{ID: h.state.ids.numberText(), Domain: &body.DomainMask}
	return addTo(&lists(ctx).DomainMasks, added), nil
}

func (h adminHandlers) RemoveDomainMask(ctx context.Context, maskID string) (*adminapi.ConfirmationEnvelope, error) {
	removed := remove(&lists(ctx).DomainMasks, maskID, func(e adminapi.EndpointDomainMask) *string { return e.ID })
	return &adminapi.ConfirmationEnvelope{Data: removed}, nil
}

// AddJWT is POST /v0/endpoints/{id}/security/jwts. The public key is not parsed.
func (h adminHandlers) AddJWT(ctx context.Context, body *adminapi.AddJWTRequest) (*adminapi.EndpointJWT, error) {
	return addTo(&lists(ctx).JWTs, adminapi.EndpointJWT{
		ID: h.state.ids.numberText(), PublicKey: &body.PublicKey, Kid: &body.Kid, Name: &body.Name,
	}), nil
}

func (h adminHandlers) RemoveJWT(ctx context.Context, jwtID string) (*adminapi.ConfirmationEnvelope, error) {
	removed := remove(&lists(ctx).JWTs, jwtID, func(e adminapi.EndpointJWT) *string { return e.ID })
	return &adminapi.ConfirmationEnvelope{Data: removed}, nil
}

// checkMethods rejects a list of RPC methods that is empty or contains an empty name.
func checkMethods(field string, methods []string) error {
	if len(methods) == 0 || slices.Contains(methods, "") {
		return badRequest(field + " must have at least one name, and no empty one")
	}
	return nil
}

func (h adminHandlers) AddRequestFilter(ctx context.Context, body *adminapi.AddRequestFilterRequest) (
	*adminapi.CreatedRequestFilter, error) {
	if err := checkMethods("method", body.Method); err != nil {
		return nil, err
	}
	id := *h.state.ids.numberText()
	addTo(&lists(ctx).RequestFilters, adminapi.RequestFilter{ID: id, Method: body.Method})
	return &adminapi.CreatedRequestFilter{ID: id}, nil
}

func (h adminHandlers) UpdateRequestFilter(
	ctx context.Context, id string, body *adminapi.UpdateRequestFilterRequest) error {
	if err := checkMethods("method", body.Method); err != nil {
		return err
	}
	filters := lists(ctx).RequestFilters
	at := slices.IndexFunc(filters, func(f adminapi.RequestFilter) bool { return f.ID == id })
	if at < 0 {
		return unknownRequestFilter
	}
	filters[at].Method = body.Method
	return nil
}

// RemoveRequestFilter is DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}. A 204 has no body that
// could be false, so an unknown id is a 404.
func (h adminHandlers) RemoveRequestFilter(ctx context.Context, id string) error {
	filters := &lists(ctx).RequestFilters
	if !remove(filters, id, func(f adminapi.RequestFilter) *string { return &f.ID }) {
		return unknownRequestFilter
	}
	return nil
}

var unknownRequestFilter = notFound("request filter not found")
