package scalar

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are expanded into math/big values. Without
// it, a short text such as 1e999999999 would fill the memory.
const maxDigits = 10_000

// maxExponent bounds an exponent before any arithmetic is done with it.
const maxExponent = 1_000_000_000

var (
	errNotNumber = errors.New("not a decimal number")
	errExponent  = errors.New("the exponent is out of range")
	errTooLong   = fmt.Errorf("more than %d digits", maxDigits)
)

// number is a decimal number taken apart but not yet expanded: its value is
// digits × 10^scale. The digits have no zeros at either end, and zero has no
// digits at all, so that equal values have equal parts.
type number struct {
	negative bool
	digits   string
	scale    int
}

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
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}

// parseNumber takes text apart. It works on the text alone, so its cost does
// not depend on how large the number is.
func parseNumber(text string) (number, error) {
	p, ok := cutNumber(text)
	if !ok {
		return number{}, errNotNumber
	}
	significant := strings.TrimLeft(p.whole+p.fraction, "0")
	if significant == "" {
		return number{}, nil
	}
	power, err := p.power()
	if err != nil {
		return number{}, err
	}
	digits := strings.TrimRight(significant, "0")
	scale := len(significant) - len(digits) - len(p.fraction) + power
	return number{negative: p.negative, digits: digits, scale: scale}, nil
}

// rat expands n exactly.
func (n number) rat() (*big.Rat, error) {
	if n.scale >= 0 {
		v, err := n.integer()
		if err != nil {
			return nil, err
		}
		return new(big.Rat).SetInt(v), nil
	}
	mantissa, err := n.mantissa()
	if err != nil {
		return nil, err
	}
	return new(big.Rat).SetFrac(mantissa, n.power()), nil
}

// integer expands n exactly, or says why it is not an integer of a size that
// this package reads.
func (n number) integer() (*big.Int, error) {
	if n.scale < 0 {
		// The digits do not end in zeros: what is left of the point stays.
		return nil, errors.New("not an integer")
	}
	mantissa, err := n.mantissa()
	if err != nil || n.scale == 0 {
		return mantissa, err
	}
	return mantissa.Mul(mantissa, n.power()), nil
}

// mantissa is the signed value of the digits alone, if n is of a size that this package expands.
func (n number) mantissa() (*big.Int, error) {
	if len(n.digits)+max(n.scale, -n.scale) > maxDigits {
		return nil, errTooLong
	}
	if n.digits == "" {
		return new(big.Int), nil
	}
	v, ok := new(big.Int).SetString(n.digits, 10)
	if !ok {
		return nil, errNotNumber
	}
	if n.negative {
		v.Neg(v)
	}
	return v, nil
}

// power is what the digits are multiplied with, or divided by if the scale is negative.
func (n number) power() *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.scale, -n.scale))), nil)
}

// parseFloat reads text as the nearest float64. A number that is too large for
// one, or so small that nothing but zero would be left of it, is an error.
func parseFloat(text string) (float64, error) {
	p, ok := cutNumber(text)
	if !ok {
		return 0, errNotNumber
	}
	if _, err := p.power(); err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errors.New("too large for a float64")
	}
	if f == 0 && !p.isZero() {
		return 0, errors.New("too small for a float64")
	}
	return f, nil
}
