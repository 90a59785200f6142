package scalar_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// decode reads text as a T, through encoding/json as a caller would. The error is the T's error, to which encoding/json
// adds the place since Go 1.27.
func decode[T any](text string) (T, error) {
	var v T
	err := json.Unmarshal([]byte(text), &v)
	if place, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && errors.Unwrap(place) != nil {
		return v, errors.Unwrap(place)
	}
	return v, err
}

// mustDecode is decode for texts that the test knows to be readable.
func mustDecode[T any](t *testing.T, text string) T {
	t.Helper()
	v, err := decode[T](text)
	require.NoError(t, err)
	return v
}

// mustEncode returns v's JSON.
func mustEncode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// record holds a T in every place of a record that may hold one.
type record[T any] struct {
	Field   T            `json:"field"`
	Pointer *T           `json:"pointer"`
	List    []T          `json:"list"`
	Map     map[string]T `json:"map"`
	Omitted T            `json:"omitted,omitzero"`
}

// checkPlaces decodes text, a JSON value that is not T's zero, in every place of a record, and null and nothing as
// well.
func checkPlaces[T any](t *testing.T, text string) {
	t.Helper()
	want := mustDecode[T](t, text)
	var zero T
	require.False(t, reflect.DeepEqual(zero, want), "the test needs a value that is not zero")

	full := mustDecode[record[T]](t, `{"field":`+text+`,"pointer":`+text+`,"list":[`+text+`,null],"map":{"k":`+text+`}}`)
	// reflect.DeepEqual inside assert.True keeps values out of the output.
	assert.True(t, reflect.DeepEqual(want, full.Field), "as a field")
	require.NotNil(t, full.Pointer)
	assert.True(t, reflect.DeepEqual(want, *full.Pointer), "behind a pointer")
	require.Len(t, full.List, 2)
	assert.True(t, reflect.DeepEqual(want, full.List[0]), "in a list")
	assert.True(t, reflect.DeepEqual(zero, full.List[1]), "null in a list")
	assert.True(t, reflect.DeepEqual(want, full.Map["k"]), "in a map")
	assert.NotContains(t, mustEncode(t, full), `"omitted"`, "omitzero leaves the zero value out")

	// null overwrites the earlier value, so that no stale value remains.
	require.NoError(t, json.Unmarshal([]byte(`{"field":null,"pointer":null,"map":{"k":null}}`), &full))
	assert.True(t, reflect.DeepEqual(zero, full.Field), "null as a field")
	assert.Nil(t, full.Pointer, "null behind a pointer")
	assert.True(t, reflect.DeepEqual(zero, full.Map["k"]), "null in a map")
}

func TestEveryTypeInEveryPlace(t *testing.T) {
	t.Run("Secret", func(t *testing.T) { checkPlaces[scalar.Secret](t, `"made-up-secret"`) })
	t.Run("SecretURL", func(t *testing.T) { checkPlaces[scalar.SecretURL](t, `"https://a.example.com/made-up"`) })
	t.Run("Time", func(t *testing.T) { checkPlaces[scalar.Time](t, `"2024-05-06T07:08:09.123456Z"`) })
	t.Run("Decimal", func(t *testing.T) { checkPlaces[scalar.Decimal](t, `12.50`) })
	t.Run("BigInt", func(t *testing.T) { checkPlaces[scalar.BigInt](t, `"35546774534000000000000000"`) })
}

func TestZeroValuesAreWritten(t *testing.T) {
	for want, v := range map[string][]any{
		"null": {scalar.Secret{}, scalar.SecretURL{}, scalar.Time{}, scalar.Decimal{}, scalar.Extra{}},
		"0":    {scalar.BigInt{}},
	} {
		for _, zero := range v {
			assert.Equal(t, want, mustEncode(t, zero), "%T", zero)
		}
	}
}

// TestWrongKinds hands every kind of JSON value that a type does not read, and text that is not JSON, to the type
// itself.
func TestWrongKinds(t *testing.T) {
	const object, array, boolean, number, text = `{"k":"v3ry"}`, `["v3ry"]`, `true`, `1234567`, `"v3ry"`
	kinds := map[string]string{object: "object", array: "array", boolean: "boolean", `false`: "boolean", number: "number",
		text: "string"}
	malformed := []string{``, ` `, `nul`, `nulL`, `"v3ry`, `v3ry`, `1 2`, `"a" "v3ry"`, `-`, "\x00", `{`, `[1,`, `{"a":}`}
	for name, test := range map[string]struct {
		target json.Unmarshaler
		wrong  []string
	}{
		"Secret":    {new(scalar.Secret), []string{object, array, boolean}},
		"SecretURL": {new(scalar.SecretURL), []string{object, array, boolean, number}},
		"Time":      {new(scalar.Time), []string{object, array, boolean}},
		"Decimal":   {new(scalar.Decimal), []string{object, array, boolean}},
		"BigInt":    {new(scalar.BigInt), []string{object, array, boolean}},
		"Extra":     {new(scalar.Extra), []string{array, boolean, `false`, number, text}},
	} {
		for _, in := range test.wrong {
			require.EqualError(t, test.target.UnmarshalJSON([]byte(in)), "scalar: "+name+" cannot be read from a JSON "+
				kinds[in])
		}
		for _, in := range malformed {
			require.EqualError(t, test.target.UnmarshalJSON([]byte(in)), "scalar: "+name+" cannot be read from malformed JSON",
				in)
		}
	}
}

// TestSurroundingSpace hands the types the space that encoding/json would have trimmed.
func TestSurroundingSpace(t *testing.T) {
	for in, want := range map[string]string{"\n\t \"1.5\" ": "1.5", " 12\r\n": "12", " null ": ""} {
		d := scalar.NewDecimal("7")
		require.NoError(t, d.UnmarshalJSON([]byte(in)))
		assert.Equal(t, want, d.String())
	}
}

// TestFailedDecodeKeepsTheOldValue makes sure that an error leaves no half-read value behind.
func TestFailedDecodeKeepsTheOldValue(t *testing.T) {
	secret := scalar.NewSecret("made-up")
	require.Error(t, secret.UnmarshalJSON([]byte(`{}`)))
	assert.Equal(t, "made-up", secret.Reveal())

	integer := scalar.BigIntFrom(7)
	require.Error(t, integer.UnmarshalJSON([]byte(`1.5`)))
	assert.Equal(t, "7", integer.String())
}

// checkRoundTrip is the properties that the fuzz targets share: the second version of encoding/json reads the same from
// data, and if a value was read, it can be written and reads back as the same value.
func checkRoundTrip[T any](t *testing.T, data []byte) (read T, ok bool) {
	t.Helper()
	err := any(&read).(json.Unmarshaler).UnmarshalJSON(data)
	var second T
	secondErr := jsonv2.Unmarshal(data, &second, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	require.Equal(t, err == nil, secondErr == nil, "only one version reads it: %v, %v", err, secondErr)
	if err != nil {
		return read, false
	}
	require.True(t, reflect.DeepEqual(read, second), "the versions read different values")
	text, err := json.Marshal(read)
	require.NoError(t, err)
	again := mustDecode[T](t, string(text))
	require.True(t, reflect.DeepEqual(read, again), "%s reads back as another value", text)
	return read, true
}

// TestErrorsOfBothVersions makes sure that the second version of encoding/json reports the same as the first, and the
// place in the text.
func TestErrorsOfBothVersions(t *testing.T) {
	checkSecondError[scalar.Secret](t, `{"k":1}`)
	checkSecondError[scalar.SecretURL](t, `"[redacted]"`)
	checkSecondError[scalar.Time](t, `true`)
	checkSecondError[scalar.BigInt](t, `"ten"`)
	checkSecondError[scalar.Extra](t, `{"a":"[redacted]"}`)
}

func checkSecondError[T any](t *testing.T, wrong string) {
	t.Helper()
	_, want := decode[T](wrong)
	require.Error(t, want)
	var semantic *jsonv2.SemanticError
	require.ErrorAs(t, jsonv2.Unmarshal([]byte(`{"list":[null,`+wrong+`]}`), new(record[T])), &semantic)
	assert.EqualError(t, semantic.Err, want.Error())
	assert.Equal(t, jsontext.Pointer("/list/1"), semantic.JSONPointer)
	assert.Equal(t, jsontext.Value(wrong).Kind(), semantic.JSONKind)
	assert.Equal(t, reflect.TypeFor[T](), semantic.GoType)
	assert.Empty(t, semantic.JSONValue, "it may be a credential")
}
