package clienttest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// checkpointText makes a text of the contents of a checkpoint.
func checkpointText(content string) string {
	checksum := sha256.Sum256([]byte(content))
	return fmt.Sprintf("rpcfleet-follow-2:%x:%s", checksum[:8], content)
}

// readCheckpoint reads a text that is none of the library's.
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
		client, _ := clocked(t, says(200, logPage(`"more"`,
			logLine("r0", now.Add(-time.Minute)), logLine("r1", now), logLine("r2", now.Add(-5*time.Second)))))
		count := 0
		options := rpcfleet.FollowOptions{From: now.Add(-time.Hour), Parallel: 1}
		for followed, err := range client.Logs.Follow(t.Context(), []string{"ep1", "ep2"}, options) {
			require.NoError(t, err)
			if count++; count == 5 {
				checkpoint = followed.Checkpoint()
				break
			}
		}
	})
	return checkpoint
}

func TestCheckpointIsALine(t *testing.T) {
	checkpoint := someCheckpoint(t)
	for _, note := range []string{"", "1234", "any\nthing \x00\xff"} {
		checkpoint.Note = note
		text, err := checkpoint.MarshalText()
		require.NoError(t, err)
		assert.Regexp(t, regexp.MustCompile(`^rpcfleet-follow-2:[0-9a-f]{16}:{.+}$`), string(text))
		assert.Equal(t, string(text), checkpoint.String())
		read := readCheckpoint(t, string(text))
		assert.Equal(t, note, read.Note)
		assert.Equal(t, string(text), read.String())
		assert.False(t, read.IsZero())

		encoded, err := json.Marshal(map[string]any{"at": checkpoint})
		require.NoError(t, err)
		var stored struct{ At rpcfleet.Checkpoint }
		require.NoError(t, json.Unmarshal(encoded, &stored))
		assert.Equal(t, string(text), stored.At.String())
	}
}

// TestCheckpointsOfAPageAreApart: a later entry's is not in the way of an earlier one's.
func TestCheckpointsOfAPageAreApart(t *testing.T) {
	client, _ := scripted(t, says(200, logPage("null", logLine("r0", logStart), logLine("r1", logStart))))
	var checkpoints []rpcfleet.Checkpoint
	var texts []string
	for followed, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, rpcfleet.FollowOptions{From: logStart}) {
		require.NoError(t, err)
		checkpoints, texts = append(checkpoints, followed.Checkpoint()), append(texts, followed.Checkpoint().String())
		if len(texts) == 2 {
			break
		}
	}
	assert.NotEqual(t, texts[0], texts[1])
	for i, text := range texts {
		assert.Equal(t, text, checkpoints[i].String())
	}
}

func TestTheZeroCheckpointIsTheBeginning(t *testing.T) {
	var zero rpcfleet.Checkpoint
	assert.True(t, zero.IsZero())
	assert.True(t, readCheckpoint(t, zero.String()).IsZero())
	assert.True(t, rpcfleet.FollowedEntry{}.Checkpoint().IsZero())
	zero.Note = "a note"
	assert.False(t, zero.IsZero())
	assert.Equal(t, "a note", readCheckpoint(t, zero.String()).Note)
}

func TestCheckpointHidesWhatEntriesSay(t *testing.T) {
	text := someCheckpoint(t).String()
	for _, secret := range []string{testKey, "example.com", "t0k3n", "eth_call", "r0"} {
		assert.NotContains(t, text, secret)
	}
	assert.Contains(t, text, `"ep1"`)
}

func TestDamagedCheckpoints(t *testing.T) {
	good := someCheckpoint(t).String()
	rejected := func(text, rule string) {
		t.Helper()
		before := rpcfleet.Checkpoint{Note: "as it was"}
		checkpoint := before
		err := checkpoint.UnmarshalText([]byte(text))
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken, text)
		assert.Equal(t, "checkpoint", broken.Field)
		assert.True(t, strings.HasSuffix(broken.Rule, rule), broken.Rule)
		assert.NotContains(t, err.Error(), good, "it may have been stored beside something")
		assert.Equal(t, before, checkpoint)
	}
	rejected("", "must not be empty")
	rejected("2026-03-01T10:00:00Z", "must begin with rpcfleet-follow-")
	rejected("rpcfleet-follow-1:AAAAAAAAAAA", "must be of version 2") // As a text was before.
	rejected("rpcfleet-follow-3:", "must be of version 2")
	rejected(good+"\n", "checksum is wrong")
	rejected("rpcfleet-follow-2:", "checksum is wrong")
	rejected("rpcfleet-follow-2::{}", "checksum is wrong")
	for i := range good { // Cut short anywhere, or one letter changed.
		rejected(good[:i], "")
		other := byte('A')
		if good[i] == other {
			other = 'B'
		}
		rejected(good[:i]+string(other)+good[i+1:], "")
	}

	for what, content := range map[string]string{
		"nothing":              "",
		"no object":            `[]`,
		"more behind it":       `{}{}`,
		"a note of no base64":  `{"note":"*"}`,
		"marks of no base64":   `{"logs":[{"endpoint":"ep1","seen":{"1":"*"}}]}`,
		"no second":            `{"logs":[{"endpoint":"ep1","seen":{"x":"AAAAAAAAAAA="}}]}`,
		"no time":              `{"logs":[{"endpoint":"ep1","from":"yesterday"}]}`,
		"a cursor of a number": `{"logs":[{"endpoint":"ep1","cursor":1}]}`,
	} {
		t.Run(what, func(t *testing.T) { rejected(checkpointText(content), "make no sense") })
	}
}

func TestDamagedCheckpointsBeginNothing(t *testing.T) {
	// What could not be read is the zero Checkpoint, which begins at From: the error has to be looked at.
	var checkpoint rpcfleet.Checkpoint
	require.Error(t, checkpoint.UnmarshalText([]byte("x")))
	client, server := scripted(t, nothingNew)
	for _, err := range client.Logs.Follow(context.Background(), []string{"ep1"}, rpcfleet.FollowOptions{Checkpoint: checkpoint}) {
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, "From", broken.Field)
	}
	assert.Empty(t, server.Requests())
}

// FuzzCheckpoint reads texts as they are, and as the contents of a text whose checksum is right.
func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(rpcfleet.Checkpoint{Note: "a note"}.String()))
	f.Add([]byte(`{"note":"AA==","logs":[{"endpoint":"ep1","from":"2026-03-01T10:00:00Z"}]}`))
	f.Add([]byte(`{"logs":[{"from":"2026-03-01T10:00:00+01:00","cursor":"cur","seen":{"-1":"AAAA","7":"AAAAAAAAAAEAAAAAAAAAAA=="}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, text := range []string{string(data), checkpointText(string(data))} {
			var checkpoint rpcfleet.Checkpoint
			if err := checkpoint.UnmarshalText([]byte(text)); err != nil {
				var broken *rpcfleet.ValidationError
				require.ErrorAs(t, err, &broken)
				require.Equal(t, rpcfleet.Checkpoint{}, checkpoint)
				continue
			}
			written := checkpoint.String()
			require.Equal(t, written, readCheckpoint(t, written).String())
		}
	})
}
