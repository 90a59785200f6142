package rpcfleet

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// SecurityService manages the access controls of an endpoint, whose id comes first: tokens, JWTs, IPs, referrers,
// domain masks, request filters, and the options that turn each control on or off. Other ids are the ids of entries,
// not keys, tokens or IPs. If the service sends no entry in response to an add (observed), the result contains the
// values that were sent and an empty ID, and Get lists the entry. If an entry does not exist, its removal returns
// [ErrRejected] or [ErrNotFound], depending on the service.
type SecurityService engine

// SetIPCustomHeader sets the name of the request header that contains the caller's IP.
// PATCH /v0/endpoints/{id}/ip_custom_header
func (s *SecurityService) SetIPCustomHeader(ctx context.Context, id, headerName string,
	opts ...CallOption) (*admin.IPCustomHeaderSetting, error) {
	sent := admin.IPCustomHeaderSetting{HeaderName: headerName}
	return fetchChanged(ctx, (*engine)(s), api.SetIPCustomHeader(id, headerName), opts, sent)
}

// SecurityOptionsOf returns the options in the security settings of an endpoint, none for nil. ipCustomHeader is
// missing, because the settings have only its header: see [SecurityService.Options]. responseLogging depends on the
// plan, and cannot be set (observed).
func SecurityOptionsOf(security *admin.EndpointSecurity) map[admin.SecurityOptionName]bool {
	options, record := map[admin.SecurityOptionName]bool{}, orNew(security).Options
	for name, on := range map[admin.SecurityOptionName]*bool{
		admin.SecurityOptionNameTokens: record.Tokens, admin.SecurityOptionNameReferrers: record.Referrers,
		admin.SecurityOptionNameJWTs: record.JWTs, admin.SecurityOptionNameIPs: record.IPs,
		admin.SecurityOptionNameDomainMasks: record.DomainMasks, admin.SecurityOptionNameHSTS: record.HSTS,
		admin.SecurityOptionNameCORS: record.CORS, admin.SecurityOptionNameRequestFilters: record.RequestFilters,
	} {
		if on != nil {
			options[name] = *on
		}
	}
	return options
}

// Options returns the access controls that are on (true) or off. Options with another status or none are missing.
// GET /v0/endpoints/{id}/security_options
func (s *SecurityService) Options(
	ctx context.Context, id string, opts ...CallOption,
) (map[admin.SecurityOptionName]bool, error) {
	rows, err := fetchList(ctx, (*engine)(s), api.GetSecurityOptions(id), opts)
	if err != nil {
		return nil, err
	}
	options := map[admin.SecurityOptionName]bool{}
	readOptions(rows, options)
	return options, nil
}

// SetOptions sets these options, and leaves the others unchanged. It returns all, or (observed) at least those that
// were sent. An unknown name is a [*ValidationError].
// PATCH /v0/endpoints/{id}/security_options
func (s *SecurityService) SetOptions(ctx context.Context, id string, options map[admin.SecurityOptionName]bool,
	opts ...CallOption) (map[admin.SecurityOptionName]bool, error) {
	var body api.SecurityOptionSwitches
	statuses := map[admin.SecurityOptionName]admin.Switch{}
	for name, on := range options {
		statuses[name] = admin.SwitchDisabled
		if on {
			statuses[name] = admin.SwitchEnabled
		}
	}
	unknown := setByName("options", statuses, map[admin.SecurityOptionName]**admin.Switch{
		admin.SecurityOptionNameTokens: &body.Tokens, admin.SecurityOptionNameReferrers: &body.Referrers,
		admin.SecurityOptionNameJWTs: &body.JWTs, admin.SecurityOptionNameIPs: &body.IPs,
		admin.SecurityOptionNameDomainMasks: &body.DomainMasks, admin.SecurityOptionNameHSTS: &body.HSTS,
		admin.SecurityOptionNameCORS: &body.CORS, admin.SecurityOptionNameRequestFilters: &body.RequestFilters,
		admin.SecurityOptionNameIPCustomHeader: &body.IPCustomHeader,
	})
	request := api.UpdateSecurityOptions(id, body)
	var rows []api.SecurityOption
	var one bool
	payload := reply.OneOrMany(&rows, &one, request.Read)
	content, err := (*engine)(s).newCall(request.Request, opts, unknown).exchange(ctx, payload)
	if err != nil {
		return nil, err
	}
	after := map[admin.SecurityOptionName]bool{}
	if one || content.NoRecord { // The other options that were set are not in it.
		maps.Copy(after, options)
	}
	readOptions(rows, after)
	return after, nil
}

// readOptions adds the rows of a response. If a name is duplicate, the last one counts.
func readOptions(rows []api.SecurityOption, into map[admin.SecurityOptionName]bool) {
	for _, row := range rows {
		delete(into, row.Option)
		if row.Status.Valid() {
			into[row.Option] = row.Status == admin.SwitchEnabled
		}
	}
}

// setByName sets the fields of a body that have the names of values. No option allows an unknown name: the body has no
// field for it.
func setByName[N ~string, V any](field string, values map[N]V, fields map[N]**V) *ValidationError {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if fields[name] == nil {
			rule := fmt.Sprintf("must have names among %q", slices.Sorted(maps.Keys(fields)))
			return &ValidationError{Field: field, Rule: rule, Value: string(name), always: true}
		}
		*fields[name] = new(values[name])
	}
	return nil
}
