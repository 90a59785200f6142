package emulator

import (
	"context"
	"fmt"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// ListTeamEndpoints is GET /v0/teams/{id}/endpoints: those assigned to the team, and those assigned to no team.
func (h adminHandlers) ListTeamEndpoints(_ context.Context, r adminapi.ListTeamEndpointsRequestObject) (adminapi.ListTeamEndpointsResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	open := []adminapi.TeamEndpoint{}
	for _, endpoint := range h.state.live() {
		if !team.endpoints[endpoint.id] && h.state.teams.assigned(endpoint) {
			continue
		}
		number, err := strconv.ParseInt(endpoint.id, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("endpoint %s has no number: %w", endpoint.id, err)
		}
		open = append(open, adminapi.TeamEndpoint{
			ID:        number,
			Subdomain: endpoint.name,
			Chain:     &endpoint.chain.slug,
			Network:   &endpoint.network.slug,
		})
	}
	return adminapi.ListTeamEndpoints200JSONResponse{Data: open}, nil
}

// assigned reports whether an endpoint is assigned to any team.
func (t *teamState) assigned(endpoint *endpoint) bool {
	for _, team := range t.all {
		if team.endpoints[endpoint.id] {
			return true
		}
	}
	return false
}

// SetTeamEndpoints is PATCH /v0/teams/{id}/endpoints. The list takes the place of the one before; with an endpoint in
// it that does not exist, nothing changes.
func (h adminHandlers) SetTeamEndpoints(_ context.Context, r adminapi.SetTeamEndpointsRequestObject) (adminapi.SetTeamEndpointsResponseObject, error) {
	team, err := h.state.teams.team(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body.EndpointIDs == nil {
		return nil, badRequest("endpoint_ids is required")
	}
	assigned := make(map[string]bool, len(r.Body.EndpointIDs))
	for _, id := range r.Body.EndpointIDs {
		if _, err := h.state.endpoint(id); err != nil {
			return nil, err
		}
		assigned[id] = true
	}
	team.endpoints = assigned
	return adminapi.SetTeamEndpoints200JSONResponse{Data: adminapi.Success{Success: true}}, nil
}
