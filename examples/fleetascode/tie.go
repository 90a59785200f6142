package main

import (
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// tie finds the endpoints of the account that the file declares: by id where the file has one, by label, and those that
// an interrupted apply has created and not labelled yet. It returns those as well of which the file says nothing.
func (p *planner) tie() (tied map[*endpoint]*admin.Endpoint, undeclared []admin.Endpoint, problems []error) {
	tied = map[*endpoint]*admin.Endpoint{}
	if p.file.Endpoints == nil {
		return tied, nil, nil
	}
	wrong := func(format string, arguments ...any) { problems = append(problems, fmt.Errorf(format, arguments...)) }
	taken := map[string]bool{}
	take := func(want *endpoint, have *admin.Endpoint) {
		tied[want], taken[have.ID] = have, true
		if have.Chain != want.Chain || !sameNetwork(want.Chain, want.Network, have.Network) {
			wrong("endpoint %q is on %s %s, which cannot be changed: give the one on %s %s another label",
				want.name(), have.Chain, have.Network, want.Chain, want.Network)
		}
	}
	byID, byLabel := map[string]*admin.Endpoint{}, map[string][]*admin.Endpoint{}
	for i := range p.account.endpoints {
		have := &p.account.endpoints[i]
		byID[have.ID] = have
	}
	for i := range p.file.Endpoints {
		want := &p.file.Endpoints[i]
		if want.ID == "" {
			continue
		}
		if have := byID[want.ID]; have != nil {
			take(want, have)
		} else {
			wrong("endpoint %q: the account has no endpoint with the id %s", want.name(), want.ID)
		}
	}
	for i := range p.account.endpoints {
		have := &p.account.endpoints[i]
		if label := text(have.Label); label != "" && !taken[have.ID] {
			byLabel[label] = append(byLabel[label], have)
		}
	}
	left, problem := p.left(byLabel)
	if problem != nil {
		problems = append(problems, problem)
	}
	for i := range p.file.Endpoints {
		want := &p.file.Endpoints[i]
		switch same := byLabel[want.Label]; {
		case want.ID != "":
		case len(same) > 1:
			for _, have := range same {
				taken[have.ID] = true
			}
			wrong("the account has %d endpoints labelled %q: give one of them in the file its id", len(same), want.Label)
			tied[want] = same[0] // The problem ends it all: what else differs is still worth telling.
		case len(same) == 1:
			take(want, same[0])
		case left[want.Label] != nil:
			take(want, left[want.Label])
		}
	}
	for _, have := range p.account.endpoints {
		if !taken[have.ID] {
			undeclared = append(undeclared, have)
		}
	}
	return tied, undeclared, problems
}

// left finds what an interrupted apply has created and not labelled: the endpoints without a label that were not there
// before it began, on the networks for which labels are missing. Until they have a label, one is as good as another.
func (p *planner) left(byLabel map[string][]*admin.Endpoint) (map[string]*admin.Endpoint, error) {
	left := map[string]*admin.Endpoint{}
	var found []*admin.Endpoint
	for i := range p.account.endpoints {
		have := &p.account.endpoints[i]
		if text(have.Label) == "" && p.state.Creating != nil && !slices.Contains(p.state.Creating.Before, have.ID) {
			found = append(found, have)
		}
	}
	for _, pending := range p.state.pending() {
		if len(byLabel[pending.Label]) > 0 {
			continue
		}
		at := slices.IndexFunc(found, func(have *admin.Endpoint) bool {
			return have.Chain == pending.Chain && sameNetwork(pending.Chain, pending.Network, have.Network)
		})
		if at >= 0 {
			left[pending.Label] = found[at]
			found = slices.Delete(found, at, at+1)
		}
	}
	for _, extra := range found {
		for label, have := range left {
			if have.Chain == extra.Chain && have.Network == extra.Network {
				return nil, fmt.Errorf("an interrupted apply may have created the endpoint for %q, and so may somebody else: "+
					"label %s or %s by hand", label, have.ID, extra.ID)
			}
		}
	}
	return left, nil
}

// text is what a pointer points to, or empty.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
