//go:build gates

package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limit is the size in bytes that a first program may have.
const limit = 12_600_000

// TestRun_weighsProgram weighs the programs that need no generator. The time to compile depends on the machine, so that
// nothing is said about it.
func TestRun_weighsProgram(t *testing.T) {
	t.Chdir("../../..")
	plain, err := programs[0].weigh()
	require.NoError(t, err)
	assert.Empty(t, plain.modules)
	first, err := programs[1].weigh()
	require.NoError(t, err)
	t.Logf("%.1f MB, of which the library has %.1f; compiled in %v", float64(first.size)/1e6,
		float64(first.size-plain.size)/1e6, first.processor)
	assert.Greater(t, first.size, plain.size)
	assert.NotEmpty(t, first.modules)
	assert.LessOrEqual(t, len(first.modules), 10, "%v", first.modules)
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		assert.LessOrEqual(t, first.size, int64(limit), "docs/benchmarks.md promises it")
	}
	_, err = program{source: "LICENSE.md"}.weigh()
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = program{source: "AGENTS.md"}.weigh()
	require.ErrorContains(t, err, "AGENTS.md has no program")
}
