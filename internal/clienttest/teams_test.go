package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

const teamUser = `{"id":31,"full_name":"Sample User","email":"user@example.com","role":null,
	"created_at":"2026-03-10T09:30:00.123Z","status":"pending","photo_url":"https://images.example.com/31.png"`

func TestTeamsRead(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[{"id":4,"name":"Core","members_count":1,"users":[`+teamUser+`}]}],"error":null}`))
	teams, err := client.Teams.List(t.Context())
	require.NoError(t, err)
	require.Len(t, teams, 1)
	assert.Equal(t, "Core", teams[0].Name)
	require.Len(t, teams[0].Users, 1)
	assert.Nil(t, teams[0].Users[0].Role)
	assert.Nil(t, teams[0].Users[0].AccountPrimaryUser, "a listing does not tell")
	assert.Equal(t, "/v0/teams", server.Requests()[0].Path)

	client, server = scripted(t, says(200, `{"data":{"id":4,"name":"Core","default_role":"viewer","members_count":1,
		"users":[`+teamUser+`,"account_primary_user":true}],"pending_invites":[{"id":31,"email":"user@example.com"}]},"error":null}`))
	team, err := client.Teams.Get(t.Context(), 4)
	require.NoError(t, err)
	assert.Equal(t, admin.TeamRoleViewer, team.DefaultRole)
	assert.True(t, *team.Users[0].AccountPrimaryUser)
	require.Len(t, team.PendingInvites, 1)
	assert.Equal(t, int64(31), *team.PendingInvites[0].ID)
	assert.Equal(t, "/v0/teams/4", server.Requests()[0].Path)

	client, server = scripted(t, says(200, `{"data":[{"id":12,"subdomain":"calm-sun","chain":null,"network":"mainnet"}],"error":null}`))
	endpoints, err := client.Teams.Endpoints(t.Context(), 4)
	require.NoError(t, err)
	assert.Equal(t, []admin.TeamEndpoint{{ID: 12, Subdomain: "calm-sun", Network: new("mainnet")}}, endpoints)
	assert.Equal(t, "/v0/teams/4/endpoints", server.Requests()[0].Path)
}

func TestTeamsCreate(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"id":4,"name":"Core","default_role":"viewer","members_count":0},"error":null}`))
	team, err := client.Teams.Create(t.Context(), "Core")
	require.NoError(t, err)
	assert.Equal(t, &admin.CreatedTeam{ID: 4, Name: "Core", DefaultRole: admin.TeamRoleViewer}, team)
	assert.Equal(t, "POST", server.Requests()[0].Method)
	assert.JSONEq(t, `{"name":"Core"}`, server.Requests()[0].Body)
}

func TestTeamsChange(t *testing.T) {
	setEndpoints := func(ids []string) use {
		return func(ctx context.Context, c *rpcfleet.Client) error { return c.Teams.SetEndpoints(ctx, 4, ids) }
	}
	removeMember := func(how admin.RemoveTeamMemberRequest) use {
		return func(ctx context.Context, c *rpcfleet.Client) error { return c.Teams.RemoveMember(ctx, 4, 31, how) }
	}
	calls := map[string]sent{
		"Delete": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Teams.Delete(ctx, 4) },
			"DELETE", "/v0/teams/4", ""},
		"ResendInvite": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Teams.ResendInvite(ctx, 4, 31) },
			"POST", "/v0/teams/4/members/31/resend_invite", ""},
		"SetEndpoints":         {setEndpoints([]string{"12", "13"}), "PATCH", "/v0/teams/4/endpoints", `{"endpoint_ids":["12","13"]}`},
		"SetEndpoints to none": {setEndpoints([]string{}), "PATCH", "/v0/teams/4/endpoints", `{"endpoint_ids":[]}`},
		"SetEndpoints to nil":  {setEndpoints(nil), "PATCH", "/v0/teams/4/endpoints", `{"endpoint_ids":[]}`},
		"RemoveMember":         {removeMember(admin.RemoveTeamMemberRequest{}), "DELETE", "/v0/teams/4/members/31", `{}`},
		"RemoveMember for good": {removeMember(admin.RemoveTeamMemberRequest{DestroyUser: new(true)}),
			"DELETE", "/v0/teams/4/members/31", `{"destroy_user":true}`},
		"RemoveMember, and say so": {removeMember(admin.RemoveTeamMemberRequest{DestroyUser: new(false)}),
			"DELETE", "/v0/teams/4/members/31", `{"destroy_user":false}`},
	}
	uses := map[string]use{}
	for name, call := range calls {
		uses[name] = call.use
	}
	testSends(t, says(200, `{"data":{"message":"done"},"error":null}`), calls)
	testVerdicts(t, uses)
}

func TestTeamsKeepTheMessageForWhoAsks(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":{"message":"invitation sent"},"error":null}`))
	var response rpcfleet.Response
	require.NoError(t, client.Teams.ResendInvite(t.Context(), 4, 31, rpcfleet.CaptureResponse(&response)))
	assert.Contains(t, string(response.Body()), "invitation sent")
}

func TestTeamsSendTheBearerToken(t *testing.T) {
	_, server := scripted(t, says(200, `{"data":[],"error":null}`))
	client := server.client(t, rpcfleet.WithBearerToken("made-up-bearer"))
	_, err := client.Teams.List(t.Context())
	require.NoError(t, err)
	_, err = client.Chains.List(t.Context())
	require.NoError(t, err)
	require.Len(t, server.Requests(), 2)
	assert.Equal(t, "Bearer made-up-bearer", server.Requests()[0].Header.Get("Authorization"))
	assert.Equal(t, testKey, server.Requests()[0].Header.Get("X-Api-Key"))
	assert.Empty(t, server.Requests()[1].Header.Get("Authorization"), "team operations only")
}

func TestTeamsInvite(t *testing.T) {
	for body, invitation := range map[string]admin.InviteTeamMemberRequest{
		`{"email":"user@example.com"}`: {Email: "user@example.com"},
		`{"email":"user@example.com","full_name":"Sample User","role":"billing"}`: {
			Email: "user@example.com", FullName: new("Sample User"), Role: new(admin.TeamRoleBilling),
		},
	} {
		client, server := scripted(t, says(200, `{"data":{"id":31,"full_name":"Sample User","email":"user@example.com","role":null,"status":"pending"},"error":null}`))
		member, err := client.Teams.Invite(t.Context(), 4, invitation)
		require.NoError(t, err)
		assert.Equal(t, &admin.TeamMember{ID: 31, FullName: "Sample User", Email: "user@example.com", Status: "pending"}, member)
		assert.Equal(t, "POST", server.Requests()[0].Method)
		assert.Equal(t, "/v0/teams/4/members", server.Requests()[0].Path)
		assert.JSONEq(t, body, server.Requests()[0].Body)
	}
}
