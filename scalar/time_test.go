package scalar_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

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
		"2024-05-06 07:08:09 +0200 +0300", "2024-05-06 07:08:09 +020 +020", "1700000000 00000 00000", " +0200 +0200",
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
