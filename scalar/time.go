package scalar

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Time is a timestamp in any of the spellings that the service uses:
//
//   - RFC 3339 with a fraction of any length or none. T or a space may divide
//     date from time, seconds and zone may be absent, and the zone may also
//     read +0000 or UTC. A time without a zone is in UTC.
//   - What Go's [time.Time.String] returns: 2024-05-14 12:34:56.5 +0200 CEST,
//     also with a monotonic reading such as m=+0.123 behind it. The number of
//     the zone counts, and a name that is a number must agree with it.
//   - A date alone, which is its midnight in UTC.
//   - Unix seconds, as a JSON number or in a string, with or without a
//     fraction. From 1e11 upwards, either side of zero, the number counts
//     milliseconds instead: as seconds that would be the year 5138.
//   - null and empty text, which are the zero Time.
//
// Times that were read are in UTC, so == and reflect.DeepEqual compare the instants of two of them.
//
// Text in any other spelling, or a time outside the years 1 to 9999, does not fail the decode: the Time is then zero,
// [Time.Valid] is false, and [Time.Raw] returns the text.
type Time struct {
	time.Time
	raw string
}

// The first and the last unix second of the years 1 to 9999: those are the years that RFC 3339 can spell and for which
// the zero time.Time is free to mean that there is no time.
const (
	firstSecond = -62_135_596_800
	lastSecond  = 253_402_300_799
)

// NewTime returns the Time of t, in UTC and without a monotonic reading.
func NewTime(t time.Time) Time { return Time{Time: t.UTC()} }

// Valid reports whether there is a time. It is false after null and empty text, and after text that could not be read;
// Raw tells these two apart, which IsZero does not.
func (t Time) Valid() bool { return !t.IsZero() }

// Raw returns the text that could not be read as a time, and is empty in every other case.
func (t Time) Raw() string { return t.raw }

// Equal reports whether both stand for the same instant, whatever their zones. Times that could not be read are equal
// if their texts are.
func (t Time) Equal(other Time) bool {
	return t.Time.Equal(other.Time) && t.raw == other.raw
}

// String returns the time in RFC 3339 in UTC, with as many fractional digits as it needs, the text as it came if it
// could not be read, with escapes for what does not print, or an empty string for the zero Time.
func (t Time) String() string {
	if t.IsZero() {
		return redact.Printable(t.raw)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// AppendText appends what MarshalText returns.
func (t Time) AppendText(b []byte) ([]byte, error) {
	switch {
	case t.IsZero():
		return append(b, t.raw...), nil
	case !inBounds(t.Time):
		return b, errors.New("scalar: Time is outside the years 1 to 9999")
	}
	return t.UTC().AppendFormat(b, time.RFC3339Nano), nil
}

// MarshalText returns the same as String, and a text that could not be read as it came. A time outside the years 1 to
// 9999 is an error.
func (t Time) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// MarshalJSON returns the same as MarshalText as a JSON string, or null for the zero Time. A time outside the years 1 to
// 9999 is an error.
func (t Time) MarshalJSON() ([]byte, error) {
	text, err := t.MarshalText()
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return []byte("null"), nil
	}
	return quoted(text), nil
}

// UnmarshalText reads any of the spellings. It does not fail: text that it cannot read is kept for Raw.
func (t *Time) UnmarshalText(text []byte) error {
	*t = readTime(text)
	return nil
}

// UnmarshalJSON reads a JSON string or number in any of the spellings, or null. It fails only if the JSON value is of
// another kind.
func (t *Time) UnmarshalJSON(data []byte) error { return unmarshal("Time", data, t.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (t *Time) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Time](dec, t.read)
}

func (t *Time) read(value []byte) error {
	lit, err := readLiteral("Time", value, kindString|kindNumber)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*t = Time{}
		return nil
	}
	*t = readTime(lit.text)
	return nil
}

// inBounds reports whether t lies in the years 1 to 9999 in UTC.
func inBounds(t time.Time) bool {
	seconds := t.Unix()
	return seconds >= firstSecond && seconds <= lastSecond
}
