package scalar

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are expanded into math/big values. Without it, a short text such as 1e999999999
// would fill the memory.
const maxDigits = 10_000

// maxExponent bounds an exponent before any arithmetic is done with it.
const maxExponent = 1_000_000_000

// numberPattern is the grammar of JSON numbers, except that it allows leading zeros: amounts and identifiers in strings
// may carry them. It shuts out what strconv and math/big would read beside it: underscores, hexadecimal fractions,
// ratios, infinities.
var numberPattern = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

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
	parts := numberPattern.FindStringSubmatch(text)
	if parts == nil {
		return number{}, errNotNumber
	}
	sign, whole, fraction, exponent := parts[1], parts[2], parts[3], parts[4]

	significant := strings.TrimLeft(whole+fraction, "0")
	if significant == "" {
		return number{}, nil
	}
	digits := strings.TrimRight(significant, "0")
	scale := len(significant) - len(digits) - len(fraction)
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil || e < -maxExponent || e > maxExponent {
			return number{}, errExponent
		}
		scale += e
	}
	return number{negative: sign == "-", digits: digits, scale: scale}, nil
}

// rat expands n exactly.
func (n number) rat() (*big.Rat, error) {
	if len(n.digits)+max(n.scale, -n.scale) > maxDigits {
		return nil, errTooLong
	}
	if n.digits == "" {
		return new(big.Rat), nil
	}
	mantissa, err := n.mantissa()
	if err != nil {
		return nil, err
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.scale, -n.scale))), nil)
	if n.scale < 0 {
		return new(big.Rat).SetFrac(mantissa, power), nil
	}
	return new(big.Rat).SetInt(mantissa.Mul(mantissa, power)), nil
}

// integer expands n exactly, or says why it is not an integer of a size that this package reads.
func (n number) integer() (*big.Int, error) {
	if n.scale < 0 {
		// The digits do not end in zeros: what is left of the point stays.
		return nil, errors.New("not an integer")
	}
	r, err := n.rat()
	if err != nil {
		return nil, err
	}
	return r.Num(), nil
}

// mantissa is the signed value of the digits alone.
func (n number) mantissa() (*big.Int, error) {
	v, ok := new(big.Int).SetString(n.digits, 10)
	if !ok {
		return nil, errNotNumber
	}
	if n.negative {
		v.Neg(v)
	}
	return v, nil
}

// parseFloat reads text as the nearest float64. A number that is too large for one, or so small that nothing but zero
// would be left of it, is an error.
func parseFloat(text string) (float64, error) {
	n, err := parseNumber(text)
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errors.New("too large for a float64")
	}
	if f == 0 && n.digits != "" {
		return 0, errors.New("too small for a float64")
	}
	return f, nil
}
