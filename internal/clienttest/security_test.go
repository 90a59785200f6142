package clienttest

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// jwt is a public key to add, made up.
var jwt = admin.AddJWTRequest{PublicKey: "made-up-key", Kid: "key-1", Name: "Backend"}

func TestSecurityGet(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"options":{"tokens":true},"tokens":[{"id":"501","token":"made-up-t0k3n"}],
		"jwts":null,"referrers":null,"ips":[{"id":"901","ip":"192.0.2.10"}],
		"domain_masks":[{"id":"801","domain":"a.example.com"},{"id":"802","domain_mask":"b.example.com"},{"id":"803"}],
		"request_filters":[{"id":"951","method":["eth_call"]}]},"error":null}`))
	security, err := client.Security.Get(t.Context(), "ep/1")
	require.NoError(t, err)
	assert.Equal(t, "/v0/endpoints/ep%2F1/security", server.Requests()[0].Path)
	require.Len(t, security.Tokens, 1)
	assert.Equal(t, "made-up-t0k3n", security.Tokens[0].Token.Reveal())
	assert.NotContains(t, prints(t, security), "made-up-t0k3n")
	assert.Empty(t, security.JWTs)
	require.Len(t, security.DomainMasks, 3)
	assert.Equal(t, "a.example.com", *security.DomainMasks[0].Domain)
	assert.Equal(t, "b.example.com", *security.DomainMasks[1].Domain, "under its other name")
	assert.Nil(t, security.DomainMasks[2].Domain)
	assert.Equal(t, []admin.RequestFilter{{ID: "951", Method: []string{"eth_call"}}}, security.RequestFilters)
}

// securityRemovals are the calls whose response says only whether something happened.
var securityRemovals = map[string]sent{
	"RemoveReferrer": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.RemoveReferrer(ctx, "ep1", "7")
	}, "DELETE", "/v0/endpoints/ep1/security/referrers/7", ""},
	"DeleteToken": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.DeleteToken(ctx, "ep1", "7")
	}, "DELETE", "/v0/endpoints/ep1/security/tokens/7", ""},
	"RemoveIP": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.RemoveIP(ctx, "ep1", "7")
	}, "DELETE", "/v0/endpoints/ep1/security/ips/7", ""},
	"RemoveDomainMask": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.RemoveDomainMask(ctx, "ep1", "7")
	}, "DELETE", "/v0/endpoints/ep1/security/domain_masks/7", ""},
	"RemoveJWT": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.RemoveJWT(ctx, "ep1", "7")
	}, "DELETE", "/v0/endpoints/ep1/security/jwts/7", ""},
	"RemoveIPCustomHeader": {func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Security.RemoveIPCustomHeader(ctx, "ep1")
	}, "DELETE", "/v0/endpoints/ep1/ip_custom_header", ""},
}

func TestSecurityRemovals(t *testing.T) {
	uses := map[string]use{}
	for name, removal := range securityRemovals {
		uses[name] = removal.use
	}
	testSends(t, says(200, `{"data":true,"error":null}`), securityRemovals)
	testVerdicts(t, uses)
}

func TestSecurityRequestFilters(t *testing.T) {
	methods := []string{"eth_call", "eth_blockNumber"}
	testSends(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, map[string]sent{
		"UpdateRequestFilter": {func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Security.UpdateRequestFilter(ctx, "ep1", "951", methods)
		}, "PUT", "/v0/endpoints/ep1/security/request_filters/951", `{"method":["eth_call","eth_blockNumber"]}`},
		"RemoveRequestFilter": {func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Security.RemoveRequestFilter(ctx, "ep1", "951")
		}, "DELETE", "/v0/endpoints/ep1/security/request_filters/951", ""},
	})

	client, server := scripted(t, says(200, `{"data":{"id":"951"},"error":null}`))
	filter, err := client.Security.AddRequestFilter(t.Context(), "ep1", methods)
	require.NoError(t, err)
	assert.Equal(t, &admin.RequestFilter{ID: "951", Method: methods}, filter)
	assert.JSONEq(t, `{"method":["eth_call","eth_blockNumber"]}`, server.Requests()[0].Body)
	methods[0] = "changed"
	assert.Equal(t, "eth_call", filter.Method[0], "the record is the caller's own")
}

func TestSecurityIPCustomHeader(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"header_name":"x-sample-ip"},"error":null}`))
	setting, err := client.Security.SetIPCustomHeader(t.Context(), "ep1", "x-sample-ip")
	require.NoError(t, err)
	assert.Equal(t, &admin.IPCustomHeaderSetting{HeaderName: "x-sample-ip"}, setting)
	assert.Equal(t, "PATCH", server.Requests()[0].Method)
	assert.Equal(t, "/v0/endpoints/ep1/ip_custom_header", server.Requests()[0].Path)
	assert.JSONEq(t, `{"header_name":"x-sample-ip"}`, server.Requests()[0].Body)
}
