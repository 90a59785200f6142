package rpcfleet

import (
	"context"

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

// createdTeam returns the record in the response to a create.
func createdTeam(ctx context.Context, e *engine, listed *admin.Team, opts ...CallOption) (*admin.CreatedTeam, error) {
	team, err := (*TeamsService)(e).Get(ctx, listed.ID, opts...)
	if err != nil {
		return nil, err
	}
	return &admin.CreatedTeam{
		DefaultRole: team.DefaultRole, ID: team.ID, MembersCount: team.MembersCount, Name: team.Name, Extra: team.Extra,
	}, nil
}

// members returns the members of a team and the invited users. Fields of an invitation may be missing.
func (s *TeamsService) members(ctx context.Context, teamID int64, opts ...CallOption) ([]admin.TeamMember, error) {
	found, err := s.Get(ctx, teamID, opts...)
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
	return members, err
}
