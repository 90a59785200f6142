package main

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const oneTeam = pair + "teams: [{name: Team one, endpoints: [a], members: [{email: jo@example.com, full_name: Jo, role: viewer}]}]\n"

// Of one team alone the service does not tell which endpoints it has: what was assigned is remembered.
func TestTheEndpointsOfTheOnlyTeam(t *testing.T) {
	s := newService(t)
	f := declares(t, oneTeam)
	require.NoError(t, s.apply(t, f, false))
	s.settled(t, f)

	s.state = &state{} // Where that is lost, they are assigned once more.
	steps, _ := s.plan(t, f)
	assert.Equal(t, []string{`set team "Team one" endpoints  > a`}, steps)
	s.ResetCalls()
	require.NoError(t, s.apply(t, f, false))
	assert.Equal(t, []string{"setTeamEndpoints"}, writes(s.Emulator))

	// Another one in the file takes the place of the first with -prune only.
	f = declares(t, pair+"teams: [{name: Team one, endpoints: [b]}]\n")
	require.NoError(t, s.apply(t, f, false))
	steps, _ = s.plan(t, f)
	assert.Equal(t, []string{`remove team "Team one" endpoints a > `}, steps)
	require.NoError(t, s.apply(t, f, true))
	s.settled(t, f)
	s.assigned(t, s.planned(t, f, "b"))
}

// assigned asserts which endpoints the only team has: a second team shows it, which does not see them.
func (s *service) assigned(t *testing.T, ids ...string) {
	t.Helper()
	other, err := s.client.Teams.Create(t.Context(), "Observer")
	require.NoError(t, err)
	seen, err := s.client.Teams.Endpoints(t.Context(), other.ID)
	require.NoError(t, err)
	for _, e := range seen {
		assert.NotContains(t, ids, strconv.FormatInt(e.ID, 10))
	}
	all, err := collect(s.client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}))
	require.NoError(t, err)
	assert.Len(t, seen, len(all)-len(ids))
}

func TestTeamsAndMembersThatAreNotDeclared(t *testing.T) {
	s := newService(t)
	require.NoError(t, s.apply(t, declares(t, oneTeam), false))
	team, err := s.client.Teams.FindCreated(t.Context(), "Team one")
	require.NoError(t, err)
	_, err = s.client.Teams.Invite(t.Context(), team.Records[0].ID, admin.InviteTeamMemberRequest{Email: emulator.PrimaryUserEmail})
	require.NoError(t, err)
	f := declares(t, "teams: [{name: Team one, members: []}]")
	steps, _ := s.plan(t, f)
	assert.Equal(t, []string{`remove team "Team one" members jo@example.com > `}, steps, "the primary user stays")
	require.NoError(t, s.apply(t, f, true))
	s.settled(t, f)

	s = newService(t)
	require.NoError(t, s.apply(t, declares(t, oneTeam), false))
	f = declares(t, "teams: []")
	steps, _ = s.plan(t, f)
	assert.Equal(t, []string{`remove team "Team one" members jo@example.com > `, `remove team "Team one"   > `}, steps)
	require.NoError(t, s.apply(t, f, true))
	s.settled(t, f)
}
