package scalar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// extraOf has fields of each kind, the token among them.
func extraOf() (e scalar.Extra) {
	e.Add("plan", []byte(`{"tier":2.50}`))
	e.Add("token", []byte(`"`+token+`"`))
	e.Add(scalar.SkippedKey("tags/1"), []byte(`7`))
	return e
}

func TestExtra_listsFields(t *testing.T) {
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
		assert.Equal(t, `{"tier":2.50}`, string(value))
		break
	}
	e.Add("plan", []byte("1"))
	assert.Equal(t, 3, e.Len(), "the field is replaced")
	assert.JSONEq(t, `{"plan":1,"token":"`+token+`","$unread:tags/1":7}`, string(e.Reveal()))
}

func TestExtra_zeroIsEmpty(t *testing.T) {
	var e scalar.Extra
	assert.True(t, e.IsZero())
	_, is := e.Get("plan")
	assert.False(t, is)
	assert.Empty(t, fmt.Sprintf("%v%+v%#v", e, e, e))
}

func TestExtra_hidesValuesWhenPrinted(t *testing.T) {
	for _, v := range []any{extraOf(), new(extraOf()), struct{ Extra scalar.Extra }{extraOf()}, []scalar.Extra{extraOf()},
		hold(extraOf())} {
		assert.Empty(t, leaks(v))
		assert.Contains(t, fmt.Sprintf("%+v", v), "plan", "the names are shown")
	}
	redacted := mustEncode(t, extraOf())
	assert.JSONEq(t, `{"plan":"[redacted]","token":"[redacted]","$unread:tags/1":"[redacted]"}`, redacted)
	_, err := decode[scalar.Extra](redacted)
	require.ErrorIs(t, err, scalar.ErrRedacted)
	require.EqualError(t, err, `scalar: Extra: field "plan": `+scalar.ErrRedacted.Error())
}

// TestExtra_unmarshalReplacesFields reads into one that holds a field.
func TestExtra_unmarshalReplacesFields(t *testing.T) {
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

// TestExtra_numbersRedactedNames prints names of which nothing but a mark is left.
func TestExtra_numbersRedactedNames(t *testing.T) {
	var e scalar.Extra
	e.Add("[redacted]", []byte("1"))
	for _, secret := range []string{"0123456789abcdef0123456789abcdef", "abcdef9876543210abcdef9876543210"} {
		e.Add(secret, []byte("1"))
	}
	assert.Equal(t, "[[redacted] [redacted] 2 [redacted] 3]", e.String())
	assert.NotContains(t, mustEncode(t, e), "abcdef")
}

// TestExtra_addIsLinear compares the cost of many fields with the cost of half as many.
func TestExtra_addIsLinear(t *testing.T) {
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
