package emulator

import (
	"slices"
	"time"
)

// state is everything that the emulator remembers. Emulator.mu guards it, so that nothing in here locks.
type state struct {
	settings *settings
	ids      *ids
	// started is when the account came into being.
	started time.Time

	account account
	billing billing

	// endpoints holds every endpoint ever created, by id, and order lists them as they were created. Archived ones
	// stay in both: what they used remains part of the account's usage.
	endpoints map[string]*endpoint
	order     []*endpoint

	tags    tagState
	teams   teamState
	tooling toolingState
	traffic trafficState
	alerts  alertsState
	graph   graphState
}

func newState(settings *settings) *state {
	s := &state{
		settings:  settings,
		ids:       newIDs(settings.seed),
		started:   settings.clock().UTC(),
		endpoints: make(map[string]*endpoint),
	}
	s.account = newAccount(s)
	s.billing = newBilling(s)
	s.teams = newTeams(s)
	s.tooling = newTooling(s)
	s.traffic = newTraffic(s)
	s.graph = newGraph(s)
	return s
}

// now is the emulator's present.
func (s *state) now() time.Time { return s.settings.clock().UTC() }

// endpoint finds an endpoint that is not archived.
func (s *state) endpoint(id string) (*endpoint, error) {
	found, known := s.endpoints[id]
	if !known || found.archived {
		return nil, notFound("endpoint not found")
	}
	return found, nil
}

// live lists the endpoints that are not archived, in the order of their creation.
func (s *state) live() []*endpoint {
	live := slices.Clone(s.order)
	return slices.DeleteFunc(live, func(e *endpoint) bool { return e.archived })
}
