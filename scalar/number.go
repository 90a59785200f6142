package scalar

import (
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
	if unsigned != "" && len(unsigned) <= maxDigits && strings.Trim(unsigned, "0123456789") == "" {
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
