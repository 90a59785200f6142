package emulator

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// PrimaryUserEmail is the email address of the account's primary user, who is in no team until invited to one.
const PrimaryUserEmail = "owner@example.com"

// The statuses of users, of which the contract names only the first. A user may be a member of any number of teams, is
// pending until the invitation to the account is accepted, and then joins further teams at once.
const (
	pending = "pending"
	active  = "active"
)

// teamData is a team with its members, pending ones too, in the order of their invitations.
type teamData struct {
	adminapi.CreatedTeam

	members []*adminapi.TeamUser
	// endpoints are the ids of the assigned endpoints. An endpoint can be assigned to several teams (assumed).
	endpoints []string
}

const maxUsers = 10

// newUser makes a pending user.
func (s *state) newUser(name, email string, role *adminapi.TeamRole) *adminapi.TeamUser {
	id := s.ids.number()
	return &adminapi.TeamUser{
		ID: id, FullName: name, Email: email, Role: role, CreatedAt: s.now(), Status: pending,
		AccountPrimaryUser: new(false), PhotoURL: fmt.Sprintf("https://images.%s/users/%d.png", host, id),
	}
}

// invited finds the user of the account with an email address, whatever its case, or adds a pending one.
func (s *state) invited(body *adminapi.InviteTeamMemberRequest) (*adminapi.TeamUser, error) {
	for _, known := range s.users {
		if strings.EqualFold(known.Email, body.Email) {
			return known, nil
		}
	}
	address, err := mail.ParseAddress(body.Email)
	switch {
	case err != nil || address.Address != body.Email:
		return nil, serve.BadRequest("email must be an email address")
	case valueOr(body.FullName, "") == "":
		return nil, serve.BadRequest("full_name is required for a new user")
	case body.Role == nil:
		return nil, serve.BadRequest("role is required for a new user")
	case len(s.users) >= maxUsers:
		return nil, serve.BadRequest(fmt.Sprintf("the account has its maximum of %d users", maxUsers))
	}
	return *addTo(&s.users, s.newUser(*body.FullName, body.Email, body.Role)), nil
}

// AcceptInvitation accepts the invitation of a pending user, in all teams. No operation of the service does this. The
// error says that the user does not exist or is not pending.
func (e *Emulator) AcceptInvitation(userID int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	found, err := find(e.state.users, "user", fmt.Sprint(userID))
	if err == nil && found.Status != pending {
		err = serve.BadRequest("the user has no pending invitation")
	}
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	found.Status = active
	return nil
}

func (r *request) ListTeams() ([]adminapi.Team, error) {
	return each(r.state.teams, func(t *teamData) adminapi.Team {
		users := each(t.members, func(member *adminapi.TeamUser) adminapi.TeamUser {
			shown := *member
			shown.AccountPrimaryUser = nil
			return shown
		})
		return adminapi.Team{ID: t.ID, Name: t.Name, MembersCount: int64(len(users)), Users: users}
	}), nil
}

// CreateTeam is POST /v0/teams. Two teams may have the same name. No operation sets another role.
func (r *request) CreateTeam(body *adminapi.CreateTeamRequest) (*adminapi.CreatedTeam, error) {
	created := adminapi.CreatedTeam{ID: r.state.ids.number(), Name: body.Name, DefaultRole: adminapi.TeamRoleViewer}
	r.state.teams = append(r.state.teams, &teamData{CreatedTeam: created})
	return &created, nil
}

func (r *request) GetTeam() (*adminapi.TeamDetail, error) {
	detail := adminapi.TeamDetail{
		ID: r.team.ID, Name: r.team.Name, DefaultRole: r.team.DefaultRole, MembersCount: int64(len(r.team.members)),
		Users:          each(r.team.members, func(m *adminapi.TeamUser) adminapi.TeamUser { return *m }),
		PendingInvites: []adminapi.TeamInvite{},
	}
	for _, m := range r.team.members {
		if m.Status == pending {
			detail.PendingInvites = append(detail.PendingInvites, merged(adminapi.TeamInvite{}, m))
		}
	}
	return &detail, nil
}

// DeleteTeam is DELETE /v0/teams/{id}. The endpoints of the team are open to all again.
func (r *request) DeleteTeam() (*adminapi.Message, error) {
	if len(r.team.members) > 0 {
		return nil, serve.BadRequest("the team has members")
	}
	remove(&r.state.teams, r.params["id"])
	return &adminapi.Message{Message: "team deleted"}, nil
}

// ListTeamEndpoints is GET /v0/teams/{id}/endpoints. It lists the endpoints of the team and those of no team.
func (r *request) ListTeamEndpoints() ([]adminapi.TeamEndpoint, error) {
	open := []adminapi.TeamEndpoint{}
	for _, e := range r.state.live() {
		assigned := func(t *teamData) bool { return slices.Contains(t.endpoints, e.ID) }
		if assigned(r.team) || !slices.ContainsFunc(r.state.teams, assigned) {
			open = append(open, adminapi.TeamEndpoint{ID: e.number, Subdomain: e.Name, Chain: &e.Chain, Network: &e.Network})
		}
	}
	return open, nil
}

// SetTeamEndpoints is PATCH /v0/teams/{id}/endpoints. It replaces the list, unless an endpoint in it does not exist.
func (r *request) SetTeamEndpoints(body *adminapi.SetTeamEndpointsRequest) (*adminapi.Success, error) {
	for _, id := range body.EndpointIDs {
		if _, err := r.state.endpoint(id); err != nil {
			return nil, err
		}
	}
	r.team.endpoints = body.EndpointIDs
	return &adminapi.Success{Success: true}, nil
}

// InviteTeamMember is POST /v0/teams/{id}/members. For a user of the account, only the email address matters.
func (r *request) InviteTeamMember(body *adminapi.InviteTeamMemberRequest) (*adminapi.TeamMember, error) {
	invited, err := r.state.invited(body)
	if err != nil {
		return nil, err
	}
	if slices.Contains(r.team.members, invited) {
		return nil, serve.BadRequest("the user is a member of the team already")
	}
	r.team.members = append(r.team.members, invited)
	return new(merged(adminapi.TeamMember{}, invited)), nil
}

// RemoveTeamMember is DELETE /v0/teams/{id}/members/{user_id}. The primary user cannot be removed.
func (r *request) RemoveTeamMember(id adminapi.TeamUserID, body *adminapi.RemoveTeamMemberRequest) (
	*adminapi.Message, error) {
	member, err := find(r.team.members, "user", fmt.Sprint(id))
	if err != nil {
		return nil, err
	}
	if valueOr(member.AccountPrimaryUser, false) {
		return nil, serve.BadRequest("the primary user cannot be removed")
	}
	remove(&r.team.members, fmt.Sprint(id))
	if body == nil || !valueOr(body.DestroyUser, false) {
		return &adminapi.Message{Message: "member removed"}, nil
	}
	for _, team := range r.state.teams {
		remove(&team.members, fmt.Sprint(id))
	}
	remove(&r.state.users, fmt.Sprint(id))
	return &adminapi.Message{Message: "user deleted"}, nil
}

// ResendTeamInvite is POST /v0/teams/{id}/members/{user_id}/resend_invite. The emulator sends nothing.
func (r *request) ResendTeamInvite(id adminapi.TeamUserID) (*adminapi.Message, error) {
	member, err := find(r.team.members, "user", fmt.Sprint(id))
	if err == nil && member.Status != pending {
		err = serve.BadRequest("the user has no pending invitation")
	}
	return &adminapi.Message{Message: "invitation sent"}, err
}
