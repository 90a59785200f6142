//go:build gates

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun_weighsProgram weighs the one that does nothing: others take minutes to build with an empty cache.
func TestRun_weighsProgram(t *testing.T) {
	kept := t.TempDir()
	made := false
	empty := program{name: "empty", title: "nothing at all", generate: func(_ locations, module string) error {
		made = true
		return os.WriteFile(filepath.Join(module, "more.go"), []byte("package main\n\nvar _ = 1\n"), 0o600)
	}}
	var out strings.Builder
	require.NoError(t, run([]program{empty}, kept, &out))
	assert.True(t, made, "its client is generated")
	table := strings.Split(out.String(), "\n")
	require.Len(t, table, 4)
	assert.Regexp(t, regexp.MustCompile(`^\| nothing at all \| \d+\.\d s, \d+\.\d s \| [1-9]\d*\.\d MB \| 0 \|$`),
		table[2])
	assert.FileExists(t, filepath.Join(kept, "empty.binary"))
	assert.FileExists(t, filepath.Join(kept, "empty", "more.go"))
}
