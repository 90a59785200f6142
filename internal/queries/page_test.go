package queries

import (
	"encoding/json"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWindows(t *testing.T) {
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

// TestReversedList turns a page around that is one of the middle, seen from both sides.
func TestReversedList(t *testing.T) {
	var list *List[int]
	list.Reverse() // None is there.
	require.NoError(t, jsonv2.Unmarshal([]byte(`{"edges":[{"cursor":"a","node":1},{"cursor":"b","node":2}],
		"pageInfo":{"hasNextPage":false,"endCursor":"b","hasPreviousPage":true,"startCursor":"a"},"totalCount":9}`), &list))
	list.Reverse()
	assert.Equal(t, []int{2, 1}, []int{list.Edges[0].Value.Node.Value, list.Edges[1].Value.Node.Value})
	assert.Equal(t, 1, list.Index(0), "where it was")
	assert.Equal(t, new(true), list.PageInfo.HasNextPage)
	assert.Equal(t, new("a"), list.PageInfo.EndCursor)
	assert.Equal(t, new(9), list.TotalCount)
	list.Reverse()
	assert.Equal(t, 1, list.Edges[0].Value.Node.Value)
	assert.Equal(t, 0, list.Index(0))
	assert.Equal(t, new(false), list.PageInfo.HasNextPage)
}

func TestListOfOneOrNone(t *testing.T) {
	for _, list := range []*List[int]{ListOf[int](nil), ListOf(new(7))} {
		assert.NotNil(t, list.Edges)
		assert.Equal(t, new(len(list.Edges)), list.TotalCount)
		assert.Equal(t, new(false), list.PageInfo.HasNextPage)
		assert.Equal(t, new(false), list.PageInfo.HasPreviousPage, "whichever way it is read")
		for _, edge := range list.Edges {
			assert.True(t, edge.Read)
			assert.True(t, edge.Value.Node.Read)
			assert.Equal(t, 7, edge.Value.Node.Value)
		}
	}
}

func TestPlacesOfAPage(t *testing.T) {
	list := ListOf(new(7))
	require.Len(t, list.Edges, 1)
	list.Edges = append(list.Edges, list.Edges[0], list.Edges[0])
	for i := range 3 {
		assert.Equal(t, i, list.Index(i))
	}
	list.Reverse()
	for i := range 3 {
		assert.Equal(t, 2-i, list.Index(i))
	}
}
