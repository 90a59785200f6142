package rpcfleet

import (
	"context"
	"fmt"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// offsetPages iterates over a listing by offset, from the offset of the request on. A limit of 1 counts as 2, since a
// page begins with a known item. A limit or offset that would keep the iteration from advancing is rejected.
func offsetPages[T any](
	ctx context.Context, e *engine, request api.RequestOf[T], opts []CallOption, id func(*T) string,
) iter.Seq2[*Page[T], error] {
	settings, _ := e.settings(opts) // The calls return the error.
	from := offsetPosition[T]{id: id}
	from.start, _ = api.QueryValue[int](request.Query, "offset")
	limit, given := api.QueryValue[int](request.Query, "limit")
	if from.limit = limit; !given {
		from.limit = settings.pageSize
	}
	if from.limit == 1 {
		from.limit = 2
	}
	return pagesOf(ctx, settings, from.begin, func(ctx context.Context, at place) (*Page[T], error) {
		page := request
		page.Query = request.Query.With("offset", at.offset).With("limit", from.limit)
		return fetchPage(ctx, e, page, opts, atLeast("limit", from.limit, 1), atLeast("offset", at.offset, 0))
	})
}

// offsetPosition is the state of an iteration by offset. It advances by the number of items received, because a service
// may lower the limit. Every page after the first is requested from one item before its place: if it does not begin
// with a delivered item, others have moved to before it, and the iteration goes back. The listing ends at its total or
// at an empty page. If fewer items came than the total, it is read again.
type offsetPosition[T any] struct {
	id               func(*T) string // It returns "" if the item has no id.
	limit            int
	start, at, place int             // The first offset of the iteration, the next page's, and the one to resume from.
	overlap          int             // 1 if the next page should begin with a delivered item.
	step             int             // From this page's offset to the next's, or 0 if the next page does not follow it.
	first, total     int             // The total of the first page and of the last one, or -1 if it is unknown.
	delivered        map[string]bool // The ids of the delivered items, and "" if items without an id came.
	began            map[string]int  // The first ids of pages, since the iteration last went back, and the totals.
	came, again      int             // The number of delivered items, and the same when all were last read, or -1.
	idle             int             // The number of consecutive pages without a new item.
}

// maxKnownPages is the number of consecutive pages without a new item that an iteration by offset accepts.
const maxKnownPages = 100

// begin returns the state of a new iteration.
func (p offsetPosition[T]) begin() position[T] {
	p.at, p.place, p.total, p.again = p.start, p.start, -1, -1
	p.delivered, p.began = map[string]bool{}, map[string]int{}
	return &p
}

func (p *offsetPosition[T]) next() place { return place{offset: p.at} }

func (p *offsetPosition[T]) failed(err error) error { return &PageError{Offset: p.place, Err: err} }

// ahead returns the offsets of pages before the total. Without a total, the pages are not known in advance.
func (p *offsetPosition[T]) ahead(n int) (places []place) {
	for at := p.at; p.step > 0 && len(places) < n && at+p.overlap < p.total; at += p.step {
		places = append(places, place{offset: at})
	}
	return places
}

func (p *offsetPosition[T]) take(page *Page[T]) (last bool, err error) {
	before := p.total
	p.total, p.idle = page.Total, p.idle+1
	if p.came == 0 {
		p.first = page.Total
	}
	shrank := p.shrank(page, before)
	switch {
	case len(page.Items) == 0 && page.Offset < page.Total:
		return false, fmt.Errorf("%w: no items from offset %d of %d on", ErrIncompleteListing, page.Offset, page.Total)
	case p.idle > maxKnownPages:
		return false, fmt.Errorf("%w: it does not stop changing", ErrIncompleteListing)
	case shrank && p.at > p.start:
		page.Items = nil
		p.goBack(max(before-page.Total, (p.idle-1)*p.limit, 1))
		return false, nil
	case shrank && p.start > 0 && page.Total < max(p.first-p.came, 0): // More has gone than came.
		p.place = 0
		return false, fmt.Errorf("%w: items may have moved to before offset %d", ErrIncompleteListing, p.start)
	}
	last, received := page.Last(), len(page.Items)
	repeat := p.deliver(page)
	switch {
	case repeat && page.Total < 0 && received == p.came && received != p.limit:
		return true, nil // The service ignores limit and offset.
	case repeat:
		return false, ErrRepeatedPage
	case !p.isMissing(page.Total):
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

// shrank reports whether items that were not delivered may have moved to before the page: it does not begin with a
// delivered item, or the total has decreased, if the page has no item with an id to compare.
func (p *offsetPosition[T]) shrank(page *Page[T], before int) bool {
	if p.overlap == 0 || len(page.Items) > 0 && p.id(&page.Items[0]) == "" {
		return page.Total < before
	}
	return len(page.Items) == 0 || !p.delivered[p.id(&page.Items[0])]
}

// isRepeat reports whether a page without a new item is like one before it: it begins with the same item, at the same
// total. The first page without a new item is accepted: as many items may have come in front.
func (p *offsetPosition[T]) isRepeat(first string, total int) bool {
	before, seen := p.began[first]
	p.began[first] = total
	return seen && before == total && p.idle > 1
}

// isMissing reports whether fewer items came than the total. An unknown total is negative.
func (p *offsetPosition[T]) isMissing(total int) bool { return p.came < total-p.start }

// goBack goes back by a number of items, at most to the start. Only from there, it is certain that nothing is lost.
func (p *offsetPosition[T]) goBack(by int) {
	p.at, p.place, p.step, p.overlap = max(p.at-by, p.start), p.start, 0, 1
	clear(p.began)
}

// deliver reduces the page to its new items and advances. It reports whether the page is a repeat.
func (p *offsetPosition[T]) deliver(page *Page[T]) (repeat bool) {
	items := page.Items
	page.Items = p.fresh(items)
	p.came += len(page.Items)
	p.at, p.place, p.step, p.overlap = page.Next, page.Next, len(items)-1, 0
	if len(page.Items) > 0 {
		p.idle = 0
	}
	if len(items) == 0 {
		return false
	}
	if (len(page.Items) > 0 || len(items) > 1) && p.id(&items[len(items)-1]) != "" {
		p.at, p.overlap = p.at-1, 1
	}
	return p.isRepeat(p.id(&items[0]), page.Total)
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
