package emulator

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// defaultPage is the size of a page without a limit.
const defaultPage = 20

// ListEndpoints is GET /v0/endpoints.
func (h adminHandlers) ListEndpoints(_ context.Context, params adminapi.ListEndpointsParams) (
	*adminapi.EndpointPageEnvelope, error) {
	if len(params.TagIDs) > 0 && len(params.TagLabels) > 0 {
		return nil, badRequest("tag_ids and tag_labels exclude each other")
	}
	found := slices.DeleteFunc(h.state.live(), func(e *endpoint) bool { return !e.matches(params) })
	sortEndpoints(found, params)
	page := adminapi.Pagination{
		Total: len(found), Limit: min(valueOr(params.Limit, defaultPage), h.settings.pageCap),
		Offset: valueOr(params.Offset, 0),
	}
	// The list of an empty page is null (observed).
	var listed []adminapi.Endpoint
	for _, endpoint := range pageOf(found, page.Limit, page.Offset) {
		listed = append(listed, endpoint.listed())
	}
	return &adminapi.EndpointPageEnvelope{Data: listed, Pagination: page}, nil
}

// pageOf returns a page of a list. Beyond the end of the list, the page is empty.
func pageOf[T any](list []T, limit, offset int) []T {
	rest := list[min(offset, len(list)):]
	return rest[:min(limit, len(rest))]
}

// valueOr returns the value of a pointer, or otherwise if the pointer is nil.
func valueOr[T any](pointer *T, otherwise T) T {
	if pointer == nil {
		return otherwise
	}
	return *pointer
}

// matches reports whether the endpoint passes every filter. One of a filter's values is enough. A filter without
// values lets all pass. The text is searched for in the subdomain and the label, whatever the case.
func (e *endpoint) matches(p adminapi.ListEndpointsParams) bool {
	text, label := strings.ToLower(valueOr(p.Search, "")), valueOr(e.Label, "")
	tagged := func(t *tag) bool { return slices.Contains(p.TagIDs, t.ID) || slices.Contains(p.TagLabels, t.Label) }
	return (strings.Contains(e.Name, text) || strings.Contains(strings.ToLower(label), text)) &&
		(len(p.Networks) == 0 || slices.Contains(p.Networks, e.Network)) &&
		(len(p.Statuses) == 0 || slices.Contains(p.Statuses, e.Status)) &&
		(len(p.Labels) == 0 || e.Label != nil && slices.Contains(p.Labels, label)) &&
		(p.Dedicated == nil || *p.Dedicated == e.Dedicated) &&
		(p.IsFlatRate == nil || *p.IsFlatRate == e.FlatRate) &&
		(len(p.TagIDs) == 0 && len(p.TagLabels) == 0 || slices.ContainsFunc(e.Tags, tagged))
}

// sortEndpoints sorts endpoints that are in the order of creation. Equal ones keep that order in both directions, so
// that paging is stable.
func sortEndpoints(found []*endpoint, p adminapi.ListEndpointsParams) {
	sign := 1
	if valueOr(p.SortDirection, adminapi.SortDirectionAsc) == adminapi.SortDirectionDesc {
		sign = -1
	}
	compare := comparisons[valueOr(p.SortBy, adminapi.SortByCreatedAt)]
	slices.SortStableFunc(found, func(a, b *endpoint) int { return sign * compare(a, b) })
}

// comparisons are the ways to sort. With a clock that stands still, the numbers decide which endpoint is newer.
var comparisons = map[adminapi.SortBy]func(a, b *endpoint) int{
	adminapi.SortByName:    func(a, b *endpoint) int { return cmp.Compare(a.Name, b.Name) },
	adminapi.SortByStatus:  func(a, b *endpoint) int { return cmp.Compare(a.Status, b.Status) },
	adminapi.SortByNetwork: func(a, b *endpoint) int { return cmp.Compare(a.Network, b.Network) },
	adminapi.SortByLabel:   func(a, b *endpoint) int { return cmp.Compare(valueOr(a.Label, ""), valueOr(b.Label, "")) },
	adminapi.SortByTags:    func(a, b *endpoint) int { return slices.Compare(a.tagLabels(), b.tagLabels()) },
	adminapi.SortByCreatedAt: func(a, b *endpoint) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Number, b.Number))
	},
	adminapi.SortByUsage: func(a, b *endpoint) int { return cmp.Compare(a.Log.credits, b.Log.credits) },
}

// tagLabels returns the labels of the endpoint's tags in alphabetical order.
func (e *endpoint) tagLabels() []string {
	labels := make([]string, 0, len(e.Tags))
	for _, tag := range e.Tags {
		labels = append(labels, tag.Label)
	}
	slices.Sort(labels)
	return labels
}
