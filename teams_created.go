package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreated looks for what Create was to make: the teams of that name. See [Lookup].
//
// GET /v0/teams
func (s *TeamsService) FindCreated(ctx context.Context, name string, opts ...CallOption) (Lookup[admin.Team], error) {
	list, err := fetch[[]admin.Team](ctx, s.engine.call(api.ListTeams(), opts, required("name", name)))
	return lookAmong(list, err,
		func(team *admin.Team) string { return decimal(&team.ID) },
		func(team *admin.Team) bool { return team.Name == name },
	)
}

// FindInvited looks for what Invite was to do: the members of the team, and those who are invited, with that email
// address in capital or small letters. Of an invitation, the service may leave fields out, which are zero then. See
// [Lookup].
//
// GET /v0/teams/{id}
func (s *TeamsService) FindInvited(ctx context.Context, teamID int64, email string, opts ...CallOption) (Lookup[admin.TeamMember], error) {
	team, err := fetch[admin.TeamDetail](ctx, s.engine.call(api.GetTeam(teamID), opts, required("email", email)))
	var members []admin.TeamMember
	for _, user := range team.Users {
		members = append(members, admin.TeamMember{
			Email: user.Email, FullName: user.FullName, ID: user.ID, Role: user.Role, Status: user.Status,
		})
	}
	for _, invited := range team.PendingInvites {
		members = append(members, admin.TeamMember{
			Email: orZero(invited.Email), FullName: orZero(invited.FullName), ID: orZero(invited.ID), Role: invited.Role,
			Status: orZero(invited.Status),
		})
	}
	return lookAmong(members, err,
		func(member *admin.TeamMember) string { return decimal(unlessZero(member.ID)) },
		func(member *admin.TeamMember) bool { return strings.EqualFold(member.Email, email) },
	)
}
