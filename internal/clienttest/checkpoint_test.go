package clienttest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// checkpointText makes a text of the contents of a checkpoint.
func checkpointText(content string) string {
	checksum := sha256.Sum256([]byte(content))
	return fmt.Sprintf("rpcfleet-follow-2:%x:%s", checksum[:8], content)
}

// readCheckpoint reads a text that the library has not written.
func readCheckpoint(t testing.TB, text string) (checkpoint rpcfleet.Checkpoint) {
	t.Helper()
	require.NoError(t, checkpoint.UnmarshalText([]byte(text)))
	return checkpoint
}

// someCheckpoint is one in the middle of a page, with the calls of two endpoints.
func someCheckpoint(t *testing.T) (checkpoint rpcfleet.Checkpoint) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		client, _ := clocked(t, ok(logPage(`"more"`,
			logLine("r0", now.Add(-time.Minute)), logLine("r1", now), logLine("r2", now.Add(-5*time.Second)))))
		var checkpoints []rpcfleet.Checkpoint
		texts := map[string]int{}
		options := rpcfleet.FollowOptions{From: now.Add(-time.Hour), Parallel: 1}
		for followed, err := range client.Logs.Follow(t.Context(), []string{"ep1", "ep2"}, options) {
			require.NoError(t, err)
			checkpoint = followed.Checkpoint
			checkpoints, texts[checkpoint.String()] = append(checkpoints, checkpoint), len(checkpoints)
			if len(checkpoints) == 5 {
				break
			}
		}
		require.Len(t, texts, 5)
		for i, earlier := range checkpoints {
			assert.Equal(t, i, texts[earlier.String()], "a later entry of its page is not in its way")
		}
	})
	return checkpoint
}

func TestCheckpoint_marshalsToOneLineWithoutSecrets(t *testing.T) {
	checkpoint := someCheckpoint(t)
	for _, note := range []string{"", "1234", "any\nthing \x00\xff"} {
		checkpoint.Metadata = note
		text := must(checkpoint.MarshalText())(t)
		assert.Regexp(t, `^rpcfleet-follow-2:[0-9a-f]{16}:{.+}$`, string(text))
		assert.Equal(t, string(text), checkpoint.String())
		assert.Contains(t, string(text), `"ep1"`)
		for _, secret := range []string{testKey, "example.com", "t0k3n", "eth_call", "r0"} {
			assert.NotContains(t, string(text), secret, "nothing of what entries say")
		}
		encoded := must(json.Marshal(map[string]any{"at": checkpoint}))(t)
		var stored struct{ At rpcfleet.Checkpoint }
		require.NoError(t, json.Unmarshal(encoded, &stored))
		assert.Equal(t, note, stored.At.Metadata)
		assert.Equal(t, string(text), stored.At.String())
		assert.False(t, stored.At.IsZero())
	}
}

// TestFollowedEntry_goesThroughJSON with its checkpoint and, if asked for, its secrets.
func TestFollowedEntry_goesThroughJSON(t *testing.T) {
	entry := rpcfleet.FollowedEntry{EndpointID: "ep1", Checkpoint: someCheckpoint(t),
		Entry: admin.LogEntry{RequestID: "r1", URL: scalar.NewSecretURL("https://a.example.com/t0k3n/")}}
	var read rpcfleet.FollowedEntry
	require.NoError(t, json.Unmarshal(must(json.Marshal(scalar.WithSecrets[any]{Value: entry}))(t), &read))
	assert.Equal(t, []string{"ep1", "r1", "https://a.example.com/t0k3n/", entry.Checkpoint.String()},
		[]string{read.EndpointID, read.Entry.RequestID, read.Entry.URL.Reveal(), read.Checkpoint.String()})
	assert.NotContains(t, string(must(json.Marshal(entry))(t)), "t0k3n")
	assert.NotContains(t, string(must(json.Marshal(rpcfleet.FollowedEntry{}))(t)), "checkpoint")
}

func TestCheckpoint_zeroRoundTrips(t *testing.T) {
	var zero rpcfleet.Checkpoint
	assert.True(t, zero.IsZero())
	assert.True(t, readCheckpoint(t, zero.String()).IsZero())
	assert.True(t, rpcfleet.FollowedEntry{}.Checkpoint.IsZero())
	zero.Metadata = "a note"
	assert.False(t, zero.IsZero())
}

func TestCheckpoint_refusesDamagedText(t *testing.T) {
	good := someCheckpoint(t).String()
	texts := map[string]string{
		"":                              "must begin with rpcfleet-follow-2:",
		"rpcfleet-follow-1:AAAAAAAAAAA": "must begin with rpcfleet-follow-2:", // As a text was before.
		good + "\n":                     "is corrupt",
		"rpcfleet-follow-2:":            "is corrupt",
		"rpcfleet-follow-2::{}":         "is corrupt",
	}
	for i := 1; i < len(good); i++ { // Cut short anywhere, or one letter changed.
		texts[good[:i]], texts[good[:i]+"\x7f"+good[i+1:]] = "", ""
	}
	for _, contents := range []string{
		``, `[]`, `{}{}`, `{"note":"*"}`, `{"logs":[{"endpoint":"ep1","seen":{"1":"*"}}]}`,
		`{"logs":[{"endpoint":"ep1","seen":{"x":"AAAAAAAAAAA="}}]}`, `{"logs":[{"endpoint":"ep1","from":"yesterday"}]}`,
		`{"logs":[{"endpoint":"ep1","cursor":1}]}`,
	} {
		texts[checkpointText(contents)] = "is corrupt"
	}
	for text, rule := range texts {
		checkpoint := rpcfleet.Checkpoint{Metadata: "as it was"}
		err := checkpoint.UnmarshalText([]byte(text))
		invalid := errorAs[*rpcfleet.ValidationError](t, err, text)
		assert.Equal(t, "checkpoint", invalid.Field)
		assert.True(t, strings.HasSuffix(invalid.Rule, rule), invalid.Rule)
		assert.NotContains(t, err.Error(), good, "it may have been stored beside something")
		assert.Equal(t, rpcfleet.Checkpoint{Metadata: "as it was"}, checkpoint)
	}
}

// FuzzCheckpoint reads texts as they are, and as the contents of a text with a correct checksum.
func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(rpcfleet.Checkpoint{Metadata: "a note"}.String()))
	f.Add([]byte(`{"note":"AA==","logs":[{"endpoint":"ep1","from":"2026-03-01T10:00:00Z"}]}`))
	f.Add([]byte(
		`{"logs":[{"from":"2026-03-01T10:00:00+01:00","cursor":"cur","seen":{"-1":"AAAA","7":"AAAAAAAAAAEAAAAAAAAAAA=="}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, text := range []string{string(data), checkpointText(string(data))} {
			var checkpoint rpcfleet.Checkpoint
			if err := checkpoint.UnmarshalText([]byte(text)); err != nil {
				require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
				require.Equal(t, rpcfleet.Checkpoint{}, checkpoint)
				continue
			}
			written := checkpoint.String()
			require.Equal(t, written, readCheckpoint(t, written).String())
		}
	})
}

// files are the names in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must(os.ReadDir(dir))(t)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestFileCheckpointStore_loadsLastSaved(t *testing.T) {
	store, checkpoint := rpcfleet.FileCheckpointStore{Dir: t.TempDir()}, someCheckpoint(t)
	keys := []string{"calls", "Calls and more", "../calls", "/", ".", "a/b", "a%2Fb", "é", strings.Repeat("k", 200)}
	for _, key := range keys {
		assert.True(t, must(store.Load(t.Context(), key))(t).IsZero(), "%s: nothing was saved", key)
		for _, note := range []string{"1", key} {
			checkpoint.Metadata = note
			require.NoError(t, store.Save(t.Context(), key, checkpoint))
		}
	}
	for _, key := range keys {
		checkpoint.Metadata = key
		assert.Equal(t, checkpoint.String(), must(store.Load(t.Context(), key))(t).String())
	}
}

func TestFileCheckpointStore_filesArePrivate(t *testing.T) {
	dir := t.TempDir()
	unfinished := filepath.Join(dir, "calls.checkpoint.unfinished")
	require.NoError(t, os.WriteFile(unfinished, []byte("what another has made for everybody"), 0o666))
	store := rpcfleet.FileCheckpointStore{Dir: dir}
	assert.True(t, must(store.Load(t.Context(), "calls"))(t).IsZero(), "an interrupted save is none")
	require.NoError(t, store.Save(t.Context(), "calls", rpcfleet.Checkpoint{}))
	assert.Equal(t, []string{"calls.checkpoint"}, files(t, dir))
	info := must(os.Stat(filepath.Join(dir, "calls.checkpoint")))(t)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	t.Chdir(dir)
	require.NoError(t, rpcfleet.FileCheckpointStore{}.Save(t.Context(), "present", rpcfleet.Checkpoint{}))
	assert.Len(t, files(t, dir), 2, "the present folder is the default")
}

func TestFileCheckpointStore_concurrentSavesDoNotMix(t *testing.T) {
	store := rpcfleet.FileCheckpointStore{Dir: t.TempDir()}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				checkpoint := rpcfleet.Checkpoint{Metadata: strings.Repeat(fmt.Sprint(i), 1000*j)}
				assert.NoError(t, store.Save(t.Context(), "calls", checkpoint))
			}
		})
	}
	all.Wait()
	assert.Len(t, must(store.Load(t.Context(), "calls"))(t).Metadata, 19_000)
}

func TestFileCheckpointStore_reportsErrors(t *testing.T) {
	dir, invalid := t.TempDir(), new(rpcfleet.ValidationError)
	store := rpcfleet.FileCheckpointStore{Dir: dir}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.checkpoint"), 0o700))
	for _, test := range []struct {
		ctx context.Context
		dir string
		key string
		is  error
	}{
		{t.Context(), dir, "", rpcfleet.ErrInvalidRequest},
		// If there is no such folder, that does not mean that nothing was saved.
		{t.Context(), filepath.Join(dir, "missing"), "calls", os.ErrNotExist},
		{canceled(t), dir, "calls", context.Canceled}, {t.Context(), dir, "folder", nil},
	} {
		store := rpcfleet.FileCheckpointStore{Dir: test.dir}
		loading, saving := errOf(store.Load(test.ctx, test.key)), store.Save(test.ctx, test.key, rpcfleet.Checkpoint{})
		for _, err := range []error{loading, saving} {
			require.Error(t, err)
			if test.is != nil {
				require.ErrorIs(t, err, test.is)
			}
			assert.Equal(t, test.key == "", errors.As(err, &invalid), "nothing was read that could be damaged")
		}
		assert.Equal(t, []string{"folder.checkpoint"}, files(t, dir), "nothing is left of a saving that fails")
	}
	assert.Equal(t, rpcfleet.ValidationError{Field: "key", Rule: "must not be empty"}, *invalid)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "calls.checkpoint"), []byte("rpcfleet-follow-2:AAAA:{}"), 0o600))
	err := errOf(store.Load(t.Context(), "calls"))
	require.ErrorAs(t, err, &invalid)
	assert.Regexp(t, `loading the checkpoint "calls".*corrupt`, err.Error())
}
