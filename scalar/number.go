package scalar

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxDigits limits the digits of a number. Without it, a short text such as 1e999999999 would exhaust the memory.
const maxDigits = 10_000

var (
	errNotNumber = errors.New("not a decimal number")
	errTooLong   = fmt.Errorf("more than %d digits", maxDigits)
)

// decimalNumber matches a JSON number, also with leading zeros, as in amounts and ids in strings. math/big would also
// accept underscores, ratios and infinities.
var decimalNumber = regexp.MustCompile(`^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// parseNumber parses a decimal number exactly, if it has at most maxDigits digits.
func parseNumber(text string) (*big.Rat, error) {
	parts := decimalNumber.FindStringSubmatch(text)
	if parts == nil {
		return nil, errNotNumber
	}
	exponent, err := strconv.Atoi(cmp.Or(parts[3], "0"))
	room := maxDigits - len(strings.TrimLeft(parts[1], "0")) - len(parts[2])
	if err != nil || exponent > room || exponent < -room {
		return nil, errTooLong
	}
	value, _ := new(big.Rat).SetString(text)
	return value, nil
}

// smallInteger parses an integer of at most 18 digits, which fit an int64. It does not allocate, even if it fails.
func smallInteger(text []byte) (v int64, ok bool) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) == 0 || len(digits) > 18 || len(bytes.TrimLeft(digits, "0123456789")) > 0 {
		return 0, false
	}
	v, _ = strconv.ParseInt(string(text), 10, 64)
	return v, true
}

// parseInteger parses a number with an integer value, or a hexadecimal integer.
func parseInteger(text string) (*big.Int, error) {
	const maxHexDigits = 8_304 // At most maxDigits decimal digits.
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
	digits := strings.TrimLeft(unsigned, "0")
	if unsigned != "" && len(digits) <= maxDigits && strings.Trim(digits, "0123456789") == "" {
		v, _ := new(big.Int).SetString(text, 10) // Fewer allocations than parseNumber.
		return v, nil
	}
	number, err := parseNumber(text)
	if err != nil {
		return nil, err
	}
	if !number.IsInt() {
		return nil, errors.New("not an integer")
	}
	return number.Num(), nil
}

// MaxDecimals is the maximum number of decimals of an amount: an ERC-20 token stores it in a uint8.
const MaxDecimals = 255

// FormatUnits returns the integer divided by ten to the power of decimals, exactly: 1500000 with 6 decimals is "1.5".
// The result has no exponent, no trailing zeros, and no point if there is no fraction. Decimals are the token's, such
// as 18, or 9 for gwei; it is an error if they are negative or more than [MaxDecimals].
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
// It is the inverse of [BigInt.FormatUnits]. The number is a JSON number, also with leading zeros. It is an error if it
// has more decimals, unless they are zeros.
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
