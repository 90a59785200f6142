package document_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/document"
)

func TestVariables(t *testing.T) {
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
		assert.Equal(t, want, document.Variables(text), text)
	}
}

func FuzzVariables(f *testing.F) {
	for _, seed := range []string{`query ($a: A = "$b") { c(d: $e) }`, `$`, `$$a`, `"$a`, `"""$a`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := document.Variables(text)
		for _, name := range found {
			require.NotEmpty(t, name)
			require.Contains(t, text, name)
		}
		require.Equal(t, found, document.Variables("# $first\n"+text), "a comment in front changes nothing")
	})
}
