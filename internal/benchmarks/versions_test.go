package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGenerators_versionsMatchLibraries makes sure that generated code runs with the library of the same version: the
// generators are pinned in a separate module.
func TestGenerators_versionsMatchLibraries(t *testing.T) {
	own, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	tools, err := os.ReadFile("../tools/go.mod")
	require.NoError(t, err)
	for _, module := range []string{"github.com/ogen-go/ogen", "github.com/Khan/genqlient"} {
		version := regexp.MustCompile(`(?m)` + regexp.QuoteMeta(module) + ` v\S+`)
		assert.NotEmpty(t, version.Find(own), module)
		assert.Equal(t, string(version.Find(tools)), string(version.Find(own)))
	}
}
