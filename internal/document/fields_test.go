package document_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/document"
)

func TestFields(t *testing.T) {
	for text, want := range map[string][]string{
		`{ a b }`:                            {"a", "b"},
		`query A { a: b, c }`:                {"a", "c"},
		`query A($f: F = {d: "}"}) @e { a }`: {"a"},
		`{ a(b: {c: {d: 1}}) @e(f: {g: 1}) @h { i { j } } k }`: {"a", "k"},
		`query A { a } mutation B { b }`:                       {"a", "b"},
		`query A { a { ...F } } fragment F on T { b { c } }`:   {"a"},
		`fragment F on T { b { c } } query A { a { ...F } }`:   {"a"},
		`query fragment { a }`:                                 {"a"},
		`{ a(b: "}") # c` + "\n d }":                           {"a", "d"},
		`{ a: fragment fragment: b }`:                          {"a", "fragment"},
		`{ a ...F } fragment F on Query { b }`:                 nil,
		`{ ... on Query { b } }`:                               nil,
		`{ a @skip(if: true) ... @b { c } }`:                   nil,
		``:                                                     {},
		`{ a { b`:                                              {"a"},
		`{ a: `:                                                {"a"},
	} {
		got := document.Fields(text)
		if want == nil {
			assert.Nil(t, got, text)
			continue
		}
		assert.Equal(t, want, append([]string{}, slices.Sorted(maps.Keys(got))...), text)
	}
}

func FuzzFields(f *testing.F) {
	for _, seed := range []string{`{ a: b(c: {d: ")"}) @e { f } }`, `query A($f: F = {a: 1}) { a }`, `{ ...F }`, `fragment F on T { a }`, `((`, `}}`, `{{`, `@`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields := document.Fields(text)
		for name := range fields {
			require.Contains(t, text, name)
		}
		// A whole operation in front adds its own fields and changes no others.
		more := document.Fields("query First { first } " + text)
		require.Equal(t, fields == nil, more == nil)
		if fields != nil {
			fields["first"] = true
			require.Equal(t, fields, more)
		}
	})
}
