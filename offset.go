package rpcfleet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Page is one page of a listing by offset.
type Page[T any] struct {
	Items  []T // An iterator omits items that it has already delivered.
	Total  int // The number of items in the whole listing, or -1 if it is unknown.
	Limit  int // Limit is the effective page size, which the service may lower.
	Offset int
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

// offsetPages iterates over a listing by offset.
func offsetPages[T any](
	ctx context.Context, with callContext, limit, offset *int, id func(*T) string,
	fetch func(ctx context.Context, limit, offset int) (*Page[T], error),
) iter.Seq2[*Page[T], error] {
	size, start := *cmp.Or(limit, &with.settings.pageSize), deref(offset)
	begin := func() listPosition[int, *Page[T]] {
		return &offsetPosition[T]{
			id: id, limit: size, start: start, place: start, reached: start, total: -1, low: math.MaxInt,
			delivered: map[string]bool{}, began: map[string]int{},
		}
	}
	return pagesOf(ctx, with.settings.pagesAhead(), begin, func(ctx context.Context, offset int) (*Page[T], error) {
		return fetch(ctx, size, offset)
	})
}

// offsetPosition is the state of an iteration by offset. It advances by the number of items received, because a service
// may lower the limit. The listing ends at its total or at an empty page.
type offsetPosition[T any] struct {
	// id identifies an item. It returns "" if the item has no id.
	id    func(*T) string
	limit int
	// start is the first offset of the iteration. No item before place remains to be delivered, and no item from reached
	// on was delivered, unless the listing grows.
	start, place, reached int
	// overlap is 1 if the next page should begin with an item that was already delivered, which shows that place is right.
	overlap int
	// again is set if the next page is the first page again.
	again bool
	// step is the number of items of the last page, or 0 if the next page does not follow it.
	step int
	// total is the last page's total, or -1. low is the total at which the iteration went back, until it delivers an item.
	total, low int
	// delivered contains the ids of the delivered items, came their number. began maps the first id of each page to the
	// page's total.
	delivered map[string]bool
	came      int
	began     map[string]int
}

func (p *offsetPosition[T]) next() int {
	if p.again {
		return p.start
	}
	return p.place - p.overlap
}

func (p *offsetPosition[T]) failed(err error) error { return &PageError{Offset: p.place, Err: err} }

// ahead returns offsets below the total. Without a total, the pages are not known in advance.
func (p *offsetPosition[T]) ahead(n int) (places []int) {
	for place := p.next(); p.step > 0 && len(places) < n && place < p.total; place += p.step {
		places = append(places, place)
	}
	return places
}

func (p *offsetPosition[T]) take(page *Page[T]) (last bool, err error) {
	before, count := p.total, len(page.Items)
	p.total, p.step = page.Total, 0
	switch {
	case page.Total >= 0 && page.Total < before:
		return false, p.shrunk(page, before)
	case page.Truncated():
		return false, fmt.Errorf("%w: no items from offset %d of %d on", ErrIncompleteListing, page.Offset, page.Total)
	case p.again:
		return true, p.compare(page)
	case count == 0: // Without a total, the first page shows whether the listing has shrunk.
		p.again = page.Total < 0 && p.place > p.start
		return !p.again, nil
	case p.overlap > 0 && !p.delivered[p.id(&page.Items[0])]: // More items left than the totals show: others came.
		p.back(page, p.place-count)
		return false, nil
	}
	last = page.Last()
	first := p.id(&page.Items[0])
	total, begun := p.began[first]
	p.began[first] = page.Total
	fresh := p.fresh(page.Items)
	if len(fresh) > 0 {
		p.low = math.MaxInt
	}
	switch {
	case !begun, page.Offset < p.reached:
	case len(fresh) > 0 && (page.Total < 0 || page.Total != total): // The listing has changed.
	case page.Total < 0 && count == p.came && count != p.limit: // The service ignores limit and offset.
		last = true
	default:
		return false, ErrRepeatedPage
	}
	p.came += len(fresh)
	page.Items, p.place, p.overlap, p.step = fresh, page.Next, 0, count
	return last, nil
}

// fresh returns the items that were not delivered before. Items without an id cannot be distinguished: they all count
// as new, or all as old if nothing else is new.
func (p *offsetPosition[T]) fresh(items []T) (fresh []T) {
	known := len(p.delivered)
	for i := range items {
		id := p.id(&items[i])
		if id == "" || !p.delivered[id] {
			fresh = append(fresh, items[i])
		}
		p.delivered[id] = true
	}
	if len(p.delivered) == known {
		return nil
	}
	return fresh
}

// shrunk goes back if the total has decreased: up to that many items have moved from behind place to before it.
func (p *offsetPosition[T]) shrunk(page *Page[T], before int) error {
	p.reached = max(p.reached, p.place)
	p.place = max(p.place-(before-page.Total), 0)
	if p.place < p.start || page.Total >= p.low {
		return fmt.Errorf("%w: it shrank from %d items to %d", ErrIncompleteListing, before, page.Total)
	}
	p.low = page.Total
	p.back(page, p.place)
	return nil
}

// back goes back to an offset and drops the items of the current page.
func (p *offsetPosition[T]) back(page *Page[T], place int) {
	page.Items = nil
	p.place = max(place, p.start)
	p.overlap = min(p.place-p.start, 1)
}

// compare checks the first page when it comes again. If its last item is new, that item moved there from a later page.
// A newly created item comes first and does not move others out of reach.
func (p *offsetPosition[T]) compare(page *Page[T]) error {
	if count := len(page.Items); count > 0 && !p.delivered[p.id(&page.Items[count-1])] {
		p.place = p.start
		return fmt.Errorf("%w: it shrank during the iteration", ErrIncompleteListing)
	}
	page.Items = nil
	return nil
}
