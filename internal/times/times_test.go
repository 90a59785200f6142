package times_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/times"
)

func TestParse_readsFormats(t *testing.T) {
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	clock := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	micro := clock.Add(123456 * time.Microsecond)
	const milli, nano = time.Millisecond, time.Nanosecond
	unix := time.Unix(1700000000, 0)
	for want, spellings := range map[time.Time][]string{
		day: {"2024-05-06"},
		clock: {"2024-05-06T07:08:09Z", "2024-05-06T09:08:09+02:00", "2024-05-06T09:08:09+0200",
			"2024-05-06 07:08:09 +0000 UTC", "2024-05-06 04:08:09 -0300 -03", "2024-05-06 12:53:09 +0545 +0545",
			"2024-05-06T07:08:09", "2024-05-06T07:08:09.000000000000",
			"2024-05-06 07:08:09Z", "2024-05-06 09:08:09+02:00", "2024-05-06 09:08:09+0200"},
		clock.Add(120 * milli): {"2024-05-06T07:08:09.120Z"},
		micro: {"2024-05-06T07:08:09.123456Z", "2024-05-06T01:38:09.123456-05:30", "2024-05-06 07:08:09.123456 UTC",
			"2024-05-06 09:08:09.123456 +0200 CEST", "2024-05-06T07:08:09.123456", "2024-05-06 07:08:09.123456"},
		clock.Add(123456789 * nano): {"2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123456789987654Z",
			"2024-05-06 07:08:09.123456789 +0000 UTC"},

		unix:                       {"1700000000", "1700000000000", "1700000000.0"},
		unix.Add(123 * milli):      {"1700000000123"},
		unix.Add(123456 * 1000):    {"1700000000.123456", "1700000000123.456"},
		unix.Add(123456789 * nano): {"1700000000.123456789", "1700000000.1234567899"},
		time.Unix(2024, 0):         {"2024"},
		time.Unix(0, 0):            {"0", "-0"},
		time.Unix(-1, 0):           {"-1"},
		time.Unix(-1, 750000000):   {"-0.25"},
		// From 1e11 upwards, a number counts milliseconds.
		time.Unix(99999999999, 0):          {"99999999999"},
		time.Unix(99999999999, 5e8):        {"99999999999.5"},
		time.Unix(100000000, 0):            {"100000000000", "100000000000.0"},
		time.Unix(-100000000, 0):           {"-100000000000", "-100000000000.0"},
		time.Unix(-62135596799, 0):         {"-62135596799", "0001-01-01T00:00:01Z"},
		time.Unix(253402300799, 999999999): {"9999-12-31T23:59:59.999999999Z"},
		time.Unix(253402300799, 999000000): {"253402300799999"},
		{}:                                 {"0001-01-01T00:00:00Z", "-62135596800", "-62135596800.0"},
	} {
		for _, in := range spellings {
			got, ok := times.Parse(in)
			assert.True(t, ok, in)
			assert.Equal(t, want.UTC(), got, in)
		}
	}
}

func TestParse_refusesOtherTexts(t *testing.T) {
	for _, text := range []string{
		"", "soon", "yesterday at noon", "2024-13-01", "2024-02-30T00:00:00Z", "06/05/2024", "20240506T070809Z", " ",
		"2024-05-06T07:08:09 CEST", "2024-05-06T07:08:09Z and more", "2024-05-06T25:00:00Z", "2024-5-6",
		"1_700_000_000", "0x6553f100", "1700000000/1", "NaN", "Inf", "1e", "1.e3", "1.7e9", "+1700000000", "--1", ".5", "1.-5",
		"1700000000 ", "2024-05-06 07:08:09 UTC +0000", "2024-05-06 07:08:09 +0000 ", "2024-05-06 07:08:09 CEST",
		"2024-05-06 +0000 UTC", "2024-05-06t07:08:09z",
		"2024-05-06 07:08:09 +0200 +0300", "2024-05-06 07:08:09 +020 +020", "1700000000 00000 00000", " +0200 +0200", " +0200",
		"2024-05-06 07:08:09 +9900 X", "2024-05-06 07:08:09 +0000 UTC m=+0.5", "2024-05-06T07:08Z",
		"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00", "10000-01-01T00:00:00Z",
		"1700000000000000", "-62135596800001", "253402300800000", "-99999999999", "9223372036854775807", "1e308",
		"99999999999999999999", "1e999999999",
	} {
		got, ok := times.Parse(text)
		assert.False(t, ok, text)
		assert.Zero(t, got, text)
	}
}

// FuzzParse reads anything: a time is in UTC and in the years 1 to 9999, so that it is read back.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2024-05-06T07:08:09.123456Z", "2024-05-06 09:08:09 +0200", "2024-05-06", "1700000000",
		"1700000000.5", "-0.000000001", "2024-05-06 04:08:09 -0300 -03", "253402300799999.999999", "soon"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := times.Parse(text)
		if !ok {
			require.Zero(t, at)
			return
		}
		require.Equal(t, time.UTC, at.Location())
		again, ok := times.Parse(at.Format(time.RFC3339Nano))
		require.True(t, ok)
		require.Equal(t, at, again)
		if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds < 1e11 && seconds > -1e11 {
			require.Equal(t, seconds, at.Unix())
		}
	})
}
