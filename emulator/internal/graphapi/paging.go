package graphapi

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// paging are the arguments of a connection.
type paging struct {
	After *string
	First *int32
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
	start := 0
	if args.After != nil {
		var err error
		if start, err = readCursor(*args.After); err != nil {
			return nil, err
		}
	}
	size := defaultPage
	if args.First != nil {
		if size = int(*args.First); size < 0 {
			return nil, &failure{"INVALID_ARGUMENT", "first must not be negative"}
		}
	}
	end := min(start+min(size, limit), n)
	c := &connection[N]{Edges: []edge[N]{}, TotalCount: new(int32(n))}
	for i := start; i < end; i++ {
		c.Edges = append(c.Edges, edge[N]{cursorAfter(i), item(i)})
	}
	c.PageInfo = pageInfo{HasNextPage: start < n && end < n, HasPreviousPage: start > 0}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(c.Edges)-1].Cursor
	}
	return c, nil
}

// pageOf cuts a page out of a list.
func pageOf[N any](list []N, limit int, args paging) (*connection[N], error) {
	return page(len(list), limit, args, func(i int) N { return list[i] })
}

const cursorPrefix = "after:"

// cursorAfter returns the cursor that continues behind an item.
func cursorAfter(i int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
}

// readCursor returns the position of the item that comes after a cursor.
func readCursor(cursor string) (int, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, known := strings.CutPrefix(string(text), cursorPrefix)
	position, numberErr := strconv.ParseUint(number, 10, 31)
	if err != nil || !known || numberErr != nil {
		return 0, &failure{"INVALID_CURSOR", "after is not a cursor of this listing"}
	}
	return int(position) + 1, nil
}
