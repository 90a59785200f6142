package document_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/document"
)

func TestOperations(t *testing.T) {
	query := func(names ...string) []document.Operation {
		var all []document.Operation
		for _, name := range names {
			all = append(all, document.Operation{Type: document.Query, Name: name})
		}
		return all
	}
	for text, want := range map[string][]document.Operation{
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
		`"never closed } mutation B { a }`:                          nil,
		`"""never closed mutation B { a }`:                          nil,
		"query A { a(text: \"ends with its line\n) } query C { c }": query("A", "C"),
		`mutation Make { a }`:                                       {{Type: document.Mutation, Name: "Make"}},
		`subscription { a }`:                                        {{Type: document.Subscription}},
		`query A { a } mutation B { b }`:                            {{Type: document.Query, Name: "A"}, {Type: document.Mutation, Name: "B"}},
		`fragment F on T { a } mutation B { b }`:                    {{Type: document.Mutation, Name: "B"}},
		`} mutation B { b }`:                                        {{Type: document.Mutation, Name: "B"}},
		`schema { query: mutation }`:                                nil,
	} {
		assert.Equal(t, want, document.Operations(text), text)
	}
}

func FuzzOperations(f *testing.F) {
	for _, seed := range []string{
		`query A($f: F = {a: "}"}) { a(text: """ " \""" """) } mutation B { b } # c`, `"`, `"""`, `\`, "#\r", `{{{`, `}}}`, `query`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := document.Operations(text)
		for _, operation := range found {
			require.Contains(t, text, operation.Name)
			require.NotContains(t, operation.Name, " ")
		}
		// A comment in front changes nothing.
		require.Equal(t, found, document.Operations("# mutation {\n"+text))
		// A whole operation in front is one more.
		first := document.Operation{Type: document.Query, Name: "First"}
		require.Equal(t, append([]document.Operation{first}, found...), document.Operations("query First { a } "+text))
	})
}
