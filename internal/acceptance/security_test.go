package acceptance

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// jwt is a public key to add, made up.
var jwt = admin.AddJWTRequest{PublicKey: "made-up-key", Kid: "key-1", Name: "Backend"}

func TestSecurity_addAndRemoveEntries(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]

	referrer := must(b.Security.AddReferrer(ctx, id, "app.example.com"))(t)
	ip := must(b.Security.AddIP(ctx, id, "192.0.2.10"))(t)
	mask := must(b.Security.AddDomainMask(ctx, id, "rpc.example.com"))(t)
	key := must(b.Security.AddJWT(ctx, id, jwt))(t)
	token := must(b.Security.CreateToken(ctx, id))(t)
	filter := must(b.Security.AddRequestFilter(ctx, id, []string{"eth_call"}))(t)
	require.NoError(t, b.Security.UpdateRequestFilter(ctx, id, filter.ID, []string{"eth_call", "eth_blockNumber"}))
	filter.Methods = []string{"eth_call", "eth_blockNumber"}

	security := must(b.Security.Get(ctx, id))(t)
	assert.Equal(t, []admin.EndpointReferrer{*referrer}, security.Referrers)
	assert.Equal(t, []admin.EndpointIP{*ip}, security.IPs)
	assert.Equal(t, []admin.EndpointDomainMask{*mask}, security.DomainMasks)
	assert.Equal(t, []admin.EndpointJWT{*key}, security.JWTs)
	assert.Equal(t, []admin.RequestFilter{*filter}, security.RequestFilters)
	require.Len(t, security.Tokens, 2, "the endpoint's first token, and the new one")
	assert.Equal(t, *token, security.Tokens[1])
	endpoint := must(b.Endpoints.Get(ctx, id))(t)
	assert.Equal(t, security, endpoint.Security, "the endpoint shows the same")
	assert.Contains(t, endpoint.HTTPURL.Reveal(), security.Tokens[0].Token.Reveal())

	for name, removal := range map[string]struct {
		remove func(ctx context.Context, id, entryID string, opts ...rpcfleet.CallOption) error
		entry  string
		gone   error // The error of the service if the entry does not exist.
	}{
		"RemoveReferrer":      {b.Security.RemoveReferrer, referrer.ID, rpcfleet.ErrRejected},
		"RemoveIP":            {b.Security.RemoveIP, ip.ID, rpcfleet.ErrRejected},
		"RemoveDomainMask":    {b.Security.RemoveDomainMask, mask.ID, rpcfleet.ErrRejected},
		"RemoveJWT":           {b.Security.RemoveJWT, key.ID, rpcfleet.ErrRejected},
		"DeleteToken":         {b.Security.DeleteToken, token.ID, rpcfleet.ErrRejected},
		"RemoveRequestFilter": {b.Security.RemoveRequestFilter, filter.ID, rpcfleet.ErrNotFound},
	} {
		require.NoError(t, removal.remove(ctx, id, removal.entry), name)
		require.ErrorIs(t, removal.remove(ctx, id, removal.entry), removal.gone, name)
	}
	left := must(b.Security.Get(ctx, id))(t)
	assert.Equal(t, security.Tokens[:1], left.Tokens)
	for _, gone := range []any{left.Referrers, left.IPs, left.DomainMasks, left.JWTs, left.RequestFilters} {
		assert.Empty(t, gone)
	}
}

// TestSecurity_setOptions switches every option, and finds it so in both spellings. That a change leaves the other
// options as they are is tested in package emulator.
func TestSecurity_setOptions(t *testing.T) {
	b := start(t)
	id := b.CreateEndpoints(1)[0]
	for _, on := range []bool{true, false} {
		switched := map[admin.SecurityOptionName]bool{}
		for _, name := range admin.SecurityOptionName("").Values() {
			switched[name] = on
		}
		assert.Equal(t, switched, must(b.Security.SetOptions(t.Context(), id, switched))(t))
		assert.Equal(t, switched, must(b.Security.Options(t.Context(), id))(t))
		delete(switched, admin.SecurityOptionNameIPCustomHeader) // An endpoint shows that header only.
		assert.Equal(t, switched, rpcfleet.SecurityOptionsOf(must(b.Endpoints.Get(t.Context(), id))(t).Security))
	}
}

func TestSecurity_setAndRemoveIPCustomHeader(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	require.ErrorIs(t, b.Security.RemoveIPCustomHeader(ctx, id), rpcfleet.ErrRejected, "there is none yet")
	setting := must(b.Security.SetIPCustomHeader(ctx, id, "x-sample-client-ip"))(t)
	assert.Equal(t, "x-sample-client-ip", setting.HeaderName)
	for _, want := range []string{"x-sample-client-ip", ""} {
		shown := must(b.Endpoints.Get(ctx, id))(t).Security.Options.IPCustomHeader
		assert.Equal(t, want, shown.Value)
		if want != "" {
			require.NoError(t, b.Security.RemoveIPCustomHeader(ctx, id))
		}
	}
}
