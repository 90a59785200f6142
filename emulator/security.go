package emulator

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// newOptions returns the security options of a new endpoint: callers need a token.
func newOptions() (options []adminapi.SecurityOption) {
	for _, name := range []adminapi.SecurityOptionName{
		"tokens", "referrers", "jwts", "ips", "domainMasks", "hsts", "cors", "requestFilters", ipCustomHeader,
	} {
		options = append(options, adminapi.SecurityOption{Option: name, Status: adminapi.SwitchDisabled})
	}
	options[0].Status = adminapi.SwitchEnabled
	return options
}

// ipCustomHeader is the option with a value: the name of the request header with the caller's IP, or nil.
const ipCustomHeader = adminapi.SecurityOptionNameIPCustomHeader

// option finds one of the options, or returns nil for an unknown name.
func option(options []adminapi.SecurityOption, name adminapi.SecurityOptionName) *adminapi.SecurityOption {
	for i := range options {
		if options[i].Option == name {
			return &options[i]
		}
	}
	return nil
}

func (r *request) GetEndpointSecurity() (*adminapi.EndpointSecurity, error) {
	return new(r.endpoint.securityRecord()), nil
}

// securityRecord shows the options as booleans. Logging of responses cannot be changed here.
func (e *endpointData) securityRecord() adminapi.EndpointSecurity {
	record := e.security
	on := func(name adminapi.SecurityOptionName) *bool {
		return new(option(e.options, name).Status == adminapi.SwitchEnabled)
	}
	record.Options = &adminapi.EndpointSecurityOptions{
		Tokens: on("tokens"), Referrers: on("referrers"), JWTs: on("jwts"), IPs: on("ips"), DomainMasks: on("domainMasks"),
		HSTS: on("hsts"), CORS: on("cors"), RequestFilters: on("requestFilters"), ResponseLogging: new(true),
		IPCustomHeader: &adminapi.IPCustomHeader{Value: option(e.options, ipCustomHeader).Value},
	}
	return record
}

func (r *request) GetSecurityOptions() ([]adminapi.SecurityOption, error) {
	return r.endpoint.options, nil
}

// UpdateSecurityOptions is PATCH /v0/endpoints/{id}/security_options. It changes all options in the body, or none if
// one of them is not acceptable. An empty object changes nothing.
func (r *request) UpdateSecurityOptions(*adminapi.UpdateSecurityOptionsRequest) ([]adminapi.SecurityOption, error) {
	var body struct {
		Options map[adminapi.SecurityOptionName]adminapi.Switch
	}
	_ = json.Unmarshal(r.body, &body) // The record that was read has no unknown names, and no null.
	changed := slices.Clone(r.endpoint.options)
	for name, position := range body.Options {
		found := option(changed, name)
		if found == nil {
			return nil, serve.BadRequest(fmt.Sprintf("options has no key %q", name))
		}
		if !position.Valid() {
			return nil, serve.BadRequest(fmt.Sprintf("options.%s must be enabled or disabled", name))
		}
		found.Status = position
	}
	r.endpoint.options = changed
	return changed, nil
}

// SetIPCustomHeader is PATCH /v0/endpoints/{id}/ip_custom_header. It enables the option as well (assumed).
func (r *request) SetIPCustomHeader(body *adminapi.SetIPCustomHeaderRequest) (*adminapi.IPCustomHeaderSetting, error) {
	header := option(r.endpoint.options, ipCustomHeader)
	header.Status, header.Value = adminapi.SwitchEnabled, &body.HeaderName
	return &adminapi.IPCustomHeaderSetting{HeaderName: body.HeaderName}, nil
}

// RemoveIPCustomHeader is DELETE /v0/endpoints/{id}/ip_custom_header. It disables the option as well.
func (r *request) RemoveIPCustomHeader() (bool, error) {
	header := option(r.endpoint.options, ipCustomHeader)
	removed := header.Value != nil
	header.Status, header.Value = adminapi.SwitchDisabled, nil
	return removed, nil
}

func (r *request) CreateToken() (*adminapi.EndpointToken, error) {
	return addTo(&r.endpoint.security.Tokens,
		adminapi.EndpointToken{ID: new(r.state.ids.numberText()), Token: new(r.state.ids.text(tokenLength))}), nil
}

func (r *request) AddReferrer(body *adminapi.AddReferrerRequest) (*adminapi.EndpointReferrer, error) {
	return addTo(&r.endpoint.security.Referrers,
		adminapi.EndpointReferrer{ID: new(r.state.ids.numberText()), Referrer: &body.Referrer}), nil
}

// AddIP is POST /v0/endpoints/{id}/security/ips. It accepts an address, or a range such as 192.0.2.0/24 (assumed).
func (r *request) AddIP(body *adminapi.AddIPRequest) (*adminapi.EndpointIP, error) {
	_, notAddress := netip.ParseAddr(body.IP)
	_, notRange := netip.ParsePrefix(body.IP)
	if notAddress != nil && notRange != nil {
		return nil, serve.BadRequest("ip must be an IP address")
	}
	return addTo(&r.endpoint.security.IPs, adminapi.EndpointIP{ID: new(r.state.ids.numberText()), IP: &body.IP}), nil
}

func (r *request) AddDomainMask(body *adminapi.AddDomainMaskRequest) (*adminapi.EndpointDomainMask, error) {
	return addTo(&r.endpoint.security.DomainMasks,
		adminapi.EndpointDomainMask{ID: new(r.state.ids.numberText()), Domain: &body.DomainMask}), nil
}

// AddJWT is POST /v0/endpoints/{id}/security/jwts. The public key is not parsed.
func (r *request) AddJWT(body *adminapi.AddJWTRequest) (*adminapi.EndpointJWT, error) {
	return addTo(&r.endpoint.security.JWTs, adminapi.EndpointJWT{
		ID: new(r.state.ids.numberText()), PublicKey: &body.PublicKey, Kid: &body.Kid, Name: &body.Name,
	}), nil
}

// The addresses of the endpoint keep the first token even if it is deleted, because nothing responds there.
func (r *request) DeleteToken(id string) (bool, error) {
	return remove(&r.endpoint.security.Tokens, id), nil
}
func (r *request) RemoveReferrer(id string) (bool, error) {
	return remove(&r.endpoint.security.Referrers, id), nil
}
func (r *request) RemoveIP(id string) (bool, error) { return remove(&r.endpoint.security.IPs, id), nil }
func (r *request) RemoveDomainMask(id string) (*adminapi.ConfirmationEnvelope, error) {
	return &adminapi.ConfirmationEnvelope{Data: remove(&r.endpoint.security.DomainMasks, id)}, nil
}
func (r *request) RemoveJWT(id string) (*adminapi.ConfirmationEnvelope, error) {
	return &adminapi.ConfirmationEnvelope{Data: remove(&r.endpoint.security.JWTs, id)}, nil
}

// checkMethods rejects a list of RPC methods that is empty or contains an empty name.
func checkMethods(field string, methods []string) error {
	if len(methods) == 0 || slices.Contains(methods, "") {
		return serve.BadRequest(field + " must have at least one name, and no empty one")
	}
	return nil
}

func (r *request) AddRequestFilter(body *adminapi.AddRequestFilterRequest) (*adminapi.RequestFilter, error) {
	if err := checkMethods("method", body.Method); err != nil {
		return nil, err
	}
	added := adminapi.RequestFilter{ID: r.state.ids.numberText(), Methods: body.Method}
	r.endpoint.security.RequestFilters = append(r.endpoint.security.RequestFilters, added)
	return &adminapi.RequestFilter{ID: added.ID}, nil
}

func (r *request) UpdateRequestFilter(id string, body *adminapi.UpdateRequestFilterRequest) error {
	if err := checkMethods("method", body.Method); err != nil {
		return err
	}
	for i, filter := range r.endpoint.security.RequestFilters {
		if filter.ID == id {
			r.endpoint.security.RequestFilters[i].Methods = body.Method
			return nil
		}
	}
	return unknownRequestFilter
}

// RemoveRequestFilter is DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}. A 204 has no body that
// could be false, so an unknown id is a 404.
func (r *request) RemoveRequestFilter(id string) error {
	if !remove(&r.endpoint.security.RequestFilters, id) {
		return unknownRequestFilter
	}
	return nil
}

var unknownRequestFilter = notFound("request filter not found")
