package scalar_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
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

func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

func mustDecode[T any](t *testing.T, text string) T {
	t.Helper()
	return must(decode[T](text))(t)
}

func mustEncode(t testing.TB, v any) string {
	t.Helper()
	return string(must(json.Marshal(v))(t))
}

func TestTypes_nullIsZero(t *testing.T) {
	checkNull[scalar.Secret](t, `"made-up-secret"`, "null")
	checkNull[scalar.SecretURL](t, `"https://a.example.com/made-up"`, "null")
	checkNull[scalar.Decimal](t, `12.50`, "null")
	checkNull[scalar.BigInt](t, `"35546774534000000000000000"`, "0")
	checkNull[scalar.Extra](t, `{"k":1}`, "null")
}

// checkNull reads text, a JSON value that is not T's zero, and null in its place. Zero is written as zeroText.
func checkNull[T any](t *testing.T, text, zeroText string) {
	t.Helper()
	type record struct {
		Field   T
		Pointer *T
		Map     map[string]T
		Omitted T `json:",omitzero"`
	}
	var zero T
	want := mustDecode[T](t, text)
	read := mustDecode[record](t, `{"Field":`+text+`,"Pointer":`+text+`,"Map":{"k":`+text+`}}`)
	// reflect.DeepEqual inside assert.True keeps values out of the output.
	assert.True(t, reflect.DeepEqual(record{Field: want, Pointer: &want, Map: map[string]T{"k": want}}, read))
	assert.False(t, reflect.DeepEqual(zero, want))
	require.NoError(t, json.Unmarshal([]byte(`{"Field":null,"Pointer":null,"Map":{"k":null}}`), &read))
	assert.True(t, reflect.DeepEqual(record{Map: map[string]T{"k": zero}}, read))
	assert.Equal(t, `{"Field":`+zeroText+`,"Pointer":null,"Map":{"k":`+zeroText+`}}`, mustEncode(t, read))
}

// TestUnmarshal_refusesWrongKinds hands every kind of JSON value that a type does not read, and text that is not JSON,
// to the type itself.
func TestUnmarshal_refusesWrongKinds(t *testing.T) {
	const object, array, boolean, number, text = `{"v3ry":"v3ry"}`, `["v3ry"]`, `true`, `1234567`, `"v3ry"`
	kinds := map[string]string{object: "object", array: "array", boolean: "boolean", `false`: "boolean", number: "number",
		text: "string"}
	malformed := []string{``, ` `, `nul`, `nulL`, `"v3ry`, `v3ry`, `1 2`, `"a" "v3ry"`, `-`, "\x00", `{`, `[1,`, `{"a":}`}
	for name, test := range map[string]struct {
		target json.Unmarshaler
		before string
		wrong  []string
	}{
		"Secret":    {new(scalar.NewSecret("s")), "[redacted]", []string{object, array, boolean}},
		"SecretURL": {new(scalar.NewSecretURL("s")), "[redacted]", []string{object, array, boolean, number}},
		"Decimal":   {new(scalar.NewDecimal("1.5")), "1.5", []string{object, array, boolean}},
		"BigInt":    {new(scalar.BigIntFrom(7)), "7", []string{object, array, boolean}},
		"Extra":     {new(extraOf()), "[plan token tags/1]", []string{array, boolean, `false`, number, text}},
	} {
		for _, in := range test.wrong {
			err := test.target.UnmarshalJSON([]byte(in))
			require.EqualError(t, err, "scalar: "+name+" cannot be read from a JSON "+kinds[in])
			err = json.Unmarshal([]byte(`{"Field":`+in+`}`), &struct{ Field any }{test.target})
			require.Error(t, err)
			assert.NotRegexp(t, "v3ry|1234567", err.Error(), "nor does encoding/json quote it")
		}
		for _, in := range malformed {
			err := test.target.UnmarshalJSON([]byte(in))
			require.EqualError(t, err, "scalar: "+name+" cannot be read from malformed JSON", in)
		}
		assert.Equal(t, test.before, fmt.Sprint(test.target), "the old value stays")
	}
}

// TestUnmarshal_boundsAllocations bounds the allocations of reading a value. The numbers do not depend on the machine.
func TestUnmarshal_boundsAllocations(t *testing.T) {
	race.Skip(t) // The detector makes sync.Pool drop things at random.
	checkAllocations[scalar.Secret](t, 2, `"0123456789abcdef0123456789abcdef"`)
	checkAllocations[scalar.Decimal](t, 1, `"1234.50"`)
	checkAllocations[scalar.BigInt](t, 2, `"7001"`)
}

// checkAllocations fails if reading a list of T, with either version of encoding/json, allocates more than most for an
// item.
func checkAllocations[T any](t *testing.T, most float64, value string) {
	t.Helper()
	const listed, slack = 100, 0.1 // for the list itself
	data, values := []byte("["+strings.Repeat(value+",", listed-1)+value+"]"), make([]T, listed)
	for _, read := range []func() error{
		func() error { clear(values); return json.Unmarshal(data, &values) },
		func() error { clear(values); return jsonv2.Unmarshal(data, &values) },
	} {
		require.NoError(t, read())
		assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = read() })/listed, most+slack)
	}
}
