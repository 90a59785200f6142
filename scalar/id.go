package scalar

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ID is an identifier that the service spells as a JSON string in some responses and as a number in others. It is kept
// as text: a number keeps all of its digits. The empty ID means that there is none.
type ID string

// String returns the identifier's text.
func (id ID) String() string { return string(id) }

// Int64 returns the identifier as an integer, for the operations that take one. It is an error if the text is not an
// integer of 64 bits.
func (id ID) Int64() (int64, error) {
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("scalar: ID %s is not a 64-bit integer", quote(string(id)))
	}
	return n, nil
}

// MarshalJSON returns the identifier as a JSON string.
func (id ID) MarshalJSON() ([]byte, error) { return quoted(string(id)), nil }

// UnmarshalJSON reads a JSON string, an integer number or null. A number in another spelling, such as 1e3, becomes its
// plain digits; a fraction is an error.
func (id *ID) UnmarshalJSON(data []byte) error { return unmarshal("ID", data, id.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (id *ID) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return unmarshalFrom[ID](dec, id.read) }

func (id *ID) read(value []byte) error {
	lit, err := readLiteral("ID", value, kindString|kindNumber)
	if err != nil {
		return err
	}
	switch lit.kind {
	case kindNull:
		*id = ""
	case kindString:
		*id = ID(lit.text)
	default:
		if n, ok := smallInteger(lit.text); ok {
			*id = ID(strconv.FormatInt(n, 10))
			return nil
		}
		v, err := parseInteger(string(lit.text))
		if err != nil {
			return fmt.Errorf("scalar: ID %s: %w", quote(lit.text), err)
		}
		*id = ID(v.String())
	}
	return nil
}
