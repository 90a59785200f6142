package emulator

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// teamState holds the teams of the account, and its users.
type teamState struct {
	all   []*team
	users []*user
}

// team is a team with its members in the order in which they were invited. Members include those whose invitation is
// still pending: the contract has pending as a status of a member.
type team struct {
	id      int64
	name    string
	members []*user
	// endpoints holds the ids of the endpoints that are assigned to the team. An endpoint can be assigned to several
	// teams, which the contract leaves open.
	endpoints map[string]bool
}

// newTeams is what a fresh account has: its primary user, and no team.
func newTeams(s *state) teamState {
	return teamState{users: []*user{{
		id:        s.ids.number(),
		fullName:  "Example Owner",
		email:     PrimaryUserEmail,
		createdAt: s.account.createdAt,
		primary:   true,
	}}}
}

// minTeamName is the smallest number of characters of a team's name.
const minTeamName = 4

// defaultRole is what the emulator says of every team. Nothing sets another.
const defaultRole = adminapi.TeamRoleViewer

// team finds a team.
func (t *teamState) team(id int64) (*team, error) {
	for _, team := range t.all {
		if team.id == id {
			return team, nil
		}
	}
	return nil, notFound("team not found")
}

// ListTeams is GET /v0/teams.
func (h adminHandlers) ListTeams(context.Context, adminapi.ListTeamsRequestObject) (adminapi.ListTeamsResponseObject, error) {
	teams := make([]adminapi.Team, 0, len(h.state.teams.all))
	for _, team := range h.state.teams.all {
		users := make([]adminapi.TeamUser, 0, len(team.members))
		for _, member := range team.members {
			users = append(users, member.record())
		}
		teams = append(teams, adminapi.Team{ID: team.id, Name: team.name, MembersCount: team.size(), Users: users})
	}
	return adminapi.ListTeams200JSONResponse{Data: teams}, nil
}

// CreateTeam is POST /v0/teams. Two teams may have one name.
func (h adminHandlers) CreateTeam(_ context.Context, r adminapi.CreateTeamRequestObject) (adminapi.CreateTeamResponseObject, error) {
	created, err := h.state.newTeam(r.Body.Name)
	if err != nil {
		return nil, err
	}
	h.state.teams.all = append(h.state.teams.all, created)
	return adminapi.CreateTeam200JSONResponse{Data: adminapi.CreatedTeam{
		ID:           created.id,
		Name:         created.name,
		DefaultRole:  defaultRole,
		MembersCount: created.size(),
	}}, nil
}

// newTeam makes a team that the account does not have yet.
func (s *state) newTeam(name string) (*team, error) {
	if utf8.RuneCountInString(name) < minTeamName {
		return nil, badRequest("name must have at least 4 characters")
	}
	return &team{id: s.ids.number(), name: name, endpoints: make(map[string]bool)}, nil
}

// GetTeam is GET /v0/teams/{id}.
func (h adminHandlers) GetTeam(_ context.Context, r adminapi.GetTeamRequestObject) (adminapi.GetTeamResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	detail := adminapi.TeamDetail{
		ID:             team.id,
		Name:           team.name,
		DefaultRole:    defaultRole,
		MembersCount:   team.size(),
		Users:          []adminapi.TeamUser{},
		PendingInvites: []adminapi.TeamInvite{},
	}
	for _, member := range team.members {
		record := member.record()
		record.AccountPrimaryUser = new(member.primary)
		detail.Users = append(detail.Users, record)
		if member.pending {
			detail.PendingInvites = append(detail.PendingInvites, member.invite())
		}
	}
	return adminapi.GetTeam200JSONResponse{Data: detail}, nil
}

// DeleteTeam is DELETE /v0/teams/{id}. The endpoints of the team are free for all again.
func (h adminHandlers) DeleteTeam(_ context.Context, r adminapi.DeleteTeamRequestObject) (adminapi.DeleteTeamResponseObject, error) {
	gone, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	if len(gone.members) > 0 {
		return nil, badRequest("the team has members")
	}
	h.state.teams.all = slices.DeleteFunc(h.state.teams.all, func(other *team) bool { return other == gone })
	return adminapi.DeleteTeam200JSONResponse{Data: adminapi.Message{Message: "team deleted"}}, nil
}

func (t *team) size() int64 { return int64(len(t.members)) }

// ListTeamEndpoints is GET /v0/teams/{id}/endpoints: those assigned to the team, and those assigned to no team.
func (h adminHandlers) ListTeamEndpoints(_ context.Context, r adminapi.ListTeamEndpointsRequestObject) (adminapi.ListTeamEndpointsResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	open := []adminapi.TeamEndpoint{}
	for _, endpoint := range h.state.live() {
		if !team.endpoints[endpoint.id] && h.state.teams.assigned(endpoint) {
			continue
		}
		number, err := strconv.ParseInt(endpoint.id, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("endpoint %s has no number: %w", endpoint.id, err)
		}
		open = append(open, adminapi.TeamEndpoint{
			ID:        number,
			Subdomain: endpoint.name,
			Chain:     &endpoint.chain.slug,
			Network:   &endpoint.network.slug,
		})
	}
	return adminapi.ListTeamEndpoints200JSONResponse{Data: open}, nil
}

// assigned reports whether an endpoint is assigned to any team.
func (t *teamState) assigned(endpoint *endpoint) bool {
	for _, team := range t.all {
		if team.endpoints[endpoint.id] {
			return true
		}
	}
	return false
}

// SetTeamEndpoints is PATCH /v0/teams/{id}/endpoints. The list takes the place of the one before; with an endpoint in
// it that does not exist, nothing changes.
func (h adminHandlers) SetTeamEndpoints(_ context.Context, r adminapi.SetTeamEndpointsRequestObject) (adminapi.SetTeamEndpointsResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body.EndpointIDs == nil {
		return nil, badRequest("endpoint_ids is required")
	}
	assigned := make(map[string]bool, len(r.Body.EndpointIDs))
	for _, id := range r.Body.EndpointIDs {
		if _, err := h.state.endpoint(id); err != nil {
			return nil, err
		}
		assigned[id] = true
	}
	team.endpoints = assigned
	return adminapi.SetTeamEndpoints200JSONResponse{Data: adminapi.Success{Success: true}}, nil
}

// PrimaryUserEmail is the email address of the account's primary user, who is in no team until invited to one.
const PrimaryUserEmail = "owner@example.com"

// defaultMaxUsers is the most users that an account has unless WithMaxUsers says otherwise. The contract names none.
const defaultMaxUsers = 10

// WithMaxUsers sets how many users the account may have, the primary user included.
func WithMaxUsers(users int) Option { return func(s *settings) { s.maxUsers = max(users, 1) } }

// user is a user of the account, who may be a member of any number of teams.
type user struct {
	id        int64
	fullName  string
	email     string
	role      *adminapi.TeamRole
	createdAt time.Time
	// pending is true until the user accepts to join the account. A user who is in the account already joins further
	// teams at once.
	pending bool
	primary bool
}

// status is the user's status as a member. The contract names only the pending one.
func (u *user) status() string {
	if u.pending {
		return "pending"
	}
	return "active"
}

// record is the user as a team shows its members.
func (u *user) record() adminapi.TeamUser {
	return adminapi.TeamUser{
		ID:        u.id,
		FullName:  u.fullName,
		Email:     u.email,
		Role:      u.role,
		CreatedAt: u.createdAt,
		Status:    u.status(),
		PhotoURL:  fmt.Sprintf("https://images.%s/users/%d.png", host, u.id),
	}
}

// invite is the user as a team shows its pending invitations.
func (u *user) invite() adminapi.TeamInvite {
	return adminapi.TeamInvite{
		ID:        &u.id,
		FullName:  &u.fullName,
		Email:     &u.email,
		Role:      u.role,
		Status:    new(u.status()),
		CreatedAt: &u.createdAt,
	}
}

// byEmail finds a user of the account. Addresses that differ only in case are one.
func (t *teamState) byEmail(email string) (*user, bool) {
	at := slices.IndexFunc(t.users, func(u *user) bool { return strings.EqualFold(u.email, email) })
	if at < 0 {
		return nil, false
	}
	return t.users[at], true
}

// member finds a member of the team.
func (t *team) member(id int64) (*user, error) {
	at := slices.IndexFunc(t.members, func(u *user) bool { return u.id == id })
	if at < 0 {
		return nil, notFound("user not found in the team")
	}
	return t.members[at], nil
}

// remove takes a user out of the team.
func (t *team) remove(gone *user) {
	t.members = slices.DeleteFunc(t.members, func(other *user) bool { return other == gone })
}

// destroy deletes a user from the account, and so from every team.
func (t *teamState) destroy(gone *user) {
	for _, team := range t.all {
		team.remove(gone)
	}
	t.users = slices.DeleteFunc(t.users, func(other *user) bool { return other == gone })
}

// AcceptInvitation does what an invited user does with the link in the invitation: the user is pending no more, in any
// team. No operation of the service does this. The error says that there is no such user, or nothing to accept.
func (e *Emulator) AcceptInvitation(userID int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, user := range e.state.teams.users {
		if user.id != userID {
			continue
		}
		if !user.pending {
			return fmt.Errorf("emulator: user %d has no pending invitation", userID)
		}
		user.pending = false
		return nil
	}
	return fmt.Errorf("emulator: no user %d", userID)
}

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
