package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// BulkSetStatus pauses or activates many endpoints. The ids are required, which a nil list is not; they are sent in
// calls of [BulkSize], and the outcome joins their results in the order of the ids. That some endpoints failed is not
// an error: see [BulkOutcome.Failed]. Nor is a response without a result: its ids are Unreported. It needs an
// administrator's key.
//
// POST /v0/endpoints/bulk/status
func (s *EndpointsService) BulkSetStatus(ctx context.Context, ids []string, status admin.EndpointStatus, opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		result, err := fetch[admin.BulkResult](ctx, s.engine.call(api.BulkSetEndpointStatus(admin.BulkSetEndpointStatusRequest{IDs: ids, Status: status}), opts))
		return withoutTag(result), err
	})
}

// BulkAddTag puts a tag on many endpoints; the tag is created where the account has none of that label. It needs an
// administrator's key. See BulkSetStatus about the outcome. After an error that matches [ErrMaybeCarriedOut], a listing of
// the endpoints with the label tells which have it.
//
// POST /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkAddTag(ctx context.Context, ids []string, label string, opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		result, err := fetch[admin.BulkTagResult](ctx, s.engine.call(api.BulkAddEndpointTag(admin.BulkAddEndpointTagRequest{IDs: ids, Label: label}), opts))
		return &result, err
	})
}

// BulkRemoveTag takes a tag off many endpoints. It needs an administrator's key. See BulkSetStatus about the outcome.
//
// DELETE /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkRemoveTag(ctx context.Context, ids []string, tagID int64, opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		result, err := fetch[admin.BulkResult](ctx, s.engine.call(api.BulkRemoveEndpointTag(admin.BulkRemoveEndpointTagRequest{IDs: ids, TagID: tagID}), opts))
		return withoutTag(result), err
	})
}

// withoutTag gives a result the form that the one with a tag has.
func withoutTag(result admin.BulkResult) *admin.BulkTagResult {
	return &admin.BulkTagResult{
		Total: result.Total, UpdatedCount: result.UpdatedCount, FailedCount: result.FailedCount, Results: result.Results,
		Extra: result.Extra,
	}
}
