package scalar_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// extraOf has members of each kind, the token among them.
func extraOf() (e scalar.Extra) {
	e.Add("plan", []byte(`{"tier": 2.50}`))
	e.Add("token", []byte(`"`+token+`"`))
	e.Add(scalar.SkippedKey("tags/1"), []byte(`7`))
	return e
}

func TestExtraTellsWhatItHolds(t *testing.T) {
	e := extraOf()
	assert.False(t, e.IsZero())
	assert.Equal(t, 3, e.Len())
	clear(e.Names())
	assert.Equal(t, []string{"plan", "token", "$unread:tags/1"}, e.Names(), "the list is a copy")
	assert.Equal(t, []string{"tags/1"}, e.Skipped())
	value, is := e.Get(scalar.SkippedKey("tags/1"))
	assert.True(t, is)
	assert.Equal(t, "7", string(value))
	_, is = e.Get("tags/1")
	assert.False(t, is)
	for name, value := range e.All() {
		assert.Equal(t, "plan", name)
		assert.Equal(t, `{"tier": 2.50}`, string(value))
		break
	}
}

func TestTheZeroExtraHoldsNothing(t *testing.T) {
	var e scalar.Extra
	assert.True(t, e.IsZero())
	assert.Zero(t, e.Len())
	assert.Empty(t, e.Names())
	assert.Empty(t, e.Skipped())
	_, is := e.Get("plan")
	assert.False(t, is)
	assert.Empty(t, fmt.Sprintf("%v%+v%#v", e, e, e))
	out, err := json.Marshal(struct {
		Extra scalar.Extra `json:"$extra,omitzero"`
	}{})
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(out))
}

func TestExtraReplacesMembersOfOneName(t *testing.T) {
	var e scalar.Extra
	for range 2 {
		for i := range 100 { // Few names are looked through, many are indexed.
			e.Add(fmt.Sprint("n", i), fmt.Append(nil, e.Len()+i))
		}
	}
	assert.Equal(t, 100, e.Len())
	for i := range 100 {
		value, is := e.Get(fmt.Sprint("n", i))
		assert.True(t, is)
		assert.Equal(t, fmt.Sprint(100+i), string(value))
	}
}

func TestExtraLeaksNothing(t *testing.T) {
	for _, v := range []any{extraOf(), new(extraOf()), struct{ Extra scalar.Extra }{extraOf()}, []scalar.Extra{extraOf()},
		hold(extraOf())} {
		assert.Empty(t, leaks(t, v))
		assert.Contains(t, fmt.Sprintf("%+v", v), "plan", "the names are shown")
	}
	out, err := json.Marshal(extraOf())
	require.NoError(t, err)
	assert.JSONEq(t, `{"plan":"[redacted]","token":"[redacted]","$unread:tags/1":"[redacted]"}`, string(out))
}

// TestExtraIsReadBack writes members as they are, which only Reveal does, and reads them.
func TestExtraIsReadBack(t *testing.T) {
	revealing := jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(enc *jsontext.Encoder, e scalar.Extra) error {
		return enc.WriteValue(e.Reveal())
	}))
	for _, e := range []scalar.Extra{{}, extraOf()} {
		out, err := jsonv2.Marshal(e, revealing, jsontext.AllowInvalidUTF8(true))
		require.NoError(t, err)
		back := mustDecode[scalar.Extra](t, string(out))
		assert.Equal(t, e.Names(), back.Names())
		plan, _ := e.Get("token")
		same, _ := back.Get("token")
		assert.Equal(t, plan, same)
	}
}

func TestARedactedExtraIsNotReadBack(t *testing.T) {
	out, err := json.Marshal(extraOf())
	require.NoError(t, err)
	var e scalar.Extra
	err = json.Unmarshal(out, &e)
	require.ErrorIs(t, err, scalar.ErrRedacted)
	require.EqualError(t, err, `scalar: Extra: member "plan": `+scalar.ErrRedacted.Error())
}

// TestAnExtraIsReadAnew reads into one that holds a member.
func TestAnExtraIsReadAnew(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"b":1,"c":{}}`: {"b", "c"}, `{}`: nil, `null`: nil, `{"b":1,"b":2}`: {"b"},
		"{\"b\":1,\"\xff\":\"\xff\"}": {"b", "\uFFFD"},
	} {
		var extra scalar.Extra
		extra.Add("a", []byte("1"))
		require.NoError(t, extra.UnmarshalJSON([]byte(raw)))
		assert.Equal(t, want, extra.Names(), raw)
	}
}

// TestNamesThatLookAlikeAreToldApart prints names of which nothing but a mark is left.
func TestNamesThatLookAlikeAreToldApart(t *testing.T) {
	var e scalar.Extra
	e.Add("[redacted]", []byte("1"))
	for _, secret := range []string{"0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"} {
		e.Add(secret, []byte("1"))
	}
	assert.Equal(t, "[[redacted] [redacted] 2 [redacted] 3]", e.String())
}

// TestExtraIsLinear compares the cost of many members with the cost of half as many.
func TestExtraIsLinear(t *testing.T) {
	build := func(n int) float64 {
		return testing.AllocsPerRun(1, func() {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `,"n%d":%d`, i, i)
			}
			var e scalar.Extra
			require.NoError(t, e.UnmarshalJSON([]byte("{"+b.String()[1:]+"}")))
		})
	}
	assert.Less(t, build(20_000), 2.5*build(10_000))
}

// FuzzExtra reads any JSON: if it can be read, the result has valid values, is read back as the same, and does not show
// them.
func FuzzExtra(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"a":1,"a":[2],"$unread:b":"x"}`, "{\"\xff\":\"\\ud800\"}", `{"a":"[redacted]"}`, `[]`,
		`{"a":{"b":[null,true,-1e400]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var e, back scalar.Extra
		if e.UnmarshalJSON(data) != nil {
			return
		}
		require.NoError(t, back.UnmarshalJSON(e.Reveal()))
		require.Equal(t, e, back)
		shown, err := e.MarshalJSON()
		require.NoError(t, err)
		require.True(t, json.Valid(shown))
		require.Equal(t, !e.IsZero(), back.UnmarshalJSON(shown) != nil)
	})
}
