package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// EndpointsService creates, lists, changes and archives endpoints, at most 250 on a page (observed).
type EndpointsService engine

// Pause is SetStatus with paused.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Pause(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusPaused, opts...)
}

// Activate is SetStatus with active.
// PATCH /v0/endpoints/{id}/status
func (s *EndpointsService) Activate(ctx context.Context, id string, opts ...CallOption) error {
	return s.SetStatus(ctx, id, admin.EndpointStatusActive, opts...)
}

// likeEndpoint reports whether an endpoint may be the result of a create. One with a label or tags is in use. The
// network may be listed under another of its names, or omitted.
func likeEndpoint(e *admin.Endpoint, sent admin.CreateEndpointRequest) bool {
	has, name := admin.NetworkName(strings.ToLower(e.Network)), admin.NetworkName(strings.ToLower(sent.Network))
	return e.Label == "" && len(e.Tags) == 0 &&
		(has == "" || has == name || same(e.Network, sent.Chain+"-"+sent.Network) || same(e.Chain+"-"+e.Network, name))
}

// BulkSetStatus pauses or activates endpoints, 100 ids in a call (assumed): see [BulkOutcome]. Get and List show the
// status at once (assumed). It needs an administrator's key.
// POST /v0/endpoints/bulk/status
func (s *EndpointsService) BulkSetStatus(ctx context.Context, ids []string, status admin.EndpointStatus,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ctx, (*engine)(s), ids, opts, withoutTag, func(ids []string) api.RequestOf[api.BulkResult] {
		return api.BulkSetEndpointStatus(ids, status)
	})
}

// BulkAddTag is a bulk AddTag: see BulkSetStatus.
// POST /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkAddTag(ctx context.Context, ids []string, label string,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ctx, (*engine)(s), ids, opts, withTag, func(ids []string) api.RequestOf[api.BulkTagResult] {
		return api.BulkAddEndpointTag(ids, label)
	})
}

// BulkRemoveTag removes a tag: see BulkAddTag.
// DELETE /v0/endpoints/bulk/tags
func (s *EndpointsService) BulkRemoveTag(ctx context.Context, ids []string, tagID int64,
	opts ...CallOption) (*BulkOutcome, error) {
	return bulk(ctx, (*engine)(s), ids, opts, withoutTag, func(ids []string) api.RequestOf[api.BulkResult] {
		return api.BulkRemoveEndpointTag(ids, tagID)
	})
}

// withTag returns the result of a call that adds a tag.
func withTag(result *api.BulkTagResult) *api.BulkTagResult { return result }

// withoutTag converts the result of any other call.
func withoutTag(result *api.BulkResult) *api.BulkTagResult {
	return &api.BulkTagResult{
		Total: result.Total, UpdatedCount: result.UpdatedCount, FailedCount: result.FailedCount, Results: result.Results,
		Extra: result.Extra,
	}
}

// bulkSize is the maximum number of ids in a bulk call, not in the contract.
const bulkSize = 100

// BulkOutcome is the result for each id. A failed id is not an error.
type BulkOutcome struct {
	Results                          []admin.BulkItemResult // Results has one entry for each id that the service reported.
	Total, UpdatedCount, FailedCount int64                  // The sums of the service's counts.
	Tag                              admin.BulkTag          // Tag that BulkAddTag added, if the service returns it.
	Extra                            scalar.Extra           // Unknown fields of the responses, the latest of each name.
	Unreported                       []string               // Ids missing from the results, with an unknown outcome.

	// The ids of a failed call, whose error is returned, are in one of these, and the ids after it in Unsent.
	Rejected    []string // The service rejected the call: none was changed.
	Unconfirmed []string // The call may have been executed.
	Unsent      []string // Nothing was sent, or nothing arrived.
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
func bulk[R any](
	ctx context.Context, e *engine, ids []string, opts []CallOption, convert func(*R) *api.BulkTagResult,
	request func(ids []string) api.RequestOf[R],
) (*BulkOutcome, error) {
	outcome := &BulkOutcome{}
	settings, _ := e.settings(opts) // The calls return the error.
	for done := 0; ; {              // Validation rejects nil; the service decides about an empty list.
		part := ids[done:min(done+bulkSize, len(ids))]
		result, err := fetch(ctx, e, request(part), opts)
		if err != nil {
			outcome.fail(part, ids[done+len(part):], err)
			return outcome, err
		}
		outcome.add(part, convert(result))
		done += len(part)
		settings.progress(done, len(ids))
		if done == len(ids) {
			return outcome, nil
		}
	}
}

// fail adds the ids of a failed call and the ids after it.
func (o *BulkOutcome) fail(part, rest []string, err error) {
	failure, isFailure := errors.AsType[*Error](err)
	_, isUnreadable := errors.AsType[*DecodeError](err)
	switch {
	case isUnreadable, isFailure && failure.open:
		o.Unconfirmed = slices.Clone(part)
	case isFailure && !failure.lost:
		o.Rejected = slices.Clone(part)
	default: // A *ValidationError, or no connection.
		o.Unsent = slices.Clone(part)
	}
	o.Unsent = append(o.Unsent, rest...)
}

// add adds the result of one call, in the order of its ids. Missing results are not filled in; results for other ids
// come last.
func (o *BulkOutcome) add(ids []string, result *api.BulkTagResult) {
	o.Total += result.Total
	o.UpdatedCount += result.UpdatedCount
	o.FailedCount += result.FailedCount
	o.Tag = cmp.Or(result.Tag, o.Tag)
	for name, value := range result.Extra.All() {
		o.Extra.Add(name, string(value))
	}
	reported := map[string][]admin.BulkItemResult{}
	for _, r := range result.Results {
		reported[r.ID] = append(reported[r.ID], r)
	}
	for _, id := range ids {
		results, found := reported[id]
		if !found {
			o.Unreported = append(o.Unreported, id)
			continue
		}
		o.Results = append(o.Results, results...)
		reported[id] = nil // The id may be duplicate.
	}
	for _, r := range result.Results {
		if reported[r.ID] != nil {
			o.Results = append(o.Results, r)
		}
	}
}
