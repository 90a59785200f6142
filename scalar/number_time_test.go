package scalar_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

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
	for _, test := range []struct {
		in           string
		signed       int64
		fitsSigned   bool
		unsigned     uint64
		fitsUnsigned bool
	}{
		{"0", 0, true, 0, true}, {"255", 255, true, 255, true}, {"-1", -1, true, 0, false},
		{"9223372036854775807", math.MaxInt64, true, math.MaxInt64, true},
		{"-9223372036854775808", math.MinInt64, true, 0, false}, {"18446744073709551615", 0, false, math.MaxUint64, true},
		{"18446744073709551616", 0, false, 0, false},
	} {
		b := must(scalar.ParseBigInt(test.in))(t)
		signed, fitsSigned := b.Int64()
		unsigned, fitsUnsigned := b.Uint64()
		assert.Equal(t, []any{test.signed, test.fitsSigned, test.unsigned, test.fitsUnsigned},
			[]any{signed, fitsSigned, unsigned, fitsUnsigned}, test.in)
		assert.Equal(t, b.Big().Sign(), b.Sign())
		assert.Equal(t, test.in == "0", b.IsZero())
		assert.Equal(t, test.in, fmt.Sprintf("%v", b))
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

func TestTime_readsFormats(t *testing.T) {
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	clock := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	micro := clock.Add(123456 * time.Microsecond)
	const milli, nano = time.Millisecond, time.Nanosecond
	unix := time.Unix(1700000000, 0)
	for want, spellings := range map[time.Time][]string{
		day: {`"2024-05-06"`},
		clock: {`"2024-05-06T07:08:09Z"`, `"2024-05-06T09:08:09+02:00"`, `"2024-05-06T09:08:09+0200"`,
			`"2024-05-06 07:08:09 +0000 UTC"`, `"2024-05-06 04:08:09 -0300 -03"`, `"2024-05-06 12:53:09 +0545 +0545"`,
			`"2024-05-06T07:08:09"`, `"2024-05-06T07:08:09.000000000000"`,
			`"2024-05-06 07:08:09Z"`, `"2024-05-06 09:08:09+02:00"`, `"2024-05-06 09:08:09+0200"`},
		clock.Add(120 * milli): {`"2024-05-06T07:08:09.120Z"`},
		micro: {`"2024-05-06T07:08:09.123456Z"`, `"2024-05-06T01:38:09.123456-05:30"`, `"2024-05-06 07:08:09.123456 UTC"`,
			`"2024-05-06 09:08:09.123456 +0200 CEST"`, `"2024-05-06T07:08:09.123456"`, `"2024-05-06 07:08:09.123456"`},
		clock.Add(123456789 * nano): {`"2024-05-06T07:08:09.123456789Z"`, `"2024-05-06T07:08:09.123456789987654Z"`,
			`"2024-05-06 07:08:09.123456789 +0000 UTC"`},

		unix:                       {`1700000000`, `"1700000000"`, `1.7e9`, `1700000000000`},
		unix.Add(123 * milli):      {`"1700000000123"`},
		unix.Add(123456 * 1000):    {`1700000000.123456`, `1700000000123.456`},
		unix.Add(123456789 * nano): {`"1700000000.123456789"`, `1700000000.1234567899`},
		time.Unix(2024, 0):         {`"2024"`},
		time.Unix(0, 0):            {`0`, `"-0"`},
		time.Unix(-1, 0):           {`-1`},
		time.Unix(-1, 750000000):   {`-0.25`},
		time.Unix(-2, 999999999):   {`-1.0000000009`},
		// From 1e11 upwards, a number counts milliseconds.
		time.Unix(99999999999, 0):          {`99999999999`},
		time.Unix(99999999999, 5e8):        {`99999999999.5`},
		time.Unix(100000000, 0):            {`100000000000`, `"100000000000.0"`, `1e11`},
		time.Unix(-100000000, 0):           {`-100000000000`, `-100000000000.0`},
		time.Unix(-62135596799, 0):         {`-62135596799`, `"0001-01-01T00:00:01Z"`},
		time.Unix(253402300799, 999999999): {`"9999-12-31T23:59:59.999999999Z"`},
		time.Unix(253402300799, 999000000): {`253402300799999`},
	} {
		for _, in := range spellings {
			got := mustDecode[scalar.Time](t, in)
			assert.Equal(t, want.UTC(), got.Time, in)
			assert.True(t, got.Valid(), in)
			assert.Empty(t, got.Raw(), in)
			assert.True(t, got == mustDecode[scalar.Time](t, mustEncode(t, got)), in)

			var fromText scalar.Time
			require.NoError(t, fromText.UnmarshalText([]byte(strings.Trim(in, `"`))))
			assert.True(t, got == fromText, "as text it is %s", fromText)
		}
	}
}

func TestTime_absentIsZero(t *testing.T) {
	for _, in := range []string{`null`, `""`, `"0001-01-01T00:00:00Z"`, `-62135596800`, `-62135596800.0`} {
		got := mustDecode[scalar.Time](t, in)
		assert.True(t, got == scalar.Time{}, in)
		assert.False(t, got.Valid(), in)
		assert.Empty(t, got.Raw(), in)
		assert.Empty(t, got.String(), in)
		assert.Equal(t, "null", mustEncode(t, got), in)
	}
}

func TestTime_keepsUnreadableText(t *testing.T) {
	texts := []string{
		"soon", "yesterday at noon", "2024-13-01", "2024-02-30T00:00:00Z", "06/05/2024", "20240506T070809Z", " ",
		"2024-05-06T07:08:09 CEST", "2024-05-06T07:08:09Z and more", "2024-05-06T25:00:00Z", "2024-5-6",
		"1_700_000_000", "0x6553f100", "1700000000/1", "NaN", "Inf", "1e", "1.e3", "+1700000000", "--1", "1700000000 ",
		"2024-05-06 07:08:09 UTC +0000", "2024-05-06 07:08:09 +0000 ", "2024-05-06 07:08:09 CEST", "2024-05-06 +0000 UTC",
		"2024-05-06t07:08:09z",
		"2024-05-06 07:08:09 +0200 +0300", "2024-05-06 07:08:09 +020 +020", "1700000000 00000 00000", " +0200 +0200", " +0200",
		"2024-05-06 07:08:09 +9900 X", "2024-05-06 07:08:09 +0000 UTC m=+0.5",
		"2024-05-06T07:08Z",
		"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00", "10000-01-01T00:00:00Z",
		"1700000000000000", "-62135596800001", "253402300800000", "-99999999999", "9223372036854775807", "1e308",
		"1e999999999", "1e-999999999999999999999",
		`quote " and \ back`,
	}
	for _, text := range texts {
		in := mustEncode(t, text)
		got := mustDecode[scalar.Time](t, in)
		assert.Equal(t, text, got.Raw())
		assert.Equal(t, text, got.String())
		assert.False(t, got.Valid(), text)
		assert.True(t, got.Time.IsZero(), text)
		assert.JSONEq(t, in, mustEncode(t, got))
		assert.True(t, got == mustDecode[scalar.Time](t, mustEncode(t, got)))
	}
	assert.Equal(t, `a\nb`, mustDecode[scalar.Time](t, `"a\nb"`).String(), "on one line")
	assert.Equal(t, "1e400", mustDecode[scalar.Time](t, `1e400`).Raw(), "a number out of range keeps its spelling")
}

func TestTime_writesUTC(t *testing.T) {
	east := time.FixedZone("east", 2*60*60)
	for want, in := range map[string]scalar.Time{
		"2023-11-14T22:13:20Z":           scalar.NewTime(time.Unix(1700000000, 0)),
		"2023-11-14T22:13:20.12Z":        scalar.NewTime(time.Unix(1700000000, 120000000)),
		"2024-05-06T07:08:09.000000001Z": {Time: time.Date(2024, 5, 6, 9, 8, 9, 1, east)},
	} {
		assert.Equal(t, `"`+want+`"`, mustEncode(t, in))
		assert.Equal(t, want, in.String())
		assert.Equal(t, want, fmt.Sprint(in))
	}
	for _, year := range []int{-1, 0, 10000} {
		outside := scalar.NewTime(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC))
		_, err := json.Marshal(outside)
		require.ErrorContains(t, err, "years 1 to 9999")
		appended, err := outside.AppendText([]byte("at "))
		require.ErrorContains(t, err, "years 1 to 9999")
		assert.Equal(t, "at ", string(appended), "the text before it stays")
	}
	appended := must(scalar.NewTime(time.Unix(0, 0)).AppendText([]byte("at ")))(t)
	assert.Equal(t, "at 1970-01-01T00:00:00Z", string(appended))
}

func TestTime_compares(t *testing.T) {
	utc := mustDecode[scalar.Time](t, `"2024-05-06T07:08:09Z"`)
	east := time.Date(2024, 5, 6, 9, 8, 9, 0, time.FixedZone("east", 2*60*60))
	assert.True(t, utc.Equal(east))
	assert.True(t, scalar.NewTime(east) == utc)
	assert.False(t, utc.Equal(east.Add(1)))

	soon, late := mustDecode[scalar.Time](t, `"soon"`), mustDecode[scalar.Time](t, `"late"`)
	assert.False(t, soon == late)
	assert.False(t, soon == scalar.Time{})
	assert.True(t, soon == mustDecode[scalar.Time](t, `"soon"`))

	now := time.Now()
	assert.True(t, scalar.NewTime(now) == scalar.NewTime(now.Round(0)), "a monotonic reading is no part of it")
}
