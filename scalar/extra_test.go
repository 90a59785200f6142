package scalar_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// extraOf has fields of each kind, the token among them.
func extraOf() (e scalar.Extra) {
	e.Add("plan", `{"tier":2.50}`)
	e.Add("token", `"`+token+`"`)
	e.Add("tags/1", `7`)
	return e
}

func TestExtra_listsFields(t *testing.T) {
	var e scalar.Extra
	assert.True(t, e.IsZero())
	assert.Nil(t, e.Names())
	_, is := e.Get("plan")
	assert.False(t, is)
	assert.Empty(t, fmt.Sprintf("%v%+v%#v", e, e, e))

	e = extraOf()
	clear(e.Names())
	assert.Equal(t, []string{"plan", "token", "tags/1"}, e.Names(), "the list is a copy")
	value, is := e.Get("tags/1")
	assert.True(t, is)
	assert.Equal(t, "7", string(value))
	_, is = e.Get("tags/2")
	assert.False(t, is)
	for name, value := range e.All() {
		assert.Equal(t, "plan", name)
		assert.Equal(t, `{"tier":2.50}`, string(value))
		break
	}
	e.Add("plan", "1")
	assert.JSONEq(t, `{"plan":1,"token":"`+token+`","tags/1":7}`, string(e.Reveal()), "the field is replaced")
}

func TestExtra_hidesValuesWhenPrinted(t *testing.T) {
	assert.Equal(t, "{Extra:[plan token tags/1]}", fmt.Sprintf("%+v", struct{ Extra scalar.Extra }{extraOf()}))
	assert.Equal(t, "[plan token tags/1]", extraOf().GoString())
	assert.Equal(t, "[plan token tags/1]", extraOf().LogValue().String())
	redacted := mustEncode(t, extraOf())
	assert.JSONEq(t, `{"plan":"[redacted]","token":"[redacted]","tags/1":"[redacted]"}`, redacted)
	assert.Equal(t, redacted, mustEncode(t, mustDecode[scalar.Extra](t, redacted)), "it is read back")
}

// TestExtra_unmarshalReplacesFields reads into one that holds a field.
func TestExtra_unmarshalReplacesFields(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"b":1,"c":{}}`: {"b", "c"}, `{}`: nil, `null`: nil, `{"b":1,"b":2}`: {"b"},
		"{\"b\":1,\"\xff\":\"\xff\"}": {"b", "\uFFFD"},
	} {
		var extra scalar.Extra
		extra.Add("a", "1")
		require.NoError(t, extra.UnmarshalJSON([]byte(raw)))
		assert.Equal(t, want, extra.Names(), raw)
	}
}

// TestExtra_showsRedactedNameOnce prints names of which nothing but a mark is left.
func TestExtra_showsRedactedNameOnce(t *testing.T) {
	var e scalar.Extra
	for _, secret := range []string{"[redacted]", "0123456789abcdef0123456789abcdef", "abcdef9876543210abcdef9876543210"} {
		e.Add(secret, "1")
	}
	assert.Equal(t, "[[redacted]]", e.String())
	assert.Equal(t, `{"[redacted]":"[redacted]"}`, mustEncode(t, e))
}

// TestExtra_addIsLinear has lists of several lengths: short ones are searched, longer ones have an index.
func TestExtra_addIsLinear(t *testing.T) {
	for n, indexed := range map[int]int{1: 0, 3: 0, 16: 0, 17: 17, 4000: 4000} {
		var added, replaced scalar.Extra
		for i := range 2 * n {
			added.Add(strconv.Itoa(i%n), "1")
			replaced.Add(strconv.Itoa(i%n), strconv.Itoa(i/n))
		}
		assert.Equal(t, indexed, scalar.Indexed(added))
		assert.Len(t, added.Names(), n)
		assert.True(t, reflect.DeepEqual(added, replaced), n)
		_, is := added.Get(strconv.Itoa(n))
		assert.False(t, is)
		value, _ := added.Get(strconv.Itoa(n - 1))
		assert.Equal(t, "1", string(value))
	}
}

// kept is a caller's own type with secrets in the kinds of places that JSON has.
type kept struct {
	Token   scalar.Secret               `json:"token"`
	Address *scalar.SecretURL           `json:"address,omitempty"`
	None    *scalar.Secret              `json:"none,omitempty"`
	Empty   *scalar.Secret              `json:"empty,omitempty"`
	List    []scalar.Secret             `json:"list"`
	Map     map[string]scalar.SecretURL `json:"map"`
	Inner   struct{ Deep [][]*kept }
	Extra   scalar.Extra `json:"extra,omitzero"`
}

// nest returns one inside another, each with five secrets.
func nest() kept {
	keep := func() kept {
		address, secret := scalar.NewSecretURL("https://a.example.com/"+token), scalar.NewSecret(token)
		return kept{Token: secret, Address: &address, Empty: new(scalar.Secret), List: []scalar.Secret{secret, {}},
			Map: map[string]scalar.SecretURL{"a/b": address}, Extra: extraOf()}
	}
	inner, outer := keep(), keep()
	outer.Inner.Deep = [][]*kept{{nil, &inner}}
	return outer
}

func TestWithSecrets_roundTrips(t *testing.T) {
	text := scalar.WithSecrets[string]{Value: "<\u2028"}
	assert.Equal(t, text.Value, text.String())
	assert.Equal(t, text.Value, text.LogValue().String())
	assert.Equal(t, `"`+text.Value+`"`, string(must(text.MarshalJSON())(t)), "the caller's encoder escapes it")
	type shelf struct { // A caller's own type.
		Many []scalar.WithSecrets[*kept]
		Map  map[string]scalar.WithSecrets[[]kept]
	}
	full := shelf{[]scalar.WithSecrets[*kept]{{Value: new(nest())}, {}},
		map[string]scalar.WithSecrets[[]kept]{"x": {Value: []kept{nest()}}}}
	for version, stored := range [][]byte{must(json.Marshal(full))(t), must(jsonv2.Marshal(full))(t)} {
		assert.Equal(t, 4*5, strings.Count(string(stored), token), version)
		assert.Equal(t, full, mustDecode[shelf](t, string(stored)))
		var restored shelf
		require.NoError(t, jsonv2.Unmarshal(stored, &restored))
		assert.Equal(t, full, restored)
	}
}

// TestWithSecrets_refusesRedactedSecrets covers JSON that was written without secrets: it is read back, but its secrets
// are not written as if they were whole.
func TestWithSecrets_refusesRedactedSecrets(t *testing.T) {
	written := mustEncode(t, nest())
	require.NotContains(t, written, token)
	back := mustDecode[kept](t, written)
	assert.True(t, back.Token.IsRedacted())
	assert.True(t, back.Inner.Deep[0][1].Address.IsRedacted())
	assert.Equal(t, strings.ReplaceAll(written, `"empty":null,`, ""), mustEncode(t, back))
	assert.Equal(t, back, mustDecode[scalar.WithSecrets[kept]](t, written).Value)
	address := scalar.NewSecretURL("https://a.example/[redacted]")
	for want, value := range map[string]any{
		"token": back, "Inner.Deep.0.1.address": kept{Inner: struct{ Deep [][]*kept }{[][]*kept{{nil, {Address: &address}}}}},
		`\x1b\n`: map[string]scalar.Secret{"\x1b\n": scalar.NewSecret("[redacted]")}, // On one line.
	} {
		_, err := scalar.WithSecrets[any]{Value: value}.MarshalJSON()
		require.ErrorIs(t, err, scalar.ErrRedacted)
		assert.EqualError(t, err, want+": was redacted; encode with scalar.WithSecrets")
	}
}

func TestWithSecrets_errorsHideInput(t *testing.T) {
	for _, input := range []string{`{"list":"` + token + `"}`, `{"Inner":"` + token + `"}`, `{"token":{"` + token +
		`":1}}`, `{"token":"` + token} {
		for _, err := range []error{
			json.Unmarshal([]byte(input), new(scalar.WithSecrets[kept])),
			jsonv2.Unmarshal([]byte(input), new(scalar.WithSecrets[kept])),
			new(scalar.WithSecrets[kept]).UnmarshalJSON([]byte(input)),
		} {
			require.Error(t, err)
			assert.NotContains(t, err.Error(), token)
		}
	}
	err := json.Unmarshal([]byte(`{"pin":1234567}`), new(scalar.WithSecrets[map[string]int8]))
	require.ErrorContains(t, err, "pin")
	assert.NotContains(t, err.Error(), "1234567")
	_, err = json.Marshal(scalar.WithSecrets[chan int]{})
	require.ErrorContains(t, err, "chan int")
}
