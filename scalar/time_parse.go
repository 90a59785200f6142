package scalar

import (
	"math/big"
	"regexp"
	"strings"
	"time"
)

// millisecondsFrom is the magnitude from which a unix time counts milliseconds.
const millisecondsFrom = 100_000_000_000

// layouts are the spellings with a date, after the divider has become a T. time.Parse reads a fraction of a second
// behind each of the seconds.
var layouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04:05 UTC",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05 Z07:00",
	"2006-01-02T15:04:05 Z0700",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02",
}

// goZone is what time.Time.String prints behind the seconds, in upper case: the number of the zone, its name, which is
// the number again where it has none, and perhaps a monotonic reading. It matches without going back, so that its cost
// is linear and small.
var goZone = regexp.MustCompile(`^([+-][0-9]{4}) (?:[A-Z]+|([+-][0-9]{2}(?:[0-9]{2})?))(?: M=[+-][0-9]+\.[0-9]+)?$`)

// readTime reads text in any of the spellings, and keeps what it cannot read.
func readTime(text []byte) Time {
	if t, ok := parseUsual(text); ok {
		return NewTime(t)
	}
	return readRareTime(string(text))
}

// parseUsual reads the spellings that nearly all times have: whole unix seconds, or milliseconds after the epoch, and
// RFC 3339.
func parseUsual(text []byte) (t time.Time, ok bool) {
	if count, isInteger := smallInteger(text); isInteger {
		t = time.Unix(count, 0) // That of milliseconds before the epoch is out of bounds.
		if count >= millisecondsFrom {
			t = time.UnixMilli(count)
		}
		return t, inBounds(t)
	}
	t, err := time.Parse(time.RFC3339, string(text))
	return t, err == nil && inBounds(t)
}

// readRareTime is readTime for all spellings.
func readRareTime(text string) Time {
	if t, ok := parseUnix(text); ok {
		return NewTime(t)
	}
	if t, ok := parseDate(text); ok {
		return NewTime(t)
	}
	return Time{raw: text}
}

// divider is where T or a space divides date from time.
const divider = len("2006-01-02")

// parseDate reads the spellings that begin with a date.
func parseDate(text string) (time.Time, bool) {
	text = strings.ToUpper(text) // RFC 3339 allows t and z as well
	if strings.IndexByte(text, ' ') == divider {
		text = strings.Replace(text, " ", "T", 1)
	}
	clock, zone, _ := strings.Cut(text, " ")
	if parts := goZone.FindStringSubmatch(zone); parts != nil && strings.HasPrefix(zone, parts[2]) {
		text = clock + parts[1]
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, inBounds(t)
		}
	}
	return time.Time{}, false
}

// parseUnix reads a count of seconds or milliseconds. It reckons in fractions, since a float64 cannot hold today's date
// to the nanosecond. An instant between two nanoseconds becomes the earlier one.
func parseUnix(text string) (time.Time, bool) {
	n, err := parseNumber(text)
	if err != nil {
		return time.Time{}, false
	}
	count, err := n.rat()
	if err != nil {
		return time.Time{}, false
	}
	perUnit := time.Second
	if new(big.Rat).Abs(count).Cmp(big.NewRat(millisecondsFrom, 1)) >= 0 {
		perUnit = time.Millisecond
	}
	count.Mul(count, big.NewRat(int64(perUnit), 1))
	nanoseconds := new(big.Int).Div(count.Num(), count.Denom())
	seconds, rest := new(big.Int).DivMod(nanoseconds, big.NewInt(int64(time.Second)), new(big.Int))
	t := time.Unix(seconds.Int64(), rest.Int64())
	return t, seconds.IsInt64() && inBounds(t)
}
