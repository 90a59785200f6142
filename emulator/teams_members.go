package emulator

import (
	"context"
	"fmt"
	"net/mail"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// InviteTeamMember is POST /v0/teams/{id}/members. A user who is new to the account is pending until the invitation is
// accepted. Of an existing user, only the email address is looked at.
func (h adminHandlers) InviteTeamMember(_ context.Context, r adminapi.InviteTeamMemberRequestObject) (adminapi.InviteTeamMemberResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkInvitation(r.Body); err != nil {
		return nil, err
	}
	invited, known := h.state.teams.byEmail(r.Body.Email)
	if known {
		if _, err := team.member(invited.id); err == nil {
			return nil, badRequest("the user is a member of the team already")
		}
	} else {
		invited, err = h.state.addUser(r.Body)
		if err != nil {
			return nil, err
		}
	}
	team.members = append(team.members, invited)
	return adminapi.InviteTeamMember200JSONResponse{Data: adminapi.TeamMember{
		ID:       invited.id,
		FullName: invited.fullName,
		Email:    invited.email,
		Role:     invited.role,
		Status:   invited.status(),
	}}, nil
}

// checkInvitation refuses what no invitation may have.
func checkInvitation(invitation *adminapi.InviteTeamMemberRequest) error {
	if invitation.Email == "" {
		return badRequest("email is required")
	}
	address, err := mail.ParseAddress(invitation.Email)
	if err != nil || address.Address != invitation.Email {
		return badRequest("email must be an email address")
	}
	if invitation.Role != nil && !invitation.Role.Valid() {
		return badRequest("role must be admin, viewer or billing")
	}
	return nil
}

// addUser adds a pending user to the account.
func (s *state) addUser(invitation *adminapi.InviteTeamMemberRequest) (*user, error) {
	switch {
	case invitation.FullName == nil || *invitation.FullName == "":
		return nil, badRequest("full_name is required for a new user")
	case invitation.Role == nil:
		return nil, badRequest("role is required for a new user")
	case len(s.teams.users) >= s.settings.maxUsers:
		return nil, badRequest(fmt.Sprintf("the account has its maximum of %d users", s.settings.maxUsers))
	}
	added := s.newUser(invitation)
	s.teams.users = append(s.teams.users, added)
	return added, nil
}

// newUser makes a pending user of an invitation that has a name.
func (s *state) newUser(invitation *adminapi.InviteTeamMemberRequest) *user {
	return &user{
		id:        s.ids.number(),
		fullName:  *invitation.FullName,
		email:     invitation.Email,
		role:      invitation.Role,
		createdAt: s.now(),
		pending:   true,
	}
}

// findMember finds a team and one of its members.
func (h adminHandlers) findMember(teamID, userID int64) (*team, *user, error) {
	team, err := h.state.teams.team(teamID)
	if err != nil {
		return nil, nil, err
	}
	member, err := team.member(userID)
	if err != nil {
		return nil, nil, err
	}
	return team, member, nil
}

// RemoveTeamMember is DELETE /v0/teams/{id}/members/{user_id}. The primary user stays in a team once in it.
func (h adminHandlers) RemoveTeamMember(_ context.Context, r adminapi.RemoveTeamMemberRequestObject) (adminapi.RemoveTeamMemberResponseObject, error) {
	team, member, err := h.findMember(r.ID, r.UserID)
	if err != nil {
		return nil, err
	}
	if member.primary {
		return nil, badRequest("the primary user cannot be removed")
	}
	if r.Body != nil && r.Body.DestroyUser != nil && *r.Body.DestroyUser {
		h.state.teams.destroy(member)
		return adminapi.RemoveTeamMember200JSONResponse{Data: adminapi.Message{Message: "user deleted"}}, nil
	}
	team.remove(member)
	return adminapi.RemoveTeamMember200JSONResponse{Data: adminapi.Message{Message: "member removed"}}, nil
}

// ResendTeamInvite is POST /v0/teams/{id}/members/{user_id}/resend_invite. Nothing is sent anywhere.
func (h adminHandlers) ResendTeamInvite(_ context.Context, r adminapi.ResendTeamInviteRequestObject) (adminapi.ResendTeamInviteResponseObject, error) {
	_, member, err := h.findMember(r.ID, r.UserID)
	if err != nil {
		return nil, err
	}
	if !member.pending {
		return nil, badRequest("the user has no pending invitation")
	}
	return adminapi.ResendTeamInvite200JSONResponse{Data: adminapi.Message{Message: "invitation sent"}}, nil
}
