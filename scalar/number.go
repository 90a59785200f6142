package scalar

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are written out. Without it, a short text such as 1e999999999 would fill the
// memory.
const maxDigits = 10_000

var (
	errNotNumber = errors.New("not a decimal number")
	errTooLong   = fmt.Errorf("more than %d digits", maxDigits)
)

// decimalNumber has the parts of a number as JSON spells it, also with zeros in front: amounts and ids in strings may
// have them. math/big would read more: underscores, ratios, infinities.
var decimalNumber = regexp.MustCompile(`^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// parseNumber reads a decimal number exactly, if writing it out takes no more than maxDigits digits.
func parseNumber(text string) (*big.Rat, error) {
	parts := decimalNumber.FindStringSubmatch(text)
	if parts == nil {
		return nil, errNotNumber
	}
	exponent := 0
	if parts[3] != "" {
		var err error
		if exponent, err = strconv.Atoi(parts[3]); err != nil {
			return nil, errTooLong
		}
	}
	digits := len(strings.TrimLeft(parts[1], "0")) + len(parts[2])
	if room := maxDigits - digits; exponent > room || exponent < -room {
		return nil, errTooLong
	}
	value, _ := new(big.Rat).SetString(text)
	return value, nil
}

// smallInteger reads an integer of at most 18 digits, which fit an int64. It makes no allocation, also if it fails.
func smallInteger(text []byte) (v int64, ok bool) {
	digits, negative := bytes.CutPrefix(text, []byte("-"))
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}

// parseBigInt is ParseBigInt.
func parseBigInt(text []byte) (BigInt, error) {
	if len(text) == 0 {
		return BigInt{}, errors.New("scalar: BigInt cannot be read from empty text")
	}
	if v, ok := smallInteger(text); ok {
		return BigIntFrom(v), nil
	}
	v, err := parseInteger(string(text))
	if err != nil {
		return BigInt{}, fmt.Errorf("scalar: BigInt %s: %w", excerpt(text), err)
	}
	return keep(v), nil
}

func parseInteger(text string) (*big.Int, error) {
	const maxHexDigits = 8_304 // They never make more than maxDigits decimal ones.
	unsigned := strings.TrimPrefix(text, "-")
	if strings.HasPrefix(unsigned, "0x") || strings.HasPrefix(unsigned, "0X") {
		if len(unsigned) > len("0x")+maxHexDigits {
			return nil, errTooLong
		}
		if v, ok := new(big.Int).SetString(text, 0); ok && !strings.Contains(text, "_") {
			return v, nil
		}
		return nil, errNotNumber
	}
	if strings.Trim(unsigned, "0123456789") != "" {
		number, err := parseNumber(text)
		if err != nil {
			return nil, err
		}
		if !number.IsInt() {
			return nil, errors.New("not an integer")
		}
		return number.Num(), nil
	}
	if len(strings.TrimLeft(unsigned, "0")) > maxDigits {
		return nil, errTooLong
	}
	if v, ok := new(big.Int).SetString(text, 10); ok {
		return v, nil
	}
	return nil, errNotNumber
}

// MaxDecimals is the largest number of decimals that an amount can have: an ERC-20 token has a uint8 of them.
const MaxDecimals = 255

// FormatUnits returns the integer divided by ten to the power of decimals, exactly: 1500000 with 6 decimals is "1.5".
// There is no exponent, no rounding, no zero at the end of a fraction, and no point without one. Decimals are those of
// the token, such as 18, and 9 for gwei; fewer than 0 or more than [MaxDecimals] are an error.
func (b BigInt) FormatUnits(decimals int) (string, error) {
	if err := checkDecimals(decimals); err != nil {
		return "", err
	}
	text := new(big.Rat).SetFrac(b.big(), power(decimals)).FloatString(decimals)
	if decimals > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text, nil
}

// ParseUnits returns the number multiplied by ten to the power of decimals, exactly: "1.5" with 6 decimals is 1500000.
// It undoes [BigInt.FormatUnits]. The number is spelled as in JSON, also with zeros in front; one with more decimals is
// an error, unless they are zeros, and so is any other text.
func ParseUnits(text string, decimals int) (BigInt, error) {
	if err := checkDecimals(decimals); err != nil {
		return BigInt{}, err
	}
	number, err := parseNumber(text)
	if err != nil {
		return BigInt{}, fmt.Errorf("scalar: amount %s: %w", excerpt(text), err)
	}
	units := number.Mul(number, new(big.Rat).SetInt(power(decimals)))
	if !units.IsInt() {
		return BigInt{}, fmt.Errorf("scalar: amount %s: must have at most %d decimals", excerpt(text), decimals)
	}
	return keep(units.Num()), nil
}

func checkDecimals(decimals int) error {
	if decimals < 0 || decimals > MaxDecimals {
		return fmt.Errorf("scalar: decimals must be from 0 to %d, not %d", MaxDecimals, decimals)
	}
	return nil
}

// power returns ten to the power of decimals.
func power(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}
