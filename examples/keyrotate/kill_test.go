//go:build unix

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kill -9 of the real program, by its hook, in the middle of the hand-over.
func TestKilled(t *testing.T) {
	server, path := newAccount(t)
	binary, err := os.Executable()
	require.NoError(t, err)
	rotates := func(does string) error {
		command := exec.CommandContext(t.Context(), binary, "-tag", "production", "-hook", hookCommand(t, does, t.TempDir()), "-overlap", "0s", "-yes", "-state", path)
		command.Env = append(os.Environ(), asProgram+"=1")
		return command.Run()
	}
	require.ErrorContains(t, rotates("kill"), "killed")
	require.ErrorContains(t, rotates("kill"), "killed")
	require.NoError(t, rotates("keep"))
	assert.Len(t, server.Calls("createToken"), 2)
	for _, id := range []string{"1003", "1005"} {
		assert.Len(t, tokens(t, server.Emulator, id), 1)
	}
}
