package scalar_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestBigIntReads(t *testing.T) {
	tests := []struct{ name, in, want, encoded string }{
		{"number", `10000`, "10000", `10000`},
		{"string beyond 64 bits", `"35546774534000000000000000"`, "35546774534000000000000000",
			`"35546774534000000000000000"`},
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
		{"more than 64 bits in as many digits as they have", `9999999999999999999`, "9999999999999999999",
			`"9999999999999999999"`},
		{"zeros that the exponent takes away", `1500e-2`, "15", `15`},
		{"leading zeros in a string", `"0010"`, "10", `10`},
		{"more zeros in front than digits are read", `"-` + strings.Repeat("0", 10_001) + `79"`, "-79", `-79`},
		{"as many, and a fraction of zeros", `"` + strings.Repeat("0", 10_001) + `7.0"`, "7", `7`},
		{"18 digits", `999999999999999999`, "999999999999999999", `"999999999999999999"`},
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
			text, err := b.MarshalText()
			require.NoError(t, err)
			assert.Equal(t, test.want, string(text))
			assert.Equal(t, test.encoded, mustEncode(t, b))
			assert.True(t, reflect.DeepEqual(b, mustDecode[scalar.BigInt](t, test.encoded)))
		})
	}
}

func TestBigIntRefuses(t *testing.T) {
	const notNumber, tooLong, notInteger = "not a decimal number", "more than 10000 digits", "not an integer"
	for in, want := range map[string]string{
		"1:": notNumber, "/1": notNumber, " 1": notNumber, "ten": notNumber, "ff": notNumber, "0x": notNumber,
		"-0x":  notNumber,
		"0xfg": notNumber, "0x-1": notNumber, "0x1_0": notNumber, "1_000": notNumber, "+1": notNumber, "--1": notNumber,
		"-":    notNumber,
		"0o17": notNumber, "Infinity": notNumber, "1.": notNumber, ".5": notNumber, "1e": notNumber,
		"+1234567890123456789": notNumber,
		"1.5":                  notInteger, "-0.1": notInteger, "1e-9999": notInteger,
		"1e10000": tooLong, "1e-10000": tooLong, "1e999999999": tooLong, "0e99999999999999999999": tooLong,
		"1e-9223372036854775808": tooLong,
	} {
		_, err := decode[scalar.BigInt](`"` + in + `"`)
		require.EqualError(t, err, "scalar: BigInt "+strconv.Quote(in)+": "+want)
		_, err = scalar.ParseBigInt(in)
		require.EqualError(t, err, "scalar: BigInt "+strconv.Quote(in)+": "+want)
	}
	for in, excerpt := range map[string]string{
		strings.Repeat("9", 10_001): strings.Repeat("9", 40), "0x" + strings.Repeat("f", 8_305): "0x" +
			strings.Repeat("f", 38),
	} {
		_, err := scalar.ParseBigInt(in)
		require.EqualError(t, err, `scalar: BigInt "`+excerpt+`"...: `+tooLong)
	}
	_, err := decode[scalar.BigInt](`""`)
	require.EqualError(t, err, "scalar: BigInt cannot be read from empty text")
}

func TestBigIntAtItsBound(t *testing.T) {
	for _, in := range []string{strings.Repeat("9", 10_000), "1e9999", "10e9998", "-0x" + strings.Repeat("f", 8_304)} {
		b := mustDecode[scalar.BigInt](t, `"`+in+`"`)
		assert.True(t, b.Equal(mustDecode[scalar.BigInt](t, mustEncode(t, b))))
		assert.LessOrEqual(t, len(strings.TrimPrefix(b.String(), "-")), 10_000)
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
	for _, other := range []scalar.BigInt{scalar.BigIntFrom(0), scalar.NewBigInt(nil), scalar.NewBigInt(difference),
		mustDecode[scalar.BigInt](t, `"-0x0"`)} {
		assert.True(t, zero.Equal(other))
		assert.True(t, reflect.DeepEqual(zero, other))
	}
	assert.False(t, reflect.TypeFor[scalar.BigInt]().Comparable(), "== would compare addresses")
}

func FuzzBigInt(f *testing.F) {
	for _, seed := range []string{
		`10000`, `"35546774534000000000000000"`, `-1`, `null`, `1e3`, `1.5`, `"0x10"`, `""`, `9007199254740993`,
		`"9007199254740993"`,
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
		if hex := fmt.Sprintf("%#x", b); len(hex) < 8_000 {
			parsed, err := scalar.ParseBigInt(hex)
			require.NoError(t, err)
			require.True(t, b.Equal(parsed))
		}
	})
}

func TestUnitsBothWays(t *testing.T) {
	for _, test := range []struct {
		digits   string
		decimals int
		text     string
	}{
		{"0", 0, "0"},
		{"0", 18, "0"},
		{"1", 0, "1"},
		{"1", 1, "0.1"},
		{"-1", 1, "-0.1"},
		{"-1500000", 6, "-1.5"},
		{"1000000", 6, "1"},
		{"100", 0, "100"},
		{"1000000000000000001", 18, "1.000000000000000001"},
		{"115792089237316195423570985008687907853269984665640564039457584007913129639935", 18,
			"115792089237316195423570985008687907853269984665640564039457.584007913129639935"},
		{"7", scalar.MaxDecimals, "0." + strings.Repeat("0", scalar.MaxDecimals-1) + "7"},
		{"1" + strings.Repeat("0", 9_000), 3, "1" + strings.Repeat("0", 8_997)},
	} {
		units, err := scalar.ParseBigInt(test.digits)
		require.NoError(t, err)
		text, err := units.FormatUnits(test.decimals)
		require.NoError(t, err)
		assert.Equal(t, test.text, text)
		again, err := scalar.ParseUnits(test.text, test.decimals)
		require.NoError(t, err)
		assert.True(t, units.Equal(again), "%s with %d decimals is %s", test.text, test.decimals, again)
	}
	for text, want := range map[string]string{
		"1.50": "150", "1.5000000": "150", "001.5": "150", "0.0000": "0", "-0": "0", "1e2": "10000", "15e-1": "150",
		"0.000e5": "0",
	} {
		got, err := scalar.ParseUnits(text, 2)
		require.NoError(t, err, text)
		assert.Equal(t, want, got.String(), text)
	}
}

func TestUnitsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"1.234": "must have at most 2 decimals", "-0.001": "must have at most 2 decimals",
		"1e-3":      "must have at most 2 decimals",
		"1e9999999": "more than 10000 digits", "": "not a decimal number", " 1": "not a decimal number",
		"+1":  "not a decimal number",
		"1,5": "not a decimal number", "0x10": "not a decimal number", ".5": "not a decimal number",
	} {
		_, err := scalar.ParseUnits(text, 2)
		assert.EqualError(t, err, "scalar: amount "+strconv.Quote(text)+": "+want)
	}
	for _, decimals := range []int{-1, scalar.MaxDecimals + 1} {
		want := fmt.Sprintf("scalar: decimals must be from 0 to 255, not %d", decimals)
		_, err := scalar.ParseUnits("1", decimals)
		require.EqualError(t, err, want)
		text, err := scalar.BigIntFrom(1).FormatUnits(decimals)
		require.EqualError(t, err, want)
		assert.Empty(t, text)
	}
}

// FuzzParseUnits makes sure that amounts are read exactly, and read back as they are written.
func FuzzParseUnits(f *testing.F) {
	for _, text := range []string{"1.5", "-0.000001", "1e3", "12e-2", "0", "-0", "1.234", "", ".", "0x1", "1e99999", "٣",
		"1_0", strings.Repeat("9", 400)} {
		f.Add(text, 6)
	}
	f.Add("1", -1)
	f.Add("1", 256)
	f.Fuzz(func(t *testing.T, text string, decimals int) {
		units, err := scalar.ParseUnits(text, decimals)
		if err != nil {
			require.True(t, units.IsZero())
			return
		}
		exact, err := scalar.NewDecimal(text).Rat()
		require.NoError(t, err)
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		require.Zero(t, exact.Cmp(new(big.Rat).SetFrac(units.Big(), unit)))
		again, err := units.FormatUnits(decimals)
		require.NoError(t, err)
		same, err := scalar.ParseUnits(again, decimals)
		require.NoError(t, err)
		require.True(t, same.Equal(units))
	})
}
