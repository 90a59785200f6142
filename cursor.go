package rpcfleet

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
)

// cursorPosition is the state of an iteration over a listing with cursors. The listing ends if a page has no next
// cursor. If an empty page has a next cursor, the iteration continues.
type cursorPosition[T any] struct {
	operation string          // The id of the listing operation.
	cursor    string          // The cursor of the next page.
	identity  func(*T) string // It distinguishes items, also without an id. It is nil if every item has a cursor.

	seed          maphash.Seed
	seen          map[uint64]bool // Hashes of the cursors and of the pages received, so that items are not retained.
	recent, older map[uint64]bool // Hashes of the ids of the items that came last.
	idle          int             // The number of consecutive pages without a new item.
}

// maxIdlePages is the number of consecutive pages without a new item that an iteration accepts. A service may search a
// long time range in steps that find nothing, but not forever.
const maxIdlePages = 1000

// maxRecent is the number of the last items, at least, that are not delivered again.
const maxRecent = 10_000

// cursorPages iterates over a listing with cursors, starting at a position.
func cursorPages[T any](ctx context.Context, settings *callSettings, from cursorPosition[T],
	fetch func(ctx context.Context, cursor string) (*Page[T], error)) iter.Seq2[*Page[T], error] {
	fetchAt := func(ctx context.Context, at place) (*Page[T], error) { return fetch(ctx, at.cursor) }
	return pagesOf(ctx, settings, from.begin, fetchAt)
}

// begin returns the state of a new iteration from the position on.
func (p cursorPosition[T]) begin() position[T] {
	p.seed, p.seen, p.recent = maphash.MakeSeed(), map[uint64]bool{}, map[uint64]bool{}
	p.repeated("cursor", p.cursor)
	return &p
}

func (p *cursorPosition[T]) next() place { return place{cursor: p.cursor} }

func (p *cursorPosition[T]) failed(err error) error { return &PageError{Cursor: p.cursor, Err: err} }

// ahead returns only the next cursor: each page contains the cursor of the page after it.
func (p *cursorPosition[T]) ahead(n int) []place { return []place{p.next()}[:min(n, 1)] }

func (p *cursorPosition[T]) take(page *Page[T]) (last bool, err error) {
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
func (p *cursorPosition[T]) omitRecent(page *Page[T]) {
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
func (p *cursorPosition[T]) repeatedItems(page *Page[T]) bool {
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
