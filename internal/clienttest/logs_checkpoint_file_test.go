package clienttest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// files are the names in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestFileCheckpointsKeepTheLast(t *testing.T) {
	var store rpcfleet.CheckpointStore = rpcfleet.FileCheckpoints{Dir: t.TempDir()}
	checkpoint := someCheckpoint(t)
	for _, key := range []string{"calls", "Calls and more", "../calls", "/", ".", "a/b", "a%2Fb", "é", strings.Repeat("k", 200)} {
		loaded, err := store.Load(t.Context(), key)
		require.NoError(t, err, key)
		assert.True(t, loaded.IsZero(), "%s: nothing was saved", key)
		for _, note := range []string{"1", key} {
			checkpoint.Note = note
			require.NoError(t, store.Save(t.Context(), key, checkpoint))
		}
	}
	for _, key := range []string{"calls", "../calls", "/", ".", "a/b", "a%2Fb", "é"} {
		loaded, err := store.Load(t.Context(), key)
		require.NoError(t, err)
		checkpoint.Note = key
		assert.Equal(t, checkpoint.String(), loaded.String())
	}
}

func TestFileCheckpointsAreForTheUserOnly(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, rpcfleet.FileCheckpoints{Dir: dir}.Save(t.Context(), "calls", rpcfleet.Checkpoint{}))
	assert.Equal(t, []string{"calls.checkpoint"}, files(t, dir))
	info, err := os.Stat(filepath.Join(dir, "calls.checkpoint"))
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	t.Chdir(dir)
	require.NoError(t, rpcfleet.FileCheckpoints{}.Save(t.Context(), "present", rpcfleet.Checkpoint{}))
	assert.Len(t, files(t, dir), 2, "the present folder is the default")
	require.NoError(t, os.WriteFile("unknown.checkpoint.5.unfinished", nil, 0o600))
	loaded, err := rpcfleet.FileCheckpoints{}.Load(t.Context(), "unknown")
	require.NoError(t, err)
	assert.True(t, loaded.IsZero())
	assert.Len(t, files(t, dir), 2, "and is tidied as well")
}

// TestFileCheckpointsSurviveAnInterruptedSave leaves behind what a process leaves that is killed while it saves.
func TestFileCheckpointsSurviveAnInterruptedSave(t *testing.T) {
	dir := t.TempDir()
	store := rpcfleet.FileCheckpoints{Dir: dir}
	saved := someCheckpoint(t)
	saved.Note = "the last that was saved whole"
	require.NoError(t, store.Save(t.Context(), "calls", saved))
	torn := saved.String()
	for i, length := range []int{0, 1, len(torn) / 2, len(torn)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("calls.checkpoint.%d.unfinished", i)), []byte(torn[:length]), 0o600))
	}
	others := []string{"calls.checkpoint.1.checkpoint.5.unfinished", "call.checkpoint.5.unfinished", "calls.checkpoint.5.unfinished.txt", "calls.checkpoint.5"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	loaded, err := store.Load(t.Context(), "calls")
	require.NoError(t, err)
	assert.Equal(t, saved.String(), loaded.String())
	assert.ElementsMatch(t, append(others, "calls.checkpoint"), files(t, dir), "what is of no use is gone, and no more")
}

func TestFileCheckpointsDoNotMix(t *testing.T) {
	store := rpcfleet.FileCheckpoints{Dir: t.TempDir()}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				assert.NoError(t, store.Save(t.Context(), "calls", rpcfleet.Checkpoint{Note: strings.Repeat(fmt.Sprint(i), 1000*j)}))
			}
		})
	}
	all.Wait()
	loaded, err := store.Load(t.Context(), "calls")
	require.NoError(t, err)
	assert.Len(t, loaded.Note, 19_000)
}

func TestFileCheckpointsFailAloud(t *testing.T) {
	dir := t.TempDir()
	store := rpcfleet.FileCheckpoints{Dir: dir}
	both := func(store rpcfleet.FileCheckpoints, ctx context.Context, key string) (error, error) {
		_, err := store.Load(ctx, key)
		return err, store.Save(ctx, key, rpcfleet.Checkpoint{})
	}
	var broken *rpcfleet.ValidationError
	loading, saving := both(store, t.Context(), "")
	for _, err := range []error{loading, saving} {
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, rpcfleet.ValidationError{Field: "key", Rule: "must not be empty"}, *broken)
	}

	loading, saving = both(rpcfleet.FileCheckpoints{Dir: filepath.Join(dir, "missing")}, t.Context(), "calls")
	require.ErrorIs(t, loading, os.ErrNotExist, "that there is no such folder does not mean that nothing was saved")
	require.ErrorIs(t, saving, os.ErrNotExist)
	assert.Regexp(t, `calls\.checkpoint\.\d+\.unfinished`, saving.Error(), "what is interrupted leaves what Load tidies up")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	loading, saving = both(store, ctx, "calls")
	require.ErrorIs(t, loading, context.Canceled)
	require.ErrorIs(t, saving, context.Canceled)
	assert.Empty(t, files(t, dir))

	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.checkpoint"), 0o700))
	loading, saving = both(store, t.Context(), "folder")
	require.Error(t, loading)
	require.NotErrorAs(t, loading, &broken, "nothing was read that could be damaged")
	require.Error(t, saving)
	assert.Equal(t, []string{"folder.checkpoint"}, files(t, dir), "nothing is left of a saving that fails")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "calls.checkpoint"), []byte("rpcfleet-follow-2:AAAA:{}"), 0o600))
	_, err := store.Load(t.Context(), "calls")
	require.ErrorAs(t, err, &broken)
	assert.Contains(t, err.Error(), `loading the checkpoint "calls"`)
	assert.Contains(t, err.Error(), "damaged")
}
