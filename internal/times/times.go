// Package times reads times in the formats of the service.
package times

import (
	"strconv"
	"strings"
	"time"
)

// layouts are the formats with a date. time.Parse accepts a fraction after the seconds of each.
var layouts = []string{
	time.RFC3339,
	"2006-01-02 15:04:05 -0700 MST",
	"2006-01-02 15:04:05 UTC",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02",
}

// Parse reads a time in the years 1 to 9999:
//
//   - RFC 3339 with a fraction of any length or none. A space may replace the T, and the zone may be without a colon. If
//     it is absent, it is UTC.
//   - The format of [time.Time.String], such as 2024-05-14 12:34:56.5 +0000 UTC.
//   - A date alone, which is its midnight in UTC.
//   - Unix seconds, with or without a fraction. From 1e11 upwards, either side of zero, the number counts milliseconds
//     instead: as seconds that would be the year 5138.
//
// The result is in UTC, so that times can be compared with ==.
func Parse(text string) (at time.Time, ok bool) {
	at, ok = parseUnix(text)
	// time.Time.String repeats the offset of a zone without a name. It stands for any name.
	const offset = len(" +0200")
	if end := len(text) - offset; end >= offset && text[end] == ' ' && text[end:] == text[end-offset:end] {
		text = text[:end] + " MST"
	}
	for i := 0; i < len(layouts) && !ok; i++ {
		parsed, err := time.Parse(layouts[i], text)
		at, ok = parsed, err == nil
	}
	if at = at.UTC(); !ok || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}, false
	}
	return at, true
}

// parseUnix reads unix seconds or milliseconds. A fraction is cut to the nanosecond.
func parseUnix(text string) (at time.Time, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(whole, "-0123456789") != "" || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, false
	}
	count, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	nanoseconds, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if strings.HasPrefix(whole, "-") {
		nanoseconds = -nanoseconds
	}
	const millisecondsFrom = 100_000_000_000
	if count >= millisecondsFrom || count <= -millisecondsFrom {
		return time.UnixMilli(count).Add(time.Duration(nanoseconds / 1000)), true
	}
	return time.Unix(count, nanoseconds), true
}
