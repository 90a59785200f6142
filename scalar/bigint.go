package scalar

import (
	"fmt"
	"math/big"
)

// BigInt is an exact integer of any size, as token amounts are. It reads:
//
//   - a JSON number with an integer value, 1e3 and 1.0 included,
//   - a string of the same,
//   - a string with a hexadecimal number, such as "0x10" for sixteen,
//   - null, which is zero.
//
// A fraction, empty text, any other text, and a number that takes more than 10,000 digits to write out (8,304
// hexadecimal ones) are errors. Nothing is rounded. It writes a JSON number up to 2^53 on either side of zero and a
// JSON string of digits beyond, as the service does, so that readers that use floating point lose nothing either.
//
// A BigInt does not change once it is made, and its zero value is zero. Compare with Equal or Cmp: == does not compile,
// since it could only compare addresses.
type BigInt struct {
	_ [0]func() // makes == a compile error

	// value is never changed, and nil for zero, so that reflect.DeepEqual finds equal integers equal.
	value *big.Int
}

// maxJSONNumber is the largest magnitude that is written as a JSON number.
var maxJSONNumber = new(big.Int).Lsh(big.NewInt(1), 53)

// NewBigInt returns the BigInt of v, which it copies. For nil it returns zero.
func NewBigInt(v *big.Int) BigInt {
	if v == nil {
		return BigInt{}
	}
	return keep(new(big.Int).Set(v))
}

// keep returns the BigInt of v, which nobody else has.
func keep(v *big.Int) BigInt {
	if v.Sign() == 0 {
		return BigInt{}
	}
	return BigInt{value: v}
}

// BigIntFrom returns the BigInt of v.
func BigIntFrom(v int64) BigInt {
	if v == 0 {
		return BigInt{}
	}
	// The integer and its one word are made together: most amounts are no larger.
	made := new(struct {
		value big.Int
		words [1]big.Word
	})
	return BigInt{value: made.value.SetBits(made.words[:0]).SetInt64(v)}
}

// ParseBigInt reads an integer in decimal or, with 0x, in hexadecimal.
func ParseBigInt(text string) (BigInt, error) { return parseBigInt([]byte(text)) }

// Big returns a copy of the integer.
func (b BigInt) Big() *big.Int { return new(big.Int).Set(b.big()) }

// Int64 returns the integer and whether it fits.
func (b BigInt) Int64() (int64, bool) {
	if !b.big().IsInt64() {
		return 0, false
	}
	return b.big().Int64(), true
}

// Uint64 returns the integer and whether it fits.
func (b BigInt) Uint64() (uint64, bool) {
	if !b.big().IsUint64() {
		return 0, false
	}
	return b.big().Uint64(), true
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

// UnmarshalText reads what ParseBigInt reads.
func (b *BigInt) UnmarshalText(text []byte) error {
	v, err := parseBigInt(text)
	if err != nil {
		return err
	}
	*b = v
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

// big returns the integer for reading only.
func (b BigInt) big() *big.Int {
	if b.value == nil {
		return new(big.Int)
	}
	return b.value
}
