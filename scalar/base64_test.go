package scalar_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestBase64_readsEachAlphabet(t *testing.T) {
	for in, want := range map[string]scalar.Base64{
		`""`: "", `null`: "", `"cmV0dXJuIDE="`: "return 1", `"cmV0dXJuIDE"`: "return 1", `" cmV0dXJuIDE=\n"`: "return 1",
		`"w7_DvzA="`: "ÿÿ0", `"w7/DvzA="`: "ÿÿ0", `"return 1"`: "return 1", `"/w=="`: "/w==",
		`"cmV0dXJuIDF="`: "cmV0dXJuIDF=",
	} {
		got := scalar.Base64("before")
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		assert.Equal(t, want, got, in)
	}
	require.EqualError(t, json.Unmarshal([]byte(`{"a":7}`), new(scalar.Base64)), "scalar: Base64 must be a JSON string")
	text, err := json.Marshal(scalar.Base64("cmV0dXJuIDE="))
	require.NoError(t, err)
	assert.Equal(t, `"Y21WMGRYSnVJREU9"`, string(text), "it is encoded once, whatever it looks like")
}

func FuzzBase64(f *testing.F) {
	for _, text := range []string{"", "return 1", "cmV0dXJuIDE=", "ü\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var read scalar.Base64
		_ = read.UnmarshalJSON([]byte(text))
		encoded, err := json.Marshal(scalar.Base64(text))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &read))
		if utf8.ValidString(text) {
			require.Equal(t, scalar.Base64(text), read)
		}
	})
}
