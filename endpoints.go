package rpcfleet

import (
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// EndpointsService creates, lists, changes and archives endpoints.
type EndpointsService engine

// Pause is SetStatus with paused.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Pause(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusPaused, opts...)
}

// Activate is SetStatus with active.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Activate(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusActive, opts...)
}

// likeEndpoint reports whether an endpoint may be the result of a create. One with a label or tags is in use. The
// network may be listed under another of its names, or omitted.
func likeEndpoint(e *admin.Endpoint, sent admin.CreateEndpointRequest) bool {
	has, name := admin.NetworkName(strings.ToLower(e.Network)), admin.NetworkName(strings.ToLower(sent.Network))
	return e.Label == "" && len(e.Tags) == 0 &&
		(has == "" || has == name || same(e.Network, sent.Chain+"-"+sent.Network) || same(e.Chain+"-"+e.Network, name))
}
