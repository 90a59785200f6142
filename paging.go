package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// ErrRepeatedPage matches an iteration that the service sent in circles: a page or a cursor came twice. It is wrapped
// in a [*PageError].
var ErrRepeatedPage = errors.New("rpcfleet: the service repeats a page")

// ErrIncompleteListing matches an iteration whose listing ended too early: the service sent an empty page, and said on
// that same page that items are left, or the listing shrank and the iteration cannot go back as far. It is wrapped in a
// [*PageError], whose Offset is where to resume.
var ErrIncompleteListing = errors.New("rpcfleet: the listing ended before its total")

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
func (p *Page[T]) Incomplete() bool { return len(p.Items) == 0 && max(p.Offset, 0) < p.Total }

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

func valueOr(value *int, otherwise int) int {
	if value == nil {
		return otherwise
	}
	return *value
}

// PageError is an iteration that failed. The items of earlier pages have all been delivered. So have those of the page
// that failed which came in spite of it, where a part of the page failed in the graph area.
type PageError struct {
	// Offset is where to resume a listing by offset: the first item that was not delivered. If the listing has shrunk,
	// items from there on may have been delivered. A loop that takes items out of the listing, such as one that
	// archives, starts anew instead: what it has taken out since the last page moves the rest to lower offsets.
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
// left; it goes back if the total has become lower; and it reports a page that comes again, rather than going round
// forever. key tells items apart; ahead is how many pages are fetched in advance.
func offsetPages[T any, K comparable](
	ctx context.Context, start, ahead int, key func(*T) K, fetch func(ctx context.Context, offset int) (*Page[T], error),
) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		fetch := fetch
		if ahead > 0 {
			prefetcher := &prefetcher[T]{ahead: ahead, fetch: fetch}
			defer prefetcher.stop()
			fetch = prefetcher.page
		}
		r := offsetReader[T, K]{
			key: key, start: start, place: start, reached: start, total: -1, low: math.MaxInt,
			seed: maphash.MakeSeed(), marks: map[uint64]bool{}, delivered: map[K]bool{},
		}
		for {
			last := false
			page, err := fetch(ctx, r.place-r.overlap)
			if err == nil {
				last, err = r.take(page)
			}
			if err != nil {
				yield(nil, &PageError{Offset: r.place, Err: err})
				return
			}
			if len(page.Items) > 0 && !yield(page, nil) || last {
				return
			}
		}
	}
}

// offsetReader is one iteration over a listing by offset.
type offsetReader[T any, K comparable] struct {
	key func(*T) K
	// start is where the iteration began. No item before place is left to deliver, and none from reached on has been
	// delivered, unless the listing grows.
	start, place, reached int
	// overlap is 1 if the next page is to begin with an item that was delivered, which shows that place is right.
	overlap int
	// total is the last page's. low is the total at which the iteration went back, until it delivers something.
	total, low int
	seed       maphash.Seed
	marks      map[uint64]bool
	delivered  map[K]bool
}

// take leaves in a page what is to be delivered of it, and reports whether the listing ends with it. If the total has
// become lower, up to as many items have moved from behind place to before it, and nothing of the page is delivered.
func (r *offsetReader[T, K]) take(page *Page[T]) (last bool, err error) {
	before := r.total
	r.total = page.Total
	if page.Total >= 0 && page.Total < before {
		r.reached = max(r.reached, r.place)
		r.place = max(r.place-(before-page.Total), 0)
		if r.place < r.start || page.Total >= r.low {
			return false, fmt.Errorf("%w: it shrank from %d items to %d on the way", ErrIncompleteListing, before, page.Total)
		}
		r.low = page.Total
		r.back(page, r.place)
		return false, nil
	}
	if page.Incomplete() {
		return false, fmt.Errorf("%w: nothing came from offset %d of %d on", ErrIncompleteListing, page.Offset, page.Total)
	}
	if last = page.Last(); len(page.Items) == 0 {
		return last, nil
	}
	if r.overlap > 0 && !r.delivered[r.key(&page.Items[0])] { // More has gone than the totals say: something came as well.
		r.back(page, r.place-len(page.Items))
		return false, nil
	}
	for _, mark := range marks(r.seed, page, r.key) {
		if r.marks[mark] && page.Offset >= r.reached {
			return false, ErrRepeatedPage
		}
		r.marks[mark] = true
	}
	fresh, known := page.Items[:0], len(r.delivered)
	for i := range page.Items {
		id := r.key(&page.Items[i])
		if !r.delivered[id] {
			fresh = append(fresh, page.Items[i])
		}
		if id != *new(K) { // Items without an id cannot be told apart, and none is left out.
			r.delivered[id] = true
		}
	}
	if len(r.delivered) > known {
		r.low = math.MaxInt
	}
	page.Items, r.place, r.overlap = fresh, page.Next, 0
	return last, nil
}

// back goes back to a place, and delivers nothing of the page that came.
func (r *offsetReader[T, K]) back(page *Page[T], place int) {
	page.Items = nil
	r.place = max(place, r.start)
	r.overlap = min(r.place-r.start, 1)
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

// deepCopy copies parameters, with all that their pointers and lists lead to, so that a call or an iteration does not
// depend on what the caller does with them meanwhile.
func deepCopy[T any](params T) T {
	copyValue(reflect.ValueOf(&params).Elem())
	return params
}

// selected copies a filter. One that selects nothing, which is the zero one, is nil and is not sent.
func selected[T any](filter T) *T {
	if reflect.ValueOf(filter).IsZero() {
		return nil
	}
	return new(deepCopy(filter))
}

// unlessZero points to a value, or is nil where the value is the zero one, as for what is to be left out.
func unlessZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// copyValue gives a value pointers and lists of its own. Values with unexported fields, such as times, have none that a
// caller could reach.
func copyValue(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			own := reflect.New(value.Type().Elem())
			own.Elem().Set(value.Elem())
			copyValue(own.Elem())
			value.Set(own)
		}
	case reflect.Slice:
		if !value.IsNil() {
			own := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
			reflect.Copy(own, value)
			for i := range own.Len() {
				copyValue(own.Index(i))
			}
			value.Set(own)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if field := value.Field(i); field.CanSet() {
				copyValue(field)
			}
		}
	}
}
