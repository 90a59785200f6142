package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// teams compares the teams.
func (p *planner) teams(ctx context.Context) (works, removals []work, err error) {
	if p.file.Teams == nil {
		return nil, nil, nil
	}
	if err := p.teamsDetails(ctx, p.account); err != nil {
		return nil, nil, err
	}
	declared := map[string]bool{}
	for i := range p.file.Teams {
		want := &p.file.Teams[i]
		declared[want.Name] = true
		same := named(p.account.teams, want.Name, func(t *admin.Team) string { return t.Name })
		switch len(same) {
		case 0:
			works = append(works, work{steps: p.newTeam(want)})
		case 1:
			id := same[0].ID
			p.know("team", want.Name, strconv.FormatInt(id, 10))
			steps := append(p.members(want, p.account.teamDetails[id]), p.assignment(want, id)...)
			works = append(works, work{steps: steps})
		default:
			return nil, nil, fmt.Errorf("the account has %d teams called %q: delete some", len(same), want.Name)
		}
	}
	for _, t := range p.account.teams {
		if !declared[t.Name] {
			steps := p.members(&team{Name: t.Name, Members: list[member]{}}, p.account.teamDetails[t.ID])
			removals = append(removals, work{steps: append(steps, step{
				Action: actionRemove, Thing: thing("team", t.Name),
				do: func(ctx context.Context) error { return p.client.Teams.Delete(ctx, t.ID) },
			})})
		}
	}
	return works, removals, nil
}

// newTeam plans a team that the account does not have.
func (p *planner) newTeam(want *team) []step {
	steps := []step{{Action: actionCreate, Thing: thing("team", want.Name), do: func(ctx context.Context) error {
		id, err := once(ctx, p.settle, nil,
			func(ctx context.Context) (string, error) {
				created, err := p.client.Teams.Create(ctx, want.Name)
				if err != nil {
					return "", err
				}
				return strconv.FormatInt(created.ID, 10), nil
			},
			func(ctx context.Context) (rpcfleet.Lookup[admin.Team], error) {
				return p.client.Teams.FindCreated(ctx, want.Name)
			})
		p.know("team", want.Name, id)
		return err
	}}}
	steps = append(steps, p.members(want, &teamDetails{TeamDetail: &admin.TeamDetail{}})...)
	if len(want.Endpoints) > 0 {
		steps = append(steps, p.assign(want, "", want.Endpoints, nil))
	}
	return steps
}

// teamID is the id of a team that exists by the time it is asked for.
func (p *planner) teamID(name string) (int64, error) {
	return strconv.ParseInt(p.id("team", name), 10, 64)
}

// members compares the members, invited ones included. The primary user of the account cannot be removed.
func (p *planner) members(want *team, have *teamDetails) (steps []step) {
	if want.Members == nil {
		return nil
	}
	declared, there := map[string]bool{}, map[string]bool{}
	for _, m := range want.Members {
		declared[strings.ToLower(m.Email)] = true
	}
	remove := func(email string, id int64) {
		there[strings.ToLower(email)] = true
		if !declared[strings.ToLower(email)] {
			steps = append(steps, step{actionRemove, thing("team", want.Name), "members", email, "", func(ctx context.Context) error {
				return p.client.Teams.RemoveMember(ctx, have.ID, id, admin.RemoveTeamMemberRequest{})
			}})
		}
	}
	for _, user := range have.Users {
		if user.AccountPrimaryUser != nil && *user.AccountPrimaryUser {
			there[strings.ToLower(user.Email)] = true
			continue
		}
		remove(user.Email, user.ID)
	}
	for _, invite := range have.PendingInvites {
		if email := text(invite.Email); invite.ID != nil && !there[strings.ToLower(email)] {
			remove(email, *invite.ID)
		}
	}
	for _, m := range want.Members {
		if !there[strings.ToLower(m.Email)] {
			steps = append(steps, step{actionAdd, thing("team", want.Name), "members", "", m.Email,
				func(ctx context.Context) error { return p.invite(ctx, want.Name, m) }})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return strings.Compare(string(a.Action), string(b.Action)) })
	return steps
}

func (p *planner) invite(ctx context.Context, team string, m member) error {
	id, err := p.teamID(team)
	if err != nil {
		return err
	}
	invitation := admin.InviteTeamMemberRequest{Email: m.Email}
	if m.FullName != "" {
		invitation.FullName = &m.FullName
	}
	if m.Role != "" {
		invitation.Role = &m.Role
	}
	_, err = once(ctx, p.settle, nil,
		func(ctx context.Context) (string, error) {
			_, err := p.client.Teams.Invite(ctx, id, invitation)
			return "", err
		},
		func(ctx context.Context) (rpcfleet.Lookup[admin.TeamMember], error) {
			return p.client.Teams.FindInvited(ctx, id, m.Email)
		})
	return err
}
