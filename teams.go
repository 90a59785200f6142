package rpcfleet

import (
	"context"
	"slices"

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

// members returns the members of a team and the invited users. Fields of an invitation may be missing.
func (s *TeamsService) members(ctx context.Context, teamID int64, opts ...CallOption) ([]admin.TeamUser, error) {
	found, err := s.Get(ctx, teamID, opts...)
	team := orNew(found)
	return slices.Concat(team.Users, team.PendingInvites), err
}
