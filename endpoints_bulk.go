package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// BulkSetStatus pauses or activates endpoints, [BulkSize] ids in a call: see [BulkOutcome]. It needs an administrator's
// key.
// POST /v0/endpoints/bulk/status
func (s *EndpointsService) BulkSetStatus(ctx context.Context, ids []string, status admin.EndpointStatus,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*api.BulkTagResult, error) {
		request := api.BulkSetEndpointStatus(api.BulkSetEndpointStatusRequest{IDs: ids, Status: status})
		result, err := fetchPayload[api.BulkResult](ctx, (*engine)(s).call(request, opts))
		return withoutTag(result), err
	})
}

// BulkAddTag is a bulk AddTag: see BulkSetStatus.
// POST /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkAddTag(ctx context.Context, ids []string, label string,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*api.BulkTagResult, error) {
		request := api.BulkAddEndpointTag(api.BulkAddEndpointTagRequest{IDs: ids, Label: label})
		result, err := fetchPayload[api.BulkTagResult](ctx, (*engine)(s).call(request, opts))
		return &result, err
	})
}

// BulkRemoveTag removes a tag: see BulkAddTag.
// DELETE /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkRemoveTag(ctx context.Context, ids []string, tagID int64,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*api.BulkTagResult, error) {
		request := api.BulkRemoveEndpointTag(api.BulkRemoveEndpointTagRequest{IDs: ids, TagID: tagID})
		result, err := fetchPayload[api.BulkResult](ctx, (*engine)(s).call(request, opts))
		return withoutTag(result), err
	})
}

// withoutTag converts a result without a tag.
func withoutTag(result api.BulkResult) *api.BulkTagResult {
	return &api.BulkTagResult{
		Total: result.Total, UpdatedCount: result.UpdatedCount, FailedCount: result.FailedCount, Results: result.Results,
		Extra: result.Extra,
	}
}

// BulkSize is the maximum number of ids in a bulk call, not in the contract.
const BulkSize = 100

// BulkOutcome is the result for each id. A failed id is not an error.
type BulkOutcome struct {
	Results                          []admin.BulkItemResult // Results has one entry for each id that the service reported.
	Total, UpdatedCount, FailedCount int64                  // The sums of the service's counts.
	Tag                              *admin.BulkTag         // Tag that BulkAddTag added, if the service returns it.
	Extra                            scalar.Extra           // Unknown fields of the responses, the latest of each name.
	Unreported                       []string               // Ids missing from the results, with an unknown outcome.
	Unconfirmed                      []string               // Ids of a failed call, perhaps executed, and ids after it.
}

// Failed returns the ids that the service reported as failed.
func (o *BulkOutcome) Failed() []string {
	var failed []string
	for _, result := range o.Results {
		if !result.Success {
			failed = append(failed, result.ID)
		}
	}
	return failed
}

// bulk sends the ids in several calls and combines their results. If a call fails, it returns the outcome of the
// earlier calls and the error.
func bulk(ids []string, send func(ids []string) (*api.BulkTagResult, error)) (*BulkOutcome, error) {
	outcome := &BulkOutcome{}
	for done := 0; ; { // Validation rejects nil; the service decides about an empty list.
		part := ids[done:min(done+BulkSize, len(ids))]
		result, err := send(part)
		if err != nil {
			outcome.Unconfirmed = append(outcome.Unconfirmed, ids[done:]...)
			return outcome, err
		}
		outcome.add(part, result)
		if done += len(part); done == len(ids) {
			return outcome, nil
		}
	}
}

// add adds the result of one call, in the order of its ids. Missing results are not filled in; results for other ids
// come last.
func (o *BulkOutcome) add(ids []string, result *api.BulkTagResult) {
	o.Total += result.Total
	o.UpdatedCount += result.UpdatedCount
	o.FailedCount += result.FailedCount
	if result.Tag != nil {
		o.Tag = result.Tag
	}
	for name, value := range result.Extra.All() {
		o.Extra.Add(name, value)
	}
	position := make(map[string]int, len(ids))
	for i, id := range slices.Backward(ids) {
		position[id] = i
	}
	rank := func(r admin.BulkItemResult) int {
		if i, asked := position[r.ID]; asked {
			return i
		}
		return len(ids)
	}
	sorted := slices.Clone(result.Results)
	slices.SortStableFunc(sorted, func(a, b admin.BulkItemResult) int { return rank(a) - rank(b) })
	o.Results = append(o.Results, sorted...)
	for _, r := range sorted {
		delete(position, r.ID)
	}
	for _, id := range ids {
		if _, missing := position[id]; missing {
			o.Unreported = append(o.Unreported, id)
		}
	}
}
