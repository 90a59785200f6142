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
			valid := c >= ' ' && c != '"' && c != '\\'
			require.Equal(t, valid, ok, "byte %#x at %d", c, place)
			if valid {
				require.Equal(t, before+string([]rune(string([]byte{byte(c)})))+after, text)
			}
			text, ok = read(`"` + before + `\n` + "ä" + after + `"`)
			require.True(t, ok)
			require.Equal(t, before+"\nä"+after, text)
		}
	}
}

// TestOdd_endsReading reads on after a Scanner has given up, as decoders do.
func TestOdd_endsReading(t *testing.T) {
	s := scan.New([]byte(`{"a":["b"],"c":"d"}`))
	s.Object()
	require.True(t, s.Member())
	assert.Equal(t, "a", string(s.Name))
	s.Fail(scan.Unreadable, 1, nil)
	s.Fail(scan.Large, 2, nil)
	assert.Equal(t, scan.Fault{Reason: scan.Unreadable, At: 1}, s.Fault(), "the first one counts")
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
