package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// untoldListing is a listing by offset of which the service tells no total. It has been described with limit and offset
// and has been read without either, so that the service may or may not go by them.
type untoldListing[T any] struct {
	op *api.Operation
	// limit and offset are the caller's, or nil.
	limit, offset *int
	// id identifies an item. It is empty where the service left it out.
	id func(*T) string
	// fetch asks for one page.
	fetch func(ctx context.Context, limit, offset int) (*Page[T], error)
}

// pages iterates over the listing. A short page is not its end, because a service may lower the limit silently: the end
// is an empty page. A service that ignores the offset sends what it has sent before in the place of one. Nothing of
// that is delivered again, and where the service ignores the limit as well, that was the whole listing, which has
// ended. In every other case a page without anything new is an error, because more may be there that was not sent. So
// is something new at the beginning of a listing that has been read to its end, since no total says that it has shrunk.
func (l untoldListing[T]) pages(ctx context.Context, with *caller) iter.Seq2[*Page[T], error] {
	if with.err != nil {
		return failedPages[T](with.err)
	}
	settings := with.settings
	limit, start := valueOr(l.limit, settings.pageSize), valueOr(l.offset, 0)
	// A single page may be asked for with any limit and offset. An iteration would not get anywhere.
	for _, broken := range []*api.Broken{api.AtLeast("limit", 1, &limit), api.AtLeast("offset", 0, &start)} {
		if broken != nil && !settings.skipValidation {
			return failedPages[T](errorOf(broken).of(l.op))
		}
	}
	return func(yield func(*Page[T], error) bool) {
		reader := untoldReader[T]{listing: &l, limit: limit, start: start, seen: map[string]bool{}}
		for offset := start; ; {
			page, err := reader.read(ctx, offset)
			if errors.Is(err, ErrIncompleteListing) { // What was not delivered lies before what was.
				offset = start
			}
			if err != nil {
				yield(nil, &PageError{Offset: offset, Err: err})
				return
			}
			if page == nil || !yield(page, nil) || page.Last() {
				return
			}
			offset = page.Next
		}
	}
}

// untoldReader is one iteration over an untoldListing.
type untoldReader[T any] struct {
	listing      *untoldListing[T]
	limit, start int
	// seen are the ids of what came, and came is how much it was.
	seen map[string]bool
	came int
}

// read returns the page at an offset without what came before, or nil at the end of the listing.
func (r *untoldReader[T]) read(ctx context.Context, offset int) (*Page[T], error) {
	page, err := r.listing.fetch(ctx, r.limit, offset)
	if err != nil {
		return nil, err
	}
	if len(page.Items) == 0 {
		return nil, r.shrunk(ctx, offset)
	}
	if r.came == 0 && r.start > 0 {
		if err := r.skip(ctx, page.Items); err != nil {
			return nil, err
		}
	}
	length := len(page.Items)
	if page.Items = r.sift(page.Items); len(page.Items) == 0 {
		return nil, r.repeated(ctx, offset, length)
	}
	page.Next = offset + len(page.Items)
	return page, nil
}

// sift returns the items that have not come before, and keeps in mind that they came. Items without an id cannot be
// told apart: they are all new, or all old where the page has nothing else that is new.
func (r *untoldReader[T]) sift(items []T) []T {
	var fresh []T
	var unknown []string
	for i := range items {
		id := r.listing.id(&items[i])
		if !r.seen[id] {
			unknown = append(unknown, id)
		}
		if !r.seen[id] || id == "" {
			fresh = append(fresh, items[i])
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	for _, id := range unknown {
		r.seen[id] = true
	}
	r.came += len(fresh)
	return fresh
}

// shrunk judges an empty page. If the page at the start ends with an item that has not come, that item has moved there
// from a page behind it. An event that is new comes first on that page, and has moved nothing out of reach.
func (r *untoldReader[T]) shrunk(ctx context.Context, offset int) error {
	if offset == r.start {
		return nil
	}
	page, err := r.listing.fetch(ctx, r.limit, r.start)
	if err != nil || len(page.Items) == 0 || r.seen[r.listing.id(&page.Items[len(page.Items)-1])] {
		return err
	}
	return fmt.Errorf("%w: it shrank on the way", ErrIncompleteListing)
}

// repeated judges a page without anything new. It is the end of the listing where it is all that came once more and the
// service ignores the limit, so that it cannot have been cut: more items than the limit show that, and as many again
// for another limit.
func (r *untoldReader[T]) repeated(ctx context.Context, offset, length int) error {
	if length != r.came {
		return ErrRepeatedPage
	}
	if length > r.limit {
		return nil
	}
	other := length - 1
	if other == 0 {
		other = 2
	}
	again, err := r.listing.fetch(ctx, other, offset)
	if err == nil && len(again.Items) != length {
		err = ErrRepeatedPage
	}
	return err
}

// skip is told the first page of an iteration that does not start at the beginning. Where the listing's first item is
// on it, the service ignores the offset: what is before the start counts as if it had come already.
func (r *untoldReader[T]) skip(ctx context.Context, items []T) error {
	head, err := r.listing.fetch(ctx, 1, 0)
	if err != nil || len(head.Items) == 0 {
		return err
	}
	first, ignored := r.listing.id(&head.Items[0]), false
	for i := range items {
		ignored = ignored || first != "" && r.listing.id(&items[i]) == first
	}
	if ignored {
		r.sift(items[:min(r.start, len(items))])
	}
	return nil
}
