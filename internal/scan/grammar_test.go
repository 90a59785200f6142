package scan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// TestSkip_acceptsOnlyJSON skips values of every kind, and all that JSON does not allow in their places.
func TestSkip_acceptsOnlyJSON(t *testing.T) {
	for _, raw := range []string{
		"0", "-0", "10", "0.5", "-0.50", "1e5", "1E5", "1e+5", "1e-05", "12.034E0", "123456789.987654321e-100",
		"true", "false", "null", `""`, `"a"`, "{}", "[]", " { } ", "\t[\r]\n", `{"":0}`, `{"a":1,"b":2}`,
		"{ \"a\" :\t1 ,\n\"b\"\r: 2 }", `[1,2]`, "[ 1 , 2 ]",
		`{"a":{"b":[{},[]]}}`, `{"ä":"ö"}`, `["\ud83d\ude00"]`, `{"a\u0062":1}`,
	} {
		s := scan.New([]byte(raw))
		s.Skip()
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{
		"", " ", "-", "+1", ".5", "1.", "1.e1", "-.5", "1e", "1e+", "1e-", "1ee1", "--1",
		"tru", "truE", "fals", "falze", "nul", "nulL", "nil", "True", "t", "n", "f",
		`"`, `"a`, `a"`, "'a'", "{", "}", "[", "]", "{]", "[}", "{,}", "[,]", "[1,]", `{"a":1,}`, "[1 2]", "[1,,2]",
		`{"a" 1}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`,
		`{"a":1,,"b":2}`, `{a:1}`, `{1:1}`, `{"a":1,b:2}`, `{"a":1;"b":2}`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`,
		`{"a":1,"`, "{\"\x80\":0}", "{\"a\xff\":2}", "{\"a\nb\":1}",
		"[1", "[1,", "\xa01", "\x001", "\x00", "-\x00", `["a",tru`, `["a",fals`, "[1,nul", `{"a":1,`, `"\a"`, `"\u00"`,
		"\"a\nb\"", "[\"\\n\x80\"]", "[\"\xc0\\n\"]",
	} {
		s := scan.New(slices.Clip([]byte(raw)))
		s.Skip()
		assert.Zero(t, s.Left(), "%q: it has given up", raw)
		assert.False(t, s.End(), raw)
	}
	for _, raw := range []string{"01", "00", "1 .5", "1+", "0x0", "1;", "1:", "trues", "{} {}", "[] 1", "1\v", "1/5",
		"1\x005", "1/", "-1,", `"a"b`} {
		s := scan.New(slices.Clip([]byte(raw)))
		s.Skip()
		assert.NotZero(t, s.Left(), "%q: a value is there", raw)
		assert.False(t, s.End(), raw)
	}
}

// TestText_readsEscapes reads every escape of one letter, and the code units of UTF-16.
func TestText_readsEscapes(t *testing.T) {
	for raw, want := range map[string]string{
		`\"`: `"`, `\\`: `\`, `\/`: "/", `\b`: "\b", `\f`: "\f", `\n`: "\n", `\r`: "\r", `\t`: "\t",
		`\u0000`: "\x00", `\u0041`: "A", `\u00e4`: "ä", `\u00E4`: "ä", `\uABCD`: "\uabcd", `\uabcd`: "\uabcd",
		`\uf09F`: "\uf09f", `\u1289`: "\u1289", `\uFFFD`: "\ufffd",
		`\ud83d\ude00`: "😀", `\uD83D\uDE00!`: "😀!", `a\u0062c\n\u0064`: "abc\nd", `ü\u00fcü`: "üüü", `À\n`: "À\n",
	} {
		text, ok := read(`"` + raw + `"`)
		assert.True(t, ok, raw)
		assert.Equal(t, want, text, raw)
	}
	for _, raw := range []string{
		`\`, `\a`, `\x41`, `\'`, `\0`, `\U0041`, `\u`, `\u004`, `\u00g1`, `\u004G`, `\u00/1`, `\u00:1`, "\\u00`1", `\u00@1`,
		`\u 041`,
		`\ud83d`, `\ud83d!`, `\ud83d\n`, `\ud83d\u0041`, `\ude00\ud83d`, `\ud83d\ud83d`, `\ud83dxude00`, `\ud83d\xde00`,
		"a\\n\xff", "\xff\\n", "\xc3", "\\n\x01",
	} {
		_, ok := read(`"` + raw + `"`)
		assert.False(t, ok, raw)
	}
	for _, cut := range []string{`"\`, `"\u`, `"\u00`, `"\u0041`, `"a\n`, `"ä`, `"\ud83d\`, `"\ud83d\u`, `"\ud83d\ude00`} {
		_, ok := read(cut)
		assert.False(t, ok, cut)
	}
}

// TestScanner_boundsNesting opens as many brackets as are allowed, and one more.
func TestScanner_boundsNesting(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		for depth, want := range map[int]bool{100: true, 101: false} {
			inner := "1"
			s := scan.New([]byte(strings.Repeat(brackets[0], depth) + inner + strings.Repeat(brackets[1], depth)))
			s.Skip()
			assert.Equal(t, want, s.End(), "%d of %s", depth, brackets[0])
		}
	}
	wide := scan.New([]byte("[[" + strings.Repeat("[],{},", 200) + "[]]]"))
	wide.Skip()
	assert.True(t, wide.End(), "nor does it a level below")
	wide = scan.New([]byte("[" + strings.Repeat("[],{},", 200) + "[]]"))
	wide.Skip()
	assert.True(t, wide.End(), "what is closed does not count")
}

// TestMember_readsNamesAndRefusesDuplicates reads names with and without spaces around them, and those that come twice.
func TestMember_readsNamesAndRefusesDuplicates(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"a":1,"bc":2,"":3}`:                  {"a", "bc", ""},
		" { \"a\" : 1 , \"bc\" :2\t,\n\"\":3}": {"a", "bc", ""},
		`{"a name of more than eight bytes":1,"mit Umläuten, auch ßo":2}`: {"a name of more than eight bytes",
			"mit Umläuten, auch ßo"},
		`{"a\u0062":0,"aüb":1}`: {"ab", "aüb"},
	} {
		var names []string
		s := scan.New([]byte(raw))
		for s.Object(); s.Member(); s.Int() {
			names = append(names, string(s.Name))
		}
		assert.True(t, s.End(), raw)
		assert.Equal(t, want, names, raw)
	}
	s := scan.New([]byte(`1`))
	var names scan.FieldSet
	for _, number := range []uint{0, 5, 63} {
		assert.False(t, names.Has(number))
		assert.Same(t, s, s.Field(&names, number))
		assert.True(t, names.Has(number))
	}
	assert.False(t, names.Has(1))
	assert.Equal(t, int64(1), s.Int(), "each came once")
	s = scan.New([]byte(`1`))
	s.Field(&names, 5)
	assert.Zero(t, s.Int())
	assert.False(t, s.End())
}

// TestElement_stopsAtBrokenList asks for the next one if a text breaks off, or goes wrong.
func TestElement_stopsAtBrokenList(t *testing.T) {
	for _, raw := range []string{`[1,]`, `[1 2]`, `[1`, `[1,,`} {
		s := scan.New([]byte(raw))
		s.Array()
		require.True(t, s.Element())
		s.Int()
		if s.Element() {
			assert.Zero(t, s.Int(), raw)
			assert.False(t, s.Element(), raw)
		}
		assert.False(t, s.End(), raw)
	}
	s := scan.New([]byte(`[1,]`))
	s.Array()
	s.Element()
	s.Int()
	assert.False(t, s.Element())
	for _, raw := range []string{`{"a`, `{"a"`, `{"a" 1}`, `{1:2}`, `{a:2}`, `{,"a":1}`, "{\"a\n\":1}"} {
		s := scan.New([]byte(raw))
		s.Object()
		assert.False(t, s.Member(), raw)
		assert.Zero(t, s.Left(), raw)
	}
	for name, read := range map[string]func(*scan.Scanner){
		"object": (*scan.Scanner).Object, "array": (*scan.Scanner).Array, "string": func(s *scan.Scanner) { s.Quoted() },
		"text": func(s *scan.Scanner) { s.Text() },
	} {
		s := scan.New([]byte("1"))
		read(s)
		assert.Zero(t, s.Left(), "that is no %s", name)
	}
	for _, raw := range []string{"1.5", "1e1", "-1.5", "x"} {
		assert.Zero(t, scan.New([]byte(raw)).Int(), raw)
	}
}

// TestNull_readsOnlyNull reads them if they are there, and reports if they are not.
func TestNull_readsOnlyNull(t *testing.T) {
	s := scan.New([]byte(` null,null`))
	assert.True(t, s.Null())
	assert.Equal(t, 5, s.Left())
	assert.Equal(t, byte(','), s.Peek())
	assert.False(t, s.Null(), "that is a comma")
	assert.Equal(t, 5, s.Left(), "it is not read")
	assert.False(t, s.Literal(","+"nulk"))
	assert.False(t, s.End())
	assert.Equal(t, byte(0), scan.New([]byte(" \t\r\n")).Peek())
}

// TestText_copiesBytes reads texts of all lengths, which may share memory, and changes the bytes they were read from.
func TestText_copiesBytes(t *testing.T) {
	var raw, want []string
	for length := range 40 {
		for _, letter := range "abc" {
			text := strings.Repeat(string(letter), length)
			want = append(want, text, text+"z", text)
			raw = append(raw, fmt.Sprintf("%q,%q,%q", text, text+"z", text))
		}
	}
	data := []byte("[" + strings.Join(raw, ",") + "]")
	s := scan.New([]byte(`["a\n","b\n"]`))
	s.Array()
	for _, text := range []string{"a\n", "b\n"} {
		require.True(t, s.Element())
		assert.Equal(t, text, s.Text())
	}
	var texts []string
	s = scan.New(data)
	for s.Array(); s.Element(); {
		texts = append(texts, s.Text())
	}
	require.True(t, s.End())
	clear(data)
	assert.Equal(t, want, texts)
}

// TestText_repeatedShortTextsShareMemory looks at the addresses of texts.
func TestText_repeatedShortTextsShareMemory(t *testing.T) {
	shared := func(text string) bool {
		s := scan.New([]byte(`["` + text + `","` + text + `"]`))
		s.Array()
		require.True(t, s.Element())
		first := s.Text()
		require.True(t, s.Element())
		return unsafe.StringData(first) == unsafe.StringData(s.Text())
	}
	assert.True(t, shared("ab"))
	assert.True(t, shared(strings.Repeat("a", 24)))
	assert.False(t, shared(strings.Repeat("a", 25)))
	s := scan.New([]byte(`"ab" "ab"`))
	first := s.Text()
	assert.NotSame(t, unsafe.StringData(first), unsafe.StringData(s.Text()),
		"outside of a list there is nothing to repeat")
}
