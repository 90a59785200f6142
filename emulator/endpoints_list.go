package emulator

import (
	"cmp"
	"context"
	"slices"
	"strings"

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

// matches reports whether the endpoint passes every filter. Within one filter, one of its values is enough.
func (e *endpoint) matches(p adminapi.ListEndpointsParams) bool {
	return e.found(valueOr(p.Search, "")) &&
		oneOf(p.Networks, e.network.slug) &&
		oneOf(p.Statuses, e.status) &&
		(len(p.Labels) == 0 || e.label != nil && slices.Contains(p.Labels, *e.label)) &&
		(p.Dedicated == nil || *p.Dedicated == e.dedicated) &&
		(p.IsFlatRate == nil || *p.IsFlatRate == e.flatRate) &&
		e.tagged(p.TagIDs, p.TagLabels)
}

// oneOf reports whether a filter allows a value. A filter without values allows every one.
func oneOf[T comparable](filter []T, value T) bool {
	return len(filter) == 0 || slices.Contains(filter, value)
}

// found looks for a text in the subdomain and in the label, whatever the case.
func (e *endpoint) found(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(e.name, text) || strings.Contains(strings.ToLower(valueOr(e.label, "")), text)
}

func (e *endpoint) tagged(ids []int64, labels []string) bool {
	if len(ids) == 0 && len(labels) == 0 {
		return true
	}
	return slices.ContainsFunc(e.tags, func(t *tag) bool {
		return slices.Contains(ids, t.id) || slices.Contains(labels, t.label)
	})
}

// sortEndpoints sorts what is listed in the order of creation. Endpoints that are equal in what is sorted by keep that
// order in both directions, so that paging is stable.
func (s *state) sortEndpoints(found []*endpoint, by *adminapi.SortBy, direction *adminapi.SortDirection) {
	compare := s.comparison(valueOr(by, adminapi.SortByCreatedAt))
	sign := 1
	if valueOr(direction, adminapi.SortDirectionAsc) == adminapi.SortDirectionDesc {
		sign = -1
	}
	slices.SortStableFunc(found, func(a, b *endpoint) int { return sign * compare(a, b) })
}

func (s *state) comparison(by adminapi.SortBy) func(a, b *endpoint) int {
	switch by {
	case adminapi.SortByName:
		return func(a, b *endpoint) int { return cmp.Compare(a.name, b.name) }
	case adminapi.SortByStatus:
		return func(a, b *endpoint) int { return cmp.Compare(a.status, b.status) }
	case adminapi.SortByNetwork:
		return func(a, b *endpoint) int { return cmp.Compare(a.network.slug, b.network.slug) }
	case adminapi.SortByLabel:
		return func(a, b *endpoint) int { return cmp.Compare(valueOr(a.label, ""), valueOr(b.label, "")) }
	case adminapi.SortByTags:
		return func(a, b *endpoint) int { return slices.Compare(a.tagLabels(), b.tagLabels()) }
	case adminapi.SortByUsage:
		return func(a, b *endpoint) int {
			return cmp.Compare(s.traffic.creditsUsed(a), s.traffic.creditsUsed(b))
		}
	default:
		return func(a, b *endpoint) int {
			// Under a clock that stands still, the number tells which endpoint is the newer one.
			return cmp.Or(a.createdAt.Compare(b.createdAt), cmp.Compare(a.number, b.number))
		}
	}
}

// tagLabels lists the labels of the endpoint's tags in alphabetical order, by which a listing sorts.
func (e *endpoint) tagLabels() []string {
	labels := make([]string, 0, len(e.tags))
	for _, tag := range e.tags {
		labels = append(labels, tag.label)
	}
	slices.Sort(labels)
	return labels
}
