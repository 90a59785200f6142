package emulator

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// PrimaryUserEmail is the email address of the account's primary user, who is in no team until invited to one.
const PrimaryUserEmail = "owner@example.com"

// user is a user of the account, who may be a member of any number of teams. A user is pending until the invitation to
// the account is accepted, and then joins further teams at once.
type user = adminapi.TeamUser

// The statuses of users. The contract names only the first.
const (
	pending = "pending"
	active  = "active"
)

// teamData is a team with its members, pending ones too, in the order of their invitations.
type teamData struct {
	adminapi.CreatedTeam

	members []*user
	// endpoints has the ids of the assigned endpoints. An endpoint can be assigned to several teams (assumed).
	endpoints map[string]bool
}

const maxUsers = 10

// user finds a user by the email address, whatever its case, or returns nil.
func (s *state) user(email string) *user {
	found, _ := byID(s.users, "user", true, func(u *user) bool { return strings.EqualFold(u.Email, email) })
	return found
}

// newUser makes a pending user.
func (s *state) newUser(name, email string, role *adminapi.TeamRole) *user {
	id := s.ids.number()
	return &user{
		ID: id, FullName: name, Email: email, Role: role, CreatedAt: s.now(), Status: pending,
		AccountPrimaryUser: new(false), PhotoURL: fmt.Sprintf("https://images.%s/users/%d.png", host, id),
	}
}

// addUser adds a pending user to the account.
func (s *state) addUser(invitation *adminapi.InviteTeamMemberRequest) (*user, error) {
	address, err := mail.ParseAddress(invitation.Email)
	switch {
	case err != nil || address.Address != invitation.Email:
		return nil, badRequest("email must be an email address")
	case valueOr(invitation.FullName, "") == "":
		return nil, badRequest("full_name is required for a new user")
	case invitation.Role == nil:
		return nil, badRequest("role is required for a new user")
	case len(s.users) >= maxUsers:
		return nil, badRequest(fmt.Sprintf("the account has its maximum of %d users", maxUsers))
	}
	added := s.newUser(*invitation.FullName, invitation.Email, invitation.Role)
	s.users = append(s.users, added)
	return added, nil
}

// AcceptInvitation accepts the invitation of a pending user, in all teams. No operation of the service does this. The
// error says that the user does not exist or is not pending.
func (e *Emulator) AcceptInvitation(userID int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	found, err := byID(e.state.users, "user", userID, func(u *user) int64 { return u.ID })
	if err != nil {
		return fmt.Errorf("emulator: no user %d", userID)
	}
	if found.Status != pending {
		return fmt.Errorf("emulator: user %d has no pending invitation", userID)
	}
	found.Status = active
	return nil
}

func (h adminHandlers) ListTeams(context.Context) ([]adminapi.Team, error) {
	return each(h.state.teams, func(t *teamData) adminapi.Team {
		users := each(t.members, func(member *user) adminapi.TeamUser {
			shown := *member
			shown.AccountPrimaryUser = nil
			return shown
		})
		return adminapi.Team{ID: t.ID, Name: t.Name, MembersCount: int64(len(users)), Users: users}
	}), nil
}

// CreateTeam is POST /v0/teams. Two teams may have the same name.
func (h adminHandlers) CreateTeam(_ context.Context, body *adminapi.CreateTeamRequest) (*adminapi.CreatedTeam, error) {
	created := &teamData{CreatedTeam: adminapi.CreatedTeam{
		ID: h.state.ids.number(), Name: body.Name, DefaultRole: adminapi.TeamRoleViewer}} // No operation sets another.
	h.state.teams = append(h.state.teams, created)
	return &created.CreatedTeam, nil
}

func (h adminHandlers) GetTeam(ctx context.Context) (*adminapi.TeamDetail, error) {
	team := infoOf(ctx).team
	detail := adminapi.TeamDetail{
		ID: team.ID, Name: team.Name, DefaultRole: team.DefaultRole, MembersCount: int64(len(team.members)),
		Users: each(team.members, func(m *user) adminapi.TeamUser { return *m }), PendingInvites: []adminapi.TeamInvite{},
	}
	for _, m := range team.members {
		if m.Status == pending {
			detail.PendingInvites = append(detail.PendingInvites, adminapi.TeamInvite{
				ID: &m.ID, FullName: &m.FullName, Email: &m.Email, Role: m.Role, Status: &m.Status, CreatedAt: &m.CreatedAt,
			})
		}
	}
	return &detail, nil
}

// DeleteTeam is DELETE /v0/teams/{id}. The endpoints of the team are open to all again.
func (h adminHandlers) DeleteTeam(ctx context.Context) (*adminapi.Message, error) {
	if len(infoOf(ctx).team.members) > 0 {
		return nil, badRequest("the team has members")
	}
	h.state.teams = without(h.state.teams, infoOf(ctx).team)
	return &adminapi.Message{Message: "team deleted"}, nil
}

// ListTeamEndpoints is GET /v0/teams/{id}/endpoints. It lists the endpoints of the team and those of no team.
func (h adminHandlers) ListTeamEndpoints(ctx context.Context) ([]adminapi.TeamEndpoint, error) {
	open := []adminapi.TeamEndpoint{}
	for _, e := range h.state.live() {
		assigned := slices.ContainsFunc(h.state.teams, func(t *teamData) bool { return t.endpoints[e.ID] })
		if infoOf(ctx).team.endpoints[e.ID] || !assigned {
			open = append(open, adminapi.TeamEndpoint{ID: e.number, Subdomain: e.Name, Chain: &e.Chain, Network: &e.Network})
		}
	}
	return open, nil
}

// SetTeamEndpoints is PATCH /v0/teams/{id}/endpoints. It replaces the list, unless an endpoint in it does not exist.
func (h adminHandlers) SetTeamEndpoints(ctx context.Context, body *adminapi.SetTeamEndpointsRequest) (
	*adminapi.Success, error) {
	assigned := make(map[string]bool, len(body.EndpointIDs))
	for _, id := range body.EndpointIDs {
		if _, err := h.state.endpoint(id); err != nil {
			return nil, err
		}
		assigned[id] = true
	}
	infoOf(ctx).team.endpoints = assigned
	return &adminapi.Success{Success: true}, nil
}

// InviteTeamMember is POST /v0/teams/{id}/members. For a user of the account, only the email address matters.
func (h adminHandlers) InviteTeamMember(ctx context.Context, body *adminapi.InviteTeamMemberRequest) (
	*adminapi.TeamMember, error) {
	team := infoOf(ctx).team
	invited := h.state.user(body.Email)
	if invited == nil {
		var err error
		if invited, err = h.state.addUser(body); err != nil {
			return nil, err
		}
	} else if slices.Contains(team.members, invited) {
		return nil, badRequest("the user is a member of the team already")
	}
	team.members = append(team.members, invited)
	return &adminapi.TeamMember{
		ID: invited.ID, FullName: invited.FullName, Email: invited.Email, Role: invited.Role, Status: invited.Status,
	}, nil
}

// member finds a member of the team.
func (t *teamData) member(id int64) (*user, error) {
	return byID(t.members, "user", id, func(u *user) int64 { return u.ID })
}

// RemoveTeamMember is DELETE /v0/teams/{id}/members/{user_id}. The primary user cannot be removed.
func (h adminHandlers) RemoveTeamMember(
	ctx context.Context, userID adminapi.TeamUserID, body *adminapi.RemoveTeamMemberRequest) (*adminapi.Message, error) {
	member, err := infoOf(ctx).team.member(userID)
	if err != nil {
		return nil, err
	}
	if valueOr(member.AccountPrimaryUser, false) {
		return nil, badRequest("the primary user cannot be removed")
	}
	message, teams := "member removed", []*teamData{infoOf(ctx).team}
	if body != nil && valueOr(body.DestroyUser, false) {
		message, teams = "user deleted", h.state.teams
		h.state.users = without(h.state.users, member)
	}
	for _, team := range teams {
		team.members = without(team.members, member)
	}
	return &adminapi.Message{Message: message}, nil
}

// ResendTeamInvite is POST /v0/teams/{id}/members/{user_id}/resend_invite. The emulator sends nothing.
func (h adminHandlers) ResendTeamInvite(ctx context.Context, userID adminapi.TeamUserID) (*adminapi.Message, error) {
	member, err := infoOf(ctx).team.member(userID)
	if err != nil {
		return nil, err
	}
	if member.Status != pending {
		return nil, badRequest("the user has no pending invitation")
	}
	return &adminapi.Message{Message: "invitation sent"}, nil
}
