package scan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// grammar has every kind of value, and what JSON does not allow in its place.
var grammar = []string{
	"0", "-0", "10", "0.5", "-0.50", "1e5", "1E5", "1e+5", "1e-05", "12.034E0", "123456789.987654321e-100",
	"true", "false", "null", `""`, `"a"`, "{}", "[]", " { } ", "\t[\r]\n", `{"":0}`, `{"a":1,"b":2}`,
	"{ \"a\" :\t1 ,\n\"b\"\r: 2 }", `[1,2]`, "[ 1 , 2 ]", `{"a":{"b":[{},[]]}}`, `{"ä":"ö"}`, `["\ud83d\ude00"]`,
	`{"a\u0062":1,"ab":2,"a":{"b":1},"a":{"c":2}}`, `{"a name of more than eight bytes":1,"mit Umläuten, auch ßo":2}`,
	"", " ", "-", "+1", ".5", "1.", "1.e1", "-.5", "1e", "1e+", "1e-", "1ee1", "1d5", "--1",
	"01", "1 .5", "0x0", "1;", "1:", "1\v",
	"tru", "truE", "fals", "falze", "nul", "nulL", "nil", "True", "t", "n", "f", "trues", "{} {}", "[] 1", `"a"b`, "1/5",
	`"`, `"a`, `a"`, "'a'", "{", "}", "[", "]", "{]", "[}", "{,}", "[,]", "[1,]", `{"a":1,}`, "[1 2]", "[1,,2]", "1\x005",
	`{"a" 1}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{"a":1,,"b":2}`, `{a:1}`, `{1:1}`, `{"a":1,b:2}`, `{"a":1;"b":2}`,
	`{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,"`, "{\"a\nb\":1}", "[1", "[1,", "\xa01", "\x001", "\x00",
	`["a",tru`, `["a",fals`, "[1,nul", "\"a\nb\"", `{:1}`,
	"{\"\x80\":0}", "{\"a\xff\":2}", "[\"\\n\x80\"]", "[\"\xc0\\n\"]", `"À\n"`, "\"\xc3\"", "\"a\\n\xff\"",
	`"\"\\\/\b\f\n\r\t"`, `"\u0000\u0041\u00e4\u00E4\uABCD\uf09F\uFFFD"`, `"a\u0062c\n\u0064ü\u00fcü"`,
	`"\a"`, `"\x41"`, `"\'"`, `"\0"`, `"\U0041"`, `"\u"`, `"\u004"`, `"\u00g1"`, `"\u 041"`, `"\u00`, `"\u0041`, `"\`,
	`"\ud83d"`, `"\ud83d!"`, `"\ud83d\n"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`, `"\ud83d\ud83d"`, `"\ud83dxude00"`,
	`"\ud83d\xde00"`, `"\ud83d\`, `"\ud83d\ude00`,
}

// readAny reads a value as encoding/json does.
func readAny(s *scan.Scanner) any {
	switch s.Peek() {
	case '{':
		fields := map[string]any{}
		for s.Open('{'); s.Member(); {
			name := string(s.Name)
			fields[name] = readAny(s)
		}
		return fields
	case '[':
		list := []any{}
		for s.Open('['); s.Next(']'); {
			list = append(list, readAny(s))
		}
		return list
	case 't', 'f':
		text, _ := s.Raw()
		return string(text) == "true"
	case 'n':
		s.Null()
		return nil
	case '"':
		return s.Keep(s.Spelled())
	}
	return json.Number(s.Spelled())
}

// FuzzScanner compares a Scanner with encoding/json: both accept the same texts, with the same values.
func FuzzScanner(f *testing.F) {
	for _, raw := range grammar {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = slices.Clip(raw)
		s := scan.New(raw)
		spelled, _ := s.Raw()
		require.Equal(t, json.Valid(raw), s.End(), "%q", raw)
		read := scan.New(raw)
		got := readAny(read)
		require.Equal(t, s.End(), read.End(), "%q", raw)
		if !s.End() {
			return
		}
		require.Equal(t, bytes.Trim(raw, " \t\r\n"), spelled, "as it is spelled")
		var want any
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&want))
		require.Equal(t, want, got, "%q", raw)
	})
}

// TestRaw_readsValuesOfAnyDepth reads values in as many levels as may be kept.
func TestRaw_readsValuesOfAnyDepth(t *testing.T) {
	for inner, deep := range map[string]bool{
		`1`: false, `"\"[["`: false, `[]`: true, `{"a":[1]}`: true, hostile.Nested(`{"a":`, `[]`, `}`, 1_000_000): true,
	} {
		raw := hostile.Nested(`[`, inner, `]`, scan.MaxDepth-1)
		s := scan.New([]byte(`[` + raw + `,1]`))
		s.Open('[')
		require.True(t, s.Next(']'))
		text, isDeep := s.Raw()
		assert.True(t, raw == string(text), "%.20s", inner)
		assert.Equal(t, deep, isDeep, "%.20s", inner)
		require.True(t, s.Next(']'))
		_, isDeep = s.Raw()
		assert.False(t, isDeep, "the next value")
		assert.False(t, s.Next(']'))
		assert.True(t, s.End())
	}
	wide := scan.New([]byte("[[" + strings.Repeat("[],{},", 20_000) + "[]]]"))
	_, deep := wide.Raw()
	assert.False(t, deep, "what is closed does not count")
	assert.True(t, wide.End())
}

// TestRewind_readsValueAgain reads a value in another way after it failed.
func TestRewind_readsValueAgain(t *testing.T) {
	s := scan.New([]byte(`{"a": [["x"]],"b":1}`))
	s.Open('{')
	require.True(t, s.Member())
	from := s.Mark
	s.Open('[')
	s.Next(']')
	assert.Nil(t, s.Spelled())
	assert.Equal(t, scan.Fault{Reason: scan.Unreadable, At: 7}, s.Fault)
	s.Rewind(from)
	text, _ := s.Raw()
	assert.Equal(t, `[["x"]]`, string(text))
	assert.Zero(t, s.Lists)
	require.True(t, s.Member())
	assert.Equal(t, "1", string(s.Spelled()))
	assert.False(t, s.Member())
	assert.True(t, s.End())
}

// TestText_copiesBytes reads texts of all lengths, which may share memory, and changes the bytes they were read from.
func TestText_copiesBytes(t *testing.T) {
	var raw, want []string
	for length := range 40 {
		for _, letter := range "abc" {
			text := strings.Repeat(string(letter), length)
			want = append(want, text, text+"\n", text)
			raw = append(raw, fmt.Sprintf("%q,%q,%q", text, text+"\n", text))
		}
	}
	data := []byte("[" + strings.Join(raw, ",") + "]")
	var texts []string
	s := scan.New(data)
	for s.Open('['); s.Next(']'); {
		texts = append(texts, s.Keep(s.Spelled()))
	}
	require.True(t, s.End())
	clear(data)
	assert.Equal(t, want, texts)
}

// read reads a text as a string.
func read(raw string) (text string, ok bool) {
	s := scan.New([]byte(raw))
	text = s.Keep(s.Spelled())
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
	s.Open('{')
	require.True(t, s.Member())
	assert.Equal(t, "a", string(s.Name))
	s.Fail(scan.Unreadable, 1)
	s.Fail(scan.Large, 2)
	assert.Equal(t, scan.Fault{Reason: scan.Unreadable, At: 1}, s.Fault, "the first one counts")
	s.Open('[')
	assert.False(t, s.Next(']'))
	s.Skip()
	assert.Nil(t, s.Quoted())
	text, _ := s.Raw()
	assert.Nil(t, text)
	assert.Equal(t, 19, s.At)
	assert.False(t, s.Null())
	assert.Zero(t, s.Peek())
	assert.False(t, s.Member())
	assert.False(t, s.End())
}
