package acceptance

import (
	"strconv"
	"testing"

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
	created, err := b.Teams.Create(t.Context(), name)
	require.NoError(t, err)
	return created.ID
}

func TestTheLifeOfATeam(t *testing.T) {
	b, ctx := start(t), t.Context()
	created, err := b.Teams.Create(ctx, "Core")
	require.NoError(t, err)
	assert.Equal(t, "Core", created.Name)
	assert.True(t, created.DefaultRole.Valid())
	assert.Zero(t, created.MembersCount)

	invited, err := b.Teams.Invite(ctx, created.ID, admin.InviteTeamMemberRequest{
		Email: "first@example.com", FullName: new("First User"), Role: new(admin.TeamRoleAdmin),
	})
	require.NoError(t, err)
	assert.Equal(t, "pending", invited.Status)
	assert.Equal(t, admin.TeamRoleAdmin, *invited.Role)

	teams, err := b.Teams.List(ctx)
	require.NoError(t, err)
	require.Len(t, teams, 1)
	assert.Equal(t, int64(1), teams[0].MembersCount)
	require.Len(t, teams[0].Users, 1)
	assert.Equal(t, "First User", teams[0].Users[0].FullName)
	detail, err := b.Teams.Get(ctx, created.ID)
	require.NoError(t, err)
	require.Len(t, detail.PendingInvites, 1)
	assert.Equal(t, invited.ID, *detail.PendingInvites[0].ID)
	require.NotNil(t, detail.Users[0].AccountPrimaryUser)
	assert.False(t, *detail.Users[0].AccountPrimaryUser)

	require.NoError(t, b.Teams.ResendInvite(ctx, created.ID, invited.ID))
	require.NoError(t, b.AcceptInvitation(invited.ID))
	require.ErrorIs(t, b.Teams.ResendInvite(ctx, created.ID, invited.ID), rpcfleet.ErrInvalidRequest, "pending no more")

	require.ErrorIs(t, b.Teams.Delete(ctx, created.ID), rpcfleet.ErrInvalidRequest, "it has a member")
	require.NoError(t, b.Teams.RemoveMember(ctx, created.ID, invited.ID, admin.RemoveTeamMemberRequest{}))
	require.NoError(t, b.Teams.Delete(ctx, created.ID))
	_, err = b.Teams.Get(ctx, created.ID)
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Teams.Delete(ctx, created.ID), rpcfleet.ErrNotFound)
}

func TestTeamInvitations(t *testing.T) {
	b, ctx := start(t, emulator.WithMaxUsers(4)), t.Context()
	core, infra := team(t, b, "Core"), team(t, b, "Infra")
	invite := func(teamID int64, email string, role *admin.TeamRole) (*admin.TeamMember, error) {
		invitation := admin.InviteTeamMemberRequest{Email: email, Role: role}
		if role != nil {
			invitation.FullName = new("Sample User")
		}
		return b.Teams.Invite(ctx, teamID, invitation)
	}
	for _, role := range []admin.TeamRole{admin.TeamRoleAdmin, admin.TeamRoleViewer, admin.TeamRoleBilling} {
		member, err := invite(core, string(role)+"@example.com", &role)
		require.NoError(t, err)
		assert.Equal(t, role, *member.Role)
	}
	known, err := invite(infra, "viewer@example.com", nil)
	require.NoError(t, err, "an existing user's email is enough")
	assert.Equal(t, "Sample User", known.FullName)

	_, err = invite(infra, "fourth@example.com", new(admin.TeamRoleViewer))
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "the account has all the users that it may have")
	_, err = invite(infra, "stranger@example.com", nil)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "a new user needs a name and a role")
	_, err = invite(noTeam, "viewer@example.com", nil)
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
}

func TestTeamRemovals(t *testing.T) {
	b, ctx := start(t), t.Context()
	core, infra := team(t, b, "Core"), team(t, b, "Infra")
	newcomer := admin.InviteTeamMemberRequest{Email: "a@example.com", FullName: new("Sample User"), Role: new(admin.TeamRoleViewer)}
	user, err := b.Teams.Invite(ctx, core, newcomer)
	require.NoError(t, err)
	again := admin.InviteTeamMemberRequest{Email: "a@example.com"}
	_, err = b.Teams.Invite(ctx, infra, again)
	require.NoError(t, err)

	require.NoError(t, b.Teams.RemoveMember(ctx, core, user.ID, admin.RemoveTeamMemberRequest{DestroyUser: new(false)}))
	_, err = b.Teams.Invite(ctx, core, again)
	require.NoError(t, err, "the user is still in the account")
	require.NoError(t, b.Teams.RemoveMember(ctx, core, user.ID, admin.RemoveTeamMemberRequest{DestroyUser: new(true)}))
	_, err = b.Teams.Invite(ctx, core, again)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "the user is gone for good")
	detail, err := b.Teams.Get(ctx, infra)
	require.NoError(t, err)
	assert.Empty(t, detail.Users, "from every team")

	owner, err := b.Teams.Invite(ctx, core, admin.InviteTeamMemberRequest{Email: emulator.PrimaryUserEmail})
	require.NoError(t, err)
	assert.Nil(t, owner.Role)
	err = b.Teams.RemoveMember(ctx, core, owner.ID, admin.RemoveTeamMemberRequest{})
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "the primary user stays")
	err = b.Teams.RemoveMember(ctx, core, user.ID, admin.RemoveTeamMemberRequest{})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Teams.ResendInvite(ctx, core, user.ID), rpcfleet.ErrNotFound)
}

func TestTeamEndpoints(t *testing.T) {
	b, ctx := start(t), t.Context()
	ids := b.CreateEndpoints(3)
	core, infra := team(t, b, "Core"), team(t, b, "Infra")
	usable := func(teamID int64) []string {
		endpoints, err := b.Teams.Endpoints(ctx, teamID)
		require.NoError(t, err)
		var got []string
		for _, endpoint := range endpoints {
			assert.NotEmpty(t, endpoint.Subdomain)
			got = append(got, strconv.FormatInt(endpoint.ID, 10))
		}
		return got
	}
	assert.Equal(t, ids, usable(core), "unassigned ones are open to all")
	require.NoError(t, b.Teams.SetEndpoints(ctx, core, ids[:2]))
	assert.Equal(t, ids, usable(core))
	assert.Equal(t, ids[2:], usable(infra))
	require.NoError(t, b.Teams.SetEndpoints(ctx, core, ids[:1]), "the list replaces the one before")
	assert.Equal(t, ids[1:], usable(infra))
	require.NoError(t, b.Teams.SetEndpoints(ctx, core, nil))
	assert.Equal(t, ids, usable(infra))

	require.ErrorIs(t, b.Teams.SetEndpoints(ctx, noTeam, ids), rpcfleet.ErrNotFound)
	require.ErrorIs(t, b.Teams.SetEndpoints(ctx, core, []string{"no-such-endpoint"}), rpcfleet.ErrNotFound)
	_, err := b.Teams.Endpoints(ctx, noTeam)
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
}

func TestTeamNames(t *testing.T) {
	b, ctx := start(t), t.Context()
	_, err := b.Teams.Create(ctx, "Ops", rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	_, err = b.Teams.Create(ctx, "Çöré")
	require.NoError(t, err, "four characters, whatever their bytes")
}
