package rpcfleet

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Page is one page of a listing by offset.
type Page[T any] struct {
	Items  []T // An iterator omits items that it has already delivered.
	Total  int // The number of items in the whole listing, or -1 if it is unknown.
	Limit  int // Limit is the effective page size, which the service may lower.
	Offset int // The offset of the request: in an iteration, one less than Next of the page before.
	Next   int // The offset after this page.
}

// Last reports whether the page is the last: empty, or ending at the total.
func (p *Page[T]) Last() bool { return len(p.Items) == 0 || p.Next == p.Total }

// Truncated reports whether the page is empty although its total is larger.
func (p *Page[T]) Truncated() bool { return len(p.Items) == 0 && max(p.Offset, 0) < p.Total }

// newPage makes a page from the response to a request at an offset.
func newPage[T any](content reply.Content[[]T], offset *int) *Page[T] {
	page := &Page[T]{Items: content.Data, Total: -1, Limit: len(content.Data), Offset: *cmp.Or(offset, new(0))}
	if p := content.Page; p != nil {
		page.Total, page.Limit = *cmp.Or(p.Total, &page.Total), *cmp.Or(p.Limit, &page.Limit)
	}
	page.Next = page.Offset + len(page.Items)
	return page
}

// offsetPages iterates over a listing by offset. A limit of 1 counts as 2, since a page begins with a known item.
func offsetPages[T any](
	ctx context.Context, with callContext, limit, offset *int, id func(*T) string,
	fetch func(ctx context.Context, limit, offset int) (*Page[T], error),
) iter.Seq2[*Page[T], error] {
	size, start := *cmp.Or(limit, &with.settings.pageSize), deref(offset)
	if size == 1 {
		size = 2
	}
	begin := func() listPosition[int, *Page[T]] {
		return &offsetPosition[T]{
			id: id, limit: size, start: start, at: start, place: start, total: -1, again: -1,
			delivered: map[string]bool{}, began: map[string]int{},
		}
	}
	return pagesOf(ctx, with.settings.pagesAhead(), begin, func(ctx context.Context, offset int) (*Page[T], error) {
		return fetch(ctx, size, offset)
	})
}

// offsetPosition is the state of an iteration by offset. It advances by the number of items received, because a service
// may lower the limit. Every page after the first is requested from one item before its place: if it does not begin
// with a delivered item, others have moved to before it, and the iteration goes back. The listing ends at its total or
// at an empty page. If fewer items came than the total, it is read again.
type offsetPosition[T any] struct {
	// id identifies an item. It returns "" if the item has no id.
	id    func(*T) string
	limit int
	// start is the first offset of the iteration, at the offset of the next page, and place the offset to resume from.
	start, at, place int
	// overlap is 1 if the next page should begin with a delivered item.
	overlap int
	// step is the number of items between this page and the next, or 0 if the next page does not follow it.
	step int
	// first is the first page's total, total the last page's. They are -1 if they are unknown.
	first, total int
	// delivered contains the ids of the delivered items.
	delivered map[string]bool
	// began maps the first ids of pages, since the iteration last went back, to the total.
	began map[string]int
	// came is the number of delivered items, again that number when the listing was last read again, or -1.
	came, again int
	// idle is the number of consecutive pages without a new item.
	idle int
}

// maxKnownPages is the number of consecutive pages without a new item that an iteration by offset accepts.
const maxKnownPages = 100

func (p *offsetPosition[T]) next() int { return p.at }

func (p *offsetPosition[T]) failed(err error) error { return &PageError{Offset: p.place, Err: err} }

// ahead returns the offsets of pages before the total. Without a total, the pages are not known in advance.
func (p *offsetPosition[T]) ahead(n int) (places []int) {
	for at := p.at; p.step > 0 && len(places) < n && at+p.overlap < p.total; at += p.step {
		places = append(places, at)
	}
	return places
}

func (p *offsetPosition[T]) take(page *Page[T]) (last bool, err error) {
	before := p.total
	p.total, p.step, p.idle = page.Total, 0, p.idle+1
	if p.came == 0 {
		p.first = page.Total
	}
	shifted := p.hasShifted(page, before)
	switch {
	case page.Truncated():
		return false, fmt.Errorf("%w: no items from offset %d of %d on", ErrIncompleteListing, page.Offset, page.Total)
	case p.idle > maxKnownPages:
		return false, fmt.Errorf("%w: it does not stop changing", ErrIncompleteListing)
	case shifted && p.at > p.start:
		page.Items = nil
		p.goBack(max(before-page.Total, (p.idle-1)*p.limit, 1))
		return false, nil
	case shifted && p.start > 0 && page.Total < max(p.first-p.came, 0): // More has gone than came.
		p.place = 0
		return false, fmt.Errorf("%w: items may have moved to before offset %d", ErrIncompleteListing, p.start)
	}
	last, err = p.deliver(page)
	switch {
	case err != nil:
		return false, err
	case p.came >= page.Total-p.start: // Nothing is missing.
		return last || p.again >= 0, nil
	case last && p.came == p.again:
		p.place = p.start
		return false, fmt.Errorf("%w: %d of %d items came", ErrIncompleteListing, p.came, page.Total-p.start)
	case last:
		p.again = p.came
		p.goBack(p.at)
	}
	return false, nil
}

// hasShifted reports whether items that were not delivered may have moved to before the page: it does not begin with a
// delivered item, or the total has decreased, if the page has no item with an id to compare.
func (p *offsetPosition[T]) hasShifted(page *Page[T], before int) bool {
	if p.overlap == 0 || len(page.Items) > 0 && p.id(&page.Items[0]) == "" {
		return page.Total < before
	}
	return len(page.Items) == 0 || !p.delivered[p.id(&page.Items[0])]
}

// goBack goes back by a number of items, at most to the start. Only from there, it is certain that nothing is lost.
func (p *offsetPosition[T]) goBack(by int) {
	p.at, p.place, p.step, p.overlap = max(p.at-by, p.start), p.start, 0, 1
	clear(p.began)
}

// deliver reduces the page to its new items and advances.
func (p *offsetPosition[T]) deliver(page *Page[T]) (last bool, err error) {
	items := page.Items
	last, page.Items = page.Last(), p.fresh(items)
	p.came += len(page.Items)
	p.at, p.place, p.step, p.overlap = page.Next, page.Next, len(items)-1, 0
	if len(items) == 0 {
		return last, nil
	}
	if (len(page.Items) > 0 || len(items) > 1) && p.id(&items[len(items)-1]) != "" {
		p.at, p.overlap = p.at-1, 1
	}
	first := p.id(&items[0])
	total, repeated := p.began[first]
	p.began[first] = page.Total
	switch {
	case len(page.Items) > 0:
		p.idle = 0
	case !repeated || total != page.Total || p.idle == 1: // As many items may have come in front.
	case page.Total < 0 && len(items) == p.came && len(items) != p.limit: // The service ignores limit and offset.
		last = true
	default:
		return false, ErrRepeatedPage
	}
	return last, nil
}

// fresh returns the items that were not delivered before. Items without an id cannot be distinguished: except for the
// one that pages overlap in, they all count as new, or all as old if nothing else is new.
func (p *offsetPosition[T]) fresh(items []T) (fresh []T) {
	known := len(p.delivered)
	for i := range items {
		id := p.id(&items[i])
		if id == "" && i >= p.overlap || id != "" && !p.delivered[id] {
			fresh = append(fresh, items[i])
		}
		p.delivered[id] = true
	}
	if len(p.delivered) == known {
		return nil
	}
	return fresh
}
