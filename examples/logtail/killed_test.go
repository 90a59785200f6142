//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// killing is a test that kills the program.
type killing struct {
	*emulator.Server
	ids, written []string
	file         string
}

// log logs calls, 5 in 100 of them late.
func (k *killing) log(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		entry := emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now()}
		if i%20 == 0 {
			entry.Timestamp = entry.Timestamp.Add(-rand.N(2 * time.Second))
		}
		endpoint := k.ids[i%len(k.ids)]
		ids, err := k.AppendLog(endpoint, entry)
		require.NoError(t, err)
		k.written = append(k.written, endpoint+" "+ids[0])
	}
}

// lines counts the lines of the file.
func (k *killing) lines() int {
	content, _ := os.ReadFile(k.file) // It is not there at first.
	return bytes.Count(content, []byte("\n"))
}

// start starts the program, which saves a checkpoint after each entry or every 20 milliseconds.
func (k *killing) start(t *testing.T, save string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	program := exec.CommandContext(t.Context(), binary, "-file", k.file, "-late", "5s", "-every", "20ms", "-save", save)
	program.Env = append(os.Environ(), asProgram+"=1")
	program.Stdout, program.Stderr = os.Stderr, os.Stderr
	require.NoError(t, program.Start())
	return program
}

// until waits for the file to have so many lines.
func (k *killing) until(t *testing.T, lines int) {
	t.Helper()
	require.Eventually(t, func() bool { return k.lines() >= lines }, time.Minute, time.Millisecond)
}

// TestKilled kills the program five times in the middle of its work. In the end every entry is in its file once.
func TestKilled(t *testing.T) {
	const kills, each = 5, 300
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	k := &killing{Server: emulator.Start(), file: filepath.Join(t.TempDir(), "calls.log")}
	defer k.Close()
	t.Setenv("RPCFLEET_BASE_URL", k.URL)
	t.Setenv("RPCFLEET_API_KEY", k.APIKey)
	k.ids = k.CreateEndpoints(3)
	for life := range kills {
		k.log(t, each/2)
		program := k.start(t, []string{"20ms", "0"}[life%2])
		k.until(t, life*each+1) // More than any life before can have left.
		k.log(t, each/2)
		k.until(t, life*each+each/4+rand.N(each/3))
		require.NoError(t, program.Process.Kill())
		err := program.Wait()
		require.Equal(t, syscall.SIGKILL, program.ProcessState.Sys().(syscall.WaitStatus).Signal(), "%v", err)
		last, err := rpcfleet.FileCheckpoints{Dir: filepath.Dir(k.file)}.Load(t.Context(), filepath.Base(k.file))
		require.NoError(t, err)
		var length int
		_, err = fmt.Sscan(last.Note, &length)
		require.NoError(t, err)
		content, err := os.ReadFile(k.file)
		require.NoError(t, err)
		t.Logf("killed with %d lines, %d of them behind the checkpoint", k.lines(), bytes.Count(content[length:], []byte("\n")))
	}

	program := k.start(t, "1s")
	k.until(t, kills*each)
	k.log(t, len(k.ids)) // When these are there, the readings since the start have brought nothing twice.
	k.until(t, len(k.written))
	require.NoError(t, program.Process.Signal(os.Interrupt))
	require.NoError(t, program.Wait(), "Ctrl-C ends it with success")

	content, err := os.ReadFile(k.file)
	require.NoError(t, err)
	endpoints, requests := column(string(content), 1), column(string(content), 7)
	for i := range requests {
		requests[i] = endpoints[i] + " " + requests[i]
	}
	slices.Sort(requests)
	slices.Sort(k.written)
	assert.True(t, slices.Equal(k.written, requests), "of %d entries the file has %d", len(k.written), len(requests))
	left, err := filepath.Glob(filepath.Join(filepath.Dir(k.file), "*"))
	require.NoError(t, err)
	assert.Equal(t, []string{k.file, k.file + ".checkpoint"}, left)
}
