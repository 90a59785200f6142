package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestPrograms_compile compiles the programs that need no generated client.
func TestPrograms_compile(t *testing.T) {
	race.Skip(t)
	for _, p := range programs {
		if p.generate == nil {
			_, err := lines(".", "vet", "./testdata/"+p.name)
			assert.NoError(t, err, p.name)
		}
	}
}

// TestModules_libraryNeedsAtMostTen keeps the number of modules that a caller's build needs, beside the library, at the
// promised value.
func TestModules_libraryNeedsAtMostTen(t *testing.T) {
	modules, err := lines(".", "list", "-deps", "-f", outside, "./testdata/rpcfleet")
	require.NoError(t, err)
	assert.NotEmpty(t, modules)
	assert.LessOrEqual(t, len(modules), 10, "%v", modules)
}

// TestGoMod_usesVersionsOfBenchmarks reads the versions that the benchmarks have.
func TestGoMod_usesVersionsOfBenchmarks(t *testing.T) {
	l, err := locate()
	require.NoError(t, err)
	for _, p := range programs {
		text, err := l.goMod(p)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(text, "module weight.example/"+p.name+"\n"))
		for _, path := range p.requires {
			assert.Regexp(t, "(?m)^require "+regexp.QuoteMeta(path)+` v\d+\.\d+\.\d+`, text)
		}
		assert.Equal(t, p.name == "rpcfleet", strings.Contains(text, "replace "+library+" => "+l.repository), p.name)
	}
	_, err = l.goMod(program{name: "none", requires: []string{"example.com/none"}})
	require.Error(t, err)
}

func TestRun_failedPreparationIsError(t *testing.T) {
	var out strings.Builder
	require.ErrorContains(t, run([]program{{name: "none"}}, "", &out), "none: ")
	assert.Empty(t, out.String())
	failing := program{name: "empty", generate: func(locations, string) error { return os.ErrPermission }}
	require.ErrorIs(t, run([]program{failing}, t.TempDir(), &out), os.ErrPermission)
	require.ErrorContains(t, run([]program{{name: "empty", requires: []string{"example.com/none"}}}, t.TempDir(), &out),
		"empty: ")
	wrong := program{name: "empty", generate: func(_ locations, module string) error {
		return os.WriteFile(filepath.Join(module, "more.go"), []byte("no Go\n"), 0o600)
	}}
	kept := t.TempDir()
	require.ErrorContains(t, run([]program{wrong}, kept, &out), "empty: ")
	require.ErrorIs(t, run([]program{wrong}, kept, &out), os.ErrExist, "a folder that has programs already")
	assert.Empty(t, out.String())
	t.Chdir(kept)
	require.Error(t, run(programs, kept, &out), "outside the workspace")
}
