package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService returns information about the account of the API key.
type AccountService engine

// BillingService lists invoices and payments.
type BillingService engine

// ChainsService lists the chains with endpoints, and the prices of methods.
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

// TagsService manages the account's tags. [EndpointsService] assigns them. Rename and Delete need an administrator's
// key.
type TagsService engine

// Rename changes the label of a tag.
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	return fetchChanged(ctx, (*engine)(s), api.RenameTag(tagID, label), opts, admin.Tag{ID: tagID, Label: label})
}

// UsageService reports used credits, by default of the current billing period.
type UsageService engine

// MetricsService returns metrics: see [admin.EndpointMetricName].
type MetricsService engine
