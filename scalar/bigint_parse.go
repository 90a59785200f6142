package scalar

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// maxHexDigits is how many hexadecimal digits never make more than maxDigits decimal ones.
const maxHexDigits = 8_304

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
		return BigInt{}, fmt.Errorf("scalar: BigInt %s: %w", quote(text), err)
	}
	return keep(v), nil
}

// parseInteger reads text and says what is wrong with it.
func parseInteger(text string) (*big.Int, error) {
	if digits, isHex := cutHex(text); isHex {
		if len(strings.TrimPrefix(digits, "-")) > maxHexDigits {
			return nil, errTooLong
		}
		return expand(digits, 16)
	}
	p, ok := cutNumber(text)
	if !ok {
		return nil, errNotNumber
	}
	if !p.isInteger() {
		n, err := parseNumber(text)
		if err != nil {
			return nil, err
		}
		return n.integer()
	}
	if len(strings.TrimLeft(p.whole, "0")) > maxDigits {
		return nil, errTooLong
	}
	return expand(text, 10)
}

// cutHex returns the digits of a hexadecimal integer, with their sign and without the mark.
func cutHex(text string) (digits string, ok bool) {
	unsigned, negative := strings.CutPrefix(text, "-")
	if len(unsigned) < len("0x0") || unsigned[0] != '0' || unsigned[1]|0x20 != 'x' {
		return "", false
	}
	digits = unsigned[len("0x"):]
	for i := range len(digits) {
		if c := digits[i] | 0x20; !isDigit(digits[i]) && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	if negative {
		digits = "-" + digits
	}
	return digits, true
}

// expand returns the integer of digits, which may have a minus before them.
func expand(digits string, base int) (*big.Int, error) {
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil, errNotNumber
	}
	return v, nil
}
