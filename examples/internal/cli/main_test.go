//go:build unix

package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asProgram makes the test binary a program: "polite" stops when it is told to, "deaf" does not.
const asProgram = "CLI_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	manner := os.Getenv(asProgram)
	if manner == "" {
		os.Exit(m.Run())
	}
	Main(func(ctx context.Context, args []string, _ io.Reader, stdout, _ io.Writer) int {
		fmt.Fprintln(stdout, "started", args)
		<-ctx.Done()
		fmt.Fprintln(stdout, "told to stop")
		if manner == "deaf" {
			select {}
		}
		return 7
	})
}

func TestMainStops(t *testing.T) {
	for name, signal := range map[string]os.Signal{"Ctrl-C": os.Interrupt, "to be terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			exit := program(t, "polite", signal)
			assert.Equal(t, 7, exit.ExitCode())
		})
	}
}

// TestASecondSignalEndsTheProgram with the one that is not ignored by what a script starts in the background.
func TestASecondSignalEndsTheProgram(t *testing.T) {
	exit := program(t, "deaf", syscall.SIGTERM)
	assert.Equal(t, syscall.SIGTERM, exit.Sys().(syscall.WaitStatus).Signal())
}

// program runs a program and sends it a signal, and again until it ends.
func program(t *testing.T, manner string, signal os.Signal) *exec.ExitError {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), binary, "-flag", "argument")
	command.Env = append(os.Environ(), asProgram+"="+manner)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	assert.Equal(t, "started [-flag argument]", lines.Text())
	require.NoError(t, command.Process.Signal(signal))
	require.True(t, lines.Scan())
	assert.Equal(t, "told to stop", lines.Text())
	if manner == "deaf" { // The first of these may come before the program has let go of signals.
		go func() {
			for command.Process.Signal(signal) == nil {
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	var exit *exec.ExitError
	require.ErrorAs(t, command.Wait(), &exit)
	return exit
}
