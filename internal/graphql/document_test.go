package graphql_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

// TestOperations_readsTypesAndNames has documents with operations, variables and texts that look like them.
func TestOperations_readsTypesAndNames(t *testing.T) {
	query := func(names ...string) (all []graphql.Operation) {
		for _, name := range names {
			all = append(all, graphql.Operation{Type: "query", Name: name})
		}
		return all
	}
	for text, want := range map[string][]graphql.Operation{
		``: nil, "#": nil, `{ a }`: query(""), "\uFEFF{a}": query(""), `query{a}`: query(""),
		`query Name { a }`: query("Name"), `query ($a: A) {a}`: query(""), "# query Comment {\nquery Name{a}": query("Name"),
		`query A { query { mutation } } query B { a }`:        query("A", "B"),
		`query A { a(text: "} mutation B {") } query C { c }`: query("A", "C"),
		`mutation Make { a }`:                                 {{Type: "mutation", Name: "Make"}},
		`subscription { a }`:                                  {{Type: "subscription"}},
		`query A { a } mutation B { b }`:                      {{"query", "A"}, {"mutation", "B"}},
		`query A { a } ? mutation B { b }`:                    {{}},
		`"never closed } mutation B { a }`:                    {{}},
	} {
		assert.Equal(t, want, graphql.Operations(text), text)
	}
}
