//go:build unix

package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program in a process of its own: it says where it listens, takes a delivery, and ends with 0 after a signal.
func TestTheProgram(t *testing.T) {
	binary, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), binary, "-listen", "127.0.0.1:0", "-path", "/hook")
	command.Env = append(os.Environ(), asProgram+"=1", tokensVariable+"="+token)
	var stdout strings.Builder
	command.Stdout = &stdout
	stderr, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	address := strings.TrimSpace(strings.TrimPrefix(line, "Listening on "))
	require.True(t, strings.HasSuffix(address, "/hook"), line)

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header = delivery(t, token, "a").Header
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusOK, response.StatusCode)
	require.NoError(t, command.Process.Signal(syscall.SIGTERM))
	require.NoError(t, command.Wait())
	assert.Equal(t, "{\"nonce\":\"a\",\"payload\":{}}\n", stdout.String())
}
