package acceptance

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// maxMembers is how many members a team gets.
const maxMembers = 4

// invite invites a user to a team: one who is new, or one whom the account has already.
func (p *teamPlayer) invite(model *teamModel) {
	if len(model.members) >= maxMembers {
		return
	}
	p.serial++
	invitation := admin.InviteTeamMemberRequest{
		Email: fmt.Sprintf("%s-%d@example.com", p.name, p.serial), FullName: new("A User"), Role: new(admin.TeamRoleViewer),
	}
	if id, some := pick(p.Rand, p.users); some && p.IntN(3) == 0 {
		if _, member := model.members[id]; member {
			return
		}
		invitation.Email = p.users[id]
	}
	id := p.create("inviteTeamMember", func() (string, error) {
		member, err := p.client.Teams.Invite(p.t.Context(), model.id, invitation)
		return idOf(member, err, func(m *admin.TeamMember) *string { return new(fmt.Sprint(m.ID)) })
	}, func() (found, error) {
		lookup, err := p.client.Teams.FindInvited(p.t.Context(), model.id, invitation.Email)
		return lookedUp(lookup, err, nil)
	})
	if id == "" {
		return
	}
	var user int64
	_, _ = fmt.Sscan(id, &user)
	model.members[user] = invitation.Email
	p.users[user] = invitation.Email
}

// resend sends an invitation again. Nothing tells whether it went out.
func (p *teamPlayer) resend(model *teamModel) {
	user, some := pick(p.Rand, model.members)
	if !some {
		return
	}
	p.mayBeDone("resendTeamInvite", p.client.Teams.ResendInvite(p.t.Context(), model.id, user))
}

// mayBeDone notes the outcome of a call of which no record tells whether it was carried out.
func (w *soaker) mayBeDone(what string, err error) {
	if !w.came(what, err) && errors.Is(err, rpcfleet.ErrMaybeCarriedOut) {
		w.tally.resolve(what + ": nothing tells, and it leaves no trace")
	}
}

// leave takes a user out of a team, or out of the account.
func (p *teamPlayer) leave(model *teamModel) {
	user, some := pick(p.Rand, model.members)
	if !some {
		return
	}
	destroy := p.IntN(2) == 0
	how := admin.RemoveTeamMemberRequest{}
	if destroy {
		how.DestroyUser = &destroy
	}
	p.remove("removeTeamMember", func() error { return p.client.Teams.RemoveMember(p.t.Context(), model.id, user, how) })
	delete(model.members, user)
	if destroy {
		delete(p.users, user)
		for _, other := range p.models {
			delete(other.members, user)
		}
	}
}

// verify compares the teams and the users.
func (p *teamPlayer) verify(state *soakState) {
	p.sameList("teams in the end", p.views(), p.teamsOf(state.teams))
	for _, model := range p.models {
		p.sameList("endpoints of a team in the end", slices.Sorted(slices.Values(model.endpoints)),
			slices.Sorted(slices.Values(state.teamEndpoints[model.id])))
	}
	users := map[int64]string{}
	for id, email := range state.users {
		if belongs(p.name, email) {
			users[id] = email
		}
	}
	p.same("users in the end", p.users, users)
}

func (p *teamPlayer) owns() soakCounts {
	return soakCounts{"teams": len(p.models), "users": len(p.users)}
}
