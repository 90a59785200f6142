package rpcfleet

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// CursorPage is one page of a listing by cursor.
type CursorPage[T any] struct {
	// Items are the page's items, in the service's order.
	Items []T
	// Cursor is the cursor that the page was asked for with; it is empty at the first page.
	Cursor string
	// NextAt is the cursor that continues after this page. It is empty where the listing ends. It can be stored, and
	// an iteration of the same query can start from it.
	NextAt string
	// Total is the number of items of the whole listing, or -1 where the service does not tell.
	Total int

	// edges are the cursors of the single items, where the service gives one to each.
	edges []string
}

// Last reports whether the listing ends with this page.
func (p *CursorPage[T]) Last() bool { return p.NextAt == "" }

// UnmarshalJSON reads what encoding/json writes of a page, the interfaces of package graph included.
func (p *CursorPage[T]) UnmarshalJSON(text []byte) error {
	type plain CursorPage[T]
	return graph.Unmarshal(text, (*plain)(p))
}

func (p *CursorPage[T]) listed() []T {
	if p == nil {
		return nil
	}
	return p.Items
}

// newCursorPage makes a page of a response to a question with the given cursor.
func newCursorPage[T any](content reply.Content[[]T], cursor string) *CursorPage[T] {
	return &CursorPage[T]{Items: content.Data, Cursor: cursor, NextAt: content.NextAt, Total: -1}
}

// cursorListing is a listing by cursor.
type cursorListing[T any] struct {
	// operation is the id of the operation that lists, and start the cursor to begin at.
	operation, start string
	// ahead is how many pages may be fetched in advance. The page after the one that the loop works on is, and no other,
	// since the cursor to another comes with it.
	ahead int
	// mark tells pages apart that have items. It is 0 for a page that nothing tells from others.
	mark func(seed maphash.Seed, page *CursorPage[T]) uint64
	// fetch asks for a page. Where it returns a page and an error, a part of the page failed.
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error)
}

// pages iterates over the listing. It ends where the service gives no further cursor. It follows a cursor that comes
// with an empty page, and reports a page or a cursor that comes again, rather than going round forever. Of the pages
// behind it keeps a mark of each, not their items. A page of which a part failed is delivered with the error, and is
// not the end.
func (l cursorListing[T]) pages(ctx context.Context) iter.Seq2[*CursorPage[T], error] {
	return func(yield func(*CursorPage[T], error) bool) {
		background := newBackground(ctx)
		defer background.stop()
		rounds := newRounds(l.mark, l.start)
		read := func() (*CursorPage[T], error) { return l.fetch(ctx, l.start) }
		for cursor := l.start; ; {
			page, err := read()
			if page != nil && rounds.repeats(page) {
				page, err = nil, fmt.Errorf("%w: %s", ErrRepeatedPage, l.operation)
			}
			if err != nil {
				err = &PageError{Cursor: cursor, Err: err}
			}
			if page == nil {
				yield(nil, err)
				return
			}
			cursor = page.NextAt
			read = func() (*CursorPage[T], error) { return l.fetch(ctx, cursor) }
			if l.ahead > 0 && !page.Last() {
				read = begin(background, func(ctx context.Context) (*CursorPage[T], error) { return l.fetch(ctx, cursor) }, nil).wait
			}
			if (len(page.Items) > 0 || err != nil) && !yield(page, err) || page.Last() {
				return
			}
		}
	}
}

// maxEmptyPages is how many empty pages in a row an iteration follows. A service may search a long time range in steps
// that find nothing; it does not do so forever.
const maxEmptyPages = 1000

// rounds notices that a listing by cursor goes round.
type rounds[T any] struct {
	seed           maphash.Seed
	mark           func(seed maphash.Seed, page *CursorPage[T]) uint64
	cursors, pages map[uint64]bool
	// empty is how many pages in a row were empty.
	empty int
}

func newRounds[T any](mark func(maphash.Seed, *CursorPage[T]) uint64, start string) *rounds[T] {
	seed := maphash.MakeSeed()
	return &rounds[T]{seed: seed, mark: mark, cursors: map[uint64]bool{maphash.String(seed, start): true}, pages: map[uint64]bool{}}
}

// repeats reports whether a page or its cursor has come before, or too many were empty.
func (r *rounds[T]) repeats(page *CursorPage[T]) bool {
	next := maphash.String(r.seed, page.NextAt)
	repeats := r.cursors[next] && !page.Last()
	r.cursors[next] = true
	if len(page.Items) == 0 {
		r.empty++
		return repeats || r.empty > maxEmptyPages
	}
	r.empty = 0
	if mark := r.mark(r.seed, page); mark != 0 {
		repeats = repeats || r.pages[mark]
		r.pages[mark] = true
	}
	return repeats
}

// itemsMark tells pages apart by the keys of their items.
func itemsMark[T any, K comparable](key func(*T) K) func(maphash.Seed, *CursorPage[T]) uint64 {
	return func(seed maphash.Seed, page *CursorPage[T]) uint64 { return fingerprint(seed, page.Items, key) }
}
