package scalar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Decimal is an amount that the service sends as a JSON string in some responses and as a number in others. It keeps
// the exact spelling, such as "12.50" or 1250. If the text is not a number, decoding does not fail, but Rat and Float64
// return an error.
//
// Decimals are compared by their spelling: 1.5 and 1.50 differ. To compare amounts, compare the results of Rat.
type Decimal struct {
	spelling string
}

// NewDecimal returns the Decimal with the spelling text, which is not checked. If text is empty, it returns the zero
// Decimal.
func NewDecimal(text string) Decimal { return Decimal{spelling: text} }

// String returns the spelling of the amount, or an empty string for the zero Decimal.
func (d Decimal) String() string { return d.spelling }

// IsZero reports whether the amount is absent, null or empty. It is false for the amount 0.
func (d Decimal) IsZero() bool { return d.spelling == "" }

// Rat returns the exact amount. It returns an error if there is no amount, if the spelling is not a decimal number, or
// if the number has more than 10,000 digits, as 1e999999999 does.
func (d Decimal) Rat() (*big.Rat, error) {
	number, err := parseNumber(d.spelling)
	switch {
	case d.IsZero():
		return nil, errors.New("scalar: Decimal is empty")
	case err != nil:
		return nil, fmt.Errorf("scalar: Decimal %s: %w", excerpt(d.spelling), err)
	}
	return number, nil
}

// Float64 returns the nearest float64. It returns an error if Rat does, or if the number is too large or too close to
// zero for a float64.
func (d Decimal) Float64() (float64, error) {
	number, err := d.Rat()
	if err != nil {
		return 0, err
	}
	f, _ := number.Float64()
	if math.IsInf(f, 0) || f == 0 && number.Sign() != 0 {
		return 0, fmt.Errorf("scalar: Decimal %s: out of the range of a float64", excerpt(d.spelling))
	}
	return f, nil
}

// MarshalText returns the spelling of the amount.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.spelling), nil }

// UnmarshalText keeps text as the spelling.
func (d *Decimal) UnmarshalText(text []byte) error {
	*d = NewDecimal(string(text))
	return nil
}

// MarshalJSON returns the spelling as a JSON string, or null for the zero Decimal.
func (d Decimal) MarshalJSON() ([]byte, error) { return quotedOrNull(d.spelling), nil }

// UnmarshalJSON reads a JSON string, a JSON number or null.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	return unmarshal("Decimal", data, kindStringOrNumber, d.UnmarshalText)
}
