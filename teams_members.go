package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// Invite invites a user to the team. For a user of the account the email is enough; one who is new to it needs a full
// name and a role as well. Which of the two it is, the service knows: what is given is sent. What the service does not
// accept is [ErrInvalidRequest]: a new user without name and role, or one more than the account may have. It is not
// repeated after a failure that leaves open whether the service acted, which is [ErrMaybeCarriedOut]: FindInvited tells
// then whether it did. A success without the user's id is [ErrCarriedOut].
//
// POST /v0/teams/{id}/members
func (s *TeamsService) Invite(ctx context.Context, teamID int64, invitation admin.InviteTeamMemberRequest, opts ...CallOption) (*admin.TeamMember, error) {
	return fetch[*admin.TeamMember](ctx, s.engine.call(api.InviteTeamMember(teamID, invitation), opts))
}

// RemoveMember takes a user out of the team. With DestroyUser true the user is deleted from the account as well; it is
// sent only where it is not nil. The primary user cannot be removed, which is [ErrInvalidRequest]; a user who is not in
// the team is [ErrNotFound].
//
//	client.Teams.RemoveMember(ctx, teamID, userID, admin.RemoveTeamMemberRequest{})
//
// DELETE /v0/teams/{id}/members/{user_id}
func (s *TeamsService) RemoveMember(ctx context.Context, teamID, userID int64, how admin.RemoveTeamMemberRequest, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveTeamMember(teamID, userID, how), opts))
}

// ResendInvite sends a pending invitation again. A user who is not pending in the team is [ErrInvalidRequest], one who
// is not in it [ErrNotFound]. It is not repeated after a failure that leaves open whether the invitation went out,
// which is [ErrMaybeCarriedOut], and nothing tells whether it did.
//
// POST /v0/teams/{id}/members/{user_id}/resend_invite
func (s *TeamsService) ResendInvite(ctx context.Context, teamID, userID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.ResendTeamInvite(teamID, userID), opts))
}
