package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
)

// planner compares a file with an account.
type planner struct {
	reader
	file  *fleet
	state *state
	// settle is how long something that was sent may take until a listing shows it.
	settle time.Duration

	account *account
	mu      sync.Mutex
	// ids are the ids of endpoints, teams and destinations by what names they have in the file, also of those that have
	// been created meanwhile.
	ids map[string]string
	// creating lets one endpoint of a kind be created at a time: what is new of a kind is then that one.
	creating map[string]chan struct{}
}

func newPlanner(client *rpcfleet.Client, f *fleet, s *state, parallel int, settle time.Duration) *planner {
	return &planner{
		reader: reader{client, parallel, func() {}}, file: f, state: s, settle: settle,
		ids: map[string]string{}, creating: map[string]chan struct{}{},
	}
}

// plan reads the account and says what is to be done. It changes nothing.
func (p *planner) plan(ctx context.Context) (*plan, error) {
	var err error
	if p.account, err = p.listings(ctx, p.file); err != nil {
		return nil, err
	}
	made := &plan{}
	endpoints, removals, err := p.endpoints(ctx, made)
	if err != nil {
		return nil, err
	}
	teams, removedTeams, err := p.teams(ctx)
	if err != nil {
		return nil, err
	}
	destinations, removedDestinations := p.destinations(made)
	notifications, removedNotifications, err := p.notifications(ctx, made)
	if err != nil {
		return nil, err
	}
	made.stages = [][]work{
		endpoints, append(destinations, teams...), notifications,
		removedNotifications, append(removedDestinations, removedTeams...), removals,
	}
	return made, nil
}

// endpoints compares the endpoints.
func (p *planner) endpoints(ctx context.Context, made *plan) (works, removals []work, err error) {
	tied, undeclared, problems := p.tie()
	made.problems = append(made.problems, problems...)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.parallel)
	told := make([]*details, len(p.file.Endpoints))
	for i := range p.file.Endpoints {
		want := &p.file.Endpoints[i]
		if have := tied[want]; have != nil {
			p.know("endpoint", want.name(), have.ID)
			told[i] = p.endpointDetails(ctx, group, have.ID, want)
		}
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for i := range p.file.Endpoints {
		want := &p.file.Endpoints[i]
		switch have := tied[want]; {
		case have != nil:
			works = append(works, work{steps: p.settings(want, have, told[i])})
		case want.ID == "":
			works = append(works, p.newEndpoint(want))
		}
	}
	for _, e := range undeclared {
		removals = append(removals, work{steps: []step{{
			Action: actionRemove, Thing: "endpoint " + quoted(e.Label) + " (" + e.ID + ")", Have: e.Network,
			do: func(ctx context.Context) error { return p.client.Endpoints.Archive(ctx, e.ID) },
		}}})
	}
	return works, removals, nil
}

// know keeps the id of something that the file names.
func (p *planner) know(kind, name, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ids[kind+" "+name] = id
}

// id returns the id of something that the file names, or an empty one where it does not exist yet.
func (p *planner) id(kind, name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ids[kind+" "+name]
}

// alone waits until nobody else creates something of a kind.
func (p *planner) alone(kind string) (done func()) {
	p.mu.Lock()
	if p.creating[kind] == nil {
		p.creating[kind] = make(chan struct{}, 1)
	}
	turn := p.creating[kind]
	p.mu.Unlock()
	turn <- struct{}{}
	return func() { <-turn }
}

func quoted(text *string) string {
	if text == nil || *text == "" {
		return "without a label"
	}
	return fmt.Sprintf("%q", *text)
}
