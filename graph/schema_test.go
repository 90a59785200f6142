package graph_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/graph-gophers/graphql-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/document"
)

// schema parses the schema by itself: without queries and without resolvers.
func schema(t *testing.T) *graphql.Schema {
	t.Helper()
	parsed, err := graphql.ParseSchema(graph.Schema, nil, graphql.UseStringDescriptions())
	require.NoError(t, err)
	return parsed
}

func TestSchemaStandsByItself(t *testing.T) {
	parsed := schema(t)
	for _, name := range []string{"Collection", "NFT", "Contract", "TokenEvent"} {
		assert.Contains(t, parsed.AST().Types, name)
	}
	var chains []graph.Chain
	for _, field := range *parsed.Inspect().QueryType().Fields(&struct{ IncludeDeprecated bool }{}) {
		if chain := graph.Chain(field.Name()); chain.Valid() {
			chains = append(chains, chain)
		} else {
			assert.Fail(t, "the schema has a chain without a value", field.Name())
		}
	}
	assert.ElementsMatch(t, graph.Chains, chains)
}

func TestEveryOperationIsValidOnEveryChain(t *testing.T) {
	parsed := schema(t)
	require.NotEmpty(t, graph.Operations)
	required := regexp.MustCompile(`\$(\w+): String!`)
	for _, operation := range graph.Operations {
		variables := map[string]any{}
		for _, variable := range required.FindAllStringSubmatch(operation.Document, -1) {
			variables[variable[1]] = "a"
		}
		for _, chain := range graph.Chains {
			text, err := chain.Apply(operation.Document)
			require.NoError(t, err, operation.Name)
			assert.Empty(t, parsed.ValidateWithVariables(text, variables), "%s on %s", operation.Name, chain)
		}
		assert.Equal(t, []document.Operation{{Type: document.Query, Name: operation.Name}}, document.Operations(operation.Document))
	}
	assert.NotEmpty(t, parsed.Validate(`{ ethereum { nope } }`), "the validation can fail")
}

func TestOperationsAreThoseOfTheFiles(t *testing.T) {
	files, err := filepath.Glob("queries/*.graphql")
	require.NoError(t, err)
	var written []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, operation := range document.Operations(string(text)) {
			written = append(written, operation.Name)
		}
	}
	var generated []string
	for _, operation := range graph.Operations {
		generated = append(generated, operation.Name)
	}
	slices.Sort(written)
	assert.Equal(t, written, generated)
}

// TestEveryInterfaceIsDecodable holds the table of variants against the generated interfaces.
func TestEveryInterfaceIsDecodable(t *testing.T) {
	source, err := os.ReadFile("graph.gen.go")
	require.NoError(t, err)
	names := func(pattern string) []string {
		var found []string
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
			found = append(found, match[1])
		}
		return found
	}
	interfaces := names(`(?m)^type (\w+) interface`)
	require.NotEmpty(t, interfaces)
	assert.Equal(t, interfaces, names(`envelope\.VariantOf\(func\(typename string, raw func\(\) \[\]byte\) (\w+) `))
	assert.Equal(t, interfaces, names(`(?m)^type (\w+)Unknown struct`))
	assert.Empty(t, names(`(UnmarshalJSON)`), "records are decoded in one place")
}
