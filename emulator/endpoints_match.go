package emulator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

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
