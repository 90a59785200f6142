package scalar

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are expanded into math/big values. Without it, a short text such as 1e999999999
// would fill the memory.
const maxDigits = 10_000

// maxExponent bounds an exponent before any arithmetic is done with it.
const maxExponent = 1_000_000_000

var (
	errNotNumber = errors.New("not a decimal number")
	errExponent  = errors.New("the exponent is out of range")
	errTooLong   = fmt.Errorf("more than %d digits", maxDigits)
)

// number is a decimal number taken apart but not yet expanded: its value is digits × 10^scale. The digits have no zeros
// at either end, and zero has no digits at all, so that equal values have equal parts.
type number struct {
	negative bool
	digits   string
	scale    int
}

// parseNumber takes text apart. It works on the text alone, so its cost does not depend on how large the number is.
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

// integer expands n exactly, or says why it is not an integer of a size that this package reads.
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
	v := expand(n.digits, 10)
	if n.negative {
		v.Neg(v)
	}
	return v, nil
}

// power is what the digits are multiplied with, or divided by if the scale is negative.
func (n number) power() *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.scale, -n.scale))), nil)
}

// parseFloat reads text as the nearest float64. A number that is too large for one, or so small that nothing but zero
// would be left of it, is an error.
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
