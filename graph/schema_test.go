package graph_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// TestSchema_matchesObservedList holds the schema against a list of all that the service was seen to have, so that
// nothing is lost by accident, and its chains against the constants.
func TestSchema_matchesObservedList(t *testing.T) {
	list, err := os.ReadFile("testdata/schema.txt")
	require.NoError(t, err)
	found := outline(graph.Schema)
	assert.ElementsMatch(t, strings.Split(strings.TrimSpace(string(list)), "\n"), found)
	var chains []graph.Chain
	for _, line := range found {
		if chain, is := strings.CutSuffix(line, ": EVMSchemaType!"); is {
			chains = append(chains, graph.Chain(strings.TrimPrefix(chain, "Query.")))
		}
	}
	assert.ElementsMatch(t, graph.Chain("").Values(), chains)
}

// outline lists the definitions of a schema and their fields or values, one in a line.
func outline(schema string) (lines []string) {
	schema = regexp.MustCompile(`(?m)^\s*"""(?s:.*?)"""|^\s*(#|").*|\(reason: ".*"\)`).ReplaceAllString(schema, "")
	schema = regexp.MustCompile(`\(\s+[^()]+\)`).ReplaceAllStringFunc(schema, func(arguments string) string {
		names := regexp.MustCompile(`\w+: .+`).FindAllString(arguments, -1) // One in a line.
		return "(" + strings.Join(names, ", ") + ")"
	})
	of := ""
	for line := range strings.Lines(schema) {
		line = strings.TrimSuffix(strings.TrimSpace(line), " {")
		switch words := strings.Fields(line); {
		case line == "" || line == "}" || line == "schema" || line == "query: Query":
		case regexp.MustCompile(`^(type|interface|input|enum|scalar) `).MatchString(line):
			of = words[1] + "."
			lines = append(lines, line)
		default:
			lines = append(lines, of+line)
		}
	}
	return lines
}
