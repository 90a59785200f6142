package acceptance

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const (
	faultsPage = "../../docs/faults.md"
	// otherClients begins the rest of the page, which benchmarks/twice writes.
	otherClients = "\n<!-- twice: written by go run ./internal/benchmarks/twice -page docs/faults.md -->\n"
)

var update = flag.Bool("update", false, "write the pages that are made of the tests")

// TestTheTableOfFaults finds each effect and status in the rows, and the rows in docs/faults.md. With -update it writes
// its part of that page.
func TestTheTableOfFaults(t *testing.T) {
	shown := map[emulator.Effect]bool{}
	for _, row := range faultRows {
		shown[row.fault.Effect] = true
	}
	for _, effect := range emulator.Effects() {
		assert.True(t, shown[effect], effect)
	}
	for _, status := range []int{408, 425, 429, 500, 502, 503, 504} {
		assert.True(t, slices.ContainsFunc(faultRows, func(row faultRow) bool { return row.fault.Status == status }), status)
	}
	written := must(os.ReadFile(faultsPage))(t)
	rows, rest, found := strings.Cut(string(written), otherClients)
	require.True(t, found, "the page has no marker for the tables of other clients")
	page := faultsTable()
	if *update {
		require.NoError(t, os.WriteFile(faultsPage, []byte(page+otherClients+rest), 0o644))
		rows = page
	}
	assert.Equal(t, page, rows, "go test -run TestTheTableOfFaults ./internal/acceptance -update writes it")
}

// faultsTable returns the rows as a page of Markdown.
func faultsTable() string {
	page := `# Faults, and what becomes of a call

Written by ` + "`go test -run TestTheTableOfFaults ./internal/acceptance -update`" + `. ` + "`TestEveryFaultHasItsOutcome`" + ` injects
each fault into the emulator and holds the call against its row, in memory and, where nothing has to be waited for, over
sockets.

The client makes three attempts at most, waits a minute for Retry-After at most, and reads at most 1 MiB of a body.
"read" is idempotent and changes nothing, "archive" is idempotent, "create" is not. "Carried out" is how often the
service did what it was asked to. [The end of the page](#creates-beside-other-clients) counts that for other clients too.

| fault | call | outcome |
| --- | --- | --- |
`
	for _, row := range faultRows {
		for _, outcome := range row.outcomes.byCall() {
			if outcome[1] != "" {
				page += fmt.Sprintf("| %s | %s | %s |\n", row.title, outcome[0], outcome[1])
			}
		}
	}
	return page
}
