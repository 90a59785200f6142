package emulator

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// defaultPage is the size of a page unless a limit is given.
const defaultPage = 20

// ListEndpoints is GET /v0/endpoints.
func (h adminHandlers) ListEndpoints(_ context.Context, r adminapi.ListEndpointsRequestObject) (adminapi.ListEndpointsResponseObject, error) {
	if err := checkListing(r.Params); err != nil {
		return nil, err
	}
	found := h.state.live()
	found = slices.DeleteFunc(found, func(e *endpoint) bool { return !e.matches(r.Params) })
	h.state.sortEndpoints(found, r.Params.SortBy, r.Params.SortDirection)

	page := adminapi.Pagination{
		Total:  len(found),
		Limit:  min(valueOr(r.Params.Limit, defaultPage), h.settings.pageCap),
		Offset: valueOr(r.Params.Offset, 0),
	}
	// An empty page has null for its list, as the service was seen to send.
	var listed []adminapi.Endpoint
	for _, endpoint := range pageOf(found, page) {
		listed = append(listed, endpoint.listed())
	}
	return adminapi.ListEndpoints200JSONResponse{Data: listed, Pagination: page}, nil
}

func checkListing(p adminapi.ListEndpointsParams) error {
	badStatus := func(s adminapi.EndpointStatus) bool { return !s.Valid() }
	switch {
	case p.Limit != nil && *p.Limit < 1:
		return badRequest("limit must be at least 1")
	case p.Offset != nil && *p.Offset < 0:
		return badRequest("offset must be at least 0")
	case p.SortBy != nil && !p.SortBy.Valid():
		return badRequest("sort_by is not one of its values")
	case p.SortDirection != nil && !p.SortDirection.Valid():
		return badRequest("sort_direction must be asc or desc")
	case slices.ContainsFunc(p.Statuses, badStatus):
		return badRequest("statuses must each be active or paused")
	case len(p.TagIDs) > 0 && len(p.TagLabels) > 0:
		return badRequest("tag_ids and tag_labels exclude each other")
	}
	return nil
}

// pageOf cuts a page out of what was found. It holds for any offset: beyond the end, the page is empty.
func pageOf(found []*endpoint, page adminapi.Pagination) []*endpoint {
	rest := found[min(page.Offset, len(found)):]
	return rest[:min(page.Limit, len(rest))]
}

// valueOr is what a pointer points to, or something else where it points nowhere.
func valueOr[T any](pointer *T, otherwise T) T {
	if pointer == nil {
		return otherwise
	}
	return *pointer
}
