package emulator

import (
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/snapshot"
)

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
