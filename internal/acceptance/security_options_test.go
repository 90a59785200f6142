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
	listed = must(b.Security.Options(t.Context(), id))(t)
	endpoint := must(b.Endpoints.Get(t.Context(), id))(t)
	return listed, rpcfleet.SecurityOptionsOf(endpoint.Security.Options)
}

// TestSecurityOptions switches every option, and finds it so in both spellings. That a change leaves the other options
// as they are is tested in package emulator.
func TestSecurityOptions(t *testing.T) {
	b := start(t)
	id := b.CreateEndpoints(1)[0]
	for _, to := range []admin.Switch{admin.SwitchEnabled, admin.SwitchDisabled} {
		after := must(b.Security.SetOptions(t.Context(), id, admin.SecurityOptionSwitches{
			Tokens: &to, Referrers: &to, JWTs: &to, IPs: &to, DomainMasks: &to, HSTS: &to, CORS: &to, RequestFilters: &to,
			IPCustomHeader: &to,
		}))(t)
		listed, shown := options(t, b, id)
		assert.Equal(t, after, listed, "the response is the state after the change")
		require.Len(t, listed, 9)
		for _, option := range listed {
			assert.True(t, option.Option.Valid(), "%s", option.Option)
			assert.Equal(t, to, option.Status, "%s", option.Option)
			on, known := shown.Enabled(option.Option)
			assert.Equal(t, option.Option != admin.SecurityOptionNameIPCustomHeader, known, "an endpoint shows that header only")
			assert.Equal(t, known && to == admin.SwitchEnabled, on, "%s", option.Option)
		}
		_, known := shown.Enabled(rpcfleet.SecurityOptionResponseLogging)
		assert.True(t, known)
	}
}

func TestIPCustomHeader(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	require.ErrorIs(t, b.Security.RemoveIPCustomHeader(ctx, id), rpcfleet.ErrRejected, "there is none yet")
	setting := must(b.Security.SetIPCustomHeader(ctx, id, "x-sample-client-ip"))(t)
	assert.Equal(t, "x-sample-client-ip", setting.HeaderName)
	for _, want := range []string{"x-sample-client-ip", ""} {
		listed, shown := options(t, b, id)
		for _, view := range []rpcfleet.SecurityOptions{listed, shown} {
			header, set := view.IPCustomHeader()
			assert.Equal(t, want != "", set)
			assert.Equal(t, want, header)
		}
		if want != "" {
			require.NoError(t, b.Security.RemoveIPCustomHeader(ctx, id))
		}
	}
}
