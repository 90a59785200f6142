package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// CreateEndpoint is POST /v0/endpoints.
func (h adminHandlers) CreateEndpoint(_ context.Context, r adminapi.CreateEndpointRequestObject) (adminapi.CreateEndpointResponseObject, error) {
	chain, network, err := findNetwork(r.Body.Chain, r.Body.Network)
	if err != nil {
		return nil, err
	}
	return adminapi.CreateEndpoint200JSONResponse{Data: h.state.addEndpoint(chain, network).single()}, nil
}

// findNetwork finds what an endpoint is to be created on.
func findNetwork(chainSlug, networkSlug string) (*chain, *network, error) {
	if chainSlug == "" {
		return nil, nil, badRequest("chain is required")
	}
	if networkSlug == "" {
		return nil, nil, badRequest("network is required")
	}
	chain, known := chainBySlug(chainSlug)
	if !known {
		return nil, nil, badRequest("chain is not on offer")
	}
	network, known := chain.network(networkSlug)
	if !known {
		return nil, nil, badRequest("network is not one of the chain")
	}
	return chain, network, nil
}

// GetEndpoint is GET /v0/endpoints/{id}.
func (h adminHandlers) GetEndpoint(_ context.Context, r adminapi.GetEndpointRequestObject) (adminapi.GetEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.GetEndpoint200JSONResponse{Data: endpoint.single()}, nil
}

// UpdateEndpoint is PATCH /v0/endpoints/{id}. A label that is left out stays as it is, and an empty one or null takes the
// label away; the contract states neither.
func (h adminHandlers) UpdateEndpoint(ctx context.Context, r adminapi.UpdateEndpointRequestObject) (adminapi.UpdateEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body == nil {
		return adminapi.UpdateEndpoint200JSONResponse(confirmed), nil
	}
	body, err := sent[map[string]any](ctx)
	if err != nil {
		return nil, err
	}
	if _, given := body["label"]; given {
		endpoint.label = r.Body.Label
	}
	if endpoint.label != nil && *endpoint.label == "" {
		endpoint.label = nil
	}
	return adminapi.UpdateEndpoint200JSONResponse(confirmed), nil
}

// ArchiveEndpoint is DELETE /v0/endpoints/{id}. What is archived is found no more, and archiving it again is a 404.
func (h adminHandlers) ArchiveEndpoint(_ context.Context, r adminapi.ArchiveEndpointRequestObject) (adminapi.ArchiveEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	endpoint.archived = true
	return adminapi.ArchiveEndpoint200JSONResponse{Result: new(true)}, nil
}

// SetEndpointStatus is PATCH /v0/endpoints/{id}/status.
func (h adminHandlers) SetEndpointStatus(_ context.Context, r adminapi.SetEndpointStatusRequestObject) (adminapi.SetEndpointStatusResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if !r.Body.Status.Valid() {
		return nil, badStatus
	}
	endpoint.status = r.Body.Status
	return adminapi.SetEndpointStatus200JSONResponse{Data: new(string(endpoint.status))}, nil
}

var badStatus = badRequest("status must be active or paused")

// confirmed is the response to a change that has no record to give.
var confirmed = adminapi.ConfirmationEnvelope{Data: struct{}{}}
