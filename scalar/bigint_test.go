package scalar_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestBigIntReads(t *testing.T) {
	tests := []struct{ name, in, want, encoded string }{
		{"number", `10000`, "10000", `10000`},
		{"string beyond 64 bits", `"35546774534000000000000000"`, "35546774534000000000000000", `"35546774534000000000000000"`},
		{"number beyond 64 bits", `35546774534000000000000001`, "35546774534000000000000001", `"35546774534000000000000001"`},
		{"negative", `-1`, "-1", `-1`},
		{"negative string", `"-1"`, "-1", `-1`},
		{"null", `null`, "0", `0`},
		{"zero", `0`, "0", `0`},
		{"negative zero", `-0`, "0", `0`},
		{"exponent", `1e3`, "1000", `1000`},
		{"exponent in a string", `"1E+3"`, "1000", `1000`},
		{"fraction that the exponent moves away", `1.25e2`, "125", `125`},
		{"fraction of zeros", `1.00`, "1", `1`},
		{"zero with a fraction of zeros", `-0.00`, "0", `0`},
		{"more than 64 bits in as many digits as they have", `9999999999999999999`, "9999999999999999999", `"9999999999999999999"`},
		{"zeros that the exponent takes away", `1500e-2`, "15", `15`},
		{"zero with a wild exponent", `0e99999999999999999999`, "0", `0`},
		{"leading zeros in a string", `"0010"`, "10", `10`},
		{"hexadecimal", `"0x10"`, "16", `16`},
		{"hexadecimal in upper case", `"0XfF"`, "255", `255`},
		{"negative hexadecimal", `"-0x10"`, "-16", `-16`},
		{"hexadecimal of 256 bits", `"0x` + strings.Repeat("f", 64) + `"`,
			"115792089237316195423570985008687907853269984665640564039457584007913129639935",
			`"115792089237316195423570985008687907853269984665640564039457584007913129639935"`},
		{"2^53 - 1", `9007199254740991`, "9007199254740991", `9007199254740991`},
		{"2^53", `9007199254740992`, "9007199254740992", `9007199254740992`},
		{"2^53 + 1", `9007199254740993`, "9007199254740993", `"9007199254740993"`},
		{"2^53 + 1 in a string", `"9007199254740993"`, "9007199254740993", `"9007199254740993"`},
		{"-2^53", `"-9007199254740992"`, "-9007199254740992", `-9007199254740992`},
		{"-2^53 - 1", `-9007199254740993`, "-9007199254740993", `"-9007199254740993"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := mustDecode[scalar.BigInt](t, test.in)
			assert.Equal(t, test.want, b.String())
			assert.Equal(t, test.encoded, mustEncode(t, b))
			assert.True(t, reflect.DeepEqual(b, mustDecode[scalar.BigInt](t, test.encoded)))

			text, err := b.MarshalText()
			require.NoError(t, err)
			parsed, err := scalar.ParseBigInt(string(text))
			require.NoError(t, err)
			assert.True(t, b.Equal(parsed))
		})
	}
}

func TestBigIntRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"behind the digits in ASCII", `"1:"`, `scalar: BigInt "1:": not a decimal number`},
		{"fraction", `1.5`, `scalar: BigInt "1.5": not an integer`},
		{"fraction in a string", `"1.5"`, `scalar: BigInt "1.5": not an integer`},
		{"small fraction", `1e-999999999`, `scalar: BigInt "1e-999999999": not an integer`},
		{"empty", `""`, `scalar: BigInt cannot be read from empty text`},
		{"space", `" 1"`, `scalar: BigInt " 1": not a decimal number`},
		{"words", `"ten"`, `scalar: BigInt "ten": not a decimal number`},
		{"hexadecimal without mark", `"ff"`, `scalar: BigInt "ff": not a decimal number`},
		{"hexadecimal without digits", `"0x"`, `scalar: BigInt "0x": not a decimal number`},
		{"underscores", `"1_000"`, `scalar: BigInt "1_000": not a decimal number`},
		{"plus", `"+1"`, `scalar: BigInt "+1": not a decimal number`},
		{"two signs", `"--1"`, `scalar: BigInt "--1": not a decimal number`},
		{"octal", `"0o17"`, `scalar: BigInt "0o17": not a decimal number`},
		{"infinity", `"Infinity"`, `scalar: BigInt "Infinity": not a decimal number`},
		{"huge", `1e999999999`, `scalar: BigInt "1e999999999": more than 10000 digits`},
		{"one digit too many", `1e10000`, `scalar: BigInt "1e10000": more than 10000 digits`},
		{"exponent out of range", `1e9223372036854775807`, `scalar: BigInt "1e9223372036854775807": the exponent is out of range`},
		{"long", `"` + strings.Repeat("9", 10_001) + `"`, `scalar: BigInt "` + strings.Repeat("9", 40) + `"...: more than 10000 digits`},
		{"long hexadecimal", `"0x` + strings.Repeat("f", 8_305) + `"`, `scalar: BigInt "0x` + strings.Repeat("f", 38) + `"...: more than 10000 digits`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := decode[scalar.BigInt](test.in)
			require.EqualError(t, err, test.want)
			_, err = scalar.ParseBigInt(strings.Trim(test.in, `"`))
			require.EqualError(t, err, test.want)
		})
	}
}

func TestBigIntAtItsBound(t *testing.T) {
	for _, in := range []string{`"` + strings.Repeat("9", 10_000) + `"`, `1e9999`, `"0x` + strings.Repeat("f", 8_304) + `"`} {
		b := mustDecode[scalar.BigInt](t, in)
		again := mustDecode[scalar.BigInt](t, mustEncode(t, b))
		assert.True(t, b.Equal(again))
		assert.LessOrEqual(t, len(b.String()), 10_000)
	}
}

func TestBigIntDoesNotChange(t *testing.T) {
	source := big.NewInt(7)
	b := scalar.NewBigInt(source)
	source.SetInt64(8)
	assert.Equal(t, "7", b.String(), "the source is copied")
	b.Big().SetInt64(9)
	assert.Equal(t, "7", b.String(), "the result is a copy")

	copied := b
	require.NoError(t, b.UnmarshalText([]byte("10")))
	assert.Equal(t, "7", copied.String(), "reading replaces and does not overwrite")
}

func TestBigIntConverts(t *testing.T) {
	tests := []struct {
		in             string
		signed         int64
		fitsSigned     bool
		unsigned       uint64
		fitsUnsigned   bool
		sign           int
		hexadecimal    string
		decimalPadding string
	}{
		{"0", 0, true, 0, true, 0, "0", "    0"},
		{"255", 255, true, 255, true, 1, "ff", "  255"},
		{"-1", -1, true, 0, false, -1, "-1", "   -1"},
		{"9223372036854775807", math.MaxInt64, true, math.MaxInt64, true, 1, "7fffffffffffffff", "9223372036854775807"},
		{"-9223372036854775808", math.MinInt64, true, 0, false, -1, "-8000000000000000", "-9223372036854775808"},
		{"18446744073709551615", 0, false, math.MaxUint64, true, 1, "ffffffffffffffff", "18446744073709551615"},
		{"18446744073709551616", 0, false, 0, false, 1, "10000000000000000", "18446744073709551616"},
	}
	for _, test := range tests {
		b, err := scalar.ParseBigInt(test.in)
		require.NoError(t, err)
		signed, ok := b.Int64()
		assert.Equal(t, test.fitsSigned, ok, test.in)
		assert.Equal(t, test.signed, signed, test.in)
		unsigned, ok := b.Uint64()
		assert.Equal(t, test.fitsUnsigned, ok, test.in)
		assert.Equal(t, test.unsigned, unsigned, test.in)
		assert.Equal(t, test.sign, b.Sign())
		assert.Equal(t, test.sign == 0, b.IsZero())
		assert.Equal(t, test.in, fmt.Sprintf("%v", b))
		assert.Equal(t, test.in, fmt.Sprintf("%s", &b))
		assert.Equal(t, test.hexadecimal, fmt.Sprintf("%x", b))
		assert.Equal(t, test.decimalPadding, fmt.Sprintf("%5d", b))
	}
}

func TestBigIntCompares(t *testing.T) {
	seven, eight := scalar.BigIntFrom(7), scalar.NewBigInt(big.NewInt(8))
	assert.Equal(t, -1, seven.Cmp(eight))
	assert.Equal(t, 1, eight.Cmp(seven))
	assert.Equal(t, 0, seven.Cmp(scalar.BigIntFrom(7)))
	assert.True(t, seven.Equal(scalar.BigIntFrom(7)))
	assert.False(t, seven.Equal(eight))

	// Every way to zero is the same zero, which == cannot check.
	var zero scalar.BigInt
	difference := new(big.Int).Sub(seven.Big(), big.NewInt(7))
	for _, other := range []scalar.BigInt{scalar.BigIntFrom(0), scalar.NewBigInt(nil), scalar.NewBigInt(difference), mustDecode[scalar.BigInt](t, `"-0x0"`)} {
		assert.True(t, zero.Equal(other))
		assert.True(t, reflect.DeepEqual(zero, other))
	}
	assert.False(t, reflect.TypeFor[scalar.BigInt]().Comparable(), "== would compare addresses")
}

func FuzzBigInt(f *testing.F) {
	for _, seed := range []string{
		`10000`, `"35546774534000000000000000"`, `-1`, `null`, `1e3`, `1.5`, `"0x10"`, `""`, `9007199254740993`, `"9007199254740993"`,
		`1e999999999`, `-1.0e-0`, `0e99999999999999999999`, `"-0x0"`, `"0x"`, `[]`, `"\ud800"`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, ok := checkRoundTrip[scalar.BigInt](t, data)
		if !ok {
			require.True(t, b.IsZero())
			return
		}
		if encoded := mustEncode(t, b); !strings.HasPrefix(encoded, `"`) {
			// A reader that uses floating point gets the same integer.
			f, _, err := big.ParseFloat(encoded, 10, 53, big.ToNearestEven)
			require.NoError(t, err)
			exact, _ := f.Int(nil)
			require.Zero(t, exact.Cmp(b.Big()))
		}
		hex, err := scalar.ParseBigInt(hexadecimal(b))
		if len(hexadecimal(b)) < 8_000 {
			require.NoError(t, err)
			require.True(t, b.Equal(hex))
		}
	})
}

// hexadecimal spells b with its mark.
func hexadecimal(b scalar.BigInt) string { return fmt.Sprintf("%#x", b) }
