package emulator

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

// SaveSnapshot writes everything that the emulator remembers to a file: an emulator that restores it gives the same
// responses from then on, and makes the same ids. Options are not part of it, nor is the clock, nor which requests
// there were. The file holds the secrets of the emulator, and only its owner can read it. It has either all of the
// state or what was in it before, also where the machine stops meanwhile. What a save that was killed has left beside
// the file is removed by the next SaveSnapshot or RestoreSnapshot. One program at a time uses a file.
func (e *Emulator) SaveSnapshot(file string) error {
	if err := snapshot.Save(file, e.snapshot()); err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be saved: %w", err)
	}
	return nil
}

// snapshot copies the state. It shares nothing with it that changes.
func (e *Emulator) snapshot() *snapshot.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.snapshot()
}

// RestoreSnapshot puts what SaveSnapshot has saved in the place of all that the emulator remembers. Where the file
// cannot be read, has another version or does not fit together, the error says so and nothing changes.
func (e *Emulator) RestoreSnapshot(file string) error {
	saved, err := snapshot.Load(file)
	if err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be read: %w", err)
	}
	restored, err := restore(&e.settings, saved)
	if err != nil {
		return fmt.Errorf("emulator: the snapshot %s does not fit together: %w", file, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = restored
	return nil
}

// snapshot copies the state into its form in a file.
func (s *state) snapshot() *snapshot.State {
	random, _ := s.ids.source.MarshalBinary() // The method has an error for the interface's sake.
	taken := &snapshot.State{
		IDs:     snapshot.IDs{Random: random, Serial: s.ids.serial},
		Started: s.started,
		Account: snapshot.Account{
			ID: s.account.id, Name: s.account.name, CreatedAt: s.account.createdAt, Plan: s.account.plan,
		},
		Invoices: s.billing.invoices,
		Payments: s.billing.payments,
		Tooling: snapshot.Tooling{
			Seed: s.tooling.seed, EnabledAt: s.tooling.enabledAt, EndpointID: s.tooling.endpointID,
		},
		Logged: s.traffic.logged,
		Graph:  s.graph.given,
	}
	for _, t := range s.everyTag() {
		taken.Tags = append(taken.Tags, snapshot.Tag{ID: t.id, Label: t.label, Deleted: !slices.Contains(s.tags.all, t)})
	}
	for _, e := range s.order {
		taken.Endpoints = append(taken.Endpoints, s.endpointSnapshot(e))
	}
	for _, u := range s.teams.users {
		taken.Users = append(taken.Users, snapshot.User{
			ID: u.id, FullName: u.fullName, Email: u.email, Role: u.role, CreatedAt: u.createdAt, Pending: u.pending,
			Primary: u.primary,
		})
	}
	for _, t := range s.teams.all {
		team := snapshot.Team{ID: t.id, Name: t.name, Endpoints: slices.Sorted(maps.Keys(t.endpoints))}
		for _, member := range t.members {
			team.Members = append(team.Members, member.id)
		}
		taken.Teams = append(taken.Teams, team)
	}
	s.snapshotAlerts(taken)
	return taken
}

// everyTag lists the tags of the account, and behind them those that only archived endpoints have.
func (s *state) everyTag() []*tag {
	all, known := slices.Clone(s.tags.all), make(map[*tag]bool)
	for _, t := range all {
		known[t] = true
	}
	for _, e := range s.order {
		for _, t := range e.tags {
			if !known[t] {
				all, known[t] = append(all, t), true
			}
		}
	}
	return all
}

func (s *state) endpointSnapshot(e *endpoint) snapshot.Endpoint {
	taken := snapshot.Endpoint{
		Number: e.number, Name: e.name, Label: e.label, Chain: e.chain.slug, Network: e.network.slug, Status: e.status,
		Token: e.token, CreatedAt: e.createdAt, Dedicated: e.dedicated, FlatRate: e.flatRate, Multichain: e.multichain,
		Archived: e.archived,
		Security: snapshot.Security{
			Tokens: entriesSnapshot(e.security.tokens), Referrers: entriesSnapshot(e.security.referrers),
			IPs: entriesSnapshot(e.security.ips), DomainMasks: entriesSnapshot(e.security.domainMasks),
			RequestFilters: entriesSnapshot(e.security.requestFilters), On: maps.Clone(e.security.on),
			IPHeader: e.security.ipHeader,
		},
	}
	for _, t := range e.tags {
		taken.Tags = append(taken.Tags, t.id)
	}
	for _, jwt := range e.security.jwts {
		key := snapshot.PublicKey{Key: jwt.value.key, Kid: jwt.value.kid, Name: jwt.value.name}
		taken.Security.JWTs = append(taken.Security.JWTs, snapshot.Entry[snapshot.PublicKey]{ID: jwt.id, Value: key})
	}
	for _, plan := range planLimits {
		if o, set := e.limits.overrides[plan.bucket]; set {
			taken.Limits = append(taken.Limits, snapshot.Limit{Bucket: plan.bucket, ID: o.id, Rate: o.rate})
		}
	}
	for _, m := range e.limits.methods {
		taken.Methods = append(taken.Methods, *m)
	}
	log := s.traffic.of(e)
	for _, c := range log.calls {
		taken.Calls = append(taken.Calls, callSnapshot(c))
	}
	for _, c := range log.tallies {
		tally := callSnapshot(c)
		tally.Requests, tally.Bytes = c.requests, c.bytes
		taken.Tallies = append(taken.Tallies, tally)
	}
	return taken
}

func entriesSnapshot[T any](list entries[T]) []snapshot.Entry[T] {
	return records(list, func(e entry[T]) snapshot.Entry[T] { return snapshot.Entry[T]{ID: e.id, Value: e.value} })
}

func callSnapshot(c *call) snapshot.Call {
	return snapshot.Call{
		Timestamp: c.Timestamp, RequestID: c.RequestID, Method: c.Method, Network: c.Network, HTTPMethod: c.HTTPMethod,
		Status: c.Status, ErrorCode: c.ErrorCode, URL: c.URL, Request: c.Request, Response: c.Response,
		ResponseTime: c.ResponseTime, Archive: c.Archive,
	}
}

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

func (s *state) snapshotAlerts(taken *snapshot.State) {
	known := make(map[*destination]bool)
	note := func(d *destination, deleted bool) {
		if !known[d] {
			known[d] = true
			taken.Destinations = append(taken.Destinations, snapshot.Destination{
				ID: d.id, CreatedAt: d.createdAt, Name: d.name, URL: d.url, Method: d.method, Service: d.service,
				Token: d.token, PayloadType: d.payloadType, Deleted: deleted,
			})
		}
	}
	for _, d := range s.alerts.destinations {
		note(d, false)
	}
	for _, n := range s.alerts.notifications {
		saved := snapshot.Notification{
			ID: n.id, CreatedAt: n.createdAt, UpdatedAt: n.updatedAt, Name: n.name, Expression: string(n.text),
			Network: n.network, Enabled: n.enabled,
		}
		for _, d := range n.destinations {
			saved.Destinations = append(saved.Destinations, d.id)
		}
		for _, v := range n.events {
			note(v.to, true)
			saved.Events = append(saved.Events, snapshot.Event{
				ID: v.id, Destination: v.to.id, Block: v.block, Places: slices.Clone(v.places), CreatedAt: v.createdAt,
				Body: v.message.body, Header: v.message.header, Delivered: v.delivered, DeliveredAt: v.deliveredAt,
				Failure: v.failure,
			})
		}
		taken.Notifications = append(taken.Notifications, saved)
	}
}

func (s *state) restoreAlerts(saved *snapshot.State) error {
	known := make(map[string]*destination)
	for _, d := range saved.Destinations {
		restored := &destination{
			id: d.ID, createdAt: d.CreatedAt, name: d.Name, url: d.URL, method: d.Method, service: d.Service,
			token: d.Token, payloadType: d.PayloadType,
		}
		known[d.ID] = restored
		if !d.Deleted {
			s.alerts.destinations = append(s.alerts.destinations, restored)
		}
	}
	for _, n := range saved.Notifications {
		expression, err := parseExpression(n.Expression)
		if err != nil {
			return fmt.Errorf("notification %s: %w", n.ID, err)
		}
		restored := &notification{
			id: n.ID, createdAt: n.CreatedAt, updatedAt: n.UpdatedAt, name: n.Name, text: []byte(n.Expression),
			expression: expression, network: n.Network, enabled: n.Enabled,
		}
		for _, id := range n.Destinations {
			if known[id] == nil {
				return fmt.Errorf("notification %s: there is no destination %s", n.ID, id)
			}
			restored.destinations = append(restored.destinations, known[id])
		}
		for _, v := range n.Events {
			if known[v.Destination] == nil {
				return fmt.Errorf("event %s: there is no destination %s", v.ID, v.Destination)
			}
			restored.events = append(restored.events, &event{
				id: v.ID, notificationID: n.ID, to: known[v.Destination], block: v.Block, places: v.Places,
				createdAt: v.CreatedAt, message: message{v.Body, v.Header}, delivered: v.Delivered,
				deliveredAt: v.DeliveredAt, failure: v.Failure,
			})
		}
		s.alerts.notifications = append(s.alerts.notifications, restored)
	}
	return nil
}

// texts keeps one copy of each text, since many calls of a log have the same.
type texts map[string]string

func (t texts) one(text string) string {
	known, there := t[text]
	if !there {
		t[text], known = text, text
	}
	return known
}

// restoreTraffic brings back what went through an endpoint.
func (s *state) restoreTraffic(of *endpoint, saved snapshot.Endpoint, texts texts) error {
	log := s.traffic.of(of)
	for _, c := range saved.Calls {
		restored, err := callFrom(c, texts)
		switch {
		case err != nil:
			return err
		case !isTimeUUID(c.RequestID) || log.byID[c.RequestID] != nil:
			return errors.New("a call has the request id of another, or none")
		}
		restored.used = used{restored.chain.creditsOf(c.Method), 1, int64(len(c.Request) + len(c.Response))}
		log.calls, log.byID[c.RequestID] = append(log.calls, restored), restored
		log.credits += restored.credits
	}
	slices.SortFunc(log.calls, func(a, b *call) int { return a.compare(position{b.Timestamp, b.RequestID}) })
	var tallies []*call
	for _, c := range saved.Tallies {
		restored, err := callFrom(c, texts)
		if err != nil {
			return err
		}
		restored.used = used{restored.chain.creditsOf(c.Method) * c.Requests, c.Requests, c.Bytes}
		restored.tally = true
		tallies = append(tallies, restored)
	}
	log.count(tallies)
	return nil
}

func callFrom(saved snapshot.Call, texts texts) (*call, error) {
	chain, network, known := networkBySlug(saved.Network)
	if !known {
		return nil, errors.New("a call is of a network that is not in the catalogue")
	}
	return &call{chain: chain, LoggedCall: LoggedCall{
		Timestamp: saved.Timestamp, RequestID: saved.RequestID, Method: texts.one(saved.Method), Network: network.slug,
		HTTPMethod: texts.one(saved.HTTPMethod), Status: saved.Status, ErrorCode: saved.ErrorCode,
		URL: texts.one(saved.URL), Request: texts.one(saved.Request), Response: texts.one(saved.Response),
		ResponseTime: saved.ResponseTime, Archive: saved.Archive,
	}}, nil
}
