package graphapi

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// paging are the arguments of a connection: the first items after a cursor, or the last ones before one.
type paging struct {
	After, Before *string
	First, Last   *int32
}

// defaultPage is the page that is sent where the query does not say how many items it wants (assumed).
const defaultPage = 20

// connection is a page of a listing.
type connection[N any] struct {
	Edges      []edge[N]
	PageInfo   pageInfo
	TotalCount *int32
}

type edge[N any] struct {
	Cursor string
	Node   N
}

type pageInfo struct {
	EndCursor       *string
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
}

// failure is an error with a code.
type failure struct{ code, message string }

// Error implements error.
func (f *failure) Error() string { return f.message }

// Extensions implements the executor's interface for errors with more to tell.
func (f *failure) Extensions() map[string]any { return map[string]any{"code": f.code} }

// page cuts a page out of a listing of n items, and makes only the items on it.
func page[N any](n, limit int, args paging, item func(i int) N) (*connection[N], error) {
	start, end, err := args.window(n, limit)
	if err != nil {
		return nil, err
	}
	c := &connection[N]{Edges: []edge[N]{}, TotalCount: new(int32(n))}
	for i := start; i < end; i++ {
		c.Edges = append(c.Edges, edge[N]{cursorAt(i), item(i)})
	}
	c.PageInfo = pageInfo{HasNextPage: end < n, HasPreviousPage: start > 0}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(c.Edges)-1].Cursor
	}
	return c, nil
}

// window returns where the page begins and ends: of what the cursors leave over the first items, of those the last.
func (p *paging) window(n, limit int) (start, end int, err error) {
	end = n
	if p.After != nil {
		if start, err = readCursor("after", *p.After); err != nil {
			return 0, 0, err
		}
		start = min(start+1, n)
	}
	if p.Before != nil {
		if end, err = readCursor("before", *p.Before); err != nil {
			return 0, 0, err
		}
		end = min(end, n)
	}
	first, last := p.First, p.Last
	if first == nil && last == nil {
		first = new(int32(defaultPage))
	}
	if first != nil {
		if *first < 0 {
			return 0, 0, &failure{"INVALID_ARGUMENT", "first must not be negative"}
		}
		end = min(end, start+min(int(*first), limit))
	}
	if last != nil {
		if *last < 0 {
			return 0, 0, &failure{"INVALID_ARGUMENT", "last must not be negative"}
		}
		start = max(start, end-min(int(*last), limit))
	}
	return start, end, nil
}

// pageOf cuts a page out of a list.
func pageOf[N any](list []N, limit int, args paging) (*connection[N], error) {
	return page(len(list), limit, args, func(i int) N { return list[i] })
}

const cursorPrefix = "at:"

// cursorAt returns the cursor of an item.
func cursorAt(i int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
}

// readCursor returns the position of the item that a cursor is of.
func readCursor(argument, cursor string) (int, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, known := strings.CutPrefix(string(text), cursorPrefix)
	position, numberErr := strconv.ParseUint(number, 10, 31)
	if err != nil || !known || numberErr != nil {
		return 0, &failure{"INVALID_CURSOR", argument + " is not a cursor of this listing"}
	}
	return int(position), nil
}

// textInput is the schema's filter of texts and of enums. A nil filter lets everything pass, and so does a condition
// that is not set.
type textInput struct {
	Eq    *string
	In    *[]string
	NotIn *[]string
}

func (f *textInput) allows(value string) bool {
	if f == nil {
		return true
	}
	same := func(other string) bool { return strings.EqualFold(value, other) }
	return (f.Eq == nil || same(*f.Eq)) &&
		(f.In == nil || slices.ContainsFunc(*f.In, same)) &&
		(f.NotIn == nil || !slices.ContainsFunc(*f.NotIn, same))
}

// intInput is the schema's filter of integers.
type intInput struct {
	Eq, Gt, Gte, Lt, Lte *int32
	In                   *[]int32
}

func (f *intInput) allows(value int32) bool {
	return f == nil || within(value, cmp.Compare, f.Eq, f.Gt, f.Gte, f.Lt, f.Lte) &&
		(f.In == nil || slices.Contains(*f.In, value))
}

// timeInput is the schema's filter of times.
type timeInput struct{ Eq, Gt, Gte, Lt, Lte *dateTime }

func (f *timeInput) allows(value time.Time) bool {
	compare := func(a, b dateTime) int { return a.Compare(b.Time) }
	return f == nil || within(dateTime{value}, compare, f.Eq, f.Gt, f.Gte, f.Lt, f.Lte)
}

// within holds a value against bounds, each of which may be absent.
func within[T any](value T, compare func(a, b T) int, eq, gt, gte, lt, lte *T) bool {
	return (eq == nil || compare(value, *eq) == 0) &&
		(gt == nil || compare(value, *gt) > 0) && (gte == nil || compare(value, *gte) >= 0) &&
		(lt == nil || compare(value, *lt) < 0) && (lte == nil || compare(value, *lte) <= 0)
}

// descending is the direction of an order that turns it around.
const descending = "DESC"

// ordered returns the list in order, or the other way round. Items that compare alike keep their places.
func ordered[T any](list []T, direction *string, compare func(a, b T) int) []T {
	sorted := slices.Clone(list)
	if direction != nil && *direction == descending {
		slices.SortStableFunc(sorted, func(a, b T) int { return compare(b, a) })
	} else {
		slices.SortStableFunc(sorted, compare)
	}
	return sorted
}

// filtered returns the items that pass.
func filtered[T any](list []T, pass func(T) bool) []T {
	var kept []T
	for _, item := range list {
		if pass(item) {
			kept = append(kept, item)
		}
	}
	return kept
}
