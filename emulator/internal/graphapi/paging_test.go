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
		"one in the middle":  {5, 10, paging{After: new(cursorAt(1)), First: new(int32(2))}, []string{"2", "3"}, true},
		"the last":           {5, 10, paging{After: new(cursorAt(3)), First: new(int32(2))}, []string{"4"}, false},
		"exactly to the end": {4, 10, paging{After: new(cursorAt(1)), First: new(int32(2))}, []string{"2", "3"}, false},
		"behind the end":     {5, 10, paging{After: new(cursorAt(9))}, nil, false},
		"nothing to list":    {0, 10, paging{}, nil, false},
		"none asked for":     {5, 10, paging{First: new(int32(0))}, nil, true},
		"more than allowed":  {5, 3, paging{First: new(int32(1000))}, []string{"0", "1", "2"}, true},
		"up to a cursor":     {5, 10, paging{Before: new(cursorAt(2))}, []string{"0", "1"}, true},
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
	for name, test := range map[string]struct {
		args     paging
		want     []string
		previous bool
		next     bool
	}{
		"the last":               {paging{Last: new(int32(2))}, []string{"3", "4"}, true, false},
		"before a cursor":        {paging{Last: new(int32(2)), Before: new(cursorAt(3))}, []string{"1", "2"}, true, true},
		"before the first":       {paging{Last: new(int32(2)), Before: new(cursorAt(0))}, nil, false, true},
		"back to the beginning":  {paging{Last: new(int32(2)), Before: new(cursorAt(2))}, []string{"0", "1"}, false, true},
		"before what is not":     {paging{Last: new(int32(1)), Before: new(cursorAt(9))}, []string{"4"}, true, false},
		"more than allowed":      {paging{Last: new(int32(9))}, []string{"2", "3", "4"}, true, false},
		"none":                   {paging{Last: new(int32(0))}, nil, true, false},
		"between cursors":        {paging{After: new(cursorAt(0)), Before: new(cursorAt(3))}, []string{"1", "2"}, true, true},
		"cursors that cross":     {paging{After: new(cursorAt(3)), Before: new(cursorAt(1))}, nil, true, true},
		"the last of the first":  {paging{First: new(int32(3)), Last: new(int32(1))}, []string{"2"}, true, true},
		"the last after a place": {paging{After: new(cursorAt(1)), Last: new(int32(2))}, []string{"3", "4"}, true, false},
	} {
		t.Run("backwards: "+name, func(t *testing.T) {
			made, err := page(5, 3, test.args, strconv.Itoa)
			require.NoError(t, err)
			var items []string
			for _, edge := range made.Edges {
				items = append(items, edge.Node)
			}
			assert.Equal(t, test.want, items)
			assert.Equal(t, test.previous, made.PageInfo.HasPreviousPage)
			assert.Equal(t, test.next, made.PageInfo.HasNextPage)
			assert.Equal(t, new(int32(5)), made.TotalCount)
		})
	}
	made, err := page(100, 250, paging{}, strconv.Itoa)
	require.NoError(t, err)
	assert.Len(t, made.Edges, defaultPage)
}

func FuzzReadCursor(f *testing.F) {
	for _, seed := range []string{cursorAt(0), cursorAt(4999), "", "nope", "YWZ0ZXI6LTE", "YWZ0ZXI6OTk5OTk5OTk5OTk5OTk5OTk5OTk"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		position, err := readCursor("after", cursor)
		if err != nil {
			require.Zero(t, position)
			return
		}
		again, err := readCursor("after", cursorAt(position))
		require.NoError(t, err)
		require.Equal(t, position, again)
		for _, args := range []paging{{After: &cursor}, {Before: &cursor, Last: new(int32(3))}} {
			_, err = page(10, 5, args, strconv.Itoa)
			require.NoError(t, err)
		}
	})
}
