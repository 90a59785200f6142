package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// GetEndpointURLs is GET /v0/endpoints/{id}/urls.
func (h adminHandlers) GetEndpointURLs(_ context.Context, r adminapi.GetEndpointURLsRequestObject) (adminapi.GetEndpointURLsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	http, wss := endpoint.urlsOn(endpoint.network)
	return adminapi.GetEndpointURLs200JSONResponse{Data: adminapi.EndpointURLs{
		HTTPURL:        &http,
		WSSURL:         wss,
		MultichainURLs: endpoint.multichainURLs(),
	}}, nil
}

// multichainURLs returns the addresses on every network on offer, or nothing while multichain is off.
func (e *endpoint) multichainURLs() map[string]adminapi.URLPair {
	if !e.multichain {
		return nil
	}
	urls := make(map[string]adminapi.URLPair)
	for _, network := range everyNetwork {
		http, wss := e.urlsOn(network)
		urls[network.slug] = adminapi.URLPair{HTTPURL: &http, WSSURL: wss}
	}
	return urls
}

// EnableMultichain is POST /v0/endpoints/{id}/enable_multichain.
func (h adminHandlers) EnableMultichain(_ context.Context, r adminapi.EnableMultichainRequestObject) (adminapi.EnableMultichainResponseObject, error) {
	if err := h.state.setMultichain(r.ID, true); err != nil {
		return nil, err
	}
	return adminapi.EnableMultichain200JSONResponse(confirmed), nil
}

// DisableMultichain is POST /v0/endpoints/{id}/disable_multichain.
func (h adminHandlers) DisableMultichain(_ context.Context, r adminapi.DisableMultichainRequestObject) (adminapi.DisableMultichainResponseObject, error) {
	if err := h.state.setMultichain(r.ID, false); err != nil {
		return nil, err
	}
	return adminapi.DisableMultichain200JSONResponse(confirmed), nil
}

func (s *state) setMultichain(id string, on bool) error {
	endpoint, err := s.endpoint(id)
	if err != nil {
		return err
	}
	endpoint.multichain = on
	return nil
}
