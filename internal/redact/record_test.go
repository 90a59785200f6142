package redact_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

type part struct {
	ID    int
	Label *string
}

type ship struct {
	Name     string
	Nickname *string
	Count    int
	On       bool
	Share    float64
	At       time.Time
	Token    scalar.Secret
	URL      *scalar.SecretURL
	Number   *scalar.BigInt
	Parts    []part
	More     []*part
	Texts    []string
	Map      map[string]*part
	Any      any
	Raw      []byte
	hidden   *int
}

func printed(record any) string {
	var text bytes.Buffer
	redact.Record(&text, record)
	return text.String()
}

func TestRecord_printsFields(t *testing.T) {
	url := scalar.NewSecretURL("https://a.example.com/t0k3n")
	for want, record := range map[string]any{
		`part{ID: 0}`: part{},
		`ship{Name: "", Count: 0, On: false, Share: 0}`: ship{hidden: new(7)},
		`ship{Name: "a\nb", Nickname: "", Count: -1, On: true, Share: 0.5}`: ship{Name: "a\nb",
			Nickname: new(""), Count: -1, On: true, Share: 0.5},
		`ship{Name: "", Count: 0, On: false, Share: 0, Token: [redacted]}`: ship{
			Token: scalar.NewSecret("t0k3n")},
		`ship{Name: "", Count: 0, On: false, Share: 0, Number: 7}`: ship{
			Number: new(scalar.BigIntFrom(7))},
		`ship{Name: "", Count: 0, On: false, Share: 0, URL: https://a.example.com/[redacted]}`: ship{URL: &url},
		`ship{Name: "", Count: 0, On: false, Share: 0, Parts: [{ID: 1, Label: "x"}, {ID: 2}], More: [nil, {ID: 3}]}`: ship{
			Parts: []part{{1, new("x")}, {ID: 2}}, More: []*part{nil, {ID: 3}}},
		`ship{Name: "", Count: 0, On: false, Share: 0, Map: {"[redacted]": nil}}`: ship{
			Map: map[string]*part{"0123456789abcdef0123456789abcdef": nil}},
		`ship{Name: "", Count: 0, On: false, Share: 0, Parts: [], Map: {}}`: ship{Parts: []part{}, Map: map[string]*part{}},
		`ship{Name: "", Count: 0, On: false, Share: 0, Texts: ["a", "b"], Map: {"k": {ID: 4}, "l": nil}, Any: part{ID: 5}, Raw: (3 bytes)}`: ship{
			Texts: []string{"a", "b"}, Map: map[string]*part{"l": nil, "k": {ID: 4}}, Any: part{ID: 5}, Raw: []byte("raw")},
	} {
		assert.Equal(t, want, printed(record))
	}
}

// worded has its own text, as times and secrets do.
type worded struct{ text string }

func (n worded) String() string { return n.text }

type sample struct {
	Text  *string
	Own   worded
	Items []int
	Map   map[string]int
	Pairs *[2]bool
	Any   any
}

// TestRecord_cutsTextsAtLimit prints texts around the largest length.
func TestRecord_cutsTextsAtLimit(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		record any
		want   string
	}{
		"as long as may be":                     {sample{Text: new(x(200))}, `sample{Text: "` + x(200) + `"}`},
		"a byte longer":                         {sample{Text: new(x(201))}, `sample{Text: "` + x(200) + `"…}`},
		"cut in a character of four bytes":      {sample{Text: new(x(197) + "😀")}, `sample{Text: "` + x(197) + `"…}`},
		"cut before the end of four bytes":      {sample{Text: new(x(199) + "😀")}, `sample{Text: "` + x(199) + `"…}`},
		"cut behind a character":                {sample{Text: new(x(196) + "😀a")}, `sample{Text: "` + x(196) + `😀"…}`},
		"an own text":                           {sample{Own: worded{"plain"}}, `sample{Own: plain}`},
		"an own text with quotes":               {sample{Own: worded{`a "b"`}}, `sample{Own: "a \"b\""}`},
		"an own text as long as may be":         {sample{Own: worded{x(200)}}, `sample{Own: ` + x(200) + `}`},
		"an own text a byte longer":             {sample{Own: worded{x(201)}}, `sample{Own: "` + x(200) + `"…}`},
		"an array":                              {sample{Pairs: &[2]bool{true, false}}, `sample{Pairs: [true, false]}`},
		"an interface with a text":              {sample{Any: "a"}, `sample{Any: "a"}`},
		"an interface with a number":            {sample{Any: 1.5}, `sample{Any: 1.5}`},
		"an interface with a pointer":           {sample{Any: &part{ID: 1}}, `sample{Any: {ID: 1}}`},
		"an interface with a record":            {sample{Any: part{ID: 1}}, `sample{Any: part{ID: 1}}`},
		"nothing of the record is there":        {sample{}, `sample{}`},
		"broken text is shown as it is escaped": {sample{Text: new("\xff")}, `sample{Text: "\xff"}`},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, printed(c.record)) })
	}
}

// fields is a record with a text that can have any length up to 2208 bytes.
type fields struct{ A, B, C, D, E, F, G, H, I, J string }

// TestRecord_cutsRecordAtLimit prints records of 2000 bytes, and of one more.
func TestRecord_cutsRecordAtLimit(t *testing.T) {
	x := strings.Repeat("x", 200)
	record := fields{A: x, B: x, C: x, D: x, E: x, F: x, G: x, H: x, I: x}
	short := len(printed(record))
	record.J = strings.Repeat("y", 2000-short)
	assert.Len(t, printed(record), 2000)
	assert.True(t, strings.HasSuffix(printed(record), `y"}`))
	record.J += "y"
	assert.Equal(t, 2000+len("…"), len(printed(record)))
	assert.True(t, strings.HasSuffix(printed(record), `yy"…`))
	record.J = strings.Repeat("y", 2000-short-3) + "üü"
	assert.True(t, strings.HasSuffix(printed(record), `üü"…`))
	record.J = strings.Repeat("y", 2000-short+1) + "ü"
	assert.True(t, strings.HasSuffix(printed(record), `y…`), "no character is cut in two")
}

// counted counts how often it is asked for its text.
type counted struct{ asked *int }

func (c counted) String() string { *c.asked++; return strings.Repeat("x", 200) }

type many struct {
	A, B, C, D, E, F, G, H, I, J, K, L counted
	List                               []counted
}

// TestRecord_formatsOnlyPrintedValues counts the values that are asked for their texts.
func TestRecord_formatsOnlyPrintedValues(t *testing.T) {
	asked := 0
	c := counted{&asked}
	printed(many{A: c, B: c, C: c, D: c, E: c, F: c, G: c, H: c, I: c, J: c, K: c, L: c, List: []counted{c, c, c}})
	assert.Equal(t, 10, asked, "ten texts of 200 bytes are enough")
	printed(many{A: c, B: c, C: c, D: c, E: c, F: c, G: c, H: c, List: []counted{c, c, c, c, c, c}})
	assert.Equal(t, 20, asked)
}
