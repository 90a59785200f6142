package scalar

import (
	"errors"
	"math/big"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Time is a timestamp in any of the formats that the service uses:
//
//   - RFC 3339 with a fraction of any length or none. A space may replace the T,
//     and the zone may be without a colon. If it is absent, it is UTC.
//   - The format of [time.Time.String], such as 2024-05-14 12:34:56.5 +0000 UTC.
//   - A date alone, which is its midnight in UTC.
//   - Unix seconds, as a JSON number or in a string, with or without a
//     fraction. From 1e11 upwards, either side of zero, the number counts
//     milliseconds instead: as seconds that would be the year 5138.
//   - null and empty text, which are the zero Time.
//
// Equal, Before, After and Compare take a [time.Time], such as the field Time of another Time. Decoded times are in UTC,
// so == and reflect.DeepEqual compare their instants, and the texts that could not be parsed.
//
// If the text has another format, or the time is outside the years 1 to 9999, decoding does not fail: the Time is zero,
// [Time.Valid] reports false, and [Time.Raw] returns the text.
type Time struct {
	time.Time
	raw string
}

// The first and the last unix second of the years 1 to 9999: RFC 3339 covers these years, and the zero time.Time is
// free to mean that there is no time.
const (
	firstSecond = -62_135_596_800
	lastSecond  = 253_402_300_799
)

// NewTime returns t in UTC, without a monotonic reading.
func NewTime(t time.Time) Time { return Time{Time: t.UTC()} }

// Valid reports whether there is a time. It is false for null, empty text, and text that could not be parsed. If the
// text could not be parsed, Raw is not empty.
func (t Time) Valid() bool { return !t.IsZero() }

// Raw returns the text if it could not be parsed as a time, and otherwise an empty string.
func (t Time) Raw() string { return t.raw }

// String returns the time in RFC 3339 in UTC, with as many fractional digits as needed. If the text could not be
// parsed, it returns the text with unprintable characters escaped. It returns an empty string for the zero Time.
func (t Time) String() string {
	if t.IsZero() {
		return redact.Printable(t.raw)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// AppendText appends the result of MarshalText.
func (t Time) AppendText(b []byte) ([]byte, error) {
	switch {
	case t.IsZero():
		return append(b, t.raw...), nil
	case !inBounds(t.Time):
		return b, errors.New("scalar: Time is outside the years 1 to 9999")
	}
	return t.UTC().AppendFormat(b, time.RFC3339Nano), nil
}

// MarshalText returns the same as String, but does not escape a text that could not be parsed. If the time is outside
// the years 1 to 9999, it returns an error.
func (t Time) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// MarshalJSON returns the result of MarshalText as a JSON string, or null for the zero Time. If the time is outside the
// years 1 to 9999, it returns an error.
func (t Time) MarshalJSON() ([]byte, error) {
	text, err := t.MarshalText()
	if err != nil {
		return nil, err
	}
	return quotedOrNull(text), nil
}

// UnmarshalText reads a time in any of the formats. It does not fail: if the text cannot be parsed, Raw returns it.
func (t *Time) UnmarshalText(text []byte) error {
	if read, ok := parseTime(text); ok && inBounds(read) {
		*t = NewTime(read)
	} else {
		*t = Time{raw: string(text)}
	}
	return nil
}

// UnmarshalJSON reads a JSON string or number in any of the formats, or null. It fails only if the JSON value is of
// another kind.
func (t *Time) UnmarshalJSON(data []byte) error {
	return unmarshal("Time", data, kindStringOrNumber, t.UnmarshalText)
}

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

// millisecondsFrom is the magnitude from which a unix time is in milliseconds.
const millisecondsFrom = 100_000_000_000

func parseTime(text []byte) (t time.Time, ok bool) {
	if count, ok := smallInteger(text); ok {
		if count >= millisecondsFrom || count <= -millisecondsFrom {
			return time.UnixMilli(count), true
		}
		return time.Unix(count, 0), true
	}
	// time.Time.String repeats the offset of a zone without a name. It stands for any name.
	const offset = len(" +0200")
	if end := len(text) - offset; end >= offset && text[end] == ' ' && string(text[end:]) == string(text[end-offset:end]) {
		text = append(text[:end:end], " MST"...)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, string(text)); err == nil {
			return t, true
		}
	}
	return parseUnix(string(text))
}

// parseUnix parses a number of seconds or milliseconds. It uses a rational number, since a float64 cannot represent
// today's date to the nanosecond. It rounds down to the nanosecond.
func parseUnix(text string) (t time.Time, ok bool) {
	count, err := parseNumber(text)
	if err != nil {
		return time.Time{}, false
	}
	unit := time.Second
	if new(big.Rat).Abs(count).Cmp(big.NewRat(millisecondsFrom, 1)) >= 0 {
		unit = time.Millisecond
	}
	count.Mul(count, big.NewRat(int64(unit), 1))
	nanoseconds := new(big.Int).Div(count.Num(), count.Denom())
	seconds, rest := new(big.Int).DivMod(nanoseconds, big.NewInt(int64(time.Second)), new(big.Int))
	return time.Unix(seconds.Int64(), rest.Int64()), seconds.IsInt64()
}

// inBounds reports whether t is in the years 1 to 9999 in UTC.
func inBounds(t time.Time) bool {
	seconds := t.Unix()
	return seconds >= firstSecond && seconds <= lastSecond
}
