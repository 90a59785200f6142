package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestReadFunctions_nullLeavesVariable reads a null with every function.
func TestReadFunctions_nullLeavesVariable(t *testing.T) {
	text, number, truth := "x", 7, true
	amount, list, names := scalar.NewDecimal("1.5"), []string{"x"}, map[string]int{"x": 1}
	optional := &text
	s := scan.New([]byte(`[null,null,null,null,null,null,null,null]`))
	s.Array()
	for _, read := range []func(){
		func() { ReadText(s, &text) }, func() { ReadInt(s, &number) }, func() { ReadBool(s, &truth) },
		func() { ReadScalar(s, &amount) }, func() { ReadJSON(s, &amount) }, func() { ReadList(s, &list, ReadText) },
		func() { ReadMap(s, &names, ReadInt) }, func() { ReadOptional(s, &optional, ReadText) },
	} {
		require.True(t, s.Element())
		read()
	}
	require.False(t, s.Element())
	require.True(t, s.End())
	assert.Equal(t, "x", text)
	assert.Equal(t, 7, number)
	assert.True(t, truth)
	assert.Equal(t, scalar.NewDecimal("1.5"), amount)
	assert.Equal(t, []string{"x"}, list)
	assert.Equal(t, map[string]int{"x": 1}, names)
	assert.Same(t, &text, optional)
}

// TestReadFunctions_refuseOtherKinds reads values of a kind that the function is not for.
func TestReadFunctions_refuseOtherKinds(t *testing.T) {
	var (
		text   string
		number int
		truth  bool
		at     time.Time
		list   []string
		names  map[string]int
	)
	for name, read := range map[string]func(*scan.Scanner){
		`1`:             func(s *scan.Scanner) { ReadText(s, &text) },
		`1.0`:           func(s *scan.Scanner) { ReadTextOrInt(s, &text) },
		`"1"`:           func(s *scan.Scanner) { ReadInt(s, &number) },
		`0`:             func(s *scan.Scanner) { ReadBool(s, &truth) },
		`"noon"`:        func(s *scan.Scanner) { ReadScalar(s, &at) },
		`{}`:            func(s *scan.Scanner) { ReadJSON(s, &at) },
		`{"a":"b"}`:     func(s *scan.Scanner) { ReadList(s, &list, ReadText) },
		`["a",1]`:       func(s *scan.Scanner) { ReadList(s, &list, ReadText) },
		`[1]`:           func(s *scan.Scanner) { ReadMap(s, &names, ReadInt) },
		`{"a":1,"a":2}`: func(s *scan.Scanner) { ReadMap(s, &names, ReadInt) },
		"{\"\xff\":1}":  func(s *scan.Scanner) { ReadMap(s, &names, ReadInt) },
	} {
		s := scan.New([]byte(name))
		read(s)
		assert.Zero(t, s.Left(), "%s: it has given up", name)
		assert.False(t, s.End(), name)
		ReadList(s, &list, ReadText)
		assert.Empty(t, list, "nothing is read after that")
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

func TestReadFunctions_readValues(t *testing.T) {
	assert.Equal(t, "ä\n", readWhole(t, `"ä\n"`, ReadText[string]))
	assert.Equal(t, "", readWhole(t, `""`, ReadText[string]))
	assert.Equal(t, "7", readWhole(t, `"7"`, ReadTextOrInt[string]))
	assert.Equal(t, "-7", readWhole(t, `-7`, ReadTextOrInt[string]))
	assert.Equal(t, "-0", readWhole(t, `-0`, ReadTextOrInt[string]), "as it is spelled")
	assert.Equal(t, "0", readWhole(t, `0`, ReadTextOrInt[string]))
	assert.Equal(t, "90", readWhole(t, `90`, ReadTextOrInt[string]))
	assert.Equal(t, "9007199254740993", readWhole(t, `9007199254740993`, ReadTextOrInt[string]))
	assert.Equal(t, "", readWhole(t, `null`, ReadTextOrInt[string]))
	assert.Equal(t, -12, readWhole(t, `-12`, ReadInt[int]))
	assert.Equal(t, int64(1)<<62, readWhole(t, `4611686018427387904`, ReadInt[int64]))
	assert.True(t, readWhole(t, `true`, ReadBool[bool]))
	assert.False(t, readWhole(t, `false`, ReadBool[bool]))
	assert.Equal(t, scalar.NewDecimal("1.50"), readWhole(t, `"1.50"`, ReadScalar[scalar.Decimal, *scalar.Decimal]))
	assert.Equal(t, scalar.NewDecimal("1.50"), readWhole(t, `1.50`, ReadScalar[scalar.Decimal, *scalar.Decimal]))
	assert.Equal(t, scalar.NewDecimal("7"), readWhole(t, `7`, ReadJSON[scalar.Decimal, *scalar.Decimal]))

	optional := func(s *scan.Scanner, into **int) { ReadOptional(s, into, ReadInt) }
	assert.Equal(t, new(7), readWhole(t, `7`, optional))
	assert.Nil(t, readWhole(t, `null`, optional))
	names := func(s *scan.Scanner, into *map[string]int) { ReadMap(s, into, ReadInt) }
	assert.Equal(t, map[string]int{"a": 1, "ü": 2, "": 0}, readWhole(t, `{"a":1,"ü":2,"":null}`, names))
	assert.Equal(t, map[string]int{}, readWhole(t, `{}`, names), "it is there")
}

// unread refuses whatever it is given.
type unread struct{ text, json bool }

func (u *unread) UnmarshalText([]byte) error { u.text = true; return fmt.Errorf("made-up failure") }
func (u *unread) UnmarshalJSON([]byte) error { u.json = true; return fmt.Errorf("made-up failure") }

// TestReadFunctions_typeErrorGivesUp gives a type values that it refuses; if a value is not JSON, or not UTF-8, the
// type does not get it.
func TestReadFunctions_typeErrorGivesUp(t *testing.T) {
	for raw, want := range map[string]unread{
		`"a"`: {text: true}, `1`: {json: true}, `{}`: {json: true}, `"a`: {}, `tru`: {}, "[\"\xff\"]": {},
		"[\"\xff\\n\"]": {}, "{\"\xff\":1}": {},
	} {
		var u unread
		s := scan.New([]byte(raw))
		ReadScalar(s, &u)
		assert.False(t, s.End(), raw)
		assert.Equal(t, want, u, raw)
	}
	for raw, want := range map[string]unread{`"a"`: {json: true}, `"a`: {}} {
		var u unread
		s := scan.New([]byte(raw))
		ReadJSON(s, &u)
		assert.False(t, s.End(), raw)
		assert.Equal(t, want, u, raw)
	}
}

// TestReadList_keepsEveryItem reads lists of many lengths, inner ones as well.
func TestReadList_keepsEveryItem(t *testing.T) {
	list := func(s *scan.Scanner, into *[]int) { ReadList(s, into, ReadInt) }
	lists := func(s *scan.Scanner, into *[][]int) { ReadList(s, into, list) }
	for _, n := range []int{0, 1, 2, 3, 4, 5, 9, 100, 257, 600, 1000} {
		raw, want := []string{}, []int{}
		for i := range n {
			raw, want = append(raw, fmt.Sprint(i)), append(want, i)
		}
		text := "[" + strings.Join(raw, ",") + "]"
		assert.Equal(t, want, readWhole(t, text, list))
		assert.Equal(t, [][]int{want, {}, want, want}, readWhole(t, "["+text+",[],"+text+","+text+"]", lists))
	}
}

// TestReadList_boundsCapacity looks at the memory of lists: no more than the text is worth, and no copying with each
// item.
func TestReadList_boundsCapacity(t *testing.T) {
	item := `"an item that takes thirty byte"`
	items := func(n int) string { return strings.Repeat(item+",", n-1) + item }
	for name, c := range map[string]struct {
		items string
		want  [2]int
	}{
		"one":                                  {item, [2]int{1, 2}},
		"two":                                  {items(2), [2]int{2, 2}},
		"one more than there is room at first": {items(3), [2]int{3, 3}},
		"as long as the first two":             {items(100), [2]int{100, 100}},
		"two small ones promise no more":       {`"","","` + strings.Repeat("x", 100_000) + `"`, [2]int{3, 256}},
		"nor do 256, than as many again": {strings.Repeat(`"",`, 256) + `"` + strings.Repeat("x", 100_000) + `"`,
			[2]int{257, 512}},
	} {
		var into []string
		s := scan.New([]byte("[" + c.items + "]"))
		ReadList(s, &into, ReadText)
		require.True(t, s.End(), name)
		assert.Equal(t, c.want, [2]int{len(into), cap(into)}, name)
	}
	inner := readWhole(t, "[["+item+"],["+items(3)+"]]", func(s *scan.Scanner, into *[][]string) {
		ReadList(s, into, func(s *scan.Scanner, into *[]string) { ReadList(s, into, ReadText) })
	})
	assert.Equal(t, 2, cap(inner[0]))
	assert.Equal(t, 4, cap(inner[1]), "the rest of the text says nothing of an inner list")
}

// TestReadExtra_keepsUnknownMembers keeps members that are not known as they are spelled.
func TestReadExtra_keepsUnknownMembers(t *testing.T) {
	read := func(raw string) (extra scalar.Extra, ok bool) {
		s := scan.New([]byte(raw))
		for s.Object(); s.Member(); {
			ReadExtra(s, &extra)
		}
		return extra, s.End()
	}
	extra, ok := read(`{"ä": {"a": [1]} ,"b":null}`)
	require.True(t, ok)
	assert.Equal(t, []string{"ä", "b"}, extra.Names())
	value, _ := extra.Get("ä")
	assert.Equal(t, `{"a": [1]}`, string(value))
	for _, raw := range []string{`{"a":tru}`, "{\"\xff\":1}", "{\"a\":[\"\xff\"]}", "{\"a\":{\"\xff\":1}}"} {
		extra, ok := read(raw)
		assert.False(t, ok, raw)
		assert.Zero(t, extra, raw)
	}
}

// TestReadExtra_allocatesOnceForFewFields reads a list, in which records share names and short values.
func TestReadExtra_allocatesOnceForFewFields(t *testing.T) {
	race.Skip(t)
	const records = 100
	for members, allocations := range map[string]float64{
		`"a":1`: 1, `"a":1,"b":"c"`: 1, `"a":1,"b":2,"c":3`: 2, `"a":"` + strings.Repeat("long ", 20) + `"`: 2,
	} {
		body := []byte("[" + strings.Repeat("{"+members+"},", records-1) + "{" + members + "}]")
		extras := make([]scalar.Extra, records)
		assert.InDelta(t, allocations, testing.AllocsPerRun(10, func() {
			s := scan.New(body)
			defer s.Release()
			clear(extras)
			s.Array()
			for i := 0; s.Element(); i++ {
				for s.Object(); s.Member(); {
					ReadExtra(s, &extras[i])
				}
			}
		})/records, 0.1, members)
	}
}

func TestMetricTag_readsStringOrPair(t *testing.T) {
	for in, want := range map[string]MetricTag{
		`"eth_call"`:                      {"eth_call"},
		`["network", "arbitrum-mainnet"]`: {"network", "arbitrum-mainnet"},
		`""`:                              {""},
		`[ ]`:                             nil,
		`null`:                            nil,
		`200`:                             {"200"},
		`["status", 2e2]`:                 {"status", "2e2"},
		`[null, "b"]`:                     {"", "b"},
		`["a\u0062\"", "\n"]`:             {`ab"`, "\n"},
	} {
		tag := MetricTag{"before"}
		require.NoError(t, json.Unmarshal([]byte(in), &tag), in)
		assert.Equal(t, want, tag, in)
	}
	for _, in := range []string{`{}`, `true`, `["a", {}]`, `[["a"]]`, `[false]`} {
		tag := MetricTag{"before"}
		require.EqualError(t, json.Unmarshal([]byte(in), &tag),
			"the tag of a metric is neither a text nor a list of texts", in)
		assert.Equal(t, MetricTag{"before"}, tag)
	}
}

// FuzzMetricTag reads any JSON: if it can be read, it is written and read back as the same value.
func FuzzMetricTag(f *testing.F) {
	for _, seed := range []string{`["a", 7, null]`, `"a"`, `{}`, `[[], 1]`, `[`, ``, `null`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var into, back MetricTag
		if json.Unmarshal(data, &into) != nil {
			return
		}
		encoded, err := json.Marshal(into)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &back))
		require.Equal(t, into, back)
	})
}
