package scan_test

import (
	"encoding/json"
	"math/big"
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

// TestNumbers_convertWithoutLoss reads integers and numbers from numbers and texts.
func TestNumbers_convertWithoutLoss(t *testing.T) {
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "99999999999999999": 99999999999999999, "-9999999999999999": -9999999999999999,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, " 12 ": 12,
		`"7"`: 7, `"-4900"`: -4900, "10.0": 10, `"10.0"`: 10, "1e3": 1000, "1.5E1": 15, "-0.0": 0, "0e99999999999": 0,
		`"1e2"`: 100, "-9.00719925e15": -9007199250000000, "9223372036854775807.00": 1<<63 - 1, "90071992547.1e1": 900719925471,
	} {
		s := scan.New([]byte(raw))
		assert.Equal(t, want, s.Int(), raw)
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{
		"", "-", "01", "-01", "0x1", "1_0", "9223372036854775808", "-9223372036854775809", "true", "1 2", "null", "[7]",
		"10.5", `"10.5"`, `"abc"`, `""`, `" 7"`, `"+7"`, `"007"`, `"0x7"`, `"1_0"`, `"7 8"`, "10e9223372036854775807",
		"0.1e-9223372036854775808", "1e99999999999", "12000e-3", "9007199254741e5", "900719925474.1e1", "9007199254740.993e3",
		"1e-1", `"9223372036854775808"`,
	} {
		s := scan.New([]byte(raw))
		s.Int()
		assert.False(t, s.End(), raw)
	}
	for raw, want := range map[string]float64{"1.5": 1.5, `"1.5"`: 1.5, `"-2"`: -2, `"1e-3"`: 0.001, "7": 7} {
		s := scan.New([]byte(raw))
		assert.InDelta(t, want, s.Float(), 0, raw)
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{`""`, `"NaN"`, `"Inf"`, `"1e400"`, "1e400", `"0x1p3"`, `"1,5"`, "true", "null"} {
		s := scan.New([]byte(raw))
		assert.Zero(t, s.Float(), raw)
		assert.False(t, s.End(), raw)
	}
	text, ok := read("-12345678901234567890.500")
	assert.True(t, ok)
	assert.Equal(t, "-12345678901234567890.500", text, "as it is spelled")
}

// FuzzInt compares integers from numbers and texts with exact arithmetic.
func FuzzInt(f *testing.F) {
	for _, seed := range []string{
		"7", "-0", "10.0", "10.5", "1e3", "1E-3", "1000e-3", "9223372036854775807", "9223372036854775808", "1e400",
		"0e9999999999",
		"", "x", "007", "0.1", "-1.0e+1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		quoted, err := json.Marshal(literal)
		require.NoError(t, err)
		number := json.Valid([]byte(literal)) && strings.TrimSpace(literal) == literal &&
			strings.Trim(literal, "-0123456789.eE+") == ""
		if mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e"); len(exponent) > 4 || len(mantissa) > 1000 {
			return // Exact arithmetic would take its time.
		}
		exact, isExact := new(big.Rat).SetString(literal)
		lossless := number && isExact && exact.IsInt() && exact.Num().IsInt64()
		s := scan.New(quoted)
		value := s.Int()
		readable := s.End()
		require.True(t, lossless || !readable)
		require.True(t, readable || !lossless || strings.ContainsAny(literal, "eE"), "without an exponent")
		if readable {
			require.Equal(t, exact.Num().Int64(), value)
		}
		if number {
			plain := scan.New([]byte(literal))
			require.Equal(t, value, plain.Int())
			require.Equal(t, readable, plain.End())
		}
	})
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
