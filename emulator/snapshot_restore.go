package emulator

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

// restore makes the state that was saved, or says what in it does not fit together.
func restore(settings *settings, saved *snapshot.State) (*state, error) {
	source := &rand.PCG{}
	if err := source.UnmarshalBinary(saved.IDs.Random); err != nil {
		return nil, fmt.Errorf("ids: %w", err)
	}
	s := &state{
		settings: settings,
		ids:      idsFrom(source, saved.IDs.Serial),
		started:  saved.Started,
		account: account{
			id: saved.Account.ID, name: saved.Account.Name, createdAt: saved.Account.CreatedAt, plan: saved.Account.Plan,
		},
		billing:   billing{saved.Invoices, saved.Payments},
		endpoints: make(map[string]*endpoint),
		tooling:   toolingFrom(saved.Tooling.Seed),
		graph:     graphState{given: saved.Graph},
	}
	s.tooling.enabledAt, s.tooling.endpointID = saved.Tooling.EnabledAt, saved.Tooling.EndpointID
	s.traffic = newTraffic(s)
	s.traffic.logged = saved.Logged
	texts := make(texts)
	tags := s.restoreTags(saved.Tags)
	for _, e := range saved.Endpoints {
		restored, err := s.restoreEndpoint(e, tags)
		if err != nil {
			return nil, fmt.Errorf("endpoint %d: %w", e.Number, err)
		}
		s.attach(restored)
		if err := s.restoreTraffic(restored, e, texts); err != nil {
			return nil, fmt.Errorf("endpoint %d: %w", e.Number, err)
		}
	}
	if err := s.restoreTeams(saved); err != nil {
		return nil, err
	}
	if err := s.restoreAlerts(saved); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *state) restoreTags(saved []snapshot.Tag) map[int64]*tag {
	tags := make(map[int64]*tag, len(saved))
	for _, t := range saved {
		tags[t.ID] = &tag{id: t.ID, label: t.Label}
		if !t.Deleted {
			s.tags.all = append(s.tags.all, tags[t.ID])
		}
	}
	return tags
}

func (s *state) restoreTeams(saved *snapshot.State) error {
	users := make(map[int64]*user, len(saved.Users))
	for _, u := range saved.Users {
		users[u.ID] = &user{
			id: u.ID, fullName: u.FullName, email: u.Email, role: u.Role, createdAt: u.CreatedAt, pending: u.Pending,
			primary: u.Primary,
		}
		s.teams.users = append(s.teams.users, users[u.ID])
	}
	for _, t := range saved.Teams {
		restored := &team{id: t.ID, name: t.Name, endpoints: make(map[string]bool)}
		for _, id := range t.Members {
			if users[id] == nil {
				return fmt.Errorf("team %d: there is no user %d", t.ID, id)
			}
			restored.members = append(restored.members, users[id])
		}
		for _, id := range t.Endpoints {
			restored.endpoints[id] = true
		}
		s.teams.all = append(s.teams.all, restored)
	}
	return nil
}

func (s *state) restoreEndpoint(saved snapshot.Endpoint, tags map[int64]*tag) (*endpoint, error) {
	chain, network, err := findNetwork(saved.Chain, saved.Network)
	if err != nil {
		return nil, err
	}
	restored := &endpoint{
		id: strconv.FormatInt(saved.Number, 10), number: saved.Number, name: saved.Name, label: saved.Label,
		chain: chain, network: network, status: saved.Status, token: saved.Token, createdAt: saved.CreatedAt,
		dedicated: saved.Dedicated, flatRate: saved.FlatRate, multichain: saved.Multichain, archived: saved.Archived,
		security: securityFrom(saved.Security), limits: newLimits(s),
	}
	if s.endpoints[restored.id] != nil {
		return nil, fmt.Errorf("there are two of this number")
	}
	for _, id := range saved.Tags {
		if tags[id] == nil {
			return nil, fmt.Errorf("there is no tag %d", id)
		}
		restored.tags = append(restored.tags, tags[id])
	}
	for _, limit := range saved.Limits {
		restored.limits.overrides[limit.Bucket] = &override{limit.ID, limit.Rate}
	}
	for _, limit := range saved.Methods {
		restored.limits.methods = append(restored.limits.methods, &limit)
	}
	return restored, nil
}

func securityFrom(saved snapshot.Security) securityState {
	restored := securityState{
		tokens: entriesFrom(saved.Tokens), referrers: entriesFrom(saved.Referrers), ips: entriesFrom(saved.IPs),
		domainMasks: entriesFrom(saved.DomainMasks), requestFilters: entriesFrom(saved.RequestFilters),
		on: saved.On, ipHeader: saved.IPHeader,
	}
	if restored.on == nil {
		restored.on = make(map[adminapi.SecurityOptionName]bool)
	}
	for _, jwt := range saved.JWTs {
		key := publicKey{key: jwt.Value.Key, kid: jwt.Value.Kid, name: jwt.Value.Name}
		restored.jwts = append(restored.jwts, entry[publicKey]{jwt.ID, key})
	}
	return restored
}

func entriesFrom[T any](saved []snapshot.Entry[T]) entries[T] {
	var list entries[T]
	for _, e := range saved {
		list = append(list, entry[T]{e.ID, e.Value})
	}
	return list
}
