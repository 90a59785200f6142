package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// adoptTeams adds the teams. Which endpoints a team has, a file says only where it can be told: see assignment. Where
// there is one team alone, that is never.
func adoptTeams(ctx context.Context, r *reader, f *fleet) error {
	a, err := r.listings(ctx, &fleet{Teams: list[team]{}})
	if err != nil {
		return err
	}
	if err := r.teamsDetails(ctx, a); err != nil {
		return err
	}
	names, p := a.names(), &planner{account: a}
	f.Teams = list[team]{}
	for _, have := range a.teams {
		declared := team{Name: have.Name, Members: adoptedMembers(a.teamDetails[have.ID])}
		if len(a.teams) > 1 {
			declared.Endpoints = list[string]{}
			surely, _ := p.assigned(have.ID)
			for _, e := range a.endpoints {
				if surely[e.ID] {
					declared.Endpoints = append(declared.Endpoints, names[e.ID])
				}
			}
		}
		f.Teams = append(f.Teams, declared)
	}
	return nil
}

// adoptedMembers are the members without the primary user of the account, who is nobody's to invite or to remove.
func adoptedMembers(have *teamDetails) list[member] {
	members := list[member]{}
	add := func(email, fullName string, role *admin.TeamRole) {
		m := member{Email: email, FullName: fullName}
		if role != nil && role.Valid() {
			m.Role = *role
		}
		if email != "" && !slices.ContainsFunc(members, func(other member) bool { return strings.EqualFold(other.Email, email) }) {
			members = append(members, m)
		}
	}
	for _, user := range have.Users {
		if user.AccountPrimaryUser == nil || !*user.AccountPrimaryUser {
			add(user.Email, user.FullName, user.Role)
		}
	}
	for _, invite := range have.PendingInvites {
		add(text(invite.Email), text(invite.FullName), invite.Role)
	}
	return members
}

// adoptAlerts adds destinations and notifications. The URLs of destinations may be secrets, and stay in the environment.
func adoptAlerts(ctx context.Context, r *reader, f *fleet) error {
	a, err := r.listings(ctx, &fleet{Destinations: list[destination]{}, Notifications: list[notification]{}})
	if err != nil {
		return err
	}
	f.Destinations, f.Notifications = list[destination]{}, list[notification]{}
	names, variables := map[string]string{}, map[string]bool{}
	for _, have := range a.destinations {
		names[have.ID] = have.Name
		f.Destinations = append(f.Destinations, destination{
			Name: have.Name, URLFrom: variable(have.Name, variables), Method: have.WebhookType, PayloadType: have.PayloadType,
		})
	}
	for _, have := range a.notifications {
		declared := notification{Name: have.Name, Network: have.Network, Expression: have.Expression, Destinations: []string{}}
		for _, id := range have.DestinationIDs {
			if name, known := names[id]; known {
				declared.Destinations = append(declared.Destinations, name)
			}
		}
		if !on(have.Enabled) {
			declared.Enabled = new(false)
		}
		f.Notifications = append(f.Notifications, declared)
	}
	return nil
}

// variable makes the name of an environment variable for the URL of a destination.
func variable(name string, taken map[string]bool) string {
	base := "DESTINATION_" + strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return unicode.ToUpper(r)
	}, name) + "_URL"
	variable := base
	for i := 2; taken[variable]; i++ {
		variable = fmt.Sprintf("%s_%d", base, i)
	}
	taken[variable] = true
	return variable
}
