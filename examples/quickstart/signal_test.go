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

// program is the program in a process of its own: the test binary, which TestMain makes into it.
type program struct {
	*exec.Cmd
	stderr  bytes.Buffer
	started chan struct{}
}

func prepare(t *testing.T, arguments ...string) *program {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	p := &program{Cmd: exec.CommandContext(t.Context(), binary, arguments...), started: make(chan struct{})}
	p.Env = append(os.Environ(), asProgram+"=1")
	p.Stderr = &p.stderr
	return p
}

// run runs the program to its end.
func (p *program) run() error {
	if err := p.Start(); err != nil {
		return err
	}
	close(p.started)
	return p.Wait()
}

// signal sends a signal to the running program.
func (p *program) signal(signal os.Signal) error {
	<-p.started
	return p.Process.Signal(signal)
}

func TestSignals(t *testing.T) {
	for name, signal := range map[string]os.Signal{"Ctrl-C": os.Interrupt, "to be terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			a := startAccount(t)
			command := prepare(t, "-write")
			a.intercept(func(_ http.ResponseWriter, request string, n int) bool {
				if request == creates && n == 3 {
					assert.NoError(t, command.signal(signal))
				}
				return false
			})
			var exit *exec.ExitError
			require.ErrorAs(t, command.run(), &exit)
			assert.Equal(t, 1, exit.ExitCode(), "%s", &command.stderr)
			assert.Contains(t, command.stderr.String(), "context canceled")
			assert.GreaterOrEqual(t, a.count(creates), 3)
			assert.Less(t, a.count(creates), 3*each, "it ends early")
			assert.Empty(t, a.left(t))
		})
	}
}

// TestASecondSignalEndsItAtOnce with the one that is not ignored by what a script starts in the background.
func TestASecondSignalEndsItAtOnce(t *testing.T) {
	a := startAccount(t)
	command := prepare(t, "-write")
	ended := make(chan struct{})
	once := sync.OnceFunc(func() { close(ended) })
	defer once()
	a.intercept(func(_ http.ResponseWriter, request string, n int) bool {
		switch {
		case request == creates && n == 3:
			assert.NoError(t, command.signal(syscall.SIGTERM))
		case request == archives && n == 1:
			for waiting := true; waiting; { // The archiving hangs. The first of these may be too early to count.
				_ = command.signal(syscall.SIGTERM)
				select {
				case <-ended:
					waiting = false
				case <-time.After(10 * time.Millisecond):
				}
			}
		}
		return false
	})
	var exit *exec.ExitError
	require.ErrorAs(t, command.run(), &exit)
	once()
	assert.Equal(t, syscall.SIGTERM, exit.Sys().(syscall.WaitStatus).Signal())
}

// A program at the end of a pipe, such as head, goes away early.
func TestNobodyReadsTheOutput(t *testing.T) {
	a := startAccount(t)
	command := prepare(t, "-write")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	defer writer.Close()
	command.Stdout = writer
	require.NoError(t, command.run(), "%s", &command.stderr)
	assert.Equal(t, 3*each, a.count(creates))
	assert.Empty(t, a.left(t))
}
