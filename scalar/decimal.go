package scalar

import (
	"fmt"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"
)

// Decimal is an amount that the service spells as a JSON string in some responses and as a number in others. It keeps
// the exact spelling, "12.50" as well as 1250, and reckons only when it is asked to: a spelling that is no number does
// not fail the decode, but Rat and Float64 return an error for it.
//
// Decimals are comparable by their spelling: 1.5 and 1.50 differ. Compare the results of Rat to compare amounts.
type Decimal struct {
	spelling string
}

// NewDecimal returns the Decimal of this spelling, which is not checked. Empty text gives the zero Decimal.
func NewDecimal(spelling string) Decimal { return Decimal{spelling: spelling} }

// String returns the amount as it was spelled, or an empty string for the zero Decimal.
func (d Decimal) String() string { return d.spelling }

// IsZero reports whether there is no amount: whether it was absent, null or empty. It is false for the amount 0.
func (d Decimal) IsZero() bool { return d.spelling == "" }

// Rat returns the amount exactly. It is an error if there is none, if the spelling is not a decimal number, or if
// writing the number out would take more than 10,000 digits, as with 1e999999999.
func (d Decimal) Rat() (*big.Rat, error) {
	n, err := parseNumber(d.spelling)
	if err != nil {
		return nil, d.fail(err)
	}
	r, err := n.rat()
	return r, d.fail(err)
}

// Float64 returns the float64 that is nearest to the amount. It is an error if there is no amount, if the spelling is
// not a decimal number, or if the number is too large or too close to zero for a float64.
func (d Decimal) Float64() (float64, error) {
	f, err := parseFloat(d.spelling)
	return f, d.fail(err)
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
func (d *Decimal) UnmarshalJSON(data []byte) error { return unmarshal("Decimal", data, d.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (d *Decimal) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Decimal](dec, d.read)
}

func (d *Decimal) read(value []byte) error {
	lit, err := readLiteral("Decimal", value, kindString|kindNumber)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*d = Decimal{}
		return nil
	}
	*d = NewDecimal(string(lit.text))
	return nil
}

// fail says which amount could not be reckoned with, where there is an error.
func (d Decimal) fail(err error) error {
	switch {
	case err == nil:
		return nil
	case d.IsZero():
		return fmt.Errorf("scalar: Decimal is empty: %w", err)
	}
	return fmt.Errorf("scalar: Decimal %s: %w", quote(d.spelling), err)
}
