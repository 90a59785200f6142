package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestSwitches_setWhatWasRead: options of one endpoint, in either format, are sent to another one.
func TestSwitches_setWhatWasRead(t *testing.T) {
	on, off := admin.SwitchEnabled, admin.SwitchDisabled
	read := rpcfleet.SecurityOptionsOf(&admin.EndpointSecurityOptions{
		Tokens: new(true), Referrers: new(false), JWTs: new(true), IPs: new(false), DomainMasks: new(true), HSTS: new(false),
		CORS: new(true), RequestFilters: new(false), ResponseLogging: new(true), IPCustomHeader: &admin.IPCustomHeader{},
	})
	assert.Equal(t, admin.SecurityOptionSwitches{
		Tokens: &on, Referrers: &off, JWTs: &on, IPs: &off, DomainMasks: &on, HSTS: &off, CORS: &on, RequestFilters: &off,
	}, read.Switches())
	assert.Empty(t, rpcfleet.SecurityOptions(nil).Switches())

	client, server := scripted(t, respondJSON(200, `{"data":[{"option":"cors","status":"enabled"},
		{"option":"ipCustomHeader","status":"disabled","value":"x-a"}]}`), respondJSON(200, `{"data":[]}`))
	listed := must(client.Security.Options(t.Context(), "ep1"))(t)
	require.NoError(t, errOf(client.Security.SetOptions(t.Context(), "ep2", listed.Switches())))
	assert.JSONEq(t, `{"options":{"cors":"enabled","ipCustomHeader":"disabled"}}`, server.Requests()[1].Body)
}

// TestOverrides_updateWithWhatWasRead: the plan's limits and missing ones are not sent.
func TestOverrides_updateWithWhatWasRead(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{"rate_limits":[
		{"bucket":"rps","rate_limit":50,"source":"plan_default"}, {"bucket":"rps","rate_limit":20,"source":"user_override"},
		{"bucket":"rpm","rate_limit":900,"source":"plan_default"}, {"bucket":"rpd","rate_limit":-1,"source":"user_override"}
	]}}`), respondJSON(200, `{"data":{}}`))
	read := must(client.RateLimits.Get(t.Context(), "ep1"))(t)
	require.NoError(t, errOf(client.RateLimits.Update(t.Context(), "ep2", read.Overrides())))
	assert.JSONEq(t, `{"rate_limits":{"rps":20}}`, server.Requests()[1].Body)
	assert.Equal(t, admin.RateLimitOverrides{RPM: new(7)},
		rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{RPM: new(7), RPD: new(-1)}).Overrides())
}

// TestTeamsForEndpoint_searchesEveryTeam, and skips a team that is deleted meanwhile.
func TestTeamsForEndpoint_searchesEveryTeam(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, `{"data":[{"id":1,"name":"ops"},{"id":2,"name":"gone"},{"id":3,"name":"web"}]}`),
		respondJSON(200, `{"data":[{"id":7,"subdomain":"a"},{"id":8,"subdomain":"b"}]}`), respondJSON(404, ""),
		respondJSON(200, `{"data":[]}`))
	teams := must(client.Teams.ForEndpoint(t.Context(), "8"))(t)
	require.Len(t, teams, 1)
	assert.Equal(t, "ops", teams[0].Name)
	require.Len(t, server.Requests(), 4)
	assert.Equal(t, "/v0/teams/3/endpoints", server.Requests()[3].Path)

	client, _ = scripted(t, respondJSON(200, `{"data":[{"id":1,"name":"ops"}]}`), respondJSON(403, ""))
	require.ErrorIs(t, errOf(client.Teams.ForEndpoint(t.Context(), "8")), rpcfleet.ErrForbidden)
	require.ErrorIs(t, errOf(client.Teams.ForEndpoint(t.Context(), "")), rpcfleet.ErrInvalidRequest)
}
