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
		if len(digits) > maxHexDigits {
			return nil, errTooLong
		}
		return expand(text, 0), nil
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
	return expand(text, 10), nil
}

// cutHex returns the digits of a hexadecimal integer, without their sign and mark.
func cutHex(text string) (digits string, ok bool) {
	unsigned := strings.TrimPrefix(text, "-")
	if digits, ok = strings.CutPrefix(unsigned, "0x"); !ok {
		digits, ok = strings.CutPrefix(unsigned, "0X")
	}
	return digits, ok && digits != "" && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// expand returns the integer of text, which is known to be one. The base 0 is that of its mark.
func expand(text string, base int) *big.Int {
	v, _ := new(big.Int).SetString(text, base)
	return v
}
