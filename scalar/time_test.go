package scalar_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestTimeReadsEverySpelling(t *testing.T) {
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	clock := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	micro := clock.Add(123456 * time.Microsecond)
	unix := time.Unix(1700000000, 0)
	tests := []struct {
		name, in string
		want     time.Time
	}{
		{"RFC 3339", `"2024-05-06T07:08:09Z"`, clock},
		{"milliseconds", `"2024-05-06T07:08:09.120Z"`, clock.Add(120 * time.Millisecond)},
		{"microseconds", `"2024-05-06T07:08:09.123456Z"`, micro},
		{"nanoseconds", `"2024-05-06T07:08:09.123456789Z"`, clock.Add(123456789)},
		{"finer than nanoseconds", `"2024-05-06T07:08:09.123456789987654Z"`, clock.Add(123456789)},
		{"an offset", `"2024-05-06T09:08:09+02:00"`, clock},
		{"an offset with a fraction", `"2024-05-06T01:38:09.123456-05:30"`, micro},
		{"an offset without a colon", `"2024-05-06T09:08:09+0200"`, clock},
		{"UTC by name", `"2024-05-06 07:08:09.123456 UTC"`, micro},
		{"as Go prints it", `"2024-05-06 07:08:09.123456789 +0000 UTC"`, clock.Add(123456789)},
		{"as Go prints whole seconds", `"2024-05-06 07:08:09 +0000 UTC"`, clock},
		{"as Go prints a zone with a name", `"2024-05-06 09:08:09.123456 +0200 CEST"`, micro},
		{"as Go prints a zone with hours for a name", `"2024-05-06 04:08:09 -0300 -03"`, clock},
		{"without zone", `"2024-05-06T07:08:09"`, clock},
		{"without zone, with a fraction", `"2024-05-06T07:08:09.123456"`, micro},
		{"a space for T", `"2024-05-06 07:08:09Z"`, clock},
		{"a space for T, with an offset", `"2024-05-06 09:08:09+02:00"`, clock},
		{"a space for T, with an offset without a colon", `"2024-05-06 09:08:09+0200"`, clock},
		{"a space for T, without zone", `"2024-05-06 07:08:09.123456"`, micro},
		{"date only", `"2024-05-06"`, day},

		{"unix seconds", `1700000000`, unix},
		{"unix seconds in a string", `"1700000000"`, unix},
		{"fractional unix seconds", `1700000000.123456`, unix.Add(123456 * time.Microsecond)},
		{"fractional unix seconds in a string", `"1700000000.123456789"`, unix.Add(123456789)},
		{"finer than nanoseconds as a number", `1700000000.1234567899`, unix.Add(123456789)},
		{"unix seconds with an exponent", `1.7e9`, unix},
		{"unix milliseconds", `1700000000000`, unix},
		{"unix milliseconds in a string", `"1700000000123"`, unix.Add(123 * time.Millisecond)},
		{"fractional unix milliseconds", `1700000000123.456`, unix.Add(123456 * time.Microsecond)},
		{"the epoch", `0`, time.Unix(0, 0)},
		{"the epoch, negative", `"-0"`, time.Unix(0, 0)},
		{"before the epoch", `-1`, time.Unix(-1, 0)},
		{"a fraction before the epoch", `-0.25`, time.Unix(-1, 750000000)},
		{"finer than nanoseconds before the epoch", `-1.0000000009`, time.Unix(-2, 999999999)},
		{"the last value in seconds", `99999999999`, time.Unix(99999999999, 0)},
		{"the last value in seconds, with a fraction", `99999999999.5`, time.Unix(99999999999, 5e8)},
		{"the first value in milliseconds", `100000000000`, time.Unix(100000000, 0)},
		{"the first value in milliseconds, with a fraction", `"100000000000.0"`, time.Unix(100000000, 0)},
		{"the first value in milliseconds, with an exponent", `1e11`, time.Unix(100000000, 0)},
		{"the last value in seconds below zero", `-62135596799`, time.Unix(-62135596799, 0)},
		{"the first value in milliseconds below zero", `-100000000000`, time.Unix(-100000000, 0)},
		{"the first value in milliseconds below zero, with a fraction", `-100000000000.0`, time.Unix(-100000000, 0)},
		{"the last instant, as text", `"9999-12-31T23:59:59.999999999Z"`, time.Unix(253402300799, 999999999)},
		{"the last instant, as a number", `253402300799999`, time.Unix(253402300799, 999000000)},
		{"the year 1", `"0001-01-01T00:00:01Z"`, time.Unix(-62135596799, 0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustDecode[scalar.Time](t, test.in)
			assert.Equal(t, test.want.UTC(), got.Time)
			assert.True(t, got.Valid())
			assert.Empty(t, got.Raw())

			again := mustDecode[scalar.Time](t, mustEncode(t, got))
			assert.True(t, got == again, "reads back as %s", again)

			var fromText scalar.Time
			require.NoError(t, fromText.UnmarshalText([]byte(strings.Trim(test.in, `"`))))
			assert.True(t, got == fromText, "as text it is %s", fromText)
		})
	}
}

func TestTimeAbsent(t *testing.T) {
	for _, in := range []string{`null`, `""`, `"0001-01-01T00:00:00Z"`, `-62135596800`, `-62135596800.0`} {
		got := mustDecode[scalar.Time](t, in)
		assert.True(t, got == scalar.Time{}, in)
		assert.False(t, got.Valid(), in)
		assert.Empty(t, got.Raw(), in)
		assert.Empty(t, got.String(), in)
		assert.Equal(t, "null", mustEncode(t, got), in)
	}
}

func TestTimeKeepsWhatItCannotRead(t *testing.T) {
	texts := []string{
		"soon", "yesterday at noon", "2024-13-01", "2024-02-30T00:00:00Z", "06/05/2024", "20240506T070809Z", " ",
		"2024-05-06T07:08:09 CEST", "2024-05-06T07:08:09Z and more", "2024-05-06T25:00:00Z", "2024-5-6",
		"1_700_000_000", "0x6553f100", "1700000000/1", "NaN", "Inf", "1e", "1.e3", "+1700000000", "--1", "1700000000 ",
		"2024-05-06 07:08:09 UTC +0000", "2024-05-06 07:08:09 +0000 ", "2024-05-06 07:08:09 CEST", "2024-05-06 +0000 UTC",
		"2024-05-06t07:08:09z",
		"2024-05-06 07:08:09 +0200 +0300", "2024-05-06 07:08:09 +9900 X", "2024-05-06 07:08:09 +0000 UTC m=+0.5",
		"2024-05-06T07:08Z",
		"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00", "10000-01-01T00:00:00Z",
		"1700000000000000", "-62135596800001", "253402300800000", "-99999999999", "9223372036854775807", "1e308",
		"1e999999999", "1e-999999999999999999999",
		`quote " and \ back`,
	}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			in := mustEncode(t, text)
			got := mustDecode[scalar.Time](t, in)
			assert.Equal(t, text, got.Raw())
			assert.Equal(t, text, got.String())
			assert.False(t, got.Valid())
			assert.True(t, got.Time.IsZero())
			assert.JSONEq(t, in, mustEncode(t, got))
			assert.True(t, got == mustDecode[scalar.Time](t, mustEncode(t, got)))
		})
	}
	assert.Equal(t, `a\nb`, mustDecode[scalar.Time](t, `"a\nb"`).String(), "on one line")
	assert.Equal(t, "1e400", mustDecode[scalar.Time](t, `1e400`).Raw(), "a number out of range keeps its spelling")
	assert.Equal(t, time.Unix(2024, 0).UTC(), mustDecode[scalar.Time](t, `"2024"`).Time, "digits alone are a unix time")
}

func TestTimeWrites(t *testing.T) {
	east := time.FixedZone("east", 2*60*60)
	tests := []struct {
		name string
		in   scalar.Time
		want string
	}{
		{"whole seconds", scalar.NewTime(time.Unix(1700000000, 0)), `"2023-11-14T22:13:20Z"`},
		{"no more digits than needed", scalar.NewTime(time.Unix(1700000000, 120000000)), `"2023-11-14T22:13:20.12Z"`},
		{"another zone", scalar.Time{Time: time.Date(2024, 5, 6, 9, 8, 9, 1, east)}, `"2024-05-06T07:08:09.000000001Z"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, mustEncode(t, test.in))
			assert.Equal(t, strings.Trim(test.want, `"`), test.in.String())
			assert.Equal(t, strings.Trim(test.want, `"`), fmt.Sprint(test.in))
		})
	}
	for _, year := range []int{-1, 0, 10000} {
		outside := scalar.NewTime(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC))
		_, err := json.Marshal(outside)
		require.ErrorContains(t, err, "years 1 to 9999")
		_, err = outside.MarshalText()
		require.ErrorContains(t, err, "years 1 to 9999")
	}
	appended, err := scalar.NewTime(time.Unix(0, 0)).AppendText([]byte("at "))
	require.NoError(t, err)
	assert.Equal(t, "at 1970-01-01T00:00:00Z", string(appended))
	appended, err = scalar.NewTime(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)).AppendText([]byte("at "))
	require.Error(t, err)
	assert.Equal(t, "at ", string(appended), "the text before it stays")
}

func TestTimeCompares(t *testing.T) {
	utc := mustDecode[scalar.Time](t, `"2024-05-06T07:08:09Z"`)
	east := mustDecode[scalar.Time](t, `"2024-05-06T09:08:09+02:00"`)
	assert.True(t, utc == east)
	assert.True(t, reflect.DeepEqual(utc, east))
	assert.True(t, utc.Equal(east))

	handmade := scalar.Time{Time: time.Date(2024, 5, 6, 9, 8, 9, 0, time.FixedZone("east", 2*60*60))}
	assert.True(t, utc.Equal(handmade))
	assert.False(t, utc.Equal(scalar.NewTime(handmade.Add(1))))
	assert.True(t, scalar.NewTime(handmade.Time) == utc)

	soon, late := mustDecode[scalar.Time](t, `"soon"`), mustDecode[scalar.Time](t, `"late"`)
	assert.False(t, soon.Equal(late))
	assert.False(t, soon.Equal(scalar.Time{}))
	assert.True(t, soon.Equal(mustDecode[scalar.Time](t, `"soon"`)))

	now := time.Now()
	assert.True(t, scalar.NewTime(now) == scalar.NewTime(now.Round(0)), "a monotonic reading is no part of it")
}

func FuzzTime(f *testing.F) {
	for _, seed := range []string{
		`"2024-05-06T07:08:09.123456Z"`, `"2024-05-06 09:08:09 +0200"`, `"2024-05-06"`, `"2024-05-06 07:08 UTC"`,
		`1700000000`, `"1700000000.5"`,
		`-0.000000001`, `1e11`, `1700000000000`, `"1e999999999"`, `"2024-05-06 09:08:09.5 +0200 CEST m=+0.123"`,
		`"2024-05-06 04:08:09 -0300 -03"`, `253402300799999.999999`, `"soon"`, `null`, `""`, `{}`, `true`, `"\ud800"`,
		"\"\xff\"", `"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := checkRoundTrip[scalar.Time](t, data)
		if !ok {
			return
		}
		require.False(t, got.Valid() && got.Raw() != "", "either a time or the text")
		if got.Valid() {
			require.Equal(t, time.UTC, got.Location())
			require.GreaterOrEqual(t, got.Year(), 1)
			require.LessOrEqual(t, got.Year(), 9999)
		}
	})
}
