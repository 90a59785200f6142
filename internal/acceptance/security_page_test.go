package acceptance

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	namedTest   = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`")
	definedTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]+)\(`)
	link        = regexp.MustCompile(`\]\(([^)#]+)`)
)

// TestSecurityPage_namesExistingTests checks SECURITY.md against the repository: each promise and each threat has a
// test, and each test that it names and each target of its links exists.
func TestSecurityPage_namesExistingTests(t *testing.T) {
	page := must(os.ReadFile("../../SECURITY.md"))(t)
	defined := testsOf(t, "../..")
	named := namedTest.FindAllStringSubmatch(string(page), -1)
	assert.NotEmpty(t, named)
	for _, match := range named {
		assert.True(t, defined[match[1]], "there is no %s", match[1])
	}
	for _, match := range link.FindAllStringSubmatch(string(page), -1) {
		assert.FileExists(t, filepath.Join("../..", match[1]))
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| ---") && !strings.Contains(line, "| Tests |") {
			rows++
			assert.Regexp(t, namedTest, line, "a row without a test")
		}
	}
	assert.Greater(t, rows, 20)
}

// testsOf lists the tests and fuzz targets below a folder.
func testsOf(t *testing.T, folder string) map[string]bool {
	defined := map[string]bool{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, match := range definedTest.FindAllSubmatch(source, -1) {
			defined[string(match[1])] = true
		}
		return err
	}))
	return defined
}
