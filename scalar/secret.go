package scalar

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/go-json-experiment/json/jsontext"
)

// redacted is what every print form of a secret shows in its place.
const redacted = "[redacted]"

// Secret is a credential such as an API key, an endpoint's token or a destination's token. It prints as [redacted] with
// every verb of fmt, in log/slog, as text and in JSON, also when it is deep inside another value; [Secret.Reveal] is
// the way to what it holds, and [Revealed] writes it as JSON.
//
// Secrets are comparable: two are equal, with == and as map keys, exactly if they hold the same text. The zero Secret
// holds nothing and prints as nothing.
//
// The text is encrypted with a key that each process makes for itself. So where fmt, a dumper or reflection cannot call
// methods and reads the memory instead, as in an unexported field, it finds the encrypted bytes, which show the length
// of the text and nothing else of it.
type Secret struct {
	text sealed
}

// NewSecret returns the Secret that holds text. Empty text gives the zero Secret.
func NewSecret(text string) Secret { return Secret{text: seal([]byte(text))} }

// Reveal returns what the Secret holds, or an empty string for the zero Secret.
func (s Secret) Reveal() string { return s.text.open() }

// IsZero reports whether the Secret holds nothing.
func (s Secret) IsZero() bool { return s == Secret{} }

// String returns [redacted], or an empty string for the zero Secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return redacted
}

// GoString returns the same as String.
func (s Secret) GoString() string { return s.String() }

// Format prints the same as String for every verb and flag.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }

// LogValue gives log/slog the same as String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns the same as String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns the JSON string "[redacted]", or null for the zero Secret.
func (s Secret) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + redacted + `"`), nil
}

// UnmarshalText takes text as the secret, so that flags, environment variables and configuration files can hold one.
// The text [redacted] is [ErrRedacted].
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return ErrRedacted
	}
	*s = Secret{text: seal(text)}
	return nil
}

// UnmarshalJSON reads a JSON string, a JSON number, which is taken as it is spelled, or null. The string "[redacted]"
// is refused. No error shows the value.
func (s *Secret) UnmarshalJSON(data []byte) error {
	return redactedIn[Secret](unmarshal("Secret", data, s.read))
}

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (s *Secret) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Secret](dec, s.read)
}

func (s *Secret) read(value []byte) error {
	lit, err := readLiteral("Secret", value, kindString|kindNumber)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*s = Secret{}
		return nil
	}
	return s.UnmarshalText(lit.text)
}
