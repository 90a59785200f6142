package graph_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/ast"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// schema parses the schema by itself: without queries and without resolvers.
func schema(t *testing.T) *graphql.Schema {
	t.Helper()
	parsed, err := graphql.ParseSchema(graph.Schema, nil, graphql.UseStringDescriptions())
	require.NoError(t, err)
	return parsed
}

func TestSchema_hasAllChains(t *testing.T) {
	var chains []graph.Chain
	for _, field := range *schema(t).Inspect().QueryType().Fields(&struct{ IncludeDeprecated bool }{}) {
		chains = append(chains, graph.Chain(field.Name()))
	}
	assert.ElementsMatch(t, graph.Chain("").Values(), chains)
}

// TestSchema_matchesObservedList holds the schema against a list of all that the service was seen to have, so that
// nothing is lost by accident.
func TestSchema_matchesObservedList(t *testing.T) {
	list, err := os.ReadFile("testdata/schema.txt")
	require.NoError(t, err)
	var found []string
	for name, definition := range schema(t).AST().Types {
		if !strings.HasPrefix(name, "__") {
			found = append(found, outline(definition)...)
		}
	}
	found = slices.DeleteFunc(found, func(line string) bool { // These are GraphQL's own.
		return slices.Contains([]string{"scalar Boolean", "scalar Float", "scalar ID", "scalar Int", "scalar String"}, line)
	})
	assert.ElementsMatch(t, strings.Split(strings.TrimSpace(string(list)), "\n"), found)
}

// outline lists a definition and its fields or values, one in a line.
func outline(definition ast.NamedType) []string {
	name := definition.TypeName()
	switch d := definition.(type) {
	case *ast.ObjectTypeDefinition:
		implements := ""
		for _, i := range d.Interfaces {
			implements += " implements " + i.Name
		}
		return append(fields(name, d.Fields), "type "+name+implements)
	case *ast.InterfaceTypeDefinition:
		return append(fields(name, d.Fields), "interface "+name)
	case *ast.InputObject:
		lines := []string{"input " + name}
		for _, value := range d.Values {
			lines = append(lines, fmt.Sprintf("%s.%s: %s", name, value.Name.Name, value.Type))
		}
		return lines
	case *ast.EnumTypeDefinition:
		lines := []string{"enum " + name}
		for _, value := range d.EnumValuesDefinition {
			lines = append(lines, name+"."+value.EnumValue)
		}
		return lines
	}
	return []string{"scalar " + name}
}

func fields(of string, definitions ast.FieldsDefinition) []string {
	var lines []string
	for _, field := range definitions {
		var arguments []string
		for _, argument := range field.Arguments {
			arguments = append(arguments, fmt.Sprintf("%s: %s", argument.Name.Name, argument.Type))
		}
		line := of + "." + field.Name
		if slices.Sort(arguments); arguments != nil {
			line += "(" + strings.Join(arguments, ", ") + ")"
		}
		line += ": " + field.Type.String()
		if field.Directives.Get("deprecated") != nil {
			line += " @deprecated"
		}
		lines = append(lines, line)
	}
	return lines
}

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
