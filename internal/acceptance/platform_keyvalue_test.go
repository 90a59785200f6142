package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
)

func TestKeyValue_valuesAndLists(t *testing.T) {
	b, ctx := start(t), t.Context()
	wanted := []keyvalue.Entry{}
	for i := range 7 {
		wanted = append(wanted, keyvalue.Entry{Key: fmt.Sprintf("key.%d", i), Value: fmt.Sprint(i)})
		require.NoError(t, b.KeyValue.Put(ctx, wanted[i].Key, "before"))
		require.NoError(t, b.KeyValue.Put(ctx, wanted[i].Key, wanted[i].Value))
	}
	empty, got := 0, []keyvalue.Entry{}
	for cursor := ""; ; { // Page by page, as some of them are empty.
		page := must(b.KeyValue.List(ctx, keyvalue.ListValuesParams{Limit: new(3), Cursor: &cursor}))(t)
		got = append(got, page.Items...)
		if len(page.Items) == 0 {
			empty++
		}
		if cursor = page.NextCursor; page.Last() {
			break
		}
	}
	assert.Equal(t, 2, empty)
	assert.Equal(t, wanted, got)
	for _, ahead := range []int{0, 1} {
		read := must(all(b.KeyValue.All(ctx, keyvalue.ListValuesParams{Limit: new(2)}, rpcfleet.WithPrefetch(ahead))))(t)
		assert.Len(t, read, 7)
	}
	assert.Equal(t, "3", must(b.KeyValue.Get(ctx, "key.3"))(t))
	require.NoError(t, b.KeyValue.Bulk(ctx, keyvalue.BulkRequest{
		AddSets: map[string]string{"$new": "1"}, DeleteSets: []string{"key.3", "key.4"}}))
	require.ErrorIs(t, second(b.KeyValue.Get(ctx, "key.3")), rpcfleet.ErrNotFound)
	require.NoError(t, b.KeyValue.Delete(ctx, "$new"))
	require.ErrorIs(t, b.KeyValue.Delete(ctx, "$new"), rpcfleet.ErrNotFound)

	require.NoError(t, b.KeyValue.CreateList(ctx, "l", []string{"b", "a", "b"}))
	require.NoError(t, b.KeyValue.CreateList(ctx, "l", []string{"c"}), "it adds")
	require.NoError(t, b.KeyValue.AddItem(ctx, "l", "d/e"))
	require.NoError(t, b.KeyValue.ChangeList(ctx, "l", keyvalue.ListChange{AddItems: []string{"f"},
		RemoveItems: []string{"a"}}))
	assert.Equal(t, delivered{"b", "c", "d/e", "f"}, must(all(b.KeyValue.AllItems(ctx, "l",
		keyvalue.ListValuesParams{Limit: new(1)})))(t))
	assert.True(t, must(b.KeyValue.Contains(ctx, "l", "d/e"))(t))
	require.NoError(t, b.KeyValue.RemoveItem(ctx, "l", "d/e"))
	assert.False(t, must(b.KeyValue.Contains(ctx, "l", "d/e"))(t))
	require.NoError(t, b.KeyValue.CreateList(ctx, "m", nil))
	assert.Equal(t, delivered{"l", "m"}, must(all(b.KeyValue.AllLists(ctx, keyvalue.ListValuesParams{Limit: new(1)})))(t))
	require.NoError(t, b.KeyValue.DeleteList(ctx, "m"))

	assert.Empty(t, must(b.KeyValue.Items(ctx, "no such list", keyvalue.ListValuesParams{}))(t).Items,
		"an unknown list is empty")
	assert.False(t, must(b.KeyValue.Contains(ctx, "no such list", "a"))(t))
	for _, err := range []error{
		b.KeyValue.DeleteList(ctx, "m"), b.KeyValue.AddItem(ctx, "m", "a"), b.KeyValue.RemoveItem(ctx, "m", "a"),
		b.KeyValue.ChangeList(ctx, "m", keyvalue.ListChange{AddItems: []string{"a"}}),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	long := strings.Repeat("x", 800_001)
	for _, err := range []error{
		b.KeyValue.Put(ctx, "a/b", "1"), b.KeyValue.Put(ctx, long[:256], "1"), b.KeyValue.Put(ctx, "a", long),
		b.KeyValue.CreateList(ctx, "a", make([]string, 1501)), b.KeyValue.CreateList(ctx, "", nil),
		second(b.KeyValue.List(ctx, keyvalue.ListValuesParams{Cursor: new("of another listing")})),
		second(b.KeyValue.Items(ctx, "l", keyvalue.ListValuesParams{Limit: new(0)})),
		second(b.KeyValue.Lists(ctx, keyvalue.ListValuesParams{}, rpcfleet.WithQueryParam("cursor", "at-1"))),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	}
}

// TestKeyValue_setListMakesItEqual sets a list step by step, and again after a write of it has failed.
func TestKeyValue_setListMakesItEqual(t *testing.T) {
	b, ctx := start(t), t.Context()
	numbers := func(from, to int) (items []string) {
		for i := from; i < to; i++ {
			items = append(items, fmt.Sprintf("0x%040d", i))
		}
		return items
	}
	for _, step := range []struct{ from, to, added, removed, writes int }{
		{0, 0, 0, 0, 0}, {0, 10, 10, 0, 1}, {0, 10, 0, 0, 0}, {5, 12, 2, 5, 1}, {0, 4000, 3993, 0, 3},
		{3000, 5000, 1000, 3000, 3}, {0, 0, 0, 2000, 2},
	} {
		b.ResetCalls()
		twice := slices.Concat(numbers(step.from, step.to), numbers(step.from, step.to))
		done := must(b.KeyValue.SetList(ctx, "treasury", slices.Values(twice)))(t)
		assert.Len(t, done.AddItems, step.added)
		assert.Len(t, done.RemoveItems, step.removed)
		assert.Len(t, b.Calls("putList", "changeList"), step.writes)
		assert.Len(t, must(all(b.KeyValue.AllItems(ctx, "treasury", keyvalue.ListValuesParams{})))(t), step.to-step.from)
	}
	must(b.Inject(emulator.Fault{Operation: "changeList", Times: 1, Effect: emulator.EffectLoseResponse}))(t)
	done, err := b.KeyValue.SetList(ctx, "treasury", slices.Values(numbers(0, 4000)))
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	assert.Len(t, done.AddItems, 1500, "the second write may have been executed")
	done = must(b.KeyValue.SetList(ctx, "treasury", slices.Values(numbers(0, 4000))))(t)
	assert.Len(t, done.AddItems, 1000)
	b.ResetCalls()
	for _, items := range [][]string{{"a", ""}} {
		require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "treasury", slices.Values(items))), rpcfleet.ErrInvalidRequest)
	}
	require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "treasury", nil)), rpcfleet.ErrInvalidRequest)
	require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "", slices.Values([]string{"a"}))), rpcfleet.ErrInvalidRequest)
	assert.Empty(t, b.Calls())
}
