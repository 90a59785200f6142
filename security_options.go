package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// SecurityOptionResponseLogging is an option that an endpoint's own record tells and that cannot be switched: whether
// responses are logged (observed).
const SecurityOptionResponseLogging admin.SecurityOptionName = "responseLogging"

// SecurityOptions are the access controls of an endpoint and whether each is on. It is the one view of two spellings:
// the service lists them as enabled or disabled, which [SecurityService.Options] returns, and shows them as booleans
// inside an endpoint, which [SecurityOptionsOf] reads.
type SecurityOptions []admin.SecurityOption

// SecurityOptionsOf reads the options inside the record of an endpoint, as [EndpointsService.Get] and
// [SecurityService.Get] return it. Options that the record does not have are left out; of nil come no options. The
// record has the name of the IP custom header, but not whether that option is on: its status is empty here.
func SecurityOptionsOf(record *admin.EndpointSecurityOptions) SecurityOptions {
	if record == nil {
		return nil
	}
	var options SecurityOptions
	for _, told := range []struct {
		name admin.SecurityOptionName
		on   *bool
	}{
		{admin.SecurityOptionNameTokens, record.Tokens},
		{admin.SecurityOptionNameReferrers, record.Referrers},
		{admin.SecurityOptionNameJWTs, record.JWTs},
		{admin.SecurityOptionNameIPs, record.IPs},
		{admin.SecurityOptionNameDomainMasks, record.DomainMasks},
		{admin.SecurityOptionNameHSTS, record.HSTS},
		{admin.SecurityOptionNameCORS, record.CORS},
		{admin.SecurityOptionNameRequestFilters, record.RequestFilters},
		{SecurityOptionResponseLogging, record.ResponseLogging},
	} {
		if told.on == nil {
			continue
		}
		status := admin.SwitchDisabled
		if *told.on {
			status = admin.SwitchEnabled
		}
		options = append(options, admin.SecurityOption{Option: told.name, Status: status})
	}
	if record.IPCustomHeader != nil {
		options = append(options, admin.SecurityOption{
			Option: admin.SecurityOptionNameIPCustomHeader, Value: record.IPCustomHeader.Value,
		})
	}
	return options
}

// Enabled reports whether an option is on. It is not known where the service did not tell, or told it with a status
// that is neither enabled nor disabled.
func (o SecurityOptions) Enabled(name admin.SecurityOptionName) (on, known bool) {
	status := o.option(name).Status
	return status == admin.SwitchEnabled, status.Valid()
}

// IPCustomHeader returns the name of the request header that the caller's IP is read from, and false where there is
// none.
func (o SecurityOptions) IPCustomHeader() (name string, set bool) {
	value := o.option(admin.SecurityOptionNameIPCustomHeader).Value
	if value == nil || *value == "" {
		return "", false
	}
	return *value, true
}

// option finds an option by its name, or is the zero option. Of a name that comes twice, the last one counts.
func (o SecurityOptions) option(name admin.SecurityOptionName) (found admin.SecurityOption) {
	for _, option := range o {
		if option.Option == name {
			found = option
		}
	}
	return found
}

// Options returns the security options of the endpoint.
//
// GET /v0/endpoints/{id}/security_options
func (s *SecurityService) Options(ctx context.Context, id string, opts ...CallOption) (SecurityOptions, error) {
	return fetch[SecurityOptions](ctx, s.engine.call(api.GetSecurityOptions(id), opts))
}

// SetOptions switches the options that are not nil and leaves the others as they are. It returns the options after the
// change, as the service lists them. A service that sends the record of one option, or none, leaves the others out
// (observed): those that were switched and are not in the response are filled in, as they were sent. An option that the service does not take is
// [ErrInvalidRequest].
//
//	client.Security.SetOptions(ctx, id, admin.SecurityOptionSwitches{CORS: new(admin.SwitchEnabled)})
//
// PATCH /v0/endpoints/{id}/security_options
func (s *SecurityService) SetOptions(ctx context.Context, id string, switches admin.SecurityOptionSwitches, opts ...CallOption) (SecurityOptions, error) {
	sent := switched(switches)
	told, err := change(ctx, s.engine.call(api.UpdateSecurityOptions(id, admin.UpdateSecurityOptionsRequest{Options: switches}), opts), reply.OneOrMany[admin.SecurityOption](sent))
	if err != nil {
		return nil, err
	}
	options := SecurityOptions(*told)
	for _, option := range sent {
		if options.option(option.Option).Option == "" {
			options = append(options, option)
		}
	}
	return options, nil
}

// switched are the options that a change names, as they are after it.
func switched(switches admin.SecurityOptionSwitches) SecurityOptions {
	var options SecurityOptions
	for _, option := range []struct {
		name   admin.SecurityOptionName
		status *admin.Switch
	}{
		{admin.SecurityOptionNameTokens, switches.Tokens},
		{admin.SecurityOptionNameReferrers, switches.Referrers},
		{admin.SecurityOptionNameJWTs, switches.JWTs},
		{admin.SecurityOptionNameIPs, switches.IPs},
		{admin.SecurityOptionNameDomainMasks, switches.DomainMasks},
		{admin.SecurityOptionNameHSTS, switches.HSTS},
		{admin.SecurityOptionNameCORS, switches.CORS},
		{admin.SecurityOptionNameRequestFilters, switches.RequestFilters},
		{admin.SecurityOptionNameIPCustomHeader, switches.IPCustomHeader},
	} {
		if option.status != nil {
			options = append(options, admin.SecurityOption{Option: option.name, Status: *option.status})
		}
	}
	return options
}
