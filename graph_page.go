package rpcfleet

import (
	"fmt"
	"hash/maphash"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// pageOf makes a page of a list in a response. Where the list lacks a part of what the schema promises, the page is
// returned beside an error that names the first one: an item, or the cursor to the page that comes next. A list that
// does not say whether it goes on would pass for the whole listing, if nothing were said.
func pageOf[T any](r *response, list *queries.List[T]) (*CursorPage[T], error) {
	if list == nil {
		return nil, r.notFound()
	}
	page := &CursorPage[T]{Total: valueOr(list.TotalCount, -1)}
	if count := len(list.Edges); count > 0 {
		page.Items, page.edges = make([]T, 0, count), make([]string, 0, count)
	}
	var first string // What is in the place of the first item that is lost.
	lost := 0
	for i := range list.Edges {
		edge := &list.Edges[i]
		page.edges = append(page.edges, edge.Value.Cursor)
		if edge.Value.Node.Read {
			page.Items = append(page.Items, edge.Value.Node.Value)
		} else {
			if lost++; lost == 1 {
				first = inPlaceOfItem(edge, list.Index(i))
			}
		}
	}
	if list.PageInfo.HasNextPage != nil && *list.PageInfo.HasNextPage {
		page.NextAt = *orNothing(list.PageInfo.EndCursor)
		if page.NextAt == "" && len(page.edges) > 0 {
			page.NextAt = page.edges[len(page.edges)-1]
		}
	}
	ahead, said := "next", "pageInfo.hasNextPage"
	if list.Reversed {
		ahead, said = "previous", "pageInfo.hasPreviousPage"
	}
	var missing string
	switch {
	case lost == 1:
		missing = first
	case lost > 1:
		missing = fmt.Sprintf("%s, and %d more are missing", first, lost-1)
	case list.Edges == nil:
		missing = "the list has no edges"
	case list.PageInfo.HasNextPage == nil:
		missing = "the list does not say whether there is a " + ahead + " page: there is no " + said
	case page.NextAt == "" && *list.PageInfo.HasNextPage:
		missing = "there is a " + ahead + " page, and no cursor that leads to it"
	default:
		return page, nil
	}
	return page, r.contentError(&envelope.Malformed{Reason: envelope.Shape, Detail: missing})
}

// inPlaceOfItem says what an edge of a page has in the place of an item.
func inPlaceOfItem[T any](edge *envelope.Element[queries.Edge[T]], index int) string {
	fault, place := edge.Fault, edge.Place
	if edge.Read {
		fault, place = edge.Value.Node.Fault, edge.Value.Node.Place
	}
	switch {
	case fault != nil:
		return fault.Detail
	case place != "":
		return fmt.Sprintf("a null at %q is in the place of an item", place)
	}
	return fmt.Sprintf("edge %d of the list has no node", index)
}

// edgesMark tells pages apart by the cursors of their edges, and not by what is in them: two pages may hold the same.
// Nothing tells a page without them from others.
func edgesMark[T any](seed maphash.Seed, page *CursorPage[T]) uint64 {
	for _, cursor := range page.edges {
		if cursor == "" {
			return 0
		}
	}
	return fingerprint(seed, page.edges, func(cursor *string) string { return *cursor })
}
