package scalar

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// literals are seeds for what takes JSON values and numbers apart.
var literals = []string{
	``, ` `, `null`, ` null `, `nul`, `nulll`, `true`, `"`, `""`, `"a"`, `"a"b"`, `"a\`, `"a\"`, `"a\"b"`, `"\u00e4\ud83d\ude00"`, `"\ud800x\udc00"`, `"\x"`, "\"\x1f\"", "\"\x7f\"",
	"\"\xff\xc3\xc3\xa4\"", `"ä€😀"`, `-`, `0`, `-0`, `01`, `-01`, `1.`, `.1`, `1.5`, `1e`, `1e+`, `1E-5`, `1e5.`, `+1`, `1_0`, `0x1`, `12 3`, "1\n", `123456789012345678`, `-1234567890123456789`,
	`[]`, `[ ]`, `[1]`, `[,]`, `[1,]`, `[1 , "a,]\"" ,[2,{"k":"]"}], null]`, `[[],{}]`, `{"a":[1,2]}`, "\u00a01", "\v1", `1/2`, `Inf`,
}

func FuzzValidate(f *testing.F) {
	for _, seed := range literals {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, ok := validate(data)
		require.Equal(t, json.Valid(data), ok)
		if !ok {
			return
		}
		require.Equal(t, string(bytes.TrimSpace(data)), string(value))
		switch kindOf(value[0]) {
		case kindString:
			var want string
			require.NoError(t, json.Unmarshal(data, &want))
			got, err := readLiteral("Text", value, kindString)
			require.NoError(t, err)
			require.Equal(t, want, string(got.text))
			require.True(t, utf8.Valid(got.text))
		}
	})
}

// numberPattern and hexPattern are what cutNumber and cutHex take apart, said in another way.
var (
	numberPattern = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)
	hexPattern    = regexp.MustCompile(`^(-?)0[xX]([0-9a-fA-F]+)$`)
)

func FuzzCutNumber(f *testing.F) {
	for _, seed := range append(literals, "0xfF", "-0X0", "0x", "-0x1g", "0x+1", "1e-05", "00.10E+007") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := numberPattern.FindStringSubmatch(text)
		got, ok := cutNumber(text)
		require.Equal(t, want != nil, ok)
		if ok {
			require.Equal(t, want[1:], []string{map[bool]string{true: "-"}[got.negative], got.whole, got.fraction, got.exponent})
		}
		if v, ok := smallInteger([]byte(text)); ok {
			require.True(t, got.isInteger())
			exact, err := parseInteger(text)
			require.NoError(t, err)
			require.True(t, exact.IsInt64() && exact.Int64() == v)
		}
		want = hexPattern.FindStringSubmatch(text)
		digits, ok := cutHex(text)
		require.Equal(t, want != nil, ok)
		if ok {
			require.Equal(t, want[2], digits)
		}
	})
}

// TestEscapedMarkInEveryCase makes sure that no letter but those of ASCII is another case of the escaped mark's
// letters, which is what isRedactedURL takes for granted.
func TestEscapedMarkInEveryCase(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		assert.False(t, bytes.ContainsRune([]byte("%5bredacted%5d"), unicode.ToLower(r)), "%U", r)
	}
	for text, want := range map[string]bool{
		"%5bredacted%5d": true, "a%%5BREDACTED%5Dz": true, "%5bredacted%5": false, "%5bredacted": false, "%5b%5bredacted%5d": true, "[redacted": false, "%": false, "": false,
	} {
		assert.Equal(t, want, isRedactedURL([]byte(text)), text)
	}
}
