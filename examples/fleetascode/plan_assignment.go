package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// assignment compares the endpoints of a team.
//
// The service lists those assigned to the team together with those assigned to none, so that an endpoint that every team
// sees may be either. What the last apply has assigned decides then; where that is not known, the list is set once more,
// which changes nothing where it is right.
func (p *planner) assignment(want *team, id int64) []step {
	if want.Endpoints == nil {
		return nil
	}
	surely, perhaps := p.assigned(id)
	known := p.state.Teams[strconv.FormatInt(id, 10)]
	settled := true
	for _, name := range want.Endpoints {
		endpoint := p.id("endpoint", name)
		settled = settled && endpoint != "" && (surely[endpoint] || perhaps[endpoint] && slices.Contains(known, endpoint))
	}
	var extra, names []string
	for _, e := range p.account.endpoints {
		declared := slices.ContainsFunc(want.Endpoints, func(name string) bool { return p.id("endpoint", name) == e.ID })
		if !declared && (surely[e.ID] || perhaps[e.ID] && slices.Contains(known, e.ID)) {
			extra, names = append(extra, e.ID), append(names, nameOf(text(e.Label), e.ID))
		}
	}
	var steps []step
	if !settled {
		steps = append(steps, p.assign(want, "", want.Endpoints, extra))
	}
	if len(extra) > 0 {
		remove := p.assign(want, strings.Join(names, ", "), want.Endpoints, nil)
		remove.Action, remove.Want = actionRemove, ""
		steps = append(steps, remove)
	}
	return steps
}

// assigned returns the endpoints that are surely assigned to a team, because it sees them and another team does not,
// and those that every team sees.
func (p *planner) assigned(id int64) (surely, perhaps map[string]bool) {
	surely, perhaps = map[string]bool{}, map[string]bool{}
	for endpoint := range p.account.teamDetails[id].visible {
		everywhere := true
		for _, other := range p.account.teamDetails {
			everywhere = everywhere && other.visible[endpoint]
		}
		if everywhere {
			perhaps[endpoint] = true
		} else {
			surely[endpoint] = true
		}
	}
	return surely, perhaps
}

// assign plans to assign endpoints of the file, and others, and no more.
func (p *planner) assign(want *team, have string, names, others []string) step {
	return step{actionSet, thing("team", want.Name), "endpoints", have, strings.Join(names, ", "), func(ctx context.Context) error {
		id, err := p.teamID(want.Name)
		if err != nil {
			return err
		}
		endpoints := slices.Clone(others)
		for _, name := range names {
			endpoints = append(endpoints, p.id("endpoint", name))
		}
		if err := p.client.Teams.SetEndpoints(ctx, id, append([]string{}, endpoints...)); err != nil {
			return err
		}
		return p.state.assigned(strconv.FormatInt(id, 10), endpoints)
	}}
}

// nameOf is what people call an endpoint.
func nameOf(label, id string) string {
	if label == "" {
		return id
	}
	return label
}
