package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// Page is one page of a listing by offset.
type Page[T any] struct {
	// Items are the page's items, in the service's order. An iterator leaves out items that it has delivered before.
	Items []T
	// Total is the number of items of the whole listing, or -1 where the service does not tell.
	Total int
	// Limit is the page size in force, or the number of items where the service does not tell it. The service may
	// lower the one asked for.
	Limit int
	// Offset is the position in the listing that the page was asked for at.
	Offset int
	// Next is the offset that continues after this page, unless the listing shrinks meanwhile.
	Next int
}

// Last reports whether there is nothing to ask for after this page. An empty page is the last one, whatever its total
// says: to go on would be to ask for the same page again; see Incomplete. A page with items is the last one where it
// reaches the total; a total that is smaller than what has come already says nothing.
func (p *Page[T]) Last() bool { return len(p.Items) == 0 || p.Next == p.Total }

// Incomplete reports whether the page is empty although its own total says that items are left from its offset on.
// Iterators report such a page as [ErrIncompleteListing]; a method that returns a single page returns it as it is.
func (p *Page[T]) Truncated() bool { return len(p.Items) == 0 && max(p.Offset, 0) < p.Total }

// newPage makes a page of a response to a question for the given offset.
func newPage[T any](content reply.Content[[]T], offset *int) *Page[T] {
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

// offsetPages iterates over a listing by offset, from an offset on.
func offsetPages[T any](
	ctx context.Context, with *caller, limit, offset *int, id func(*T) string,
	fetch func(ctx context.Context, limit, offset int) (*Page[T], error),
) iter.Seq2[*Page[T], error] {
	size, start := valueOr(limit, with.settings.pageSize), orZero(offset)
	begin := func() position[int, *Page[T]] {
		return &offsetPosition[T]{
			id: id, limit: size, start: start, place: start, reached: start, total: -1, low: math.MaxInt,
			delivered: map[string]bool{}, began: map[string]int{},
		}
	}
	return pages(ctx, with.settings.pagesAhead(), begin, func(ctx context.Context, offset int) (*Page[T], error) {
		return fetch(ctx, size, offset)
	})
}

// offsetPosition is where an iteration over a listing by offset stands. It advances by the number of items that came,
// because a service may lower the limit. The listing ends at its total, or on an empty page.
type offsetPosition[T any] struct {
	// id identifies an item. It is empty if the service left it out.
	id    func(*T) string
	limit int
	// start is where the iteration began. No item before place is left to deliver, and none from reached on has been
	// delivered, unless the listing grows.
	start, place, reached int
	// overlap is 1 if the next page is to begin with an item that was delivered, which shows that place is right.
	overlap int
	// again is set if the next page is the first one once more.
	again bool
	// step is the number of items of the last page, or 0 if the next page does not follow it.
	step int
	// total is the last page's, or -1 for none. low is the total at which the iteration went back, until it delivers
	// something.
	total, low int
	// delivered are the ids of the items that were delivered, and came is their number. began are the ids that a page
	// began with, and its total.
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

// ahead returns places up to the total. Without a total, nobody knows which pages exist.
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
		return false, fmt.Errorf("%w: nothing came from offset %d of %d on", ErrIncompleteListing, page.Offset, page.Total)
	case p.again:
		return true, p.compare(page)
	case count == 0: // Without a total, the first page shows whether the listing has shrunk.
		p.again = page.Total < 0 && p.place > p.start
		return !p.again, nil
	case p.overlap > 0 && !p.delivered[p.id(&page.Items[0])]: // More has gone than the totals say: something came as well.
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
	case page.Total < 0 && count == p.came && count != p.limit: // The service sends all it has, whatever limit and offset.
		last = true
	default:
		return false, ErrRepeatedPage
	}
	p.came += len(fresh)
	page.Items, p.place, p.overlap, p.step = fresh, page.Next, 0, count
	return last, nil
}

// fresh returns the items that were not delivered before. Items without an id cannot be told apart: they are all new,
// or all old if nothing else is new.
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

// shrunk goes back if the total has become lower: up to as many items have moved from behind place to before it.
func (p *offsetPosition[T]) shrunk(page *Page[T], before int) error {
	p.reached = max(p.reached, p.place)
	p.place = max(p.place-(before-page.Total), 0)
	if p.place < p.start || page.Total >= p.low {
		return fmt.Errorf("%w: it shrank from %d items to %d on the way", ErrIncompleteListing, before, page.Total)
	}
	p.low = page.Total
	p.back(page, p.place)
	return nil
}

// back goes back to a place, and delivers nothing of the page that came.
func (p *offsetPosition[T]) back(page *Page[T], place int) {
	page.Items = nil
	p.place = max(place, p.start)
	p.overlap = min(p.place-p.start, 1)
}

// compare judges the first page once it has come again. If it ends with an item that has not come, that item has moved
// there from a page behind it. An item that is new comes first, and has moved nothing out of reach.
func (p *offsetPosition[T]) compare(page *Page[T]) error {
	if count := len(page.Items); count > 0 && !p.delivered[p.id(&page.Items[count-1])] {
		p.place = p.start
		return fmt.Errorf("%w: it shrank on the way", ErrIncompleteListing)
	}
	page.Items = nil
	return nil
}

// iterable refuses a limit and an offset that a single page may be asked for with, and an iteration may not: it would
// not get anywhere.
func iterable(limit, offset int) []*ValidationError {
	return []*ValidationError{errorOf(api.AtLeast("limit", 1, &limit)), errorOf(api.AtLeast("offset", 0, &offset))}
}
