package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPrograms compiles the programs that need no generated client.
func TestPrograms(t *testing.T) {
	for _, p := range programs {
		if p.generate == nil {
			_, err := lines(".", "vet", "./testdata/"+p.name)
			assert.NoError(t, err, p.name)
		}
	}
}

// TestOutsideModules keeps the number of modules that a caller's build needs, beside the library, where it is promised to
// be.
func TestOutsideModules(t *testing.T) {
	modules, err := lines(".", "list", "-deps", "-f", outside, "./testdata/rpcfleet")
	require.NoError(t, err)
	assert.NotEmpty(t, modules)
	assert.LessOrEqual(t, len(modules), 10, "%v", modules)
}
