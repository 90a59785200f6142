package emulator

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"

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

// entries is one of an endpoint's lists of things that are let in.
type entries[T any] []entry[T]

type entry[T any] struct {
	id    string
	value T
}

// add appends an entry under a new id. A value that is there already gets a second entry: the contract does not say.
func (l *entries[T]) add(ids *ids, value T) entry[T] {
	added := entry[T]{id: strconv.FormatInt(ids.number(), 10), value: value}
	*l = append(*l, added)
	return added
}

// remove takes the entry with this id out, and reports whether there was one.
func (l *entries[T]) remove(id string) bool {
	before := len(*l)
	*l = slices.DeleteFunc(*l, func(e entry[T]) bool { return e.id == id })
	return len(*l) < before
}

// replace changes what the entry with this id stands for, and reports whether there is one.
func (l entries[T]) replace(id string, value T) bool {
	at := slices.IndexFunc(l, func(e entry[T]) bool { return e.id == id })
	if at < 0 {
		return false
	}
	l[at].value = value
	return true
}

// records shows a list as the service does.
func records[T, R any](list entries[T], record func(entry[T]) R) []R {
	shown := make([]R, 0, len(list))
	for _, entry := range list {
		shown = append(shown, record(entry))
	}
	return shown
}

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

// The tokens of an endpoint's addresses, and the public keys that JWTs are checked with.

func tokenRecord(e entry[string]) adminapi.EndpointToken {
	return adminapi.EndpointToken{ID: &e.id, Token: &e.value}
}

// CreateToken is POST /v0/endpoints/{id}/security/tokens.
func (h adminHandlers) CreateToken(_ context.Context, r adminapi.CreateTokenRequestObject) (adminapi.CreateTokenResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	added := endpoint.security.tokens.add(h.state.ids, h.state.ids.token())
	return adminapi.CreateToken200JSONResponse{Data: new(tokenRecord(added))}, nil
}

// DeleteToken is DELETE /v0/endpoints/{id}/security/tokens/{token_id}. The addresses that the emulator shows keep the
// first token, also when it is deleted: nothing responds there.
func (h adminHandlers) DeleteToken(_ context.Context, r adminapi.DeleteTokenRequestObject) (adminapi.DeleteTokenResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.DeleteToken200JSONResponse{Data: endpoint.security.tokens.remove(r.TokenID)}, nil
}

// publicKey is what JWTs are checked with.
type publicKey struct {
	key  string
	kid  string
	name string
}

func (k publicKey) check() error {
	switch "" {
	case k.name:
		return badRequest("name is required")
	case k.kid:
		return badRequest("kid is required")
	case k.key:
		return badRequest("public_key is required")
	}
	return nil
}

func jwtRecord(e entry[publicKey]) adminapi.EndpointJWT {
	return adminapi.EndpointJWT{ID: &e.id, PublicKey: &e.value.key, Kid: &e.value.kid, Name: &e.value.name}
}

// AddJWT is POST /v0/endpoints/{id}/security/jwts. All three fields are required, though the contract documents only
// what happens without a name. The key is not looked into.
func (h adminHandlers) AddJWT(_ context.Context, r adminapi.AddJWTRequestObject) (adminapi.AddJWTResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	key := publicKey{key: r.Body.PublicKey, kid: r.Body.Kid, name: r.Body.Name}
	if err := key.check(); err != nil {
		return nil, err
	}
	added := endpoint.security.jwts.add(h.state.ids, key)
	return adminapi.AddJWT200JSONResponse{Data: new(jwtRecord(added))}, nil
}

// RemoveJWT is DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}. An entry that does not exist responds with false, as
// its kin do.
func (h adminHandlers) RemoveJWT(_ context.Context, r adminapi.RemoveJWTRequestObject) (adminapi.RemoveJWTResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.RemoveJWT200JSONResponse{Data: endpoint.security.jwts.remove(r.JWTID)}, nil
}

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

func requestFilterRecord(e entry[[]string]) adminapi.RequestFilter {
	return adminapi.RequestFilter{ID: e.id, Method: e.value}
}

// AddRequestFilter is POST /v0/endpoints/{id}/security/request_filters.
func (h adminHandlers) AddRequestFilter(_ context.Context, r adminapi.AddRequestFilterRequestObject) (adminapi.AddRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkMethods("method", r.Body.Method); err != nil {
		return nil, err
	}
	added := endpoint.security.requestFilters.add(h.state.ids, r.Body.Method)
	return adminapi.AddRequestFilter200JSONResponse{Data: adminapi.CreatedRequestFilter{ID: added.id}}, nil
}

// checkMethods refuses a list of RPC methods that is empty or has an empty name in it.
func checkMethods(field string, methods []string) error {
	if len(methods) == 0 {
		return badRequest(field + " is required")
	}
	if slices.Contains(methods, "") {
		return badRequest(field + " has an empty name in it")
	}
	return nil
}

// UpdateRequestFilter is PUT /v0/endpoints/{id}/security/request_filters/{request_filter_id}.
func (h adminHandlers) UpdateRequestFilter(_ context.Context, r adminapi.UpdateRequestFilterRequestObject) (adminapi.UpdateRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkMethods("method", r.Body.Method); err != nil {
		return nil, err
	}
	if !endpoint.security.requestFilters.replace(r.RequestFilterID, r.Body.Method) {
		return nil, unknownRequestFilter
	}
	return adminapi.UpdateRequestFilter204Response{}, nil
}

// RemoveRequestFilter is DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}.
func (h adminHandlers) RemoveRequestFilter(_ context.Context, r adminapi.RemoveRequestFilterRequestObject) (adminapi.RemoveRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if !endpoint.security.requestFilters.remove(r.RequestFilterID) {
		return nil, unknownRequestFilter
	}
	return adminapi.RemoveRequestFilter204Response{}, nil
}

// unknownRequestFilter is a 404, because a 204 has no body to say false in.
var unknownRequestFilter = notFound("request filter not found")
