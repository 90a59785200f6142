package scan_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// read reads a text as a string.
func read(raw string) (text string, ok bool) {
	s := scan.New([]byte(raw))
	scan.Text(s, &text)
	return text, s.End()
}

// TestEveryByteOfAString puts every byte at every place of a string that is looked at in groups of eight.
func TestEveryByteOfAString(t *testing.T) {
	for c := range 256 {
		for place := range 17 {
			before, after := strings.Repeat("x", place), strings.Repeat("y", 16-place)
			text, ok := read(`"` + before + string([]byte{byte(c)}) + after + `"`)
			plain := c >= ' ' && c != '"' && c != '\\' && c < 0x80
			require.Equal(t, plain, ok, "byte %#x at %d", c, place)
			if plain {
				require.Equal(t, before+string(rune(c))+after, text)
			}
			text, ok = read(`"` + before + `\n` + "ä" + after + `"`)
			require.True(t, ok)
			require.Equal(t, before+"\nä"+after, text)
		}
	}
}

func TestIntegers(t *testing.T) {
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "99999999999999999": 99999999999999999, "-9999999999999999": -9999999999999999,
		"999999999999999999": 999999999999999999, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, " 12 ": 12, "null": 0,
	} {
		var got int64
		s := scan.New([]byte(raw))
		scan.Int(s, &got)
		assert.True(t, s.End(), raw)
		assert.Equal(t, want, got, raw)
	}
	for _, raw := range []string{
		"", "-", "01", "-01", "1.0", "1e1", "0x1", "1_0", "9223372036854775808", "-9223372036854775809", `"7"`, "true", "1 2", "nul",
	} {
		s := scan.New([]byte(raw))
		scan.Int(s, new(int64))
		assert.False(t, s.End(), raw)
	}
}

// TestNothingIsReadAfterOdd reads on after a Scanner has given up, as decoders do.
func TestNothingIsReadAfterOdd(t *testing.T) {
	s := scan.New([]byte(`{"a":["b"],"c":"d"}`))
	s.Object()
	require.True(t, s.Member())
	assert.Equal(t, "a", string(s.Name()))
	s.Odd()
	assert.Equal(t, 4, s.Read()-1, "it tells how far it came")
	var texts []string
	scan.List(s, &texts, scan.Text)
	s.Skip()
	assert.Empty(t, texts)
	assert.False(t, s.Null())
	assert.False(t, s.Member())
	assert.False(t, s.End())
}

// TestShortTextsAreShared reads a list that repeats a text, and one in which no text comes twice.
func TestShortTextsAreShared(t *testing.T) {
	read := func(raw string) func() {
		return func() {
			var texts []string
			s := scan.New([]byte(raw))
			scan.List(s, &texts, scan.Text)
			require.True(t, s.End())
			runtime.KeepAlive(texts)
		}
	}
	same := testing.AllocsPerRun(10, read(`[`+strings.Repeat(`"mainnet",`, 499)+`"mainnet"]`))
	long := testing.AllocsPerRun(10, read(`[`+strings.Repeat(`"a text that is too long to share it",`, 499)+`"x"]`))
	assert.Less(t, same, 20.0)
	assert.Greater(t, long, 499.0)
}
