package scalar

import (
	"fmt"
	"strings"
)

// MaxDecimals is the largest number of decimals that an amount can have: that of an ERC-20 token is a uint8.
const MaxDecimals = 255

// FormatUnits returns the integer divided by ten to the power of decimals, exactly: 1500000 with 6 decimals is "1.5".
// There is no exponent, no rounding, no zero at the end of a fraction, and no point without one. Decimals are those of
// the token, such as 18, and 9 for gwei; fewer than 0 or more than [MaxDecimals] are an error.
func (b BigInt) FormatUnits(decimals int) (string, error) {
	if err := checkDecimals(decimals); err != nil {
		return "", err
	}
	digits, negative := strings.CutPrefix(b.String(), "-")
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	point := len(digits) - decimals
	text, fraction := digits[:point], strings.TrimRight(digits[point:], "0")
	if fraction != "" {
		text += "." + fraction
	}
	if negative {
		text = "-" + text
	}
	return text, nil
}

// ParseUnits returns the number multiplied by ten to the power of decimals, exactly: "1.5" with 6 decimals is 1500000.
// It is what undoes [BigInt.FormatUnits]. The number is spelled as in JSON, also with zeros in front; one that has more
// decimals than told is an error, unless they are zeros, and so is any other text.
func ParseUnits(text string, decimals int) (BigInt, error) {
	if err := checkDecimals(decimals); err != nil {
		return BigInt{}, err
	}
	n, err := parseNumber(text)
	if err != nil {
		return BigInt{}, fmt.Errorf("scalar: amount %s: %w", quote(text), err)
	}
	if n.scale += decimals; n.scale < 0 {
		return BigInt{}, fmt.Errorf("scalar: amount %s: must have at most %d decimals", quote(text), decimals)
	}
	v, err := n.integer()
	if err != nil {
		return BigInt{}, fmt.Errorf("scalar: amount %s: %w", quote(text), err)
	}
	return keep(v), nil
}

func checkDecimals(decimals int) error {
	if decimals < 0 || decimals > MaxDecimals {
		return fmt.Errorf("scalar: decimals must be from 0 to %d, not %d", MaxDecimals, decimals)
	}
	return nil
}
