package main

import (
	"context"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// The lists of what is let in to an endpoint.

func (s *settings) referrers(want []string, list []admin.EndpointReferrer) {
	var have []entry
	for _, r := range list {
		have = append(have, listed(r.ID, r.Referrer))
	}
	s.entries("security.referrers", have, declared(want),
		func(ctx context.Context, i int) error {
			return add(ctx, s, have,
				func(ctx context.Context) error {
					_, err := s.client.Security.AddReferrer(ctx, s.id, want[i])
					return err
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointReferrer], error) {
					return s.client.Security.FindAddedReferrer(ctx, s.id, want[i])
				})
		},
		func(ctx context.Context, id string) error { return s.client.Security.RemoveReferrer(ctx, s.id, id) })
}

func (s *settings) ips(want []string, list []admin.EndpointIP) {
	var have []entry
	for _, ip := range list {
		have = append(have, listed(ip.ID, ip.IP))
	}
	s.entries("security.ips", have, declared(want),
		func(ctx context.Context, i int) error {
			return add(ctx, s, have,
				func(ctx context.Context) error {
					_, err := s.client.Security.AddIP(ctx, s.id, want[i])
					return err
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointIP], error) {
					return s.client.Security.FindAddedIP(ctx, s.id, want[i])
				})
		},
		func(ctx context.Context, id string) error { return s.client.Security.RemoveIP(ctx, s.id, id) })
}

func (s *settings) domainMasks(want []string, list []admin.EndpointDomainMask) {
	var have []entry
	for _, mask := range list {
		have = append(have, listed(mask.ID, mask.Domain))
	}
	s.entries("security.domain_masks", have, declared(want),
		func(ctx context.Context, i int) error {
			return add(ctx, s, have,
				func(ctx context.Context) error {
					_, err := s.client.Security.AddDomainMask(ctx, s.id, want[i])
					return err
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointDomainMask], error) {
					return s.client.Security.FindAddedDomainMask(ctx, s.id, want[i])
				})
		},
		func(ctx context.Context, id string) error { return s.client.Security.RemoveDomainMask(ctx, s.id, id) })
}

// jwts compares public keys. A key that differs in any part is another key: the service has no operation that changes
// one, and the old one works until it is removed.
func (s *settings) jwts(want []jwt, list []admin.EndpointJWT) {
	var wanted, have []entry
	for _, j := range want {
		wanted = append(wanted, entry{key: j.key(), shown: j.Name + " (" + j.Kid + ")"})
	}
	for _, j := range list {
		key := jwtOf(j)
		have = append(have, entry{text(j.ID), key.key(), key.Name + " (" + key.Kid + ")"})
	}
	s.entries("security.jwts", have, wanted,
		func(ctx context.Context, i int) error {
			request := admin.AddJWTRequest{Name: want[i].Name, Kid: want[i].Kid, PublicKey: want[i].PublicKey}
			return add(ctx, s, have,
				func(ctx context.Context) error {
					_, err := s.client.Security.AddJWT(ctx, s.id, request)
					return err
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.EndpointJWT], error) {
					found, err := s.client.Security.FindAddedJWT(ctx, s.id, request)
					found.Records = slices.DeleteFunc(found.Records, func(j admin.EndpointJWT) bool { return jwtOf(j) != want[i] })
					return found, err
				})
		},
		func(ctx context.Context, id string) error { return s.client.Security.RemoveJWT(ctx, s.id, id) })
}

// requestFilters compares lists of methods. Where one is missing and another is too many, that one is changed.
func (s *settings) requestFilters(want [][]string, list []admin.RequestFilter) {
	const field = "security.request_filters"
	var wanted, have []entry
	missing, found := map[string]bool{}, map[string]bool{}
	for _, methods := range want {
		key := methodKey(methods)
		wanted = append(wanted, entry{key: key, shown: key})
		missing[key] = true
	}
	var spare []entry
	for _, filter := range list {
		key := methodKey(filter.Method)
		e := entry{filter.ID, key, key}
		have = append(have, e)
		if missing[key] && !found[key] {
			found[key] = true
		} else {
			spare = append(spare, e)
		}
	}
	for i, e := range wanted {
		if found[e.key] || len(spare) == 0 {
			continue
		}
		from := spare[0]
		spare = spare[1:]
		s.set(field, from.shown, e.shown, func(ctx context.Context) error {
			return s.client.Security.UpdateRequestFilter(ctx, s.id, from.id, want[i])
		})
		for at := range have { // It is the wanted one from now on.
			if have[at].id == from.id {
				have[at].key = e.key
			}
		}
	}
	s.entries(field, have, wanted,
		func(ctx context.Context, i int) error {
			return add(ctx, s, have,
				func(ctx context.Context) error {
					_, err := s.client.Security.AddRequestFilter(ctx, s.id, want[i])
					return err
				},
				func(ctx context.Context) (rpcfleet.Lookup[admin.RequestFilter], error) {
					return s.client.Security.FindAddedRequestFilter(ctx, s.id, want[i])
				})
		},
		func(ctx context.Context, id string) error {
			return s.client.Security.RemoveRequestFilter(ctx, s.id, id)
		})
}

// jwtOf is a public key of the account as a file has it.
func jwtOf(j admin.EndpointJWT) jwt {
	return jwt{Name: text(j.Name), Kid: text(j.Kid), PublicKey: strings.TrimSpace(text(j.PublicKey))}
}
