package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// ErrRepeatedPage matches an iteration that the service sent in circles: a page or a cursor came twice. It is wrapped
// in a [*PageError].
var ErrRepeatedPage = errors.New("rpcfleet: the service repeats a page")

// ErrIncompleteListing matches an iteration whose listing ended too early: the service sent an empty page, and said on
// that same page that items are left. It is wrapped in a [*PageError], whose Offset is where to resume. A listing that
// shrinks while it is read says so with a smaller total, and ends without an error.
var ErrIncompleteListing = errors.New("rpcfleet: the listing ended before its total")

// Page is one page of a listing by offset.
type Page[T any] struct {
	// Items are the page's items, in the service's order.
	Items []T
	// Total is the number of items of the whole listing, or -1 where the service does not tell.
	Total int
	// Limit is the page size in force, or the number of items where the service does not tell it. The service may
	// lower the one asked for.
	Limit int
	// Offset is the position of the first item in the listing.
	Offset int
	// Next is the offset that continues after this page.
	Next int
}

// Last reports whether there is nothing to ask for after this page. An empty page is the last one, whatever its total
// says: to go on would be to ask for the same page again; see Incomplete. A page with items is the last one where it
// reaches the total; a total that is smaller than what has come already says nothing.
func (p *Page[T]) Last() bool { return len(p.Items) == 0 || p.Next == p.Total }

// Incomplete reports whether the page is empty although its own total says that items are left from its offset on.
// Iterators report such a page as [ErrIncompleteListing]; a method that returns a single page returns it as it is.
func (p *Page[T]) Incomplete() bool { return len(p.Items) == 0 && max(p.Offset, 0) < p.Total }

// newPage makes a page of a response to a question for the given offset.
func newPage[T any](content envelope.Content[[]T], offset *int) *Page[T] {
	page := &Page[T]{Items: content.Data, Total: -1, Limit: len(content.Data)}
	if offset != nil {
		page.Offset = *offset
	}
	if p := content.Page; p != nil {
		page.Total, page.Limit = valueOr(p.Total, page.Total), valueOr(p.Limit, page.Limit)
	}
	page.Next = page.Offset + len(page.Items)
	return page
}

func valueOr(value *int, otherwise int) int {
	if value == nil {
		return otherwise
	}
	return *value
}

// PageError is an iteration that failed. The items of earlier pages have all been delivered. So have those of the page
// that failed which came in spite of it, where a part of the page failed in the graph area.
type PageError struct {
	// Offset is where to resume a listing by offset: the first item that was not delivered.
	Offset int
	// Cursor is where to resume a listing by cursor; it is empty at the first page, and for listings by offset.
	Cursor string
	// Err is what went wrong.
	Err error
}

// Error says where the iteration stopped and why. It does not show the cursor, whose content is the service's own.
func (e *PageError) Error() string {
	switch {
	case e.Cursor != "":
		return fmt.Sprintf("%v (a cursor to resume from is in the error)", e.Err)
	case e.Offset > 0:
		return fmt.Sprintf("%v (resume from offset %d)", e.Err, e.Offset)
	}
	return fmt.Sprintf("%v (on the first page)", e.Err)
}

// Unwrap returns what went wrong.
func (e *PageError) Unwrap() error { return e.Err }

// offsetPages iterates over a listing by offset. It advances by what came, not by what was asked for, because a
// service may lower the limit; it stops at the total, or on an empty page whose own total does not say that items are
// left; and it reports a page that comes again, rather than going round forever. key tells items apart; ahead is how
// many pages are fetched in advance.
func offsetPages[T any, K comparable](
	ctx context.Context, offset, ahead int, key func(*T) K, fetch func(ctx context.Context, offset int) (*Page[T], error),
) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		fetch := fetch
		if ahead > 0 {
			prefetcher := &prefetcher[T]{ahead: ahead, fetch: fetch}
			defer prefetcher.stop()
			fetch = prefetcher.page
		}
		seen, seed := map[uint64]bool{}, maphash.MakeSeed()
		for offset := offset; ; {
			page, err := fetch(ctx, offset)
			if err == nil {
				came := marks(seed, page, key)
				switch {
				case page.Incomplete():
					err = fmt.Errorf("%w: nothing came from offset %d of %d on", ErrIncompleteListing, offset, page.Total)
				case slices.ContainsFunc(came, func(mark uint64) bool { return seen[mark] }):
					err = ErrRepeatedPage
				}
				for _, mark := range came {
					seen[mark] = true
				}
			}
			if err != nil {
				yield(nil, &PageError{Offset: offset, Err: err})
				return
			}
			offset = page.Next
			if len(page.Items) > 0 && !yield(page, nil) || page.Last() {
				return
			}
		}
	}
}

// failedPages is an iteration that could not begin.
func failedPages[T any](err error) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) { yield(nil, err) }
}

// marks are what pages are known by that come again: all items, or the first one beside the total, since a service may
// cut the same page at another place. With another total the listing has changed, and its items may have moved.
func marks[T any, K comparable](seed maphash.Seed, page *Page[T], key func(*T) K) []uint64 {
	marks := []uint64{fingerprint(seed, page.Items, key)}
	if len(page.Items) > 0 && key(&page.Items[0]) != *new(K) {
		marks = append(marks, maphash.Comparable(seed, struct {
			first K
			total int
		}{key(&page.Items[0]), page.Total}))
	}
	return marks
}

// fingerprint hashes the keys of a page's items, in order.
func fingerprint[T any, K comparable](seed maphash.Seed, items []T, key func(*T) K) uint64 {
	var hash maphash.Hash
	hash.SetSeed(seed)
	for i := range items {
		maphash.WriteComparable(&hash, key(&items[i]))
	}
	return hash.Sum64()
}

// listed is a page of either kind.
type listed[T any] interface{ listed() []T }

func (p *Page[T]) listed() []T {
	if p == nil {
		return nil
	}
	return p.Items
}

// items turns an iteration over pages into one over their items. The error beside a page comes after its items.
func items[T any, P listed[T]](pages iter.Seq2[P, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			for _, item := range page.listed() {
				if !yield(item, nil) {
					return
				}
			}
			var none T
			if err != nil && !yield(none, err) {
				return
			}
		}
	}
}
