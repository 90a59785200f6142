package graphql

import (
	"encoding/json"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWindow_encodesFirstOrLast(t *testing.T) {
	for want, w := range map[string]Window{
		`{"first":5}`:              WindowAt("", 5, false),
		`{"first":5,"after":"c1"}`: WindowAt("c1", 5, false),
		`{"last":5}`:               WindowAt("", 5, true),
		`{"last":5,"before":"c1"}`: WindowAt("c1", 5, true),
	} {
		text, err := json.Marshal(w)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
}

const twoEdges = `{"edges":[{"cursor":"a","node":1},{"cursor":"b","node":2}],
	"pageInfo":{"hasNextPage":false,"endCursor":"b","hasPreviousPage":true,"startCursor":"a"},"totalCount":9}`

// TestList_reverseReversesPage turns a page around that is one of the middle, seen from both sides.
func TestList_reverseReversesPage(t *testing.T) {
	var list *List[int]
	list.Reverse() // None is there.
	require.NoError(t, jsonv2.Unmarshal([]byte(twoEdges), &list))
	for _, list := range []*List[int]{list,
		{Nodes: []int{1, 2}, Cursors: []string{"a", "b"}, Whole: true, PageInfo: list.PageInfo}} {
		list.Reverse()
		nodes, cursors, lost := list.Items()
		assert.Equal(t, []int{2, 1}, nodes)
		assert.Equal(t, []string{"b", "a"}, cursors)
		assert.Zero(t, lost)
		assert.Equal(t, new(true), list.PageInfo.HasNextPage)
		assert.Equal(t, new("a"), list.PageInfo.EndCursor)
		list.Reverse()
		nodes, _, _ = list.Items()
		assert.Equal(t, []int{1, 2}, nodes)
		assert.Equal(t, new(false), list.PageInfo.HasNextPage)
	}
}

func TestListOf_oneOrNone(t *testing.T) {
	for items, list := range map[int]*List[int]{0: ListOf[int](nil), 1: ListOf(new(7))} {
		nodes, cursors, lost := list.Items()
		assert.Len(t, nodes, items)
		assert.Len(t, cursors, items)
		assert.Zero(t, lost)
		assert.Equal(t, new(items), list.TotalCount)
		assert.Equal(t, new(false), list.PageInfo.HasNextPage)
		assert.Equal(t, new(false), list.PageInfo.HasPreviousPage, "whichever way it is read")
	}
	var none *List[int]
	nodes, _, _ := none.Items()
	assert.Empty(t, nodes)
}

func TestList_countsLostItems(t *testing.T) {
	var list List[int]
	require.NoError(t,
		jsonv2.Unmarshal([]byte(`{"edges":[{"cursor":"a"},null,{"cursor":"c","node":3},{"node":null}]}`), &list))
	nodes, cursors, lost := list.Items()
	assert.Equal(t, []int{3}, nodes)
	assert.Equal(t, []string{"a", "", "c", ""}, cursors)
	assert.Equal(t, Lost{3, "edge 0 of the list has no node"}, lost)
	list.Edges = list.Edges[:2]
	list.Reverse()
	_, _, lost = list.Items()
	assert.Equal(t, Lost{2, `a null instead of an item at "/edges/1"`}, lost)
	list.Edges = list.Edges[1:]
	_, _, lost = list.Items()
	assert.Equal(t, Lost{1, "edge 0 of the list has no node"}, lost)
}
