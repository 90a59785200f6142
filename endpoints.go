package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// EndpointsService creates, lists, shows, changes and archives endpoints, one at a time or many at once.
//
// Methods that take an id return [ErrNotFound] where there is no such endpoint.
type EndpointsService struct{ engine *engine }

// Create creates an endpoint on a network of a chain; [ChainsService.List] has the slugs of both. It is not repeated
// after a failure that leaves open whether the service acted, which is [ErrMaybeCarriedOut]: FindCreated tells then
// whether the endpoint exists. A success without the endpoint's id is [ErrCarriedOut].
//
// POST /v0/endpoints
func (s *EndpointsService) Create(ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption) (*admin.SingleEndpoint, error) {
	return single(ctx, s.engine.call(api.CreateEndpoint(endpoint), opts))
}

// Get returns one endpoint with its security settings and rate limits.
//
// GET /v0/endpoints/{id}
func (s *EndpointsService) Get(ctx context.Context, id string, opts ...CallOption) (*admin.SingleEndpoint, error) {
	return single(ctx, s.engine.call(api.GetEndpoint(id), opts))
}

// Update changes the endpoint's label. A label that is nil is left as it is.
//
// PATCH /v0/endpoints/{id}
func (s *EndpointsService) Update(ctx context.Context, id string, change admin.UpdateEndpointRequest, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.UpdateEndpoint(id, change), opts))
}

// Archive archives the endpoint: it stops serving and leaves the listings.
//
// DELETE /v0/endpoints/{id}
func (s *EndpointsService) Archive(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.ArchiveEndpoint(id), opts))
}

// SetStatus pauses or activates the endpoint. A status that the endpoint cannot take is [ErrInvalidRequest].
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) SetStatus(ctx context.Context, id string, status admin.EndpointStatus, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.SetEndpointStatus(id, admin.SetEndpointStatusRequest{Status: status}), opts))
}

// Pause is SetStatus with "paused".
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Pause(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusPaused, opts...)
}

// Activate is SetStatus with "active".
//
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Activate(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusActive, opts...)
}

// URLs returns the endpoint's addresses. They carry its token, and are of a type that does not print it.
//
// GET /v0/endpoints/{id}/urls
func (s *EndpointsService) URLs(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointURLs, error) {
	return fetch[*admin.EndpointURLs](ctx, s.engine.call(api.GetEndpointURLs(id), opts))
}

// EnableMultichain lets the endpoint serve every network of the account's plan, under addresses that URLs returns.
//
// POST /v0/endpoints/{id}/enable_multichain
func (s *EndpointsService) EnableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.EnableMultichain(id), opts))
}

// DisableMultichain makes the endpoint serve its own network only.
//
// POST /v0/endpoints/{id}/disable_multichain
func (s *EndpointsService) DisableMultichain(ctx context.Context, id string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DisableMultichain(id), opts))
}

// AddTag puts a tag on the endpoint; the tag is created where the account has none of that label. A label that the
// service does not accept is [ErrInvalidRequest]; one of more than 25 characters has been seen to be (observed). After an
// error that matches [ErrMaybeCarriedOut], FindAddedTag tells whether the endpoint has it.
//
// POST /v0/endpoints/{id}/tags
func (s *EndpointsService) AddTag(ctx context.Context, id, label string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.AddEndpointTag(id, admin.AddEndpointTagRequest{Label: label}), opts))
}

// RemoveTag takes a tag off the endpoint.
//
// DELETE /v0/endpoints/{id}/tags/{tag_id}
func (s *EndpointsService) RemoveTag(ctx context.Context, id string, tagID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveEndpointTag(id, tagID), opts))
}

// single carries out a call that responds with an endpoint.
func single(ctx context.Context, c *call) (*admin.SingleEndpoint, error) {
	endpoint, err := fetch[*admin.SingleEndpoint](ctx, c)
	if err != nil {
		return nil, err
	}
	nameDomains(endpoint.Security.DomainMasks)
	return endpoint, nil
}
