package scalar

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
)

// BigInt is an exact integer of any size, such as a token amount. It reads:
//
//   - a JSON number with an integer value, 1e3 and 1.0 included,
//   - a string with such a number,
//   - a string with a hexadecimal number, such as "0x10" for sixteen,
//   - null, which is zero.
//
// Any other text is an error, and so are a fraction and a number of more than 10,000 digits (8,304 hexadecimal ones).
// Nothing is rounded. A BigInt is written as a JSON number if its magnitude is at most 2^53, and otherwise as a JSON
// string of digits, as the service does, so that readers that use floating point lose nothing either.
//
// A BigInt is immutable, and its zero value is zero. Compare with Equal or Cmp: == does not compile, since it could
// only compare addresses.
type BigInt struct {
	_ [0]func() // makes == a compile error

	// value is never changed. It is nil for zero, so that reflect.DeepEqual treats equal integers as equal.
	value *big.Int
}

// maxJSONNumber is the largest magnitude written as a JSON number.
var maxJSONNumber = new(big.Int).Lsh(big.NewInt(1), 53)

// NewBigInt returns a BigInt with a copy of v. If v is nil, it returns zero.
func NewBigInt(v *big.Int) BigInt {
	if v == nil {
		return BigInt{}
	}
	return keep(new(big.Int).Set(v))
}

// keep returns a BigInt that takes ownership of v.
func keep(v *big.Int) BigInt {
	if v.Sign() == 0 {
		return BigInt{}
	}
	return BigInt{value: v}
}

// BigIntFrom returns the BigInt of v.
func BigIntFrom(v int64) BigInt { return keep(big.NewInt(v)) }

// ParseBigInt reads an integer in decimal or, with 0x, in hexadecimal.
func ParseBigInt(text string) (BigInt, error) {
	var b BigInt
	err := b.UnmarshalText([]byte(text))
	return b, err
}

// Big returns a copy of the integer.
func (b BigInt) Big() *big.Int { return new(big.Int).Set(b.big()) }

// Int64 returns the integer, and reports whether it fits.
func (b BigInt) Int64() (int64, bool) {
	if !b.big().IsInt64() {
		return 0, false
	}
	return b.big().Int64(), true
}

// Cmp returns -1 if the integer is less than other, 0 if they are equal, and +1 if it is greater.
func (b BigInt) Cmp(other BigInt) int { return b.big().Cmp(other.big()) }

// Equal reports whether the integers are equal.
func (b BigInt) Equal(other BigInt) bool { return b.Cmp(other) == 0 }

// Sign returns -1, 0 or +1 for a negative, zero or positive integer.
func (b BigInt) Sign() int { return b.big().Sign() }

// IsZero reports whether the integer is zero.
func (b BigInt) IsZero() bool { return b.Sign() == 0 }

// String returns the decimal digits.
func (b BigInt) String() string { return b.big().String() }

// Format prints the integer as fmt prints a [big.Int]: in base ten with %v, %s and %d, and in the other bases with %b,
// %o and %x.
func (b BigInt) Format(state fmt.State, verb rune) { b.big().Format(state, verb) }

// MarshalText returns the decimal digits.
func (b BigInt) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText parses an integer like ParseBigInt.
func (b *BigInt) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("scalar: BigInt cannot be read from empty text")
	}
	if len(text) <= 18 && text[0] != '+' { // Most integers are small, and then take one allocation.
		if v, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			*b = BigIntFrom(v)
			return nil
		}
	}
	v, err := parseInteger(string(text))
	if err != nil {
		return fmt.Errorf("scalar: BigInt %s: %w", excerpt(string(text)), err)
	}
	*b = keep(v)
	return nil
}

// MarshalJSON returns a JSON number up to 2^53 on either side of zero, and a JSON string of decimal digits beyond.
func (b BigInt) MarshalJSON() ([]byte, error) {
	if b.big().CmpAbs(maxJSONNumber) <= 0 {
		return []byte(b.String()), nil
	}
	return quoted(b.String()), nil
}

// UnmarshalJSON reads a JSON number, a JSON string or null.
func (b *BigInt) UnmarshalJSON(data []byte) error {
	return unmarshal("BigInt", data, kindStringOrNumber, func(text []byte) error {
		if text == nil {
			*b = BigInt{}
			return nil
		}
		return b.UnmarshalText(text)
	})
}

// big returns the integer, which must not be changed.
func (b BigInt) big() *big.Int {
	if b.value == nil {
		return new(big.Int)
	}
	return b.value
}
