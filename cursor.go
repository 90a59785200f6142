package rpcfleet

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// CursorPage is one page of a listing with cursors. A response with a cursor that looks like a credential or is longer
// than 4 KiB is a [*DecodeError].
type CursorPage[T any] struct {
	Items      []T    // An iterator omits items that it has already delivered.
	Cursor     string // The cursor of the request for this page, or empty.
	NextCursor string // The cursor of the next page, or empty. It can be stored.
	Total      int    // The number of items of the whole listing, or -1 if it is unknown.

	// ids contains the cursors or the ids of the items, if the service returns them.
	ids []string
}

// Last reports whether this is the last page.
func (p *CursorPage[T]) Last() bool { return p.NextCursor == "" }

// Format prints the page without its cursors for every verb.
func (p CursorPage[T]) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "{Items: %v, Total: %d, Last: %t}", p.Items, p.Total, p.Last())
}

// UnmarshalJSON decodes a page, including the interfaces of package graph.
func (p *CursorPage[T]) UnmarshalJSON(text []byte) error {
	type plain CursorPage[T]
	return graph.Unmarshal(text, (*plain)(p))
}

// newCursorPage returns the page of a response to a request with the given cursor.
func newCursorPage[T any](content reply.Content[[]T], cursor string) *CursorPage[T] {
	return &CursorPage[T]{Items: content.Data, Cursor: cursor, NextCursor: content.NextAt, Total: -1}
}

// cursorPosition is the state of an iteration over a listing with cursors. The listing ends if a page has no next
// cursor. If an empty page has a next cursor, the iteration continues.
type cursorPosition[T any] struct {
	// operation is the id of the listing operation.
	operation, cursor string
	// identity distinguishes items, also without an id. It is nil if the service returns a cursor for each item.
	identity func(*T) string

	seed maphash.Seed
	// seen contains hashes of the cursors and of the pages received, so that items are not retained.
	seen map[uint64]bool
	// recent and older contain hashes of the ids of the items that came last.
	recent, older map[uint64]bool
	// idle is the number of consecutive pages without a new item.
	idle int
}

// maxIdlePages is the number of consecutive pages without a new item that an iteration accepts. A service may search a
// long time range in steps that find nothing, but not forever.
const maxIdlePages = 1000

// maxRecent is the number of the last items, at least, that are not delivered again.
const maxRecent = 10_000

// cursorPages iterates over a listing with cursors, starting at a position.
func cursorPages[T any](
	ctx context.Context, ahead int, from cursorPosition[T],
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error),
) iter.Seq2[*CursorPage[T], error] {
	return pagesOf(ctx, ahead, func() listPosition[string, *CursorPage[T]] { return from.begin() }, fetch)
}

// begin returns the state of a new iteration from the position on.
func (p cursorPosition[T]) begin() *cursorPosition[T] {
	p.seed, p.seen, p.recent = maphash.MakeSeed(), map[uint64]bool{}, map[uint64]bool{}
	p.repeated("cursor", p.cursor)
	return &p
}

func (p *cursorPosition[T]) next() string { return p.cursor }

func (p *cursorPosition[T]) failed(err error) error { return &PageError{Cursor: p.cursor, Err: err} }

// ahead returns only the next cursor: each page contains the cursor of the page after it.
func (p *cursorPosition[T]) ahead(n int) []string { return []string{p.cursor}[:min(n, 1)] }

func (p *cursorPosition[T]) take(page *CursorPage[T]) (last bool, err error) {
	repeated := !page.Last() && p.repeated("cursor", page.NextCursor) || len(page.Items) > 0 && p.repeatedItems(page)
	p.omitRecent(page)
	if p.idle++; len(page.Items) > 0 {
		p.idle = 0
	}
	if repeated || p.idle > maxIdlePages {
		return false, fmt.Errorf("%w: %s", ErrRepeatedPage, p.operation)
	}
	p.cursor = page.NextCursor
	return page.Last(), nil
}

// omitRecent removes items that came recently from the page. An id that occurs twice on the page does not identify an
// item, and if a part of the page failed, the ids cannot be assigned to items.
func (p *cursorPosition[T]) omitRecent(page *CursorPage[T]) {
	if len(page.ids) != len(page.Items) {
		return
	}
	var fresh []T
	count := map[string]int{}
	for _, id := range page.ids {
		count[id]++
	}
	for i, id := range page.ids {
		hash := maphash.String(p.seed, id)
		if id == "" || count[id] > 1 || !p.recent[hash] && !p.older[hash] {
			fresh = append(fresh, page.Items[i])
		}
	}
	page.Items = fresh
	for id := range count {
		p.recent[maphash.String(p.seed, id)] = true
	}
	if len(p.recent) >= maxRecent {
		p.recent, p.older = map[uint64]bool{}, p.recent
	}
}

// repeatedItems reports whether the same page was received before. Pages are compared by the identities of their items,
// or otherwise by their cursors, since two pages may contain the same items.
func (p *cursorPosition[T]) repeatedItems(page *CursorPage[T]) bool {
	ids := page.ids
	if p.identity != nil {
		ids = nil
		for i := range page.Items {
			ids = append(ids, p.identity(&page.Items[i]))
		}
	}
	return !slices.Contains(ids, "") && p.repeated("page", ids...)
}

// repeated reports whether it was called before with the same arguments.
func (p *cursorPosition[T]) repeated(kind string, ids ...string) bool {
	var hash maphash.Hash
	hash.SetSeed(p.seed)
	maphash.WriteComparable(&hash, kind)
	for _, id := range ids {
		maphash.WriteComparable(&hash, id)
	}
	seen := p.seen[hash.Sum64()]
	p.seen[hash.Sum64()] = true
	return seen
}
