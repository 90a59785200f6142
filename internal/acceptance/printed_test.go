package acceptance

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	printingMethod = regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)(?:\[\w+\])?\) (?:Format|String|Error)\(`)
	structType     = regexp.MustCompile(`(?ms)^type (\w+)(?:\[[^\n]*\])? struct \{\n(.*?)^\}`)
	pointerField   = regexp.MustCompile(`(?m)^\t(\w+) +(?:\[\]|map\[\w+\])?\*([\w.]+)`)
)

// TestNoExportedStructPrintsAnAddress looks in the lists of api/ for pointers that fmt would print as addresses: in
// structs that do not print themselves, and to values that do not either.
func TestNoExportedStructPrintsAnAddress(t *testing.T) {
	prints, fields := map[string]bool{}, map[string]string{} // By the names of types and of fields.
	require.NoError(t, filepath.WalkDir("../../api", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		pkg := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txt") + "."
		for _, method := range printingMethod.FindAllStringSubmatch(string(text), -1) {
			prints[pkg+method[1]] = true
		}
		for _, record := range structType.FindAllStringSubmatch(string(text), -1) {
			for _, field := range pointerField.FindAllStringSubmatch(record[2], -1) {
				target := field[2]
				if !strings.Contains(target, ".") {
					target = pkg + target
				}
				fields[pkg+record[1]+"."+field[1]] = target
			}
		}
		return err
	}))
	require.Greater(t, len(fields), 100)
	for field, target := range fields {
		owner := field[:strings.LastIndex(field, ".")]
		assert.True(t, prints[owner] || prints[target], "%s is printed as an address", field)
	}
}
