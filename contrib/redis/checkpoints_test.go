package fleetredis_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
)

func newStore(t *testing.T, shared *server) *fleetredis.Checkpoints {
	t.Helper()
	return must(fleetredis.NewCheckpoints(shared, fleetredis.CheckpointOptions{Timeout: time.Minute}))(t)
}

func note(t *testing.T, store *fleetredis.Checkpoints, key string) string {
	t.Helper()
	return must(store.Load(t.Context(), key))(t).Metadata
}

func TestCheckpoints_loadsLastSaved(t *testing.T) {
	shared, names := startRedis(t), []string{"calls", "Calls", "a b", "{x}"}
	store := newStore(t, shared)
	for _, key := range names {
		assert.True(t, must(store.Load(t.Context(), key))(t).IsZero())
		for _, text := range []string{"1", "2", key} {
			require.NoError(t, store.Save(t.Context(), key, rpcfleet.Checkpoint{Metadata: text}))
		}
	}
	for _, key := range names {
		assert.Equal(t, key, note(t, store, key))
	}
	keys := must(shared.Keys(t.Context(), "*").Result())(t)
	assert.Len(t, keys, 4)
	assert.NotContains(t, fmt.Sprint(keys), "calls")
	require.NoError(t, shared.HSet(t.Context(), keys[0], "checkpoint", "damaged").Err())
	failed := 0
	for _, key := range names {
		if _, err := store.Load(t.Context(), key); err != nil {
			failed++
		}
	}
	assert.Equal(t, 1, failed, "what cannot be read is not the beginning")
	_, err := store.Load(t.Context(), "")
	require.Error(t, err)
	require.Error(t, store.Save(t.Context(), "", rpcfleet.Checkpoint{}))
}

func TestCheckpoints_refusesStaleSave(t *testing.T) {
	shared := startRedis(t)
	first, second := newStore(t, shared), newStore(t, shared)
	save := func(store *fleetredis.Checkpoints, text string) error {
		return store.Save(t.Context(), "calls", rpcfleet.Checkpoint{Metadata: text})
	}
	require.NoError(t, save(first, "1"))
	require.NoError(t, save(first, "2"))
	assert.Equal(t, "2", note(t, second, "calls"))
	require.NoError(t, save(first, "3"), "one that only looks takes nothing over")
	require.ErrorIs(t, save(second, "2b"), fleetredis.ErrSuperseded)
	assert.Equal(t, "3", note(t, second, "calls"))
	require.NoError(t, save(second, "4"))
	require.ErrorIs(t, save(first, "3b"), fleetredis.ErrSuperseded, "one that was taken for dead")
	assert.Equal(t, "4", note(t, first, "calls"))
	require.NoError(t, save(first, "5"), "it has loaded what it replaces")

	require.NoError(t, shared.FlushAll(t.Context()).Err())
	require.NoError(t, save(first, "6"), "nothing is newer")
	require.NoError(t, save(newStore(t, shared), "7"), "a store that has loaded nothing")
}

func TestCheckpoints_concurrentSavesDoNotMix(t *testing.T) {
	store := newStore(t, startRedis(t))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				assert.NoError(t, store.Save(t.Context(), "calls", rpcfleet.Checkpoint{Metadata: "together"}))
			}
		})
	}
	all.Wait()
	require.NoError(t, store.Save(t.Context(), "calls", rpcfleet.Checkpoint{Metadata: "last"}))
	assert.Equal(t, "last", note(t, store, "calls"))
}
