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

// CursorPage is one page of a listing by cursor.
type CursorPage[T any] struct {
	// Items are the page's items, in the service's order.
	Items []T
	// Cursor is the cursor that the page was asked for with; it is empty at the first page.
	Cursor string
	// NextCursor is the cursor that continues after this page. It is empty where the listing ends. It can be stored, and
	// an iteration of the same query can start from it.
	NextCursor string
	// Total is the number of items of the whole listing, or -1 where the service does not tell.
	Total int

	// edges are the cursors of the single items, where the service gives one to each.
	edges []string
}

// Last reports whether the listing ends with this page.
func (p *CursorPage[T]) Last() bool { return p.NextCursor == "" }

// UnmarshalJSON reads what encoding/json writes of a page, the interfaces of package graph included.
func (p *CursorPage[T]) UnmarshalJSON(text []byte) error {
	type plain CursorPage[T]
	return graph.Unmarshal(text, (*plain)(p))
}

// newCursorPage makes a page of a response to a question with the given cursor.
func newCursorPage[T any](content reply.Content[[]T], cursor string) *CursorPage[T] {
	return &CursorPage[T]{Items: content.Data, Cursor: cursor, NextCursor: content.NextAt, Total: -1}
}

// cursorPosition is where an iteration over a listing by cursor stands. The listing ends if the service gives no
// further cursor. A cursor that comes with an empty page is followed.
type cursorPosition[T any] struct {
	// operation is the id of the operation that lists.
	operation, cursor string
	// id identifies an item. It is nil if the service gives each item a cursor of its own.
	id func(*T) string

	seed maphash.Seed
	// seen are hashes of the cursors and of the pages that came, whose items are not kept.
	seen map[uint64]bool
	// empty is the number of pages in a row that were empty.
	empty int
}

// maxEmptyPages is how many empty pages in a row an iteration follows. A service may search a long time range in steps
// that find nothing; it does not do so forever.
const maxEmptyPages = 1000

// cursorPages iterates over a listing by cursor, from a position on.
func cursorPages[T any](
	ctx context.Context, ahead int, from cursorPosition[T],
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error),
) iter.Seq2[*CursorPage[T], error] {
	return pages(ctx, ahead, func() position[string, *CursorPage[T]] {
		at := from
		at.seed, at.seen = maphash.MakeSeed(), map[uint64]bool{}
		at.repeated("cursor", at.cursor)
		return &at
	}, fetch)
}

func (p *cursorPosition[T]) next() string { return p.cursor }

func (p *cursorPosition[T]) failed(err error) error { return &PageError{Cursor: p.cursor, Err: err} }

// ahead returns the next place only: the cursor to another one comes with its page.
func (p *cursorPosition[T]) ahead(n int) []string { return []string{p.cursor}[:min(n, 1)] }

func (p *cursorPosition[T]) take(page *CursorPage[T]) (last bool, err error) {
	repeated := !page.Last() && p.repeated("cursor", page.NextCursor)
	if len(page.Items) == 0 {
		p.empty++
		repeated = repeated || p.empty > maxEmptyPages
	} else {
		p.empty = 0
		repeated = p.repeatedItems(page) || repeated
	}
	if repeated {
		return false, fmt.Errorf("%w: %s", ErrRepeatedPage, p.operation)
	}
	p.cursor = page.NextCursor
	return page.Last(), nil
}

// repeatedItems reports whether a page came before. Pages are told apart by the cursors of their items, since two pages
// may hold the same items, or else by the ids of their items.
func (p *cursorPosition[T]) repeatedItems(page *CursorPage[T]) bool {
	ids := page.edges
	if p.id != nil {
		for i := range page.Items {
			ids = append(ids, p.id(&page.Items[i]))
		}
	}
	return !slices.Contains(ids, "") && p.repeated("page", ids...)
}

// repeated reports whether it was asked the same before.
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
