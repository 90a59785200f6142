package prose

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSize_repositoryIsWithinLimits counts the lines of hand-written Go, those of the scanner too, those over 120 columns,
// and the files of the root.
func TestSize_repositoryIsWithinLimits(t *testing.T) {
	var written, scanner, tests, long int
	for _, path := range files(t, func(path string) bool { return strings.HasSuffix(path, ".go") }) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Contains(string(text[:min(len(text), 2000)]), "// Code generated ") {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if len([]rune(line)) > 121 {
				long++
			}
		}
		lines := bytes.Count(text, []byte("\n"))
		switch {
		case strings.HasSuffix(path, "_test.go"), strings.Contains(filepath.ToSlash(path), "internal/acceptance/"):
			tests += lines
		case strings.Contains(filepath.ToSlash(path), "internal/scan/"):
			scanner += lines
			fallthrough
		default:
			written += lines
		}
	}
	assert.LessOrEqual(t, written, 26_250, "lines of written code")
	assert.LessOrEqual(t, scanner, 420, "lines of our own scanner, the price of faster decoding")
	assert.LessOrEqual(t, tests, 30_700, "lines of tests")
	assert.LessOrEqual(t, long, 104, "lines over 120 columns")
	inRoot, err := filepath.Glob(filepath.Join(root, "*.go"))
	require.NoError(t, err)
	assert.LessOrEqual(t, len(inRoot), 42, "files in the root")
}
