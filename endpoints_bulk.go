package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// BulkSetStatus pauses or activates many endpoints. The ids are required, which a nil list is not; they are sent in
// calls of [BulkSize], and the outcome joins their results in the order of the ids. That some endpoints failed is not
// an error: see [BulkOutcome.Failed]. Nor is a response without a result: its ids are Unreported. It needs an
// administrator's key.
//
// POST /v0/endpoints/bulk/status
func (s *EndpointsService) BulkSetStatus(
	ctx context.Context, ids []string, status admin.EndpointStatus, opts ...CallOption,
) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		request := api.BulkSetEndpointStatus(admin.BulkSetEndpointStatusRequest{IDs: ids, Status: status})
		result, err := fetch[admin.BulkResult](ctx, s.engine.call(request, opts))
		return withoutTag(result), err
	})
}

// BulkAddTag puts a tag on many endpoints; the tag is created where the account has none of that label. It needs an
// administrator's key. See BulkSetStatus about the outcome. After an error that matches [ErrOutcomeUnknown], a
// listing of the endpoints with the label tells which have it.
//
// POST /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkAddTag(
	ctx context.Context, ids []string, label string, opts ...CallOption,
) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		request := api.BulkAddEndpointTag(admin.BulkAddEndpointTagRequest{IDs: ids, Label: label})
		result, err := fetch[admin.BulkTagResult](ctx, s.engine.call(request, opts))
		return &result, err
	})
}

// BulkRemoveTag takes a tag off many endpoints. It needs an administrator's key. See BulkSetStatus about the outcome.
//
// DELETE /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkRemoveTag(
	ctx context.Context, ids []string, tagID int64, opts ...CallOption,
) (*BulkOutcome, error) {
	return bulk(ids, func(ids []string) (*admin.BulkTagResult, error) {
		request := api.BulkRemoveEndpointTag(admin.BulkRemoveEndpointTagRequest{IDs: ids, TagID: tagID})
		result, err := fetch[admin.BulkResult](ctx, s.engine.call(request, opts))
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

// BulkSize is the number of ids that one call of a bulk operation carries. The contract states no limit.
const BulkSize = 100

// BulkOutcome is what became of each id of a bulk operation.
type BulkOutcome struct {
	// Results has one entry for each id that the service reported on, in the order of the ids given.
	Results []admin.BulkItemResult
	// Total, UpdatedCount and FailedCount are the service's own counts, added up over the calls.
	Total, UpdatedCount, FailedCount int64
	// Tag is the tag that BulkAddTag put on the endpoints, where the service tells it, and nil otherwise.
	Tag *admin.BulkTag
	// Extra are the members of the responses that the contract does not know, those of later calls in place of those of
	// earlier ones.
	Extra scalar.Extra
	// Unreported are the ids of calls that got a response whose results leave them out: what became of them is not
	// known.
	Unreported []string
	// Unconfirmed are the ids that no response came for, because a call failed: those of that call, which the service
	// may or may not have acted on, and those after it.
	Unconfirmed []string
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

// bulk cuts the ids into calls and joins their results. Where a call fails, the outcome of the calls before it is
// returned beside the error.
func bulk(ids []string, send func(ids []string) (*admin.BulkTagResult, error)) (*BulkOutcome, error) {
	outcome := &BulkOutcome{}
	if len(ids) == 0 {
		result, err := send(ids) // The check of the arguments refuses nil; the rest is for the service to judge.
		if err == nil {
			outcome.add(nil, result)
		}
		return outcome, err
	}
	done := 0
	for part := range slices.Chunk(ids, BulkSize) {
		result, err := send(part)
		if err != nil {
			outcome.Unconfirmed = slices.Clone(ids[done:])
			return outcome, err
		}
		done += len(part)
		outcome.add(part, result)
	}
	return outcome, nil
}

// add joins the result of one call, in the order of its ids. A result that the service leaves out is not made up; one
// that it gives without having been asked comes last.
func (o *BulkOutcome) add(ids []string, result *admin.BulkTagResult) {
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
	for i, id := range ids {
		if _, seen := position[id]; !seen {
			position[id] = i
		}
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
