package acceptance

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestTheFilesSayWhatTheContractSays holds the files against a copy of the contract's tables: operations with their
// statuses, parameters and bodies, records with their fields, enums, limits, and the rank of each. What is missing, or
// spelled wrong, in both the files and the code is found here.
func TestTheFilesSayWhatTheContractSays(t *testing.T) {
	want := contractTables(t)
	for _, difference := range differences(want, fileTables(areas)) {
		t.Error(difference)
	}
	stated, known := 0, 0
	for line := range want {
		if method, path, _ := strings.Cut(line, " "); strings.ToUpper(method) == method && !strings.Contains(path, " ") {
			stated++
		}
	}
	for _, op := range rpcfleet.Operations() {
		if op.Area != "graph" {
			known++
		}
	}
	assert.Equal(t, stated, known, "the operations of the copy, and those that the client knows")
}

// differences says where two tables are not the same.
func differences(contract, files map[string]string) []string {
	var found []string
	for _, line := range slices.Compact(slices.Sorted(slices.Values(append(sortedKeys(contract), sortedKeys(files)...)))) {
		stated, known := contract[line]
		written, there := files[line]
		switch {
		case !known:
			found = append(found, fmt.Sprintf("%s: the files have %q, the contract has no such thing", line, written))
		case !there:
			found = append(found, fmt.Sprintf("%s: the contract has %q, the files have no such thing", line, stated))
		case stated != written:
			found = append(found, fmt.Sprintf("%s: the contract has %q, the files have %q", line, stated, written))
		}
	}
	return found
}

// contractTables reads the copy: the rest of each line by what the line is about, such as "GET /v0/teams query limit?"
// or "Team.users".
func contractTables(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open("testdata/contract.txt")
	require.NoError(t, err)
	defer file.Close()
	var section, block, last string
	table := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(strings.NewReplacer("(", "", ")", "").Replace(line))
		switch {
		case len(words) == 0:
			continue
		case line[0] == '[':
			section = words[0]
			continue
		case words[0] == "+":
			table[last] = ordered(append(strings.Fields(table[last]), words[1:]...))
			continue
		case line[0] != ' ' && section == "[operations]":
			block, words = words[0]+" "+words[1], words[2:]
			last = block
		case line[0] != ' ':
			block, words = words[0], words[1:]
			last = block
		case words[0] == "path" || words[0] == "query":
			last, words = part(block, words[0]+" "+words[1]), words[2:]
		default:
			last, words = part(block, words[0]), words[1:]
		}
		require.NotContains(t, table, last, "the copy says it twice")
		table[last] = ordered(words)
	}
	return table
}

// part names a part of an operation or a record.
func part(block, name string) string {
	if strings.Contains(block, " ") {
		return block + " " + name
	}
	return block + "." + name
}

// ordered puts the marks and limits of a line behind all else, in one order.
func ordered(words []string) string {
	mark := func(word string) bool {
		_, rank, _ := strings.Cut(word, ":")
		return word == "observed" || word == "assumed" || rank == "observed" || rank == "assumed" || strings.Contains(word, "=")
	}
	line := slices.DeleteFunc(slices.Clone(words), mark)
	marks := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !mark(word) })
	slices.Sort(marks)
	return strings.Join(append(line, marks...), " ")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
