package graphapi

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPage(t *testing.T) {
	for name, test := range map[string]struct {
		n, limit int
		args     paging
		want     []string
		next     bool
	}{
		"the first":          {5, 10, paging{First: new(int32(2))}, []string{"0", "1"}, true},
		"one in the middle":  {5, 10, paging{After: new(cursorAfter(1)), First: new(int32(2))}, []string{"2", "3"}, true},
		"the last":           {5, 10, paging{After: new(cursorAfter(3)), First: new(int32(2))}, []string{"4"}, false},
		"exactly to the end": {4, 10, paging{After: new(cursorAfter(1)), First: new(int32(2))}, []string{"2", "3"}, false},
		"behind the end":     {5, 10, paging{After: new(cursorAfter(9))}, nil, false},
		"nothing to list":    {0, 10, paging{}, nil, false},
		"none asked for":     {5, 10, paging{First: new(int32(0))}, nil, true},
		"more than allowed":  {5, 3, paging{First: new(int32(1000))}, []string{"0", "1", "2"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := page(test.n, test.limit, test.args, strconv.Itoa)
			require.NoError(t, err)
			var items []string
			for _, edge := range made.Edges {
				items = append(items, edge.Node)
			}
			assert.Equal(t, test.want, items)
			assert.Equal(t, test.next, made.PageInfo.HasNextPage)
			assert.Equal(t, test.args.After != nil, made.PageInfo.HasPreviousPage)
			assert.Equal(t, new(int32(test.n)), made.TotalCount)
			if len(items) > 0 {
				assert.Equal(t, made.Edges[len(items)-1].Cursor, *made.PageInfo.EndCursor)
				assert.Equal(t, made.Edges[0].Cursor, *made.PageInfo.StartCursor)
			}
		})
	}
	made, err := page(100, 250, paging{}, strconv.Itoa)
	require.NoError(t, err)
	assert.Len(t, made.Edges, defaultPage)
}

func FuzzReadCursor(f *testing.F) {
	for _, seed := range []string{cursorAfter(0), cursorAfter(4999), "", "nope", "YWZ0ZXI6LTE", "YWZ0ZXI6OTk5OTk5OTk5OTk5OTk5OTk5OTk"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		position, err := readCursor(cursor)
		if err != nil {
			require.Zero(t, position)
			return
		}
		require.Positive(t, position)
		again, err := readCursor(cursorAfter(position - 1))
		require.NoError(t, err)
		require.Equal(t, position, again)
		_, err = page(10, 5, paging{After: &cursor}, strconv.Itoa)
		require.NoError(t, err)
	})
}
