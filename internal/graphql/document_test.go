package graphql_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
)

func TestOperations_readsTypesAndNames(t *testing.T) {
	query := func(names ...string) []graphql.Operation {
		var all []graphql.Operation
		for _, name := range names {
			all = append(all, graphql.Operation{Type: "query", Name: name})
		}
		return all
	}
	for text, want := range map[string][]graphql.Operation{
		``:                                 nil,
		`{ a }`:                            query(""),
		"\uFEFF{a}":                        query(""),
		`query{a}`:                         query(""),
		`query Name { a }`:                 query("Name"),
		`query ($a: A) {a}`:                query(""),
		`query @live {a}`:                  query(""),
		"# query Comment {\nquery Name{a}": query("Name"),
		"#":                                nil,
		"query #x\r Name {a}":              query("Name"),
		`query,Name,{a}`:                   query("Name"),
		`query mutation { a }`:             query("mutation"),
		`query A { query { mutation } } query B { a }`:              query("A", "B"),
		`fragment mutation on T { a } query A { ...mutation }`:      query("A"),
		`query A($f: F = {mutation: "}"}, $g: [G] = [{a: 1}]) {a}`:  query("A"),
		`query A { a(text: "} mutation B {") } query C { c }`:       query("A", "C"),
		`query A { a(text: "\"} mutation B {") } query C { c }`:     query("A", "C"),
		`query A { a(text: """ " } mutation B { \""" }""") } {c}`:   query("A", ""),
		`"a query in words" query A { a }`:                          query("A"),
		`"never closed } mutation B { a }`:                          {{}},
		`"""never closed mutation B { a }`:                          {{}},
		"query A { a(text: \"ends with its line\n) } query C { c }": {{Type: "query", Name: "A"}, {}},
		`query A { a } ? mutation B { b }`:                          {{Type: "query", Name: "A"}, {}},
		`mutation Make { a }`:                                       {{Type: "mutation", Name: "Make"}},
		`subscription { a }`:                                        {{Type: "subscription"}},
		`query A { a } mutation B { b }`: {{Type: "query", Name: "A"},
			{Type: "mutation", Name: "B"}},
		`fragment F on T { a } mutation B { b }`: {{Type: "mutation", Name: "B"}},
		`} mutation B { b }`:                     {{Type: "mutation", Name: "B"}},
		`schema { query: mutation }`:             nil,
	} {
		assert.Equal(t, want, graphql.Operations(text), text)
	}
}

func FuzzOperations(f *testing.F) {
	for _, seed := range []string{
		`query A($f: F = {a: "}"}) { a(text: """ " \""" """) } mutation B { b } # c`, `"`, `"""`, `\`, "#\r", `{{{`, `}}}`,
		`query`, `query ($a: A = "$b") { c(d: $e) }`, `$`, `$$a`, `"$a`, `"""$a`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, variables := graphql.Operations(text), graphql.VariableNames(text)
		for _, operation := range found {
			require.Contains(t, text, operation.Name)
			require.NotContains(t, operation.Name, " ")
		}
		for _, name := range variables {
			require.NotEmpty(t, name)
			require.Contains(t, text, name)
		}
		// A comment in front changes nothing.
		require.Equal(t, found, graphql.Operations("# mutation {\n"+text))
		require.Equal(t, variables, graphql.VariableNames("# $first\n"+text))
		// A whole operation in front is one more.
		first := graphql.Operation{Type: "query", Name: "First"}
		require.Equal(t, append([]graphql.Operation{first}, found...), graphql.Operations("query First { a } "+text))
	})
}

func TestVariableNames_readsNames(t *testing.T) {
	for text, want := range map[string][]string{
		``:                      nil,
		`{ a }`:                 nil,
		`query ($a: Int) { a }`: {"a"},
		`query ($ a : Int) {a}`: {"a"},
		`query ($a: A, $b_1: B = {c: "$d"}) { a(b: $b_1, c: $e) }`: {"a", "b_1", "e"},
		"query { a # $b\n(c: $d) }":                                {"d"},
		`{ a(text: """ $b """, c: "$d") }`:                         nil,
		`$`:                                                        nil,
		`$1`:                                                       nil,
	} {
		assert.Equal(t, want, graphql.VariableNames(text), text)
	}
}
