package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// methods are those that a file has, in order.
func methods(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Join(column(string(content), 4), " ")
}

// TestFileGoesOn also with what was logged while nobody followed, whatever -since says, and with a new endpoint.
func TestFileGoesOn(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		file := filepath.Join(t.TempDir(), "calls.log")
		id := s.CreateEndpoints(1)[0]
		out, _ := s.tail(t, time.Second, "-file", file)
		assert.Empty(t, out)
		assert.Empty(t, methods(t, file))

		time.Sleep(time.Hour)
		s.log(t, id, emulator.LoggedCall{Method: "first"}, emulator.LoggedCall{Method: "filtered", Network: "polygon-mainnet"})
		for range 2 {
			out, _ = s.tail(t, time.Second, "-file", file, "-networks", "ethereum-mainnet")
			assert.Empty(t, out, "it goes to the file")
			assert.Equal(t, "first", methods(t, file))
		}
		second := s.CreateEndpoints(1)[0]
		s.log(t, second, emulator.LoggedCall{Method: "second"})
		time.Sleep(time.Hour)
		s.log(t, id, emulator.LoggedCall{Method: "third"})
		s.tail(t, time.Second, "-file", file, "-save", "0")
		assert.ElementsMatch(t, []string{"first", "second", "third"}, strings.Fields(methods(t, file)), "what was filtered once is done")
		s.tail(t, time.Second, "-since", "24h", "-file", file)
		assert.Len(t, strings.Fields(methods(t, file)), 3)
	})
}

// TestFileIsCut of what was written behind the checkpoint, a torn line included.
func TestFileIsCut(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		file := filepath.Join(t.TempDir(), "calls.log")
		id := s.CreateEndpoints(1)[0]
		s.log(t, id, emulator.LoggedCall{Method: "first"})
		s.tail(t, time.Second, "-file", file)
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(whole, strings.Repeat("2000-01-01T00 torn\n", 20)...), 0o600))
		s.log(t, id, emulator.LoggedCall{Method: "second"})
		s.tail(t, time.Second, "-file", file)
		assert.Equal(t, "first second", methods(t, file))
	})
}

// TestFileIsNotTouched where it is not known to be the program's own.
func TestFileIsNotTouched(t *testing.T) {
	for name, test := range map[string]struct{ content, checkpoint, says string }{
		"somebody else's":             {"precious", "", "is there already, and no checkpoint of it"},
		"shorter":                     {"short", "rpcfleet", "shorter than its checkpoint says"},
		"a damaged checkpoint":        {"precious", "damaged", "checkpoint"},
		"another program's, and note": {"precious", "other", "is not one of logtail"},
	} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T, s *service) {
				file := filepath.Join(t.TempDir(), "calls.log")
				id := s.CreateEndpoints(1)[0]
				o, err := parse([]string{"-file", file}, io.Discard)
				require.NoError(t, err)
				switch test.checkpoint {
				case "rpcfleet":
					s.log(t, id, emulator.LoggedCall{Method: "first"})
					s.tail(t, time.Second, "-file", file)
				case "other":
					to, err := open(t.Context(), o, nil)
					require.NoError(t, err)
					checkpoint := to.checkpoint
					checkpoint.Note = "17 lines"
					require.NoError(t, to.store.Save(t.Context(), to.key, checkpoint))
					require.NoError(t, to.Close())
				case "damaged":
					require.NoError(t, os.WriteFile(file+".checkpoint", []byte("rpcfleet-follow-2:AAAA:{}"), 0o600))
				}
				require.NoError(t, os.WriteFile(file, []byte(test.content), 0o600))
				_, err = open(t.Context(), o, nil)
				require.ErrorContains(t, err, test.says)
				content, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, test.content, string(content))
			})
		})
	}
}

// TestSavesNowAndThen while entries arrive: every second, or as told.
func TestSavesNowAndThen(t *testing.T) {
	for save, most := range map[string]int64{"1s": 2, "40s": 41} {
		inVirtualTime(t, func(t *testing.T, s *service) {
			file := filepath.Join(t.TempDir(), "calls.log")
			id := s.CreateEndpoints(1)[0]
			go func() {
				for range 100 {
					s.log(t, id, emulator.LoggedCall{Method: "eth_call"})
					time.Sleep(time.Second)
				}
			}()
			go func() { // What is behind the checkpoint then is what a kill would have come again.
				time.Sleep(99*time.Second + time.Millisecond)
				o, err := parse([]string{"-file", file}, io.Discard)
				assert.NoError(t, err)
				all, err := os.ReadFile(file)
				assert.NoError(t, err)
				copied := filepath.Join(t.TempDir(), "calls.log")
				assert.NoError(t, os.WriteFile(copied, all, 0o600))
				checkpoint, err := os.ReadFile(file + ".checkpoint")
				assert.NoError(t, err)
				assert.NoError(t, os.WriteFile(copied+".checkpoint", checkpoint, 0o600))
				o.file = copied
				to, err := open(t.Context(), o, nil)
				assert.NoError(t, err)
				behind := int64(strings.Count(string(all[to.length:]), "\n"))
				assert.LessOrEqual(t, behind, most+1, save)
				assert.Equal(t, most > 2, behind > 2, "%d lines are behind it", behind)
				assert.NoError(t, to.Close())
			}()
			s.tail(t, 2*time.Minute, "-file", file, "-every", "1s", "-save", save)
		})
	}
}
