package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// TeamsService manages teams, their members and their endpoints. With [WithBearerToken], its operations are sent with a
// bearer token in addition to the API key.
//
// If a team does not exist, methods that take its id return [ErrNotFound].
type TeamsService struct{ engine *engine }

// List returns the account's teams with their members.
//
// GET /v0/teams
func (s *TeamsService) List(ctx context.Context, opts ...CallOption) ([]admin.Team, error) {
	return fetch[[]admin.Team](ctx, s.engine.call(api.ListTeams(), opts))
}

// Create creates a team without members. Its name has at least 4 characters; if the service rejects it, the error is
// [ErrInvalidRequest]. If the outcome is open, the error matches [ErrOutcomeUnknown]; see FindCreated.
//
// POST /v0/teams
func (s *TeamsService) Create(ctx context.Context, name string, opts ...CallOption) (*admin.CreatedTeam, error) {
	return fetch[*admin.CreatedTeam](ctx, s.engine.call(api.CreateTeam(api.CreateTeamRequest{Name: name}), opts))
}

// Get returns one team with its members and pending invitations.
//
// GET /v0/teams/{id}
func (s *TeamsService) Get(ctx context.Context, teamID int64, opts ...CallOption) (*admin.TeamDetail, error) {
	return fetch[*admin.TeamDetail](ctx, s.engine.call(api.GetTeam(teamID), opts))
}

// Delete deletes a team. If it has members, the error is [ErrInvalidRequest].
//
// DELETE /v0/teams/{id}
func (s *TeamsService) Delete(ctx context.Context, teamID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteTeam(teamID), opts))
}

// Endpoints returns the endpoints that the team may use: the endpoints assigned to it and those assigned to no team.
// Their ids are numbers here; SetEndpoints takes them as text.
//
// GET /v0/teams/{id}/endpoints
func (s *TeamsService) Endpoints(ctx context.Context, teamID int64, opts ...CallOption) ([]admin.TeamEndpoint, error) {
	return fetch[[]admin.TeamEndpoint](ctx, s.engine.call(api.ListTeamEndpoints(teamID), opts))
}

// SetEndpoints assigns exactly these endpoints to the team: an empty list unassigns all.
//
// PATCH /v0/teams/{id}/endpoints
func (s *TeamsService) SetEndpoints(ctx context.Context, teamID int64, endpointIDs []string, opts ...CallOption) error {
	// The field is required: no ids are sent as an empty list, not null.
	ids := append([]string{}, endpointIDs...)
	return confirm(ctx, s.engine.call(api.SetTeamEndpoints(teamID, api.SetTeamEndpointsRequest{EndpointIDs: ids}), opts))
}

// Invite invites a user to the team. A user of the account needs only an email; a new user also needs a full name and a
// role. Only the service can distinguish the two, so all given fields are sent. If the service rejects the invitation,
// because a new user has no name or role or the account is full, the error is [ErrInvalidRequest]. If the outcome is
// open, the error matches [ErrOutcomeUnknown]; see FindInvited.
//
// POST /v0/teams/{id}/members
func (s *TeamsService) Invite(
	ctx context.Context, teamID int64, invitation admin.InviteTeamMemberRequest, opts ...CallOption,
) (*admin.TeamMember, error) {
	return fetch[*admin.TeamMember](ctx, s.engine.call(api.InviteTeamMember(teamID, invitation), opts))
}

// RemoveMember removes a user from the team. If DestroyUser is true, the user is also deleted from the account; the
// field is sent only if it is not nil. If the user is the primary user, who cannot be removed, the error is
// [ErrInvalidRequest]; if the user is not in the team, [ErrNotFound].
//
//	client.Teams.RemoveMember(ctx, teamID, userID, admin.RemoveTeamMemberRequest{})
//
// DELETE /v0/teams/{id}/members/{user_id}
func (s *TeamsService) RemoveMember(
	ctx context.Context, teamID, userID int64, how admin.RemoveTeamMemberRequest, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.RemoveTeamMember(teamID, userID, how), opts))
}

// ResendInvite sends a pending invitation again. If the user is not pending in the team, the error is
// [ErrInvalidRequest]; if the user is not in the team, [ErrNotFound]. If the outcome is open, the error matches
// [ErrOutcomeUnknown]; no method can determine the outcome.
//
// POST /v0/teams/{id}/members/{user_id}/resend_invite
func (s *TeamsService) ResendInvite(ctx context.Context, teamID, userID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.ResendTeamInvite(teamID, userID), opts))
}

// FindCreated searches for the result of Create: the teams with that name. See [Lookup].
//
// GET /v0/teams
func (s *TeamsService) FindCreated(ctx context.Context, name string, opts ...CallOption) (Lookup[admin.Team], error) {
	list, err := fetch[[]admin.Team](ctx, s.engine.call(api.ListTeams(), opts, required("name", name)))
	return lookUp(list, err,
		func(team *admin.Team) string { return decimal(&team.ID) },
		func(team *admin.Team) bool { return team.Name == name },
	)
}

// FindInvited searches for the result of Invite: the members and invited users of the team with that email, ignoring
// case. The service may omit fields of an invitation, which are then zero. See [Lookup].
//
// GET /v0/teams/{id}
func (s *TeamsService) FindInvited(ctx context.Context, teamID int64, email string, opts ...CallOption) (
	Lookup[admin.TeamMember], error) {
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
	return lookUp(members, err,
		func(member *admin.TeamMember) string { return decimal(unlessZero(member.ID)) },
		func(member *admin.TeamMember) bool { return strings.EqualFold(member.Email, email) },
	)
}
