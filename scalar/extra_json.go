package scalar

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Reveal returns the members as a JSON object with their values, or null where there are none.
func (e Extra) Reveal() []byte {
	return e.object(e.Names(), func(m *extraMember) []byte { return []byte(m.value.open()) })
}

// MarshalJSON returns a JSON object with the names of the members, and "[redacted]" in the place of each value and of
// each name that looks like a secret. It is null where there are none.
func (e Extra) MarshalJSON() ([]byte, error) {
	return e.object(e.shown(), func(*extraMember) []byte { return []byte(`"` + redacted + `"`) }), nil
}

// object writes the members under the names, each with what value makes of it.
func (e Extra) object(names []string, value func(*extraMember) []byte) []byte {
	if e.held == nil {
		return []byte("null")
	}
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name) // The error is about invalid UTF-8, which is replaced.
		out = append(append(out, ':'), value(&e.held.members[i])...)
	}
	return append(out, '}')
}

// UnmarshalJSON reads a JSON object, of which every member becomes one of the Extra, or null. A member that was
// redacted when it was written is an error, which names it.
func (e *Extra) UnmarshalJSON(data []byte) error { return unmarshal("Extra", data, e.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (e *Extra) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Extra](dec, e.read)
}

func (e *Extra) read(value []byte) error {
	if _, err := readLiteral("Extra", value, kindObject); err != nil {
		return err
	}
	*e = Extra{}
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil { // The brace, or null.
		return err
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		member, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if string(member) == `"`+redacted+`"` {
			return &redactedMember{name}
		}
		e.Add(name, member)
	}
	return nil
}
