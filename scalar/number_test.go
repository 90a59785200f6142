package scalar_test

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestBigInt_readsNotations(t *testing.T) {
	const large, max256 = "35546774534000000000000001",
		"115792089237316195423570985008687907853269984665640564039457584007913129639935"
	zeros := strings.Repeat("0", 10_001) // more than digits are read
	// Readers that use floating point read integers exactly up to 2^53: these are numbers, the others are strings.
	for quote, values := range map[string]map[string][]string{
		"": {
			"0":  {`null`, `0`, `-0`, `-0.00`, `"-0x0"`},
			"-1": {`-1`, `"-1"`, `-10e-1`},
			"15": {`1500e-2`}, "10": {`"0010"`, `"0xa"`, `"0XA"`, `1e1`, `"1E+1"`, `10.00`},
			"-16": {`"-0x10"`}, "125": {`1.25e2`},
			"-79": {`"-` + zeros + `79"`}, "7": {`"` + zeros + `7.0"`}, "10000": {`10000`},
			"9007199254740991": {`9007199254740991`}, "9007199254740992": {`9007199254740992`},
			"-9007199254740992": {`"-9007199254740992"`},
		},
		`"`: {
			"9007199254740993": {`9007199254740993`, `"9007199254740993"`}, "-9007199254740993": {`-9007199254740993`},
			"999999999999999999": {`999999999999999999`}, "9999999999999999999": {`9999999999999999999`},
			large: {large, `"` + large + `"`}, max256: {`"0x` + strings.Repeat("f", 64) + `"`},
		},
	} {
		for want, spellings := range values {
			for _, in := range spellings {
				b := mustDecode[scalar.BigInt](t, in)
				assert.Equal(t, want, string(must(b.MarshalText())(t)))
				assert.Equal(t, quote+want+quote, mustEncode(t, b))
				assert.True(t, reflect.DeepEqual(b, mustDecode[scalar.BigInt](t, mustEncode(t, b))))
			}
		}
	}
}

func TestBigInt_refusesOtherTexts(t *testing.T) {
	for want, texts := range map[string][]string{
		"not a decimal number": {"1:", "/1", " 1", "ten", "ff", "0x", "-0x", "0xfg", "0x-1", "0x1_0", "1_000", "+1", "--1",
			"-", "0o17", "Infinity", "1.", ".5", "1e", "+1234567890123456789"},
		"not an integer": {"1.5", "-0.1", "1e-9999"},
		"more than 10000 digits": {"1e10000", "1e-10000", "1e999999999", "0e99999999999999999999", "1e-9223372036854775808",
			strings.Repeat("9", 10_001), "0x" + strings.Repeat("f", 8_305)},
	} {
		for _, in := range texts {
			_, err := decode[scalar.BigInt](`"` + in + `"`)
			checkTextError(t, err, "BigInt", in, ": "+want)
			_, err = scalar.ParseBigInt(in)
			checkTextError(t, err, "BigInt", in, ": "+want)
		}
	}
	_, err := decode[scalar.BigInt](`""`)
	require.EqualError(t, err, "scalar: BigInt cannot be read from empty text")
	for _, in := range []string{strings.Repeat("9", 10_000), "1e9999", "10e9998", "-0x" + strings.Repeat("f", 8_304)} {
		b := mustDecode[scalar.BigInt](t, `"`+in+`"`)
		assert.True(t, b.Equal(mustDecode[scalar.BigInt](t, mustEncode(t, b))), "as many digits as are read")
		assert.LessOrEqual(t, len(strings.TrimPrefix(b.String(), "-")), 10_000)
	}
}

func TestBigInt_copiesAreIndependent(t *testing.T) {
	source := big.NewInt(7)
	b := scalar.NewBigInt(source)
	source.SetInt64(8)
	b.Big().SetInt64(9)
	assert.Equal(t, "7", b.String(), "the source and the result are copies")
	copied := b
	require.NoError(t, b.UnmarshalText([]byte("10")))
	assert.Equal(t, "7", copied.String(), "reading replaces and does not overwrite")
}

func TestBigInt_convertsIfInRange(t *testing.T) {
	for in, fits := range map[string]bool{
		"0": true, "255": true, "-1": true, "9223372036854775807": true, "-9223372036854775808": true,
		"9223372036854775808": false, "-9223372036854775809": false,
	} {
		b := must(scalar.ParseBigInt(in))(t)
		signed, fitsSigned := b.Int64()
		assert.Equal(t, fits, fitsSigned, in)
		assert.Equal(t, fits, in == strconv.FormatInt(signed, 10), in)
		assert.Equal(t, b.Big().Sign(), b.Sign())
		assert.Equal(t, in == "0", b.IsZero())
		assert.Equal(t, in, fmt.Sprintf("%v", b))
		assert.Equal(t, fmt.Sprintf("%s %x %#b %5d", b.Big(), b.Big(), b.Big(), b.Big()),
			fmt.Sprintf("%s %x %#b %5d", &b, b, b, b), "as a big.Int prints")
	}
}

func TestBigInt_compares(t *testing.T) {
	seven, eight := scalar.BigIntFrom(7), scalar.NewBigInt(big.NewInt(8))
	assert.Equal(t, -1, seven.Cmp(eight))
	assert.Equal(t, 1, eight.Cmp(seven))
	assert.True(t, seven.Equal(scalar.BigIntFrom(7)))
	assert.False(t, seven.Equal(eight))

	// Every way to zero is the same zero, which == cannot check.
	var zero scalar.BigInt
	difference := new(big.Int).Sub(seven.Big(), big.NewInt(7))
	for _, other := range []scalar.BigInt{scalar.BigIntFrom(0), scalar.NewBigInt(nil), scalar.NewBigInt(difference)} {
		assert.True(t, zero.Equal(other))
		assert.True(t, reflect.DeepEqual(zero, other))
	}
	assert.False(t, reflect.TypeFor[scalar.BigInt]().Comparable(), "== would compare addresses")
}

func TestDecimal_readsNumbersAndStrings(t *testing.T) {
	for _, test := range []struct {
		in, rat string
		float   float64
	}{
		{`"12.50"`, "25/2", 12.5}, {`1250`, "1250", 1250}, {`12.50`, "25/2", 12.5}, {`"0.1"`, "1/10", 0.1}, {`0`, "0", 0},
		{`"9007199254740993.01"`, "900719925474099301/100", 9007199254740993.01}, {`"-3.75"`, "-15/4", -3.75},
		{`"007.10"`, "71/10", 7.1}, {`1.5E+3`, "1500", 1500}, {`"15e-1"`, "3/2", 1.5},
	} {
		d, spelling := mustDecode[scalar.Decimal](t, test.in), strings.Trim(test.in, `"`)
		assert.Equal(t, spelling, d.String())
		assert.True(t, d == scalar.NewDecimal(spelling))
		assert.False(t, d.IsZero())
		assert.Equal(t, strconv.Quote(spelling), mustEncode(t, d))

		assert.Equal(t, test.rat, must(d.Rat())(t).RatString())
		assert.Equal(t, test.float, must(d.Float64())(t))

		assert.Equal(t, spelling, string(must(d.MarshalText())(t)))
	}
}

// TestDecimal_conversionsRefuseOtherTexts decodes texts of which Rat or Float64 return an error, or both.
func TestDecimal_conversionsRefuseOtherTexts(t *testing.T) {
	const tooLong, outOfRange, notNumber = ": more than 10000 digits", ": out of the range of a float64",
		": not a decimal number"
	digits := strings.Repeat("7", 9_999)
	for errs, texts := range map[[2]string][]string{
		{" is empty", " is empty"}: {""},
		{notNumber, notNumber}: {"free", "$12.50", "1,250.00", "1_000", "0x10", "1/2", "NaN", "Infinity", ".5", "5.", "1e",
			" 1", "+1", "1 2", strings.Repeat("x", 40), strings.Repeat("x", 41)},
		{tooLong, tooLong}: {"1e999999999", "1e-999999999", "-1e10000", "1e-10000", "1e-99999999999999999999",
			digits + "77", digits + ".77"},
		{"", outOfRange}: {digits + "7", "1e9999", "-1e9999", "1e-9999", "2e308", "-1e-400"},
		{"", ""}:         {"-0." + digits, "1e308", "5e-324", "0e9999"},
	} {
		for _, text := range texts {
			d := mustDecode[scalar.Decimal](t, strconv.Quote(text))
			assert.Equal(t, text, d.String())
			assert.Equal(t, text == "", d.IsZero())
			_, err := d.Rat()
			checkTextError(t, err, "Decimal", text, errs[0])
			f, err := d.Float64()
			checkTextError(t, err, "Decimal", text, errs[1])
			assert.True(t, f == 0 || err == nil, "%.50s", text)
		}
	}
}

// checkTextError fails unless err quotes the text, at most 40 bytes of it, and the rule, or is nil for no rule.
func checkTextError(t *testing.T, err error, typeName, text, rule string) {
	t.Helper()
	quoted := " " + strconv.Quote(text)
	switch {
	case rule == "":
		require.NoError(t, err)
		return
	case text == "":
		quoted = ""
	case len(text) > 40:
		quoted = " " + strconv.Quote(text[:40]) + "..."
	}
	require.EqualError(t, err, "scalar: "+typeName+quoted+rule)
}
