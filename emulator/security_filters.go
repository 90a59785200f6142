package emulator

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

func requestFilterRecord(e entry[[]string]) adminapi.RequestFilter {
	return adminapi.RequestFilter{ID: e.id, Method: e.value}
}

// AddRequestFilter is POST /v0/endpoints/{id}/security/request_filters.
func (h adminHandlers) AddRequestFilter(_ context.Context, r adminapi.AddRequestFilterRequestObject) (adminapi.AddRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkMethods("method", r.Body.Method); err != nil {
		return nil, err
	}
	added := endpoint.security.requestFilters.add(h.state.ids, r.Body.Method)
	return adminapi.AddRequestFilter200JSONResponse{Data: adminapi.CreatedRequestFilter{ID: added.id}}, nil
}

// checkMethods refuses a list of RPC methods that is empty or has an empty name in it.
func checkMethods(field string, methods []string) error {
	if len(methods) == 0 {
		return badRequest(field + " is required")
	}
	if slices.Contains(methods, "") {
		return badRequest(field + " has an empty name in it")
	}
	return nil
}

// UpdateRequestFilter is PUT /v0/endpoints/{id}/security/request_filters/{request_filter_id}.
func (h adminHandlers) UpdateRequestFilter(_ context.Context, r adminapi.UpdateRequestFilterRequestObject) (adminapi.UpdateRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkMethods("method", r.Body.Method); err != nil {
		return nil, err
	}
	if !endpoint.security.requestFilters.replace(r.RequestFilterID, r.Body.Method) {
		return nil, unknownRequestFilter
	}
	return adminapi.UpdateRequestFilter204Response{}, nil
}

// RemoveRequestFilter is DELETE /v0/endpoints/{id}/security/request_filters/{request_filter_id}.
func (h adminHandlers) RemoveRequestFilter(_ context.Context, r adminapi.RemoveRequestFilterRequestObject) (adminapi.RemoveRequestFilterResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if !endpoint.security.requestFilters.remove(r.RequestFilterID) {
		return nil, unknownRequestFilter
	}
	return adminapi.RemoveRequestFilter204Response{}, nil
}

// unknownRequestFilter is a 404, because a 204 has no body to say false in.
var unknownRequestFilter = notFound("request filter not found")
