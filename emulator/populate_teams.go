package emulator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// buildUser makes a user that the account does not have.
func (p *population) buildUser(given fleet.User) error {
	role := adminapi.TeamRole(given.Role)
	invitation := &adminapi.InviteTeamMemberRequest{Email: given.Email, FullName: &given.FullName, Role: &role}
	if err := checkInvitation(invitation); err != nil {
		return err
	}
	_, known := p.user(given.Email)
	switch limit := p.state.settings.maxUsers; {
	case given.FullName == "":
		return badRequest("full_name is required")
	case known:
		return fleet.At("email", errors.New("is that of another user"))
	case len(p.state.teams.users)+len(p.users) >= limit:
		return fmt.Errorf("the account has its maximum of %d users", limit)
	}
	built := p.state.newUser(invitation)
	built.pending = given.Pending
	p.users = append(p.users, built)
	return nil
}

// user finds a user of the account or the fleet.
func (p *population) user(email string) (*user, bool) {
	if known, found := p.state.teams.byEmail(email); found {
		return known, true
	}
	at := slices.IndexFunc(p.users, func(u *user) bool { return strings.EqualFold(u.email, email) })
	if at < 0 {
		return nil, false
	}
	return p.users[at], true
}

// buildTeam makes a team of users and endpoints that are there.
func (p *population) buildTeam(given fleet.Team) error {
	built, err := p.state.newTeam(given.Name)
	if err != nil {
		return err
	}
	for i, email := range given.Members {
		member, known := p.user(email)
		if !known {
			return fleet.Item("members", i, errors.New("there is no such user"))
		}
		if slices.Contains(built.members, member) {
			return fleet.Item("members", i, errors.New("the user is in the list already"))
		}
		built.members = append(built.members, member)
	}
	for i, label := range given.Endpoints {
		found := p.labels[label]
		if label == "" || len(found) != 1 {
			return fleet.Item("endpoints", i, errors.New("must be the label of exactly one endpoint of the fleet"))
		}
		built.endpoints[found[0].id] = true
	}
	p.teams = append(p.teams, built)
	return nil
}
