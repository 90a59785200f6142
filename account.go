package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService returns the account of the API key, and its plan.
type AccountService engine

// BillingService lists the account's invoices and payments, all in one response.
type BillingService engine

// ChainsService lists the chains and networks that endpoints can be for, and the prices of their methods.
type ChainsService engine

// Networks joins the names that areas of the service have for networks, and their chain ids. For an endpoint:
//
//	network, found := networks.Find(endpoint.Network)
//
// GET /v0/chains
func (s *ChainsService) Networks(ctx context.Context, opts ...CallOption) (admin.Networks, error) {
	chains, err := s.List(ctx, opts...)
	var networks admin.Networks
	for _, chain := range chains {
		for _, n := range chain.Networks {
			networks = append(networks, admin.Network{Chain: chain.Slug, Slug: n.Slug, Name: admin.NetworkName(n.Slug),
				Title: n.Name, ChainID: deref(n.ChainID)})
		}
	}
	return networks, err
}

// TagsService manages the account's tags, with labels of at most 25 characters (observed), which [EndpointsService]
// assigns. Rename and Delete need an administrator's key.
type TagsService engine

// Rename changes the label of a tag.
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	return fetchChanged(ctx, (*engine)(s), api.RenameTag(tagID, label), opts, admin.Tag{ID: tagID, Label: label})
}

// UsageService reports the credits used in a time range, by default the current billing period.
type UsageService engine

// MetricsService returns metrics of one endpoint or all, over a period until now: see [admin.EndpointMetricName].
type MetricsService engine

// TeamsService manages teams, with names of at least 4 characters, and their users and endpoints. It also sends the
// token of [WithBearerToken].
type TeamsService engine

// SetEndpoints assigns exactly these endpoints.
// PATCH /v0/teams/{id}/endpoints
func (s *TeamsService) SetEndpoints(ctx context.Context, teamID int64, endpointIDs []string, opts ...CallOption) error {
	// The field is required: no ids are sent as an empty list, not null.
	ids := append([]string{}, endpointIDs...)
	return confirm(ctx, (*engine)(s), api.SetTeamEndpoints(teamID, ids), opts)
}

// members returns the members of a team and the invited users. Fields of an invitation may be missing.
func (s *TeamsService) members(ctx context.Context, teamID int64, opts ...CallOption) ([]admin.TeamUser, error) {
	found, err := s.Get(ctx, teamID, opts...)
	team := orNew(found)
	return slices.Concat(team.Users, team.PendingInvites), err
}
