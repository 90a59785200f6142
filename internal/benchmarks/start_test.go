//go:build !contestants && unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aGoCommand is a go command that finds the package in a folder, and records its calls there. If a command is set to
// fail, it fails.
const aGoCommand = `#!/bin/sh
echo "$@" >> "$FOLDER/asked"
[ "$1" != "$FAILING" ] || exit 3
[ "$1" != list ] || echo "$FOLDER"
`

// TestStartAgain_generatesAndRuns makes the contestants and runs the program with them, and does not run it without
// them.
func TestStartAgain_generatesAndRuns(t *testing.T) {
	const list, generated = "list -f {{.Dir}} " + module + "\n", "generate .\n"
	const again = "run -tags contestants " + module + " -rounds 1\n"
	for name, test := range map[string]struct{ failing, asked, reason string }{
		"as it should":          {"", list + generated + again, ""},
		"outside the workspace": {"list", list, "run this inside the workspace: exit status 3"},
		"without a generator":   {"generate", list + generated, "go generate: exit status 3"},
		"with a wrong flag":     {"run", list + generated + again, "exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, bin := t.TempDir(), t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(folder, "internal", "generated"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(aGoCommand), 0o700))
			t.Setenv("PATH", bin)
			t.Setenv("FOLDER", folder)
			t.Setenv("FAILING", test.failing)
			err := startAgain([]string{"-rounds", "1"})
			if test.reason == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.reason)
			}
			asked, err := os.ReadFile(filepath.Join(folder, "asked"))
			require.NoError(t, err)
			assert.Equal(t, test.asked, string(asked))
		})
	}
}
