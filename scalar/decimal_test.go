package scalar_test

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestDecimalReads(t *testing.T) {
	tests := []struct {
		name, in, spelling, rat string
		float                   float64
	}{
		{"string", `"12.50"`, "12.50", "25/2", 12.5},
		{"integer", `1250`, "1250", "1250", 1250},
		{"number", `12.50`, "12.50", "25/2", 12.5},
		{"no binary fraction", `"0.1"`, "0.1", "1/10", 0.1},
		{"more digits than a float64 has", `"9007199254740993.01"`, "9007199254740993.01", "900719925474099301/100",
			9007199254740993.01},
		{"negative", `"-3.75"`, "-3.75", "-15/4", -3.75},
		{"zero", `0`, "0", "0", 0},
		{"leading zeros", `"007.10"`, "007.10", "71/10", 7.1},
		{"exponent", `1.5E+3`, "1.5E+3", "1500", 1500},
		{"negative exponent", `"15e-1"`, "15e-1", "3/2", 1.5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := mustDecode[scalar.Decimal](t, test.in)
			assert.Equal(t, test.spelling, d.String())
			assert.True(t, d == scalar.NewDecimal(test.spelling))
			assert.False(t, d.IsZero())
			assert.Equal(t, strconv.Quote(test.spelling), mustEncode(t, d))

			r, err := d.Rat()
			require.NoError(t, err)
			assert.Equal(t, test.rat, r.RatString())
			f, err := d.Float64()
			require.NoError(t, err)
			assert.Equal(t, test.float, f)

			text, err := d.MarshalText()
			require.NoError(t, err)
			var fromText scalar.Decimal
			require.NoError(t, fromText.UnmarshalText(text))
			assert.True(t, d == fromText)
		})
	}
}

func TestDecimalAbsent(t *testing.T) {
	for _, in := range []string{`null`, `""`} {
		d := mustDecode[scalar.Decimal](t, in)
		assert.True(t, d.IsZero())
		assert.Equal(t, "null", mustEncode(t, d))
		_, err := d.Rat()
		require.ErrorContains(t, err, "Decimal is empty")
		_, err = d.Float64()
		require.ErrorContains(t, err, "Decimal is empty")
	}
}

func TestDecimalKeepsOtherText(t *testing.T) {
	for _, text := range []string{"free", "$12.50", "1,250.00", "1_000", "0x10", "1/2", "NaN", "Infinity", ".5", "5.",
		"1e", " 1", "+1", "1 2"} {
		d := mustDecode[scalar.Decimal](t, mustEncode(t, text))
		assert.Equal(t, text, d.String())
		assert.Equal(t, strconv.Quote(text), mustEncode(t, d))
		_, err := d.Rat()
		require.EqualError(t, err, "scalar: Decimal "+strconv.Quote(text)+": not a decimal number")
		f, err := d.Float64()
		require.EqualError(t, err, "scalar: Decimal "+strconv.Quote(text)+": not a decimal number")
		assert.Zero(t, f)
	}
}

func TestDecimalBounds(t *testing.T) {
	const tooLong, outOfRange = "more than 10000 digits", "out of the range of a float64"
	digits := strings.Repeat("7", 9_999)
	for text, want := range map[string]struct{ rat, float string }{
		"1e999999999": {tooLong, tooLong}, "1e-999999999": {tooLong, tooLong}, "-1e10000": {tooLong, tooLong},
		"1e-10000":                {tooLong, tooLong},
		"1e-99999999999999999999": {tooLong, tooLong}, digits + "77": {tooLong, tooLong}, digits + ".77": {tooLong, tooLong},
		digits + "7": {"", outOfRange}, "-0." + digits: {"", ""}, "1e9999": {"", outOfRange}, "-1e9999": {"", outOfRange},
		"1e-9999": {"", outOfRange},
		"1e308":   {"", ""}, "2e308": {"", outOfRange}, "5e-324": {"", ""}, "-1e-400": {"", outOfRange}, "0e9999": {"", ""},
	} {
		_, err := scalar.NewDecimal(text).Rat()
		checkError(t, err, want.rat)
		f, err := scalar.NewDecimal(text).Float64()
		checkError(t, err, want.float)
		assert.True(t, f == 0 || err == nil, "%.50s", text)
	}
	for length, quoted := range map[int]string{40: `"` + strings.Repeat("x", 40) + `"`, 41: `"` + strings.Repeat("x", 40) +
		`"...`} {
		_, err := scalar.NewDecimal(strings.Repeat("x", length)).Rat()
		require.EqualError(t, err, "scalar: Decimal "+quoted+": not a decimal number")
	}
}

// checkError fails unless err ends in the rule, or is nil for an empty one.
func checkError(t *testing.T, err error, rule string) {
	t.Helper()
	if rule == "" {
		assert.NoError(t, err)
		return
	}
	require.Error(t, err)
	assert.True(t, strings.HasPrefix(err.Error(), "scalar: Decimal ") && strings.HasSuffix(err.Error(), ": "+rule), err)
	assert.Less(t, len(err.Error()), 200)
}

func FuzzDecimal(f *testing.F) {
	for _, seed := range []string{`"12.50"`, `1250`, `-0.0`, `"1e999999999"`, `1e-9999`, `"0e99999999999999999999"`,
		`"free"`, `null`, `""`, `true`, "\"\xff\"", ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, ok := checkRoundTrip[scalar.Decimal](t, data)
		if !ok {
			require.True(t, d.IsZero())
			return
		}
		r, err := d.Rat()
		if err != nil {
			return
		}
		// math/big's own reader is the reference for this package's reader.
		want, readable := new(big.Rat).SetString(d.String())
		require.True(t, readable)
		require.Zero(t, want.Cmp(r), "%s became %s", d, r)
	})
}
