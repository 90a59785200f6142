package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// TeamsService manages teams: who is in them, and which endpoints they have. Its operations carry a bearer token beside
// the API key where [WithBearerToken] gave one.
//
// Methods that take a team's id return [ErrNotFound] where there is no such team.
type TeamsService struct{ engine *engine }

// List returns the account's teams with their members.
//
// GET /v0/teams
func (s *TeamsService) List(ctx context.Context, opts ...CallOption) ([]admin.Team, error) {
	return fetch[[]admin.Team](ctx, s.engine.call(api.ListTeams(), opts))
}

// Create creates a team without members. Its name has at least 4 characters; one that the service does not accept is
// [ErrInvalidRequest]. It is not repeated after a failure that leaves open whether the service acted, which is
// [ErrMaybeCarriedOut]: FindCreated tells then whether the team exists. A success without the team's id is
// [ErrCarriedOut].
//
// POST /v0/teams
func (s *TeamsService) Create(ctx context.Context, name string, opts ...CallOption) (*admin.CreatedTeam, error) {
	return fetch[*admin.CreatedTeam](ctx, s.engine.call(api.CreateTeam(admin.CreateTeamRequest{Name: name}), opts))
}

// Get returns one team with its members and its pending invitations.
//
// GET /v0/teams/{id}
func (s *TeamsService) Get(ctx context.Context, teamID int64, opts ...CallOption) (*admin.TeamDetail, error) {
	return fetch[*admin.TeamDetail](ctx, s.engine.call(api.GetTeam(teamID), opts))
}

// Delete deletes a team. One that has members is [ErrInvalidRequest].
//
// DELETE /v0/teams/{id}
func (s *TeamsService) Delete(ctx context.Context, teamID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteTeam(teamID), opts))
}

// Endpoints returns the endpoints that the team may use: those assigned to it, and those assigned to no team. Their ids
// are numbers here; SetEndpoints takes them as text.
//
// GET /v0/teams/{id}/endpoints
func (s *TeamsService) Endpoints(ctx context.Context, teamID int64, opts ...CallOption) ([]admin.TeamEndpoint, error) {
	return fetch[[]admin.TeamEndpoint](ctx, s.engine.call(api.ListTeamEndpoints(teamID), opts))
}

// SetEndpoints assigns these endpoints to the team and no others: a list without ids unassigns all.
//
// PATCH /v0/teams/{id}/endpoints
func (s *TeamsService) SetEndpoints(ctx context.Context, teamID int64, endpointIDs []string, opts ...CallOption) error {
	// The field is required: no ids are an empty list on the wire, and not null.
	ids := append([]string{}, endpointIDs...)
	return confirm(ctx, s.engine.call(api.SetTeamEndpoints(teamID, admin.SetTeamEndpointsRequest{EndpointIDs: ids}), opts))
}
