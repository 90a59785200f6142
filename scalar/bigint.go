package scalar

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
)

// BigInt is an exact integer of any size, as token amounts are. It reads:
//
//   - a JSON number with an integer value, 1e3 and 1.0 included,
//   - a string of the same,
//   - a string with a hexadecimal number, such as "0x10" for sixteen,
//   - null, which is zero.
//
// A fraction, empty text, any other text, and a number that would take more than 10,000 digits to write out (8,304
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

// maxHexDigits is how many hexadecimal digits never make more than maxDigits decimal ones.
const maxHexDigits = 8_304

// hexPattern is the spelling of hexadecimal integers.
var hexPattern = regexp.MustCompile(`^(-?)0[xX]([0-9a-fA-F]+)$`)

// maxJSONNumber is the largest magnitude that is written as a JSON number.
var maxJSONNumber = new(big.Int).Lsh(big.NewInt(1), 53)

// NewBigInt returns the [BigInt] of v, which it copies. For nil it returns zero.
func NewBigInt(v *big.Int) BigInt {
	if v == nil || v.Sign() == 0 {
		return BigInt{}
	}
	return BigInt{value: new(big.Int).Set(v)}
}

// BigIntFrom returns the [BigInt] of v.
func BigIntFrom(v int64) BigInt { return NewBigInt(big.NewInt(v)) }

// ParseBigInt reads an integer in decimal or, with 0x, in hexadecimal.
func ParseBigInt(text string) (BigInt, error) {
	if text == "" {
		return BigInt{}, errors.New("scalar: BigInt cannot be read from empty text")
	}
	v, err := parseInteger(text)
	if err != nil {
		return BigInt{}, fmt.Errorf("scalar: BigInt %s: %w", quote(text), err)
	}
	return NewBigInt(v), nil
}

// parseInteger reads text and says what is wrong with it.
func parseInteger(text string) (*big.Int, error) {
	if hex := hexPattern.FindStringSubmatch(text); hex != nil {
		if len(hex[2]) > maxHexDigits {
			return nil, errTooLong
		}
		v, ok := new(big.Int).SetString(hex[1]+hex[2], 16)
		if !ok {
			return nil, errNotNumber
		}
		return v, nil
	}
	n, err := parseNumber(text)
	if err != nil {
		return nil, err
	}
	return n.integer()
}

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

// Cmp returns -1 if the integer is less than other, 0 if they are equal, and
// +1 if it is greater.
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

// UnmarshalText reads what [ParseBigInt] reads.
func (b *BigInt) UnmarshalText(text []byte) error {
	v, err := ParseBigInt(string(text))
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
	return json.Marshal(b.String())
}

// UnmarshalJSON reads a JSON number, a JSON string or null.
func (b *BigInt) UnmarshalJSON(data []byte) error {
	lit, err := readLiteral("BigInt", data, kindString, kindNumber)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*b = BigInt{}
		return nil
	}
	return b.UnmarshalText([]byte(lit.text))
}

// big returns the integer for reading only.
func (b BigInt) big() *big.Int {
	if b.value == nil {
		return new(big.Int)
	}
	return b.value
}
