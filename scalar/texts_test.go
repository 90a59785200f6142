package scalar_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestTextsRead(t *testing.T) {
	tests := []struct {
		name, in string
		want     scalar.Texts
		encoded  string
	}{
		{"one text", `"eth_call"`, scalar.Texts{"eth_call"}, `"eth_call"`},
		{"two texts", `["network", "arbitrum-mainnet"]`, scalar.Texts{"network", "arbitrum-mainnet"}, `["network","arbitrum-mainnet"]`},
		{"an array of one", `["network"]`, scalar.Texts{"network"}, `"network"`},
		{"an empty text", `""`, scalar.Texts{""}, `""`},
		{"an empty array", `[ ]`, scalar.Texts{}, `[]`},
		{"null", `null`, nil, `null`},
		{"a number", `200`, scalar.Texts{"200"}, `"200"`},
		{"a number in an array", `["status", 2e2]`, scalar.Texts{"status", "2e2"}, `["status","2e2"]`},
		{"a digit in an array", `[1, "b"]`, scalar.Texts{"1", "b"}, `["1","b"]`},
		{"null in an array", `[null, "b"]`, scalar.Texts{"", "b"}, `["","b"]`},
		{"an escaped text", `["a\u0062\"", "\n"]`, scalar.Texts{`ab"`, "\n"}, `["ab\"","\n"]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustDecode[scalar.Texts](t, test.in)
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.encoded, mustEncode(t, got))
			assert.Equal(t, got, mustDecode[scalar.Texts](t, test.encoded))
		})
	}
	checkPlaces[scalar.Texts](t, `["network", "arbitrum-mainnet"]`)
	checkPlaces[scalar.Texts](t, `"eth_call"`)
}

func TestTextsRefuse(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"an object", `{}`, "scalar: Texts cannot be read from a JSON object"},
		{"a boolean", `true`, "scalar: Texts cannot be read from a JSON boolean"},
		{"an object in an array", `["a", {}]`, "scalar: an item of Texts cannot be read from a JSON object"},
		{"an array in an array", `[["a"]]`, "scalar: an item of Texts cannot be read from a JSON array"},
		{"a boolean in an array", `[false]`, "scalar: an item of Texts cannot be read from a JSON boolean"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := decode[scalar.Texts](test.in)
			require.EqualError(t, err, test.want)
			assert.Nil(t, got, "nothing is half read")
		})
	}
}

func FuzzTexts(f *testing.F) {
	for _, seed := range []string{
		`"eth_call"`, `["network","arbitrum-mainnet"]`, `[]`, `null`, `[null]`, `[1, "2", 3e400]`, `""`, `[["a"]]`, `{}`, `"\ud800"`, `[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		texts, ok := checkRoundTrip[scalar.Texts](t, data)
		if !ok {
			require.Nil(t, texts)
		}
	})
}
