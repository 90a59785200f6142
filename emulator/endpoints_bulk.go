package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// BulkSetEndpointStatus is POST /v0/endpoints/bulk/status.
func (h adminHandlers) BulkSetEndpointStatus(ctx context.Context, r adminapi.BulkSetEndpointStatusRequestObject) (adminapi.BulkSetEndpointStatusResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if !r.Body.Status.Valid() {
		return nil, badStatus
	}
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.status = r.Body.Status })
	return adminapi.BulkSetEndpointStatus200JSONResponse{Data: result}, nil
}

// BulkAddEndpointTag is POST /v0/endpoints/bulk/tags. The tag exists afterwards even where every id is unknown, for
// the response has to name it.
func (h adminHandlers) BulkAddEndpointTag(ctx context.Context, r adminapi.BulkAddEndpointTagRequestObject) (adminapi.BulkAddEndpointTagResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if err := checkTagLabel(r.Body.Label); err != nil {
		return nil, err
	}
	tag := h.state.tagLabelled(r.Body.Label)
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.addTag(tag) })
	return adminapi.BulkAddEndpointTag200JSONResponse{Data: adminapi.BulkTagResult{
		Total:        result.Total,
		UpdatedCount: result.UpdatedCount,
		FailedCount:  result.FailedCount,
		Results:      result.Results,
		Tag:          &adminapi.BulkTag{TagID: tag.id, Label: tag.label},
	}}, nil
}

// BulkRemoveEndpointTag is DELETE /v0/endpoints/bulk/tags. An endpoint that does not have the tag is a success, for it
// is as it was asked to be.
func (h adminHandlers) BulkRemoveEndpointTag(ctx context.Context, r adminapi.BulkRemoveEndpointTagRequestObject) (adminapi.BulkRemoveEndpointTagResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if r.Body.TagID == 0 {
		return nil, badRequest("tag_id is required")
	}
	tag, err := h.state.tags.byID(r.Body.TagID)
	if err != nil {
		return nil, err
	}
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.removeTag(tag) })
	return adminapi.BulkRemoveEndpointTag200JSONResponse{Data: result}, nil
}

func checkBulk(ctx context.Context, ids []string) error {
	if err := requireAdministrator(ctx); err != nil {
		return err
	}
	if len(ids) == 0 {
		return badRequest("ids must name at least one endpoint")
	}
	return nil
}

// forEach makes a change to each of the endpoints and reports for each whether it was there to be changed.
func (s *state) forEach(ids []string, change func(*endpoint)) adminapi.BulkResult {
	result := adminapi.BulkResult{Total: int64(len(ids))}
	for _, id := range ids {
		endpoint, err := s.endpoint(id)
		if err == nil {
			change(endpoint)
			result.UpdatedCount++
		} else {
			result.FailedCount++
		}
		result.Results = append(result.Results, adminapi.BulkItemResult{ID: id, Success: err == nil})
	}
	return result
}
