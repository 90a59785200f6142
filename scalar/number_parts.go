package scalar

import (
	"bytes"
	"strconv"
	"strings"
)

// parts are the parts of a number's spelling. The whole part has a digit at least; the others are empty if they are
// absent.
type parts struct {
	negative                  bool
	whole, fraction, exponent string
}

// cutNumber takes a number's spelling apart. The grammar is that of JSON numbers, except that it allows leading zeros:
// amounts and identifiers in strings may carry them. It shuts out what strconv and math/big would read beside it:
// underscores, hexadecimal fractions, ratios, infinities.
func cutNumber(text string) (p parts, ok bool) {
	rest, negative := strings.CutPrefix(text, "-")
	p.negative = negative
	p.whole, rest = cutDigits(rest)
	ok = p.whole != ""
	if tail, found := strings.CutPrefix(rest, "."); found {
		p.fraction, rest = cutDigits(tail)
		ok = ok && p.fraction != ""
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		p.exponent = rest[1:]
		unsigned := p.exponent
		if unsigned != "" && (unsigned[0] == '+' || unsigned[0] == '-') {
			unsigned = unsigned[1:]
		}
		unsigned, rest = cutDigits(unsigned)
		ok = ok && unsigned != ""
	}
	return p, ok && rest == ""
}

// cutDigits cuts the decimal digits off the front of text.
func cutDigits(text string) (digits, rest string) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return text[:n], text[n:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isInteger reports whether the number is spelled as digits alone.
func (p parts) isInteger() bool { return p.fraction == "" && p.exponent == "" }

// isZero reports whether the number is zero.
func (p parts) isZero() bool {
	return strings.Trim(p.whole, "0") == "" && strings.Trim(p.fraction, "0") == ""
}

// power is the exponent's value. That of zero does not matter.
func (p parts) power() (int, error) {
	if p.exponent == "" || p.isZero() {
		return 0, nil
	}
	power, err := strconv.Atoi(p.exponent)
	if err != nil || power < -maxExponent || power > maxExponent {
		return 0, errExponent
	}
	return power, nil
}

// smallInteger reads an integer of 18 digits at most, which fit an int64, and of no other spelling.
func smallInteger(text []byte) (v int64, ok bool) {
	digits, negative := bytes.CutPrefix(text, []byte("-"))
	ok = len(digits) > 0 && len(digits) <= 18
	for i := 0; ok && i < len(digits); i++ {
		v, ok = v*10+int64(digits[i]-'0'), isDigit(digits[i])
	}
	if negative {
		v = -v
	}
	return v, ok
}
