package rpcfleet_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// checkpointText makes a text of the contents of a checkpoint.
func checkpointText(content []byte) string {
	checksum := sha256.Sum256(content)
	return "rpcfleet-follow-1:" + base64.RawURLEncoding.EncodeToString(append(slices.Clone(content), checksum[:8]...))
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

func TestCheckpointIsAWord(t *testing.T) {
	checkpoint := someCheckpoint(t)
	for _, note := range []string{"", "1234", "any\nthing \x00\xff"} {
		checkpoint.Note = note
		text, err := checkpoint.MarshalText()
		require.NoError(t, err)
		assert.Regexp(t, regexp.MustCompile(`^rpcfleet-follow-1:[\w-]+$`), string(text))
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
	content, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, "rpcfleet-follow-1:"))
	require.NoError(t, err)
	for _, secret := range []string{testKey, "example.com", "t0k3n", "eth_call", "r0"} {
		assert.NotContains(t, string(content), secret)
	}
	assert.Contains(t, string(content), "ep1")
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
		assert.NotContains(t, err.Error(), "rpcfleet-follow-1:", "it may have been stored beside something")
		assert.Equal(t, before, checkpoint)
	}
	rejected("", "must not be empty")
	rejected("2026-03-01T10:00:00Z", "must begin with rpcfleet-follow-")
	rejected(strings.Replace(good, "-1:", "-2:", 1), "must be of version 1")
	rejected(good+"=", "no base64")
	rejected(good+"\n", "no base64")
	rejected(good[:30]+"\n"+good[30:], "no base64")
	rejected("rpcfleet-follow-1:", "no base64")
	rejected("rpcfleet-follow-2:", "must be of version 1")
	short := checkpointText(nil)
	rejected(short[:len(short)-1]+string(short[len(short)-1]+1), "no base64") // Another spelling of the same bytes.
	rejected("rpcfleet-follow-1:AAAAAAAAAAA", "checksum is wrong")
	for i := range good { // Cut short anywhere, or one letter changed.
		rejected(good[:i], "")
		other := byte('A')
		if good[i] == other {
			other = 'B'
		}
		rejected(good[:i]+string(other)+good[i+1:], "")
	}

	endpoint := "\x03ep1"
	from, to, next, earlier := "\x80\x01\x00", "\x90\x01\x00", "\x84\x01\x00", "\x02\x00"
	entryAt := func(second int64) string {
		return "\x00\x01" + endpoint + from + "\x00\x01" + string(binary.AppendVarint(nil, second)) + "\x01abcdefgh"
	}
	firstSecond, lastSecond := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
	for what, content := range map[string]string{
		"nothing":                           "",
		"a note that is longer":             "\x05note",
		"no number of endpoints":            "\x00",
		"fewer endpoints":                   "\x00\x02" + endpoint + from + "\x00\x00",
		"more endpoints":                    "\x00\x00" + endpoint + from + "\x00\x00",
		"very many endpoints":               "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + endpoint + from + "\x00\x00",
		"an endpoint twice":                 "\x00\x02" + endpoint + from + "\x00\x00" + endpoint + from + "\x00\x00",
		"an endpoint without an id":         "\x00\x01\x00" + from + "\x00\x00",
		"a number spelled too long":         "\x80\x00\x01" + endpoint + from + "\x00\x00",
		"a time without a fraction":         "\x00\x01" + endpoint + "\x80\x01",
		"a fraction of a whole second":      "\x00\x01" + endpoint + "\x80\x01\x80\x94\xeb\xdc\x03\x00\x00",
		"a time beyond the calendar":        "\x00\x01" + endpoint + "\x80\x80\x80\x80\x80\x80\x80\x01\x00\x00\x00",
		"neither reading nor not":           "\x00\x01" + endpoint + from + "\x02\x00",
		"no reading or not":                 "\x00\x01" + endpoint + from,
		"a reading that ends first":         "\x00\x01" + endpoint + from + "\x01" + earlier + next + "\x00\x00",
		"a next one that begins first":      "\x00\x01" + endpoint + from + "\x01" + to + earlier + "\x00\x00",
		"a next one that begins too late":   "\x00\x01" + endpoint + from + "\x01" + next + to + "\x00\x00",
		"fewer entries":                     "\x00\x01" + endpoint + from + "\x00\x02\x80\x01\x01abcdefgh",
		"more entries":                      "\x00\x01" + endpoint + from + "\x00\x01\x80\x01\x02abcdefghabcdefgi",
		"very many entries":                 "\x00\x01" + endpoint + from + "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x80\x01\x01abcdefgh",
		"a second without entries":          "\x00\x01" + endpoint + from + "\x00\x01\x80\x01\x00\x02\x01abcdefgh",
		"an entry twice":                    "\x00\x01" + endpoint + from + "\x00\x02\x80\x01\x02abcdefghabcdefgh",
		"seconds that are not in order":     "\x00\x01" + endpoint + from + "\x00\x02\x80\x01\x01abcdefgh\x01\x01abcdefgi",
		"an entry from beyond the calendar": entryAt(lastSecond + 1),
		"an entry from before the calendar": entryAt(firstSecond - 1),
		"an entry of no time at all":        "\x00\x01" + endpoint + from + "\x00\x02\x80\x01\x01abcdefgh\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01abcdefgi",
		"a second twice":                    "\x00\x01" + endpoint + from + "\x00\x02\x80\x01\x01abcdefgh\x00\x01abcdefgi",
		"a reading of no time":              "\x00\x01" + endpoint + from + "\x01" + from + from + "\x00\x00",
		"a cursor that is longer":           "\x00\x01" + endpoint + from + "\x01" + to + next + "\x05\x00",
		"very many endpoints, and none":     "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"a number of more than 64 bits":     "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02" + endpoint + from + "\x00\x00",
	} {
		t.Run(what, func(t *testing.T) { rejected(checkpointText([]byte(content)), "make no sense") })
	}
	for _, content := range []string{
		"\x00\x01" + endpoint + from + "\x01" + to + next + "\x03cur\x02\x80\x01\x01abcdefgh\x02\x01abcdefgh",
		entryAt(firstSecond), entryAt(0), entryAt(lastSecond),
	} {
		readCheckpoint(t, checkpointText([]byte(content)))
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
	f.Add([]byte("rpcfleet-follow-1:"))
	f.Add([]byte(rpcfleet.Checkpoint{Note: "a note"}.String()))
	f.Add([]byte("\x04note\x01\x03ep1\x80\x01\x00\x00\x00"))
	f.Add([]byte("\x00\x01\x03ep1\x80\x01\x00\x01\x90\x01\x00\x84\x01\x05\x03cur\x02\x80\x01\x01abcdefgh\x02\x01abcdefgh"))
	f.Add([]byte("\x00\x02\x01a\x02\x00\x00\x00\x01b\x02\x00\x00\x03\x01\x02abcdefghabcdefgi\x02\x01abcdefgh"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, text := range []string{string(data), checkpointText(data)} {
			var checkpoint rpcfleet.Checkpoint
			if err := checkpoint.UnmarshalText([]byte(text)); err != nil {
				var broken *rpcfleet.ValidationError
				require.ErrorAs(t, err, &broken)
				require.Equal(t, rpcfleet.Checkpoint{}, checkpoint)
				continue
			}
			require.Equal(t, text, checkpoint.String(), "a place has one spelling")
		}
	})
}
