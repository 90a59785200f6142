package rpcfleet

import (
	"context"
	"strings"

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
// [ErrOutcomeUnknown]: FindCreated tells then whether the team exists. A success without the team's id is
// [ErrNoRecord].
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

// Invite invites a user to the team. For a user of the account the email is enough; one who is new to it needs a full
// name and a role as well. Which of the two it is, the service knows: what is given is sent. What the service does not
// accept is [ErrInvalidRequest]: a new user without name and role, or one more than the account may have. It is not
// repeated after a failure that leaves open whether the service acted, which is [ErrOutcomeUnknown]: FindInvited tells
// then whether it did. A success without the user's id is [ErrNoRecord].
//
// POST /v0/teams/{id}/members
func (s *TeamsService) Invite(
	ctx context.Context, teamID int64, invitation admin.InviteTeamMemberRequest, opts ...CallOption,
) (*admin.TeamMember, error) {
	return fetch[*admin.TeamMember](ctx, s.engine.call(api.InviteTeamMember(teamID, invitation), opts))
}

// RemoveMember takes a user out of the team. With DestroyUser true the user is deleted from the account as well; it is
// sent only where it is not nil. The primary user cannot be removed, which is [ErrInvalidRequest]; a user who is not in
// the team is [ErrNotFound].
//
//	client.Teams.RemoveMember(ctx, teamID, userID, admin.RemoveTeamMemberRequest{})
//
// DELETE /v0/teams/{id}/members/{user_id}
func (s *TeamsService) RemoveMember(
	ctx context.Context, teamID, userID int64, how admin.RemoveTeamMemberRequest, opts ...CallOption,
) error {
	return confirm(ctx, s.engine.call(api.RemoveTeamMember(teamID, userID, how), opts))
}

// ResendInvite sends a pending invitation again. A user who is not pending in the team is [ErrInvalidRequest], one who
// is not in it [ErrNotFound]. It is not repeated after a failure that leaves open whether the invitation went out,
// which is [ErrOutcomeUnknown], and nothing tells whether it did.
//
// POST /v0/teams/{id}/members/{user_id}/resend_invite
func (s *TeamsService) ResendInvite(ctx context.Context, teamID, userID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.ResendTeamInvite(teamID, userID), opts))
}

// FindCreated looks for what Create was to make: the teams of that name. See [Lookup].
//
// GET /v0/teams
func (s *TeamsService) FindCreated(ctx context.Context, name string, opts ...CallOption) (Lookup[admin.Team], error) {
	list, err := fetch[[]admin.Team](ctx, s.engine.call(api.ListTeams(), opts, required("name", name)))
	return lookUp(list, err,
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
	return lookUp(members, err,
		func(member *admin.TeamMember) string { return decimal(unlessZero(member.ID)) },
		func(member *admin.TeamMember) bool { return strings.EqualFold(member.Email, email) },
	)
}
