package emulator

import (
	"context"
	"slices"
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
