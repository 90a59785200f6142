// Package prose limits words of the project's prose that make it hard to read, and its size. The limits only tighten.
package prose

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../.."

// limits are occurrences in 1,000 words: at least for "if", at most for the others.
type limits map[string]float64

var plain = limits{
	"if": 5, "where": 1, "what": 1, "tell": 0.3, "tells": 0.3, "told": 0.3, "those of": 0.3, "that of": 0.3, "is no ": 0.6,
}

// TestWords_repositoryIsWithinLimits counts in the comments of hand-written code, in the comments of its tests, and in
// the pages.
func TestWords_repositoryIsWithinLimits(t *testing.T) {
	for name, kind := range map[string]struct {
		of     func(path string) bool
		limits limits
	}{
		"comments":          {isCode, plain},
		"comments of tests": {func(path string) bool { return strings.HasSuffix(path, "_test.go") }, plain},
		"pages":             {func(path string) bool { return strings.HasSuffix(path, ".md") && !strings.Contains(path, "/api/") }, plain},
	} {
		t.Run(name, func(t *testing.T) {
			words, counted := 0, map[string]int{}
			for _, path := range files(t, kind.of) {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				count(prose(path, string(text)), kind.limits, &words, counted)
			}
			require.Positive(t, words)
			for word, limit := range kind.limits {
				rate := 1000 * float64(counted[word]) / float64(words)
				if word == "if" {
					assert.GreaterOrEqual(t, rate, limit, "%q in 1,000 words", word)
				} else {
					assert.LessOrEqual(t, rate, limit, "%q in 1,000 words", word)
				}
			}
		})
	}
}

func isCode(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".gen.go")
}

// files returns the files of a kind, without the clients that the benchmarks generate.
func files(t *testing.T, of func(path string) bool) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".bin", "testdata", "generated"}, entry.Name()):
			return filepath.SkipDir
		case !entry.IsDir() && of(path):
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}

var (
	comment = regexp.MustCompile(`^\s*// ?(.*)$`)
	code    = regexp.MustCompile("(?ms)^```.*?^```$")
	word    = regexp.MustCompile(`[A-Za-z']+`)
)

// prose returns the comments of Go code, or a page without its code.
func prose(path, text string) string {
	if strings.HasSuffix(path, ".md") {
		return code.ReplaceAllString(text, "")
	}
	var lines []string
	for line := range strings.Lines(text) {
		found := comment.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		directive := strings.Contains(line, "//go:") || strings.Contains(line, "//nolint") || strings.Contains(line, "//\t")
		if found != nil && !directive {
			lines = append(lines, found[1])
		}
	}
	return strings.Join(lines, " ")
}

// count adds a text to the number of words and to the occurrences.
func count(text string, limits limits, words *int, counted map[string]int) {
	text = strings.ToLower(text)
	for _, found := range word.FindAllString(text, -1) {
		*words++
		if _, limited := limits[found]; limited {
			counted[found]++
		}
	}
	for phrase := range limits {
		if strings.Contains(phrase, " ") {
			counted[phrase] += strings.Count(text, phrase)
		}
	}
}

func TestCount_countsCommentsOnly(t *testing.T) {
	words, counted := 0, map[string]int{}
	count(prose("a.go", "package a\n\n// If it is no\n// test, what is it?\n//go:build if\nvar a = 1 // if\n"), plain, &words, counted)
	assert.Equal(t, 8, words)
	assert.Equal(t, 1, counted["if"])
	assert.Equal(t, 1, counted["is no "])
	assert.Equal(t, 1, counted["what"])
	words = 0
	count(prose("a.md", "Two words\n\n```sh\nnot these\n```\n"), plain, &words, counted)
	assert.Equal(t, 2, words)
}
