package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	legacy "github.com/go-json-experiment/json/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// fields has a field for each of the functions.
type fields struct {
	Text     string           `json:"text"`
	Int      int              `json:"int"`
	Float    float64          `json:"float"`
	Bool     bool             `json:"bool"`
	Amount   scalar.Decimal   `json:"amount"`
	Tag      admin.MetricTag  `json:"tag"`
	Number   *int             `json:"number"`
	Label    *string          `json:"label"`
	Next     *fields          `json:"next"`
	Maybe    inner            `json:"maybe"`
	At       time.Time        `json:"at"`
	Extra    scalar.Extra     `json:"-"`
	Texts    []string         `json:"texts"`
	Named    map[string]int   `json:"named"`
	Grown    map[string]inner `json:"grown"`
	Inside   inner            `json:"inside"`
	Switched *bool            `json:"switched"`
}

type inner struct {
	ID string `json:"id"`
}

func readInner(s *scan.Scanner, r *inner) {
	for s.Open('{'); s.Member(); {
		if string(s.Name) == "id" {
			ReadText(s, &r.ID)
		} else {
			s.Skip()
		}
	}
}

func readFields(s *scan.Scanner, r *fields) {
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "text":
			ReadText(s, &r.Text)
		case "int":
			ReadInt(s, &r.Int)
		case "float":
			ReadFloat(s, &r.Float)
		case "bool":
			ReadBool(s, &r.Bool)
		case "amount":
			ReadScalar(s, &r.Amount)
		case "tag":
			ReadJSON(s, &r.Tag)
		case "number":
			ReadOptional(s, &r.Number, ReadInt)
		case "label":
			ReadOptional(s, &r.Label, ReadText)
		case "next":
			ReadOptional(s, &r.Next, readFields)
		case "maybe":
			ReadOptionalStruct(s, &r.Maybe, readInner)
		case "at":
			ReadTime(s, &r.At, "at", &r.Extra)
		case "texts":
			ReadList(s, &r.Texts, ReadText)
		case "named":
			ReadMap(s, &r.Named, ReadInt)
		case "grown":
			ReadMap(s, &r.Grown, readInner)
		case "inside":
			ReadStruct(s, &r.Inside, readInner)
		case "switched":
			ReadOptional(s, &r.Switched, ReadBool)
		default:
			s.Skip()
		}
	}
}

// readWhole reads a text that is one value.
func readWhole[T any](t *testing.T, raw string, read func(*scan.Scanner, *T)) T {
	t.Helper()
	var value T
	s := scan.New([]byte(raw))
	read(s, &value)
	require.True(t, s.End(), raw)
	return value
}

// TestReadFunctions_convertWithoutLoss has values that encoding/json refuses: see FuzzReadFunctions for all others.
func TestReadFunctions_convertWithoutLoss(t *testing.T) {
	for raw, want := range map[string]fields{
		`{"text":7,"label":-1.50}`:                {Text: "7", Label: new("-1.50")},
		`{"texts":["a",7,null,1e2]}`:              {Texts: []string{"a", "7", "", "1e2"}},
		`{"int":"7","number":2.0}`:                {Int: 7, Number: new(2)},
		fmt.Sprintf(`{"int":"%d"}`, math.MinInt):  {Int: math.MinInt},
		fmt.Sprintf(`{"int":%d.00}`, math.MaxInt): {Int: math.MaxInt},
		`{"float":"1.5","named":{"a":"1"}}`:       {Float: 1.5, Named: map[string]int{"a": 1}},
		`{"maybe":{"id":"a"},"maybe":false}`:      {}, // Observed, in the place of a null.
		`{"float":"-1e-3"}`:                       {Float: -0.001},
		`{"amount":"1.50","int":"7"}`:             {Amount: scalar.NewDecimal("1.50"), Int: 7},
		"{\"tag\":[\"\xff\xfe\"],\"int\":\"1\"}":  {Tag: "\uFFFD\uFFFD", Int: 1},
	} {
		assert.Equal(t, want, readWhole(t, raw, readFields), raw)
	}
	for raw, at := range map[string]int{
		`{"text":true}`: 8, `{"text":[]}`: 8, `{"int":1.5}`: 7, `{"int": {}}`: 8, `{"bool":"true"}`: 8, `{"bool":1}`: 8,
		`{"amount":[]}`: 10, `{"tag":{}}`: 7, `{"number":"x"}`: 10, `{"maybe":true}`: 9, `{"next":[]}`: 8, `{"at":{}}`: 6, `{"at":true}`: 6,
		`{"texts":{"a":"b"}}`: 9, `{"texts":["a",{}]}`: 14, `{"named":[1]}`: 9, `{"named":{"a":[]}}`: 14, `{"switched":0}`: 12,
		`{"inside":false}`: 10, `{"label":{}}`: 9, `{"int":9223372036854775808}`: 7, `{"int":"-9223372036854775809"}`: 7,
		`{"int":""}`: 7, `{"int":" 7"}`: 7, `{"int":"0x7"}`: 7, `{"int":"1_0"}`: 7, `{"int":1e400}`: 7, `{"int":true}`: 7,
		`{"float":""}`: 9, `{"float":"NaN"}`: 9, `{"float":"Inf"}`: 9, `{"float":"1e400"}`: 9, `{"float":1e400}`: 9,
		`{"float":"1,5"}`: 9, `{"float":true}`: 9,
	} {
		var r fields
		s := scan.New([]byte(raw))
		readFields(s, &r)
		assert.False(t, s.End(), raw)
		assert.Equal(t, scan.Fault{Reason: scan.Unreadable, At: at}, s.Fault, raw)
	}
	s := scan.New([]byte(`{"tag":[7]}`))
	s.Depth = scan.MaxDepth - 1
	readFields(s, new(fields))
	assert.Equal(t, scan.Fault{Reason: scan.Deep, At: 7}, s.Fault)
}

// TestReadTime_keepsOtherTexts reads times in several formats. What is not a time is kept under the name of the field.
func TestReadTime_keepsOtherTexts(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for raw, want := range map[string]struct {
		at   time.Time
		kept string
	}{
		`"2024-05-06T09:08:09+02:00"`: {at, ""}, `1714979289`: {at, ""}, `"1714979289"`: {at, ""},
		`null`: {time.Time{}, ""}, `""`: {time.Time{}, ""},
		`"soon"`: {time.Time{}, `"soon"`}, `"a \u0061"`: {time.Time{}, `"a \u0061"`}, `1e400`: {time.Time{}, `1e400`},
	} {
		r := readWhole(t, `{"\u0061t":`+raw+`,"int":7}`, readFields)
		assert.Equal(t, want.at, r.At, raw)
		kept, _ := r.Extra.Get("at")
		assert.Equal(t, want.kept, string(kept))
		assert.Equal(t, 7, r.Int)
	}
}

// FuzzReadFunctions compares the functions with encoding/json: if it reads a record, with duplicate names or nulls, they
// read the same. Lists are replaced by the functions, and overwritten by encoding/json.
func FuzzReadFunctions(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","text":null,"int":1,"int":null,"float":1e3,"bool":true,"bool":false,"amount":1.50,"tag":["a","b"]}`,
		`{"next":{"int":1},"next":{"text":"a"},"next":{"next":{}}}`, `{"next":{"int":1},"next":null,"label":"a","label":null}`,
		`{"named":{"a":1},"named":{"b":2,"a":null},"texts":["a",null],"grown":{"a":{"id":"b"},"a":null,"ä":{"id":null}}}`,
		`{"named":{"a":1},"named":null,"inside":{"id":"a"},"inside":{"x":[{}]},"inside":null,"switched":true}`,
		`{"number":1,"number":2,"switched":null,"amount":1,"amount":null,"tag":"a","tag":null}`, "{\"text\":\"\xff\"}", `{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want, got fields
		options := jsonv2.JoinOptions(legacy.DefaultOptionsV1(), jsonv2.MatchCaseInsensitiveNames(false))
		if jsonv2.Unmarshal(raw, &want, options) != nil || bytes.Count(raw, []byte(`"texts"`)) > 1 {
			return
		}
		s := scan.New(raw)
		ReadStruct(s, &got, readFields)
		require.True(t, s.End(), "%s", raw)
		want.At = want.At.UTC()
		require.Equal(t, want, got, "%s", raw)
	})
}

// TestReadList_keepsEveryItem looks at the memory of lists as well: no more than the text is worth, and no copying with
// each item.
func TestReadList_keepsEveryItem(t *testing.T) {
	item := `"an item that takes thirty byte"`
	items := func(n int) string { return strings.Repeat(item+",", n-1) + item }
	for name, c := range map[string]struct {
		items    string
		capacity int
	}{
		"none":                                 {"", 0},
		"one":                                  {item, 2},
		"two":                                  {items(2), 2},
		"one more than there is room at first": {items(3), 3},
		"as long as the first two":             {items(100), 100},
		"two small ones promise no more":       {`"","","` + strings.Repeat("x", 100_000) + `"`, 256},
		"nor do 256, than as many again":       {strings.Repeat(`"",`, 256) + `"` + strings.Repeat("x", 100_000) + `"`, 512},
		"it grows again":                       {strings.Repeat(`"",`, 700) + items(300), 1024},
	} {
		raw, want := "["+c.items+"]", []string{}
		require.NoError(t, json.Unmarshal([]byte(raw), &want))
		into := readWhole(t, raw, func(s *scan.Scanner, into *[]string) { ReadList(s, into, ReadText) })
		assert.Equal(t, want, into, name)
		assert.Equal(t, c.capacity, cap(into), name)
	}
	inner := readWhole(t, "[["+item+"],["+items(3)+"],[]]", func(s *scan.Scanner, into *[][]string) {
		ReadList(s, into, func(s *scan.Scanner, into *[]string) { ReadList(s, into, ReadText) })
	})
	text := strings.Trim(item, `"`)
	assert.Equal(t, [][]string{{text}, {text, text, text}, {}}, inner)
	assert.Equal(t, 2, cap(inner[0]))
	assert.Equal(t, 4, cap(inner[1]), "the rest of the text says nothing of an inner list")
}

// TestReadExtra_keepsUnknownMembers keeps members that are not known as they are spelled.
func TestReadExtra_keepsUnknownMembers(t *testing.T) {
	read := func(raw string) (extra scalar.Extra, ok bool) {
		s := scan.New([]byte(raw))
		for s.Open('{'); s.Member(); {
			ReadExtra(s, &extra)
		}
		return extra, s.End()
	}
	extra, ok := read(`{"ä": {"a": [1]} ,"b":null,"$extra":7}`)
	require.True(t, ok)
	assert.Equal(t, []string{"ä", "b", "$extra"}, extra.Names())
	value, _ := extra.Get("ä")
	assert.Equal(t, `{"a": [1]}`, string(value))
	extra, ok = read("{\"a\xff\":[\"\xff\\ud800\"]}")
	require.True(t, ok)
	value, _ = extra.Get("a\uFFFD")
	assert.Equal(t, "[\"\uFFFD\\ud800\"]", string(value))
	extra, ok = read(`{"a":tru}`)
	assert.False(t, ok)
	assert.Zero(t, extra)
	s := scan.New([]byte(`{"a":1}`))
	s.Room = extraSize - 1
	s.Open('{')
	require.True(t, s.Member())
	ReadExtra(s, &extra)
	assert.Equal(t, scan.Large, s.Fault.Reason)
	assert.Zero(t, extra)
}
