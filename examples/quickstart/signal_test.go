//go:build unix

package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program prepares the program in a process of its own: the test binary, which TestMain makes into it.
func program(t *testing.T, arguments ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Env = append(os.Environ(), asProgram+"=1")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	return command, &stderr
}

func TestSignals(t *testing.T) {
	for name, signal := range map[string]os.Signal{"Ctrl-C": os.Interrupt, "to be terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			a := startAccount(t)
			command, stderr := program(t, "-write")
			a.before = func(_ http.ResponseWriter, request string, n int) bool {
				if request == creates && n == 3 {
					assert.NoError(t, command.Process.Signal(signal))
				}
				return false
			}
			var exit *exec.ExitError
			require.ErrorAs(t, command.Run(), &exit)
			assert.Equal(t, 1, exit.ExitCode(), "%s", stderr)
			assert.Contains(t, stderr.String(), "context canceled")
			assert.GreaterOrEqual(t, a.seen[creates], 3)
			assert.Less(t, a.seen[creates], 3*each, "it ends early")
			assert.Empty(t, a.left(t))
		})
	}
}

func TestASecondSignalEndsItAtOnce(t *testing.T) {
	a := startAccount(t)
	command, _ := program(t, "-write")
	ended := make(chan struct{})
	once := sync.OnceFunc(func() { close(ended) })
	defer once()
	a.before = func(_ http.ResponseWriter, request string, n int) bool {
		switch {
		case request == creates && n == 3:
			assert.NoError(t, command.Process.Signal(os.Interrupt))
		case request == archives && n == 1:
			for waiting := true; waiting; { // The archiving hangs. The first of these may be too early to count.
				_ = command.Process.Signal(os.Interrupt)
				select {
				case <-ended:
					waiting = false
				case <-time.After(10 * time.Millisecond):
				}
			}
		}
		return false
	}
	var exit *exec.ExitError
	require.ErrorAs(t, command.Run(), &exit)
	once()
	assert.Equal(t, os.Interrupt, exit.Sys().(syscall.WaitStatus).Signal())
}

// A program at the end of a pipe, such as head, goes away early.
func TestNobodyReadsTheOutput(t *testing.T) {
	a := startAccount(t)
	command, stderr := program(t, "-write")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	defer writer.Close()
	command.Stdout = writer
	require.NoError(t, command.Run(), "%s", stderr)
	assert.Equal(t, 3*each, a.seen[creates])
	assert.Empty(t, a.left(t))
}
