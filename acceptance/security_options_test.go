package acceptance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// options reads an endpoint's options in both of the service's spellings.
func options(t *testing.T, b *fixture, id string) (listed, shown rpcfleet.SecurityOptions) {
	t.Helper()
	listed, err := b.Security.Options(t.Context(), id)
	require.NoError(t, err)
	endpoint, err := b.Endpoints.Get(t.Context(), id)
	require.NoError(t, err)
	return listed, rpcfleet.SecurityOptionsOf(endpoint.Security.Options)
}

func TestSecurityOptions(t *testing.T) {
	b := start(t)
	id := b.CreateEndpoints(1)[0]
	for name, change := range map[admin.SecurityOptionName]func(*admin.Switch) admin.SecurityOptionSwitches{
		admin.SecurityOptionNameTokens: func(to *admin.Switch) admin.SecurityOptionSwitches { return admin.SecurityOptionSwitches{Tokens: to} },
		admin.SecurityOptionNameReferrers: func(to *admin.Switch) admin.SecurityOptionSwitches {
			return admin.SecurityOptionSwitches{Referrers: to}
		},
		admin.SecurityOptionNameJWTs: func(to *admin.Switch) admin.SecurityOptionSwitches { return admin.SecurityOptionSwitches{JWTs: to} },
		admin.SecurityOptionNameIPs:  func(to *admin.Switch) admin.SecurityOptionSwitches { return admin.SecurityOptionSwitches{IPs: to} },
		admin.SecurityOptionNameDomainMasks: func(to *admin.Switch) admin.SecurityOptionSwitches {
			return admin.SecurityOptionSwitches{DomainMasks: to}
		},
		admin.SecurityOptionNameHSTS: func(to *admin.Switch) admin.SecurityOptionSwitches { return admin.SecurityOptionSwitches{HSTS: to} },
		admin.SecurityOptionNameCORS: func(to *admin.Switch) admin.SecurityOptionSwitches { return admin.SecurityOptionSwitches{CORS: to} },
		admin.SecurityOptionNameRequestFilters: func(to *admin.Switch) admin.SecurityOptionSwitches {
			return admin.SecurityOptionSwitches{RequestFilters: to}
		},
		admin.SecurityOptionNameIPCustomHeader: func(to *admin.Switch) admin.SecurityOptionSwitches {
			return admin.SecurityOptionSwitches{IPCustomHeader: to}
		},
	} {
		t.Run(string(name), func(t *testing.T) {
			before, _ := options(t, b, id)
			for _, to := range []admin.Switch{admin.SwitchEnabled, admin.SwitchDisabled, admin.SwitchEnabled} {
				after, err := b.Security.SetOptions(t.Context(), id, change(&to))
				require.NoError(t, err)
				listed, shown := options(t, b, id)
				assert.Equal(t, after, listed, "the response is the state after the change")
				on, known := listed.Enabled(name)
				assert.True(t, known)
				assert.Equal(t, to == admin.SwitchEnabled, on)
				on, known = shown.Enabled(name)
				if name == admin.SecurityOptionNameIPCustomHeader {
					assert.False(t, known, "an endpoint shows the header only")
				} else {
					assert.True(t, known)
					assert.Equal(t, to == admin.SwitchEnabled, on)
				}
				for _, option := range before {
					if option.Option != name {
						assert.Contains(t, listed, option, "the others stay as they are")
					}
				}
			}
		})
	}
}

func TestIPCustomHeader(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	require.ErrorIs(t, b.Security.RemoveIPCustomHeader(ctx, id), rpcfleet.ErrRefused, "there is none yet")

	setting, err := b.Security.SetIPCustomHeader(ctx, id, "x-sample-client-ip")
	require.NoError(t, err)
	assert.Equal(t, "x-sample-client-ip", setting.HeaderName)
	listed, shown := options(t, b, id)
	for _, view := range []rpcfleet.SecurityOptions{listed, shown} {
		header, set := view.IPCustomHeader()
		assert.True(t, set)
		assert.Equal(t, "x-sample-client-ip", header)
	}

	require.NoError(t, b.Security.RemoveIPCustomHeader(ctx, id))
	listed, shown = options(t, b, id)
	for _, view := range []rpcfleet.SecurityOptions{listed, shown} {
		_, set := view.IPCustomHeader()
		assert.False(t, set)
	}
}

func TestEveryOptionOfTheServiceIsKnown(t *testing.T) {
	b := start(t)
	listed, shown := options(t, b, b.CreateEndpoints(1)[0])
	require.Len(t, listed, 9)
	for _, option := range listed {
		assert.True(t, option.Option.Valid(), "%s", option.Option)
	}
	_, known := shown.Enabled(rpcfleet.SecurityOptionResponseLogging)
	assert.True(t, known)
}
