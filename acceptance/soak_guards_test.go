package acceptance

import (
	"context"
	"fmt"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// soakGuard is one of the lists that guard an endpoint.
type soakGuard struct {
	name string
	// add adds an entry for a value, and find looks for what add was to do, without the entries that are known.
	add    func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error)
	find   func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error)
	remove func(s *rpcfleet.SecurityService, ctx context.Context, id, entryID string, opts ...rpcfleet.CallOption) error
	// value spells a value that nobody has used, by a number, and entries reads the list, by the ids of its entries.
	value   func(n int) string
	entries func(record *admin.EndpointSecurity) map[string]string
}

// soakGuards are all of them. A filter's only method is its value; of a token, the value is not ours to choose.
var soakGuards = []soakGuard{
	{
		name: "token", value: func(int) string { return "a token" }, remove: (*rpcfleet.SecurityService).DeleteToken,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, _ string) (string, error) {
			entry, err := s.CreateToken(ctx, id)
			return idOf(entry, err, func(e *admin.EndpointToken) *string { return e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, _ string, known []string) (found, error) {
			lookup, err := s.FindCreatedToken(ctx, id)
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.Tokens, func(e admin.EndpointToken) (*string, string) { return e.ID, "a token" })
		},
	},
	{
		name: "referrer", value: func(n int) string { return fmt.Sprintf("site-%d.example", n) },
		remove: (*rpcfleet.SecurityService).RemoveReferrer,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error) {
			entry, err := s.AddReferrer(ctx, id, value)
			return idOf(entry, err, func(e *admin.EndpointReferrer) *string { return e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error) {
			lookup, err := s.FindAddedReferrer(ctx, id, value)
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.Referrers, func(e admin.EndpointReferrer) (*string, string) { return e.ID, valueOf(e.Referrer) })
		},
	},
	{
		name: "ip", value: func(n int) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) },
		remove: (*rpcfleet.SecurityService).RemoveIP,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error) {
			entry, err := s.AddIP(ctx, id, value)
			return idOf(entry, err, func(e *admin.EndpointIP) *string { return e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error) {
			lookup, err := s.FindAddedIP(ctx, id, value)
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.IPs, func(e admin.EndpointIP) (*string, string) { return e.ID, valueOf(e.IP) })
		},
	},
	{
		name: "domain mask", value: func(n int) string { return fmt.Sprintf("rpc-%d.example", n) },
		remove: (*rpcfleet.SecurityService).RemoveDomainMask,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error) {
			entry, err := s.AddDomainMask(ctx, id, value)
			return idOf(entry, err, func(e *admin.EndpointDomainMask) *string { return e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error) {
			lookup, err := s.FindAddedDomainMask(ctx, id, value)
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.DomainMasks, func(e admin.EndpointDomainMask) (*string, string) { return e.ID, valueOf(e.Domain) })
		},
	},
	{
		name: "jwt", value: func(n int) string { return fmt.Sprintf("key-%d", n) }, remove: (*rpcfleet.SecurityService).RemoveJWT,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error) {
			entry, err := s.AddJWT(ctx, id, soakJWT(value))
			return idOf(entry, err, func(e *admin.EndpointJWT) *string { return e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error) {
			lookup, err := s.FindAddedJWT(ctx, id, soakJWT(value))
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.JWTs, func(e admin.EndpointJWT) (*string, string) { return e.ID, valueOf(e.Name) })
		},
	},
	{
		name: "filter", value: func(n int) string { return fmt.Sprintf("eth_method%d", n) },
		remove: (*rpcfleet.SecurityService).RemoveRequestFilter,
		add: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string) (string, error) {
			entry, err := s.AddRequestFilter(ctx, id, []string{value})
			return idOf(entry, err, func(e *admin.RequestFilter) *string { return &e.ID })
		},
		find: func(ctx context.Context, s *rpcfleet.SecurityService, id, value string, known []string) (found, error) {
			lookup, err := s.FindAddedRequestFilter(ctx, id, []string{value})
			return lookedUp(lookup, err, known)
		},
		entries: func(r *admin.EndpointSecurity) map[string]string {
			return entriesOf(r.RequestFilters, func(e admin.RequestFilter) (*string, string) { return &e.ID, strings.Join(e.Method, ",") })
		},
	},
}

func soakJWT(value string) admin.AddJWTRequest {
	return admin.AddJWTRequest{Name: value, Kid: "kid of " + value, PublicKey: "a made-up public key"}
}

// idOf is the id of an entry that was added, if it was told.
func idOf[T any](entry *T, err error, id func(*T) *string) (string, error) {
	if err != nil {
		return "", err
	}
	return valueOf(id(entry)), nil
}

// entriesOf are the entries of a list by their ids. One that is there twice is marked.
func entriesOf[T any](list []T, read func(T) (id *string, value string)) map[string]string {
	entries := map[string]string{}
	for _, entry := range list {
		id, value := read(entry)
		if _, twice := entries[valueOf(id)]; twice {
			value += " twice"
		}
		entries[valueOf(id)] = value
	}
	return entries
}
