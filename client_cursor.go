package rpcfleet

import (
	"context"
	"hash/maphash"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// maxEmptyPages is how many empty pages in a row an iteration follows. A service may search a long time range in steps
// that find nothing; it does not do so forever.
const maxEmptyPages = 1000

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
}

// Last reports whether the listing ends with this page.
func (p *CursorPage[T]) Last() bool { return p.NextAt == "" }

func (p *CursorPage[T]) listed() []T { return p.Items }

// newCursorPage makes a page of a response to a question with the given cursor.
func newCursorPage[T any](content envelope.Content[[]T], cursor string) *CursorPage[T] {
	return &CursorPage[T]{Items: content.Data, Cursor: cursor, NextAt: content.NextAt, Total: -1}
}

// cursorPages iterates over a listing by cursor. It ends where the service gives no further cursor. It follows a cursor
// that comes with an empty page, and reports a page or a cursor that comes again, rather than going round forever. key
// tells items apart. Of the pages behind it keeps a hash of each, not their items. Where ahead is not zero, the page
// after the one that the loop works on is fetched in advance: one, since the cursor to another comes with it.
func cursorPages[T any, K comparable](
	ctx context.Context, cursor string, ahead int, key func(*T) K,
	fetch func(ctx context.Context, cursor string) (*CursorPage[T], error),
) iter.Seq2[*CursorPage[T], error] {
	return func(yield func(*CursorPage[T], error) bool) {
		background := newBackground(ctx)
		defer background.stop()
		seed := maphash.MakeSeed()
		cursors := map[uint64]bool{maphash.String(seed, cursor): true}
		pages := map[uint64]bool{}
		read := func() (*CursorPage[T], error) { return fetch(ctx, cursor) }
		for cursor, empty := cursor, 0; ; {
			page, err := read()
			if err == nil {
				mark, next := fingerprint(seed, page.Items, key), maphash.String(seed, page.NextAt)
				if len(page.Items) > 0 {
					empty = 0
				} else {
					empty++
				}
				if pages[mark] && empty == 0 || cursors[next] && !page.Last() || empty > maxEmptyPages {
					err = ErrRepeatedPage
				}
				pages[mark], cursors[next] = true, true
			}
			if err != nil {
				yield(nil, &PageError{Cursor: cursor, Err: err})
				return
			}
			cursor = page.NextAt
			read = func() (*CursorPage[T], error) { return fetch(ctx, cursor) }
			if ahead > 0 && len(page.Items) > 0 && !page.Last() {
				read = begin(background, func(ctx context.Context) (*CursorPage[T], error) { return fetch(ctx, cursor) }, nil).wait
			}
			if len(page.Items) > 0 && !yield(page, nil) || page.Last() {
				return
			}
		}
	}
}
