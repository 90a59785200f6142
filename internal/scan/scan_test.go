package scan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// read reads a text as a string.
func read(raw string) (text string, ok bool) {
	s := scan.New([]byte(raw))
	text = s.Text()
	return text, s.End()
}

// TestText_everyByteAtEveryPlace puts every byte at every place of a string that is looked at in groups of eight.
func TestText_everyByteAtEveryPlace(t *testing.T) {
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

func TestInt_readsIntegersInRange(t *testing.T) {
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "99999999999999999": 99999999999999999, "-9999999999999999": -9999999999999999,
		"999999999999999999": 999999999999999999, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
		" 12 ": 12,
	} {
		s := scan.New([]byte(raw))
		assert.Equal(t, want, s.Int(), raw)
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{
		"", "-", "01", "-01", "1.0", "1e1", "0x1", "1_0", "9223372036854775808", "-9223372036854775809", `"7"`, "true", "1 2",
		"null",
	} {
		s := scan.New([]byte(raw))
		s.Int()
		assert.False(t, s.End(), raw)
	}
}

// TestOdd_endsReading reads on after a Scanner has given up, as decoders do.
func TestOdd_endsReading(t *testing.T) {
	s := scan.New([]byte(`{"a":["b"],"c":"d"}`))
	s.Object()
	require.True(t, s.Member())
	assert.Equal(t, "a", string(s.Name))
	s.Fail()
	s.Array()
	assert.False(t, s.Element())
	s.Skip()
	assert.Nil(t, s.Quoted())
	assert.Nil(t, s.Raw())
	assert.Zero(t, s.Left())
	assert.False(t, s.Null())
	assert.False(t, s.Member())
	assert.False(t, s.End())
}

// TestRaw_returnsValueAsSpelled reads values of every kind as they are spelled.
func TestRaw_returnsValueAsSpelled(t *testing.T) {
	for _, raw := range []string{`{"a":[1, {}]}`, `[]`, `"\u00e4"`, `""`, `-1.5e+3`, `true`, `false`, `null`} {
		s := scan.New([]byte("\n" + raw + " "))
		assert.Equal(t, raw, string(s.Raw()))
		assert.Equal(t, 1, s.Left())
		assert.True(t, s.End(), raw)
	}
	assert.Nil(t, scan.New([]byte(`{"a":[1, {}}`)).Raw())
}

// TestLists_countsOpenArrays counts the arrays that are open.
func TestLists_countsOpenArrays(t *testing.T) {
	s := scan.New([]byte(`[[[]],"x"]`))
	s.Array()
	require.True(t, s.Element())
	s.Array()
	assert.Equal(t, 2, s.Lists)
	for s.Element() {
		s.Skip()
	}
	assert.Equal(t, 1, s.Lists)
	require.True(t, s.Element())
	assert.Equal(t, "x", s.Text())
	assert.False(t, s.Element())
	assert.Zero(t, s.Lists)
	assert.True(t, s.End())
}

// TestRelease_resetsScanner although it gave up in the middle of a text.
func TestRelease_resetsScanner(t *testing.T) {
	for _, before := range []string{`["a","b\n`, `{"a":[[1`, `["a","a"]`, `["` + strings.Repeat(`\n`, 1<<16) + `"]`} {
		s := scan.New([]byte(before))
		for s.Array(); s.Element(); {
			s.Text()
		}
		s.Release()
		s = scan.New([]byte(`["a","b\n"]`))
		var texts []string
		for s.Array(); s.Element(); {
			texts = append(texts, s.Text())
		}
		assert.True(t, s.End(), before)
		assert.Equal(t, []string{"a", "b\n"}, texts)
		s.Release()
	}
}

func TestTypename_findsName(t *testing.T) {
	for text, want := range map[string]string{
		`{"__typename":"X"}`: "X", `{"a":{"__typename":"Y"},"__typename":"X"}, "b"`: "X", ` {"__typename" : "X"}`: "X",
		`{"a":1,"__typename" : "X"}`: "X",
		`{}`:                         "", `7`: "", `"__typename"`: "", ``: "", `{"a":1}`: "", `{"__typename":7}`: "",
		`{"a":{"__typename":"Y"}}`: "",
		`{"typename":"X"}`:         "",
		`{"a":1,"__typename":"X"`:  "X", `{"__typename":"Y","__typename":"X"}`: "X",
		`{"__typename":"Y","__typename":null}`: "", `{"__typename":`: "",
		"{\"__typename\":\"a\xff\"}": "a\uFFFD",
	} {
		assert.Equal(t, want, scan.Typename([]byte(text)), text)
	}
}
