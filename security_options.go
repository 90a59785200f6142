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
	options := securityOptions(
		status(record.Tokens), status(record.Referrers), status(record.JWTs), status(record.IPs), status(record.DomainMasks),
		status(record.HSTS), status(record.CORS), status(record.RequestFilters), nil, status(record.ResponseLogging),
	)
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
// (observed): those that were switched are filled in, as they were sent. An option that the service does not take is
// [ErrInvalidRequest].
//
//	client.Security.SetOptions(ctx, id, admin.SecurityOptionSwitches{CORS: new(admin.SwitchEnabled)})
//
// PATCH /v0/endpoints/{id}/security_options
func (s *SecurityService) SetOptions(
	ctx context.Context, id string, switches admin.SecurityOptionSwitches, opts ...CallOption,
) (SecurityOptions, error) {
	sent := securityOptions(
		switches.Tokens, switches.Referrers, switches.JWTs, switches.IPs, switches.DomainMasks,
		switches.HSTS, switches.CORS, switches.RequestFilters, switches.IPCustomHeader, nil,
	)
	call := s.engine.call(api.UpdateSecurityOptions(id, admin.UpdateSecurityOptionsRequest{Options: switches}), opts)
	told, err := change(ctx, call, reply.OneOrMany[admin.SecurityOption]{Items: sent})
	if err != nil {
		return nil, err
	}
	options := SecurityOptions(told.Items)
	if told.One { // The others that were switched are not in it.
		for _, option := range sent {
			if options.option(option.Option).Option == "" {
				options = append(options, option)
			}
		}
	}
	return options, nil
}

// securityOptions are the options that have a status, which are given in the order of these names.
func securityOptions(statuses ...*admin.Switch) (options SecurityOptions) {
	for i, name := range [...]admin.SecurityOptionName{
		admin.SecurityOptionNameTokens, admin.SecurityOptionNameReferrers, admin.SecurityOptionNameJWTs,
		admin.SecurityOptionNameIPs, admin.SecurityOptionNameDomainMasks, admin.SecurityOptionNameHSTS,
		admin.SecurityOptionNameCORS, admin.SecurityOptionNameRequestFilters, admin.SecurityOptionNameIPCustomHeader,
		SecurityOptionResponseLogging,
	} {
		if statuses[i] != nil {
			options = append(options, admin.SecurityOption{Option: name, Status: *statuses[i]})
		}
	}
	return options
}

// status returns the status of an option that a record shows as on or off, or nil.
func status(on *bool) *admin.Switch {
	switch {
	case on == nil:
		return nil
	case *on:
		return new(admin.SwitchEnabled)
	}
	return new(admin.SwitchDisabled)
}
