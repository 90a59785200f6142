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
		`query mutation { a }`:                                      query("mutation"),
		`query A { query { mutation } } query B { a }`:              query("A", "B"),
		`fragment mutation on T { a } query A { ...mutation }`:      query("A"),
		`query A($f: F = {mutation: "}"}, $g: [G] = [{a: 1}]) {a}`:  query("A"),
		`query A { a(text: "} mutation B {") } query C { c }`:       query("A", "C"),
		`query A { a(text: """ " } mutation B { \""" }""") } {c}`:   query("A", ""),
		`mutation Make { a }`:                                       {{Type: "mutation", Name: "Make"}},
		`subscription { a }`:                                        {{Type: "subscription"}},
		`query A { a } mutation B { b }`:                            {{"query", "A"}, {"mutation", "B"}},
		`fragment F on T { a } mutation B { b }`:                    {{"mutation", "B"}},
		`query A { a } ? mutation B { b }`:                          {{}},
		`"never closed } mutation B { a }`:                          {{}},
		"query A { a(text: \"ends with its line\n) } query C { c }": {{}},
		`} mutation B { b }`:                                        {{}},
	} {
		assert.Equal(t, want, graphql.Operations(text), text)
	}
}
