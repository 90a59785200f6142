package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// SecurityOptionResponseLogging is a read-only option of records (observed).
const SecurityOptionResponseLogging admin.SecurityOptionName = "responseLogging"

// SecurityOptions are an endpoint's access controls, each with its status.
type SecurityOptions []admin.SecurityOption

// SecurityOptionsOf returns the options in an endpoint's record, or none.
func SecurityOptionsOf(record admin.EndpointSecurityOptions) SecurityOptions {
	options := securityOptions(
		switchOf(record.Tokens), switchOf(record.Referrers), switchOf(record.JWTs), switchOf(record.IPs),
		switchOf(record.DomainMasks),
		switchOf(record.HSTS), switchOf(record.CORS), switchOf(record.RequestFilters), nil, switchOf(record.ResponseLogging),
	)
	if header := record.IPCustomHeader.Value; header != "" {
		options = append(options, admin.SecurityOption{Option: admin.SecurityOptionNameIPCustomHeader, Value: header})
	}
	return options
}

// Enabled reports whether an option is on, if its status is known.
func (o SecurityOptions) Enabled(name admin.SecurityOptionName) (on, known bool) {
	status := o.option(name).Status
	return status == admin.SwitchEnabled, status.Valid()
}

// IPCustomHeader returns the header with the caller's IP, if there is one.
func (o SecurityOptions) IPCustomHeader() (name string, set bool) {
	name = o.option(admin.SecurityOptionNameIPCustomHeader).Value
	return name, name != ""
}

// Switches returns the options that have a status, for SetOptions.
func (o SecurityOptions) Switches() admin.SecurityOptionSwitches {
	status := func(name admin.SecurityOptionName) *admin.Switch { return ptrOrNil(o.option(name).Status) }
	return admin.SecurityOptionSwitches{
		Tokens: status(admin.SecurityOptionNameTokens), Referrers: status(admin.SecurityOptionNameReferrers),
		JWTs: status(admin.SecurityOptionNameJWTs), IPs: status(admin.SecurityOptionNameIPs),
		DomainMasks: status(admin.SecurityOptionNameDomainMasks), HSTS: status(admin.SecurityOptionNameHSTS),
		CORS: status(admin.SecurityOptionNameCORS), RequestFilters: status(admin.SecurityOptionNameRequestFilters),
		IPCustomHeader: status(admin.SecurityOptionNameIPCustomHeader),
	}
}

// option returns the option of a name, or the zero option. If a name is duplicate, the last one counts.
func (o SecurityOptions) option(name admin.SecurityOptionName) (found admin.SecurityOption) {
	for _, option := range o {
		if option.Option == name {
			found = option
		}
	}
	return found
}

// Options returns the options.
// GET /v0/endpoints/{id}/security_options
func (s *SecurityService) Options(ctx context.Context, id string, opts ...CallOption) (SecurityOptions, error) {
	return fetchList(ctx, (*engine)(s), api.GetSecurityOptions(id), opts)
}

// SetOptions sets the options that are not nil. It returns all, or (observed) at least those that were sent.
// PATCH /v0/endpoints/{id}/security_options
func (s *SecurityService) SetOptions(ctx context.Context, id string, switches admin.SecurityOptionSwitches,
	opts ...CallOption) (SecurityOptions, error) {
	sent := securityOptions(
		switches.Tokens, switches.Referrers, switches.JWTs, switches.IPs, switches.DomainMasks,
		switches.HSTS, switches.CORS, switches.RequestFilters, switches.IPCustomHeader, nil,
	)
	request := api.UpdateSecurityOptions(id, switches)
	payload := &reply.OneOrMany[admin.SecurityOption]{List: reply.List[admin.SecurityOption]{Decode: request.Read}}
	content, err := (*engine)(s).newCall(request.Request, opts).exchange(ctx, payload)
	switch {
	case err != nil:
		return nil, err
	case content.NoRecord:
		return sent, nil
	}
	options := SecurityOptions(payload.Value)
	if payload.One { // The other options that were set are not in it.
		for _, option := range sent {
			if options.option(option.Option).Option == "" {
				options = append(options, option)
			}
		}
	}
	return options, nil
}

// securityOptions returns the options that have a status. The statuses are in the order of these names.
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

// switchOf converts a boolean option to a status, or nil if it is nil.
func switchOf(on *bool) *admin.Switch {
	switch {
	case on == nil:
		return nil
	case *on:
		return new(admin.SwitchEnabled)
	}
	return new(admin.SwitchDisabled)
}
