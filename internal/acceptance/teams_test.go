package acceptance

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// noTeam is the id of a team that does not exist.
const noTeam = 404_404

// team creates a team.
func team(t *testing.T, b *fixture, name string) int64 {
	t.Helper()
	return must(b.Teams.Create(t.Context(), name))(t).ID
}

func TestTeams_createInviteDelete(t *testing.T) {
	b, ctx := start(t), t.Context()
	created := must(b.Teams.Create(ctx, "Çöré"))(t)
	assert.Equal(t, "Çöré", created.Name, "four characters, whatever their bytes")
	invited := must(b.Teams.Invite(ctx, created.ID, admin.InviteTeamMemberRequest{
		Email: "first@example.com", FullName: new("First User"), Role: new(admin.TeamRoleAdmin),
	}))(t)
	assert.Equal(t, "pending", invited.Status)
	teams := must(b.Teams.List(ctx))(t)
	require.Len(t, teams, 1)
	assert.Equal(t, int64(1), teams[0].MembersCount)
	detail := must(b.Teams.Get(ctx, created.ID))(t)
	require.Len(t, detail.PendingInvites, 1)
	assert.Equal(t, invited.ID, detail.PendingInvites[0].ID)
	assert.Equal(t, new(false), detail.Users[0].AccountPrimaryUser)

	require.NoError(t, b.Teams.ResendInvite(ctx, created.ID, invited.ID))
	require.NoError(t, b.AcceptInvitation(invited.ID))
	require.ErrorIs(t, b.Teams.ResendInvite(ctx, created.ID, invited.ID), rpcfleet.ErrInvalidRequest, "pending no more")

	require.ErrorIs(t, b.Teams.Delete(ctx, created.ID), rpcfleet.ErrInvalidRequest, "it has a member")
	require.NoError(t, b.Teams.RemoveMember(ctx, created.ID, invited.ID, admin.RemoveTeamMemberRequest{}))
	require.NoError(t, b.Teams.Delete(ctx, created.ID))
	require.ErrorIs(t, second(b.Teams.Get(ctx, created.ID)), rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Teams.Delete(ctx, created.ID), rpcfleet.ErrNotFound)
}

// TestTeams_inviteAndRemoveMembers reads the results of invitations and removals. The rules (who may be invited, and
// what remains after a removal) are tested in package emulator.
func TestTeams_inviteAndRemoveMembers(t *testing.T) {
	b, ctx := start(t), t.Context()
	core := team(t, b, "Core")
	var member *admin.TeamUser
	for _, role := range []admin.TeamRole{admin.TeamRoleAdmin, admin.TeamRoleViewer, admin.TeamRoleBilling} {
		invitation := admin.InviteTeamMemberRequest{Email: string(role) + "@example.com", FullName: new("Sample User"),
			Role: &role}
		member = must(b.Teams.Invite(ctx, core, invitation))(t)
		assert.Equal(t, role, member.Role)
	}
	require.NoError(t, b.Teams.RemoveMember(ctx, core, member.ID, admin.RemoveTeamMemberRequest{DestroyUser: new(false)}))
	again := admin.InviteTeamMemberRequest{Email: member.Email}
	assert.Equal(t, "Sample User", must(b.Teams.Invite(ctx, core, again))(t).FullName, "the email is enough")
	require.NoError(t, b.Teams.RemoveMember(ctx, core, member.ID, admin.RemoveTeamMemberRequest{DestroyUser: new(true)}))

	owner := must(b.Teams.Invite(ctx, core, admin.InviteTeamMemberRequest{Email: emulator.PrimaryUserEmail}))(t)
	assert.Empty(t, owner.Role)
	nothing := admin.RemoveTeamMemberRequest{}
	for want, errs := range map[error][]error{
		rpcfleet.ErrInvalidRequest: {
			second(b.Teams.Invite(ctx, core, again)), // The user is gone for good.
			b.Teams.RemoveMember(ctx, core, owner.ID, nothing),
		},
		rpcfleet.ErrNotFound: {
			second(b.Teams.Invite(ctx, noTeam, again)),
			b.Teams.RemoveMember(ctx, core, member.ID, nothing),
			b.Teams.ResendInvite(ctx, core, member.ID),
		},
	} {
		for i, err := range errs {
			require.ErrorIs(t, err, want, i)
		}
	}
}

func TestTeams_assignEndpoints(t *testing.T) {
	b, ctx := start(t), t.Context()
	ids := b.CreateEndpoints(3)
	core, infra := team(t, b, "Core"), team(t, b, "Infra")
	usable := func(teamID int64) []string {
		var got []string
		for _, endpoint := range must(b.Teams.AccessibleEndpoints(ctx, teamID))(t) {
			got = append(got, strconv.FormatInt(endpoint.ID, 10))
		}
		return got
	}
	require.NoError(t, b.Teams.SetEndpoints(ctx, core, ids[:2]))
	assert.Equal(t, ids, usable(core))
	assert.Equal(t, ids[2:], usable(infra))
	require.NoError(t, b.Teams.SetEndpoints(ctx, core, nil))
	assert.Equal(t, ids, usable(infra))

	require.ErrorIs(t, b.Teams.SetEndpoints(ctx, core, []string{"no-such-endpoint"}), rpcfleet.ErrNotFound)
}

func TestTooling_enableAndCreateToken(t *testing.T) {
	b, ctx := start(t), t.Context()
	assert.Equal(t, &admin.ToolingAccess{}, must(b.Tooling.Status(ctx))(t))
	require.ErrorIs(t, second(b.Tooling.CreateToken(ctx)), rpcfleet.ErrInvalidRequest, "while the access is off")

	on := must(b.Tooling.Enable(ctx))(t)
	assert.True(t, on.Enabled)
	require.NotZero(t, on.EndpointURL)
	assert.Equal(t, on.EndpointURL, must(b.Tooling.Status(ctx))(t).EndpointURL)
	token := must(b.Tooling.CreateToken(ctx))(t)
	assert.Equal(t, on.EndpointURL, token.EndpointURL)
	assert.Len(t, strings.Split(token.Token.Reveal(), "."), 3, "a JWT")
	assert.True(t, token.ExpiresAt.After(time.Now()))

	assert.Zero(t, must(b.Tooling.Disable(ctx))(t).EndpointURL)
	assert.Equal(t, on.EndpointURL, must(b.Tooling.Enable(ctx))(t).EndpointURL, "the endpoint is brought back")
}
