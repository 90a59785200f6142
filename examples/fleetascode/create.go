package main

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// newEndpoint plans an endpoint that the account does not have. What is to be set is compared with nothing for now, and
// once the endpoint exists with what it came with.
func (p *planner) newEndpoint(want *endpoint) work {
	create := step{Action: actionCreate, Thing: thing("endpoint", want.name()), Want: want.Chain + " " + want.Network}
	assumed := &admin.Endpoint{Label: &want.Label, Status: admin.EndpointStatusActive}
	return work{
		steps: append([]step{create}, p.settings(want, assumed, &details{security: &admin.EndpointSecurity{}})...),
		begin: func(ctx context.Context) ([]step, error) {
			id, err := p.create(ctx, want)
			if err != nil {
				return nil, err
			}
			if err := p.client.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: &want.Label}); err != nil {
				return nil, fmt.Errorf("the endpoint exists as %s and has no label yet: %w", id, err)
			}
			p.state.labelled(want.Label)
			p.know("endpoint", want.Label, id)
			return p.fresh(ctx, id, want)
		},
	}
}

// create creates an endpoint and returns its id.
func (p *planner) create(ctx context.Context, want *endpoint) (string, error) {
	kind := want.Chain + " " + want.Network
	defer p.alone(kind)()
	p.know("begun", want.Label, "yes")
	request := admin.CreateEndpointRequest{Chain: want.Chain, Network: want.Network}
	id, err := once(ctx, p.settle, strings.Fields(p.id("created", kind)),
		func(ctx context.Context) (string, error) {
			created, err := p.client.Endpoints.Create(ctx, request)
			if err != nil {
				return "", err
			}
			return created.ID, nil
		},
		func(ctx context.Context) (rpcfleet.Lookup[admin.Endpoint], error) {
			found, err := p.client.Endpoints.FindCreated(ctx, request)
			return found.Without(p.before()...), err
		})
	if err == nil {
		p.know("created", kind, p.id("created", kind)+" "+id)
	}
	return id, err
}

// before are the ids of the endpoints that were there when the account was read.
func (p *planner) before() []string {
	ids := make([]string, len(p.account.endpoints))
	for i, e := range p.account.endpoints {
		ids[i] = e.ID
	}
	return ids
}

// fresh compares an endpoint that has just been created.
func (p *planner) fresh(ctx context.Context, id string, want *endpoint) ([]step, error) {
	group, reading := errgroup.WithContext(ctx)
	told := p.endpointDetails(reading, group, id, want)
	have, err := p.client.Endpoints.Get(ctx, id)
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	listed := &admin.Endpoint{ID: id, Label: have.Label, IsMultichain: have.IsMultichain, Tags: have.Tags}
	if have.Status != nil {
		listed.Status = *have.Status
	}
	return p.settings(want, listed, told), nil
}

// begin keeps in mind which endpoints are about to be created, and those that an interrupted apply has left without a
// label.
func (p *planner) begin() error {
	var these []pending
	var before []string
	unlabelled := map[string]bool{}
	for i := range p.file.Endpoints {
		want := &p.file.Endpoints[i]
		if want.ID != "" || p.labelled(want.Label) {
			continue
		}
		these = append(these, pending{want.Label, want.Chain, want.Network})
		if id := p.id("endpoint", want.Label); id != "" {
			unlabelled[id] = true
			p.know("begun", want.Label, "yes")
		}
	}
	for _, id := range p.before() {
		if !unlabelled[id] {
			before = append(before, id)
		}
	}
	if len(these) == 0 {
		return nil
	}
	return p.state.begin(before, these)
}

// end keeps what is left of that.
func (p *planner) end() error {
	if p.state.Creating == nil {
		return nil
	}
	return p.state.end(func(label string) bool { return p.id("begun", label) != "" })
}

// labelled reports whether the account has an endpoint with the label.
func (p *planner) labelled(label string) bool {
	for _, have := range p.account.endpoints {
		if text(have.Label) == label {
			return true
		}
	}
	return false
}

func thing(kind, name string) string { return fmt.Sprintf("%s %q", kind, name) }
