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
	printingMethod = regexp.MustCompile(`(?m)^method \(\*?(\w+)(?:\[\w+\])?\) (?:Format|String|Error)\(`)
	pointerField   = regexp.MustCompile(`(?m)^type (\w+)(?:\[.*\])? struct, (\w+) (?:\[\]|map\[\w+\])?\*([\w.]+)`)
)

// TestNoExportedStructPrintsAnAddress looks in the lists of api/ for pointers that fmt would print as addresses: in
// structs that do not print themselves, and to values that do not either.
func TestNoExportedStructPrintsAnAddress(t *testing.T) {
	prints, fields := map[string]bool{}, map[string]string{} // By the names of types and of fields.
	require.NoError(t, filepath.WalkDir("../api", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		pkg := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txt") + "."
		for _, method := range printingMethod.FindAllStringSubmatch(string(text), -1) {
			prints[pkg+method[1]] = true
		}
		for _, field := range pointerField.FindAllStringSubmatch(string(text), -1) {
			target := field[3]
			if !strings.Contains(target, ".") {
				target = pkg + target
			}
			fields[pkg+field[1]+"."+field[2]] = target
		}
		return err
	}))
	require.Greater(t, len(fields), 100)
	delete(fields, "emulator.Server.embedded") // A server is no record.
	for field, target := range fields {
		owner := field[:strings.LastIndex(field, ".")]
		assert.True(t, prints[owner] || prints[target], "%s is printed as an address", field)
	}
}
