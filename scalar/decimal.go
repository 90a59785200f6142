package scalar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Decimal is an amount that the service spells as a JSON string in some responses and as a number in others. It keeps
// the exact spelling, "12.50" as well as 1250, and calculates only when it is asked to: text that is not a number does
// not fail the decode, but Rat and Float64 return an error for it.
//
// Decimals are comparable by their spelling: 1.5 and 1.50 differ. Compare the results of Rat to compare amounts.
type Decimal struct {
	spelling string
}

// NewDecimal returns the Decimal that is spelled like text, which is not checked. Empty text gives the zero Decimal.
func NewDecimal(text string) Decimal { return Decimal{spelling: text} }

// String returns the amount as it was spelled, or an empty string for the zero Decimal.
func (d Decimal) String() string { return d.spelling }

// IsZero reports whether there is no amount: whether it was absent, null or empty. It is false for the amount 0.
func (d Decimal) IsZero() bool { return d.spelling == "" }

// Rat returns the amount exactly. It is an error if there is none, if the spelling is not a decimal number, or if
// writing the number out would take more than 10,000 digits, as with 1e999999999.
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

// Float64 returns the float64 that is nearest to the amount. It is an error if Rat returns one, or if the number is too
// large or too close to zero for a float64.
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

// MarshalText returns the amount as it was spelled.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.spelling), nil }

// UnmarshalText keeps text as the spelling.
func (d *Decimal) UnmarshalText(text []byte) error {
	*d = NewDecimal(string(text))
	return nil
}

// MarshalJSON returns the amount as a JSON string of the same spelling, or null for the zero Decimal.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d.IsZero() {
		return []byte("null"), nil
	}
	return quoted(d.spelling), nil
}

// UnmarshalJSON reads a JSON string, a JSON number or null.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	return unmarshal("Decimal", data, kindStringOrNumber, d.UnmarshalText)
}
