package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// TeamsService manages teams. It also sends the token of [WithBearerToken].
type TeamsService engine

// SetEndpoints assigns exactly these endpoints.
// PATCH /v0/teams/{id}/endpoints
func (s *TeamsService) SetEndpoints(ctx context.Context, teamID int64, endpointIDs []string, opts ...CallOption) error {
	// The field is required: no ids are sent as an empty list, not null.
	ids := append([]string{}, endpointIDs...)
	return confirm(ctx, (*engine)(s), api.SetTeamEndpoints(teamID, ids), opts)
}

// FindCreated searches for the teams with that name.
// GET /v0/teams
func (s *TeamsService) FindCreated(ctx context.Context, name string, opts ...CallOption) (Lookup[admin.Team], error) {
	list, err := fetchList(ctx, (*engine)(s), api.ListTeams(), opts, required("name", name))
	return findMatches(list, err,
		func(team *admin.Team) string { return formatID(team.ID) },
		func(team *admin.Team) bool { return team.Name == name },
	)
}

// FindInvited searches for the members and invited users with that email, ignoring case. Fields of an invitation may be
// missing.
// GET /v0/teams/{id}
func (s *TeamsService) FindInvited(ctx context.Context, teamID int64, email string, opts ...CallOption) (
	Lookup[admin.TeamMember], error) {
	found, err := fetch(ctx, (*engine)(s), api.GetTeam(teamID), opts, required("email", email))
	team := orNew(found)
	var members []admin.TeamMember
	for _, user := range team.Users {
		members = append(members, admin.TeamMember{
			Email: user.Email, FullName: user.FullName, ID: user.ID, Role: user.Role, Status: user.Status,
		})
	}
	for _, invited := range team.PendingInvites {
		members = append(members, admin.TeamMember{
			Email: invited.Email, FullName: invited.FullName, ID: invited.ID, Role: invited.Role, Status: invited.Status,
		})
	}
	return findMatches(members, err,
		func(member *admin.TeamMember) string { return formatID(member.ID) },
		func(member *admin.TeamMember) bool { return strings.EqualFold(member.Email, email) },
	)
}
