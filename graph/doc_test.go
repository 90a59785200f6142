package graph_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDoc_exampleMatchesExampleQuery makes sure that the query in the comment of the package is the one of
// ExampleQuery.
func TestDoc_exampleMatchesExampleQuery(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	examples, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, example, _ := strings.Cut(string(examples), "func ExampleQuery() {")
	_, shown, found := strings.Cut(string(comment), "//\ttype response struct {\n")
	require.True(t, found)
	shown, _, _ = strings.Cut("//\ttype response struct {\n"+shown, "//\n")
	assert.Contains(t, example, strings.ReplaceAll(shown, "//", ""))
}
