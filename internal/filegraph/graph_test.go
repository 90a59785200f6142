package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/race"
)

// largestCycle is how many files of the root package may use each other in a circle. It only falls.
const largestCycle = 4

func TestTheRootPackageHasNoLargeCycle(t *testing.T) {
	race.Skip(t)
	g, err := load("../..")
	require.NoError(t, err)
	require.Contains(t, g["client.go"], "client_engine.go", "the graph is that of the root package")
	for _, cycle := range g.cycles() {
		assert.LessOrEqual(t, len(cycle), largestCycle, "%v use each other in a circle: move a declaration to where it belongs", cycle)
	}
}

// TestTheEngineKnowsNoService: what a service needs of the engine it calls, never the other way round.
func TestTheEngineKnowsNoService(t *testing.T) {
	race.Skip(t)
	g, err := load("../..")
	require.NoError(t, err)
	for _, file := range g.files() {
		if !strings.HasPrefix(file, "client_") {
			continue
		}
		for _, used := range g[file] {
			assert.True(t, strings.HasPrefix(used, "client_") || used == "version.go", "%s uses %s", file, used)
		}
	}
}

// TestGraph reads a package whose files use each other in all ways: types, functions, methods, fields, generic ones.
func TestGraph(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.26\n",
		"a.go":      "package m\n\nimport \"fmt\"\n\nvar a = fmt.Sprint(b(1))\n",
		"b.go":      "package m\n\nfunc b[T any](v T) int { return c{}.field }\n",
		"c.go":      "package m\n\ntype c struct{ field int }\n\nfunc (c) method() string { return a }\n",
		"d.go":      "package m\n\nfunc d() { c{}.method() }\n",
		"e.go":      "package m\n\nfunc e() { if false { f() } }\n",
		"f.go":      "package m\n\nfunc f() { e() }\n",
		"g_test.go": "package m\n\nfunc g() { e(); d() }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Setenv("GOWORK", "off")
	g, err := load(dir)
	require.NoError(t, err)
	assert.Equal(t, graph{
		"a.go": {"b.go"}, "b.go": {"c.go"}, "c.go": {"a.go"}, "d.go": {"c.go"}, "e.go": {"f.go"}, "f.go": {"e.go"},
	}, g)
	assert.Equal(t, [][]string{{"a.go", "b.go", "c.go"}, {"e.go", "f.go"}}, g.cycles())
	assert.Equal(t, "cycle of 2: [e.go f.go]\n", g.String()[strings.LastIndex(g.String(), "cycle"):])
}

func TestTheProgram(t *testing.T) {
	race.Skip(t)
	var here, there strings.Builder
	require.NoError(t, run(nil, &here))
	assert.Contains(t, here.String(), "main.go -> [graph.go]\n")
	require.NoError(t, run([]string{"../document"}, &there))
	assert.Contains(t, there.String(), "document.go -> ")
	require.Error(t, run([]string{t.TempDir()}, &there))
}

func TestWhatCannotBeRead(t *testing.T) {
	_, err := load(t.TempDir())
	require.Error(t, err)
	broken := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(broken, "a.go"), []byte("package m\n\nfunc {\n"), 0o600))
	_, err = load(broken)
	require.Error(t, err, "it is not Go")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package m\n\nvar a int = missing\n"), 0o600))
	t.Setenv("GOWORK", "off")
	_, err = load(dir)
	require.Error(t, err)
}
