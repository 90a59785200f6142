//go:build !contestants

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGenerate_runsWhenSourcesChange has a project in which go generate writes down that it ran.
func TestGenerate_runsWhenSourcesChange(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("internal/benchmarks/go.mod", "module example.com/m\n\ngo 1.26.0\n")
	write("internal/benchmarks/generate.go", "package m\n\n//go:generate go mod edit -module=example.com/generated\n")
	write("internal/benchmarks/internal/generated/oapi/config.yaml", "package: oapi\n")
	write("openapi/admin.yaml", "openapi: 3.1.0\n")
	directory := filepath.Join(root, "internal", "benchmarks")
	generated := func() bool {
		t.Helper()
		write("internal/benchmarks/go.mod", "module example.com/m\n\ngo 1.26.0\n")
		require.NoError(t, generate(directory))
		text, err := os.ReadFile(filepath.Join(directory, "go.mod"))
		require.NoError(t, err)
		return string(text) != "module example.com/m\n\ngo 1.26.0\n"
	}
	assert.True(t, generated(), "it has never been")
	assert.False(t, generated(), "nothing has changed")
	write("openapi/admin.yaml", "openapi: 3.1.1\n")
	assert.True(t, generated())
	write("internal/benchmarks/internal/generated/graphql/nfts.graphql", "query A { a }\n")
	assert.True(t, generated())
	assert.False(t, generated())

	write("openapi/admin.yaml", "openapi: 3.2.0\n")
	write("internal/benchmarks/generate.go", "package m\n\n//go:generate go mod nothing\n")
	require.ErrorContains(t, generate(directory), "go generate")
	require.Error(t, generate(directory), "what failed is tried again")
}
