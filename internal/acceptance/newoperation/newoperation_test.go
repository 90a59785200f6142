//go:build gates

// Package newoperation has one test, which takes longer than all others: it has go test's limit of time to itself.
package newoperation

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNewOperation_takesFewEdits adds an operation that does not exist, POST /streams/{id}/restart, to a copy of the
// repository: the part that a person writes is ../testdata/newoperation.diff, the rest is generated. Then the copy must
// build, and the tests that call every operation must pass. If the diff no longer applies because the lines around it
// have changed, make it again in the same places.
func TestNewOperation_takesFewEdits(t *testing.T) {
	diff, err := filepath.Abs("../testdata/newoperation.diff")
	require.NoError(t, err)
	text, err := os.ReadFile(diff)
	require.NoError(t, err)
	files := regexp.MustCompile(`(?m)^\+\+\+ `).FindAll(text, -1)
	lines := regexp.MustCompile(`(?m)^\+[^+\n]`).FindAll(text, -1)
	assert.Len(t, files, 3, "files that a person has to change: the contract, the emulator and a table of tests")
	assert.LessOrEqual(t, len(lines), 27, "lines that a person has to write")
	assert.NotRegexp(t, `(?m)^-[^-]`, string(text), "an operation is added without a change to another one")
	assert.NotRegexp(t, `(?m)^\+\+\+ .*\.gen`, string(text))

	dir := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.Mkdir(dir, 0o755))
	in := func(folder, name string, arguments ...string) {
		t.Helper()
		command := exec.Command(name, arguments...)
		command.Dir = filepath.Join(dir, folder)
		// Without the folder's name in the binaries, only the first run on a machine builds them.
		command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GOFLAGS=-trimpath", "GOWORK=")
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s %v\n%s", name, arguments, output)
	}
	in("", "sh", "-c", `cd "$0" && git ls-files --cached --others --exclude-standard | tar -cf - -T - | tar -xf - -C "$1"`,
		filepath.Join(filepath.Dir(diff), "../../.."), dir)
	in(".", "git", "apply", diff)
	in(".", "go", "generate", ".")
	in(".", "go", "vet", ".", "./internal/api", "./internal/test/operations", "./emulator", "./internal/acceptance")
	in(".", "go", "test", "-count=1", "./internal/api")
	in("internal/acceptance", "go", "test", "-count=1", "-run", strings.Join([]string{
		"^TestOpenAPI_operationsAreMarked$", "^TestComments_methodsNameRequests$", "^TestComments_everyExportedName$",
		"^TestMutations_reachEveryMethod$", "^TestDo_agreesWithMethods$", "^TestOperations_hideSecrets$",
	}, "|"), ".")
	page, err := os.ReadFile(filepath.Join(dir, "docs", "operations.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "| restartStream | `POST /streams/rest/v1/streams/{stream_id}/restart` | "+
		"201 400 401 403 404 429 | observed | yes |")
}
