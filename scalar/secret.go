package scalar

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"unique"
)

// redacted is what every print form of a secret shows in its place.
const redacted = "[redacted]"

// errRedacted says that a redacted record was read back. Taking the mark for the secret would lose the secret silently
// and send the mark as a credential.
var errRedacted = errors.New("scalar: this value was redacted when it was written; the secret is not in it")

// Secret is a credential such as an API key, an endpoint's token or a destination's token. It prints as [redacted] with
// every verb of fmt, in log/slog, as text and in JSON, also when it is deep inside another value; [Secret.Reveal] is
// the one way to what it holds.
//
// Secrets are comparable: two are equal, with == and as map keys, exactly if they hold the same text. The zero Secret
// holds nothing and prints as nothing.
//
// The text lies behind a pointer, so fmt and reflection do not reach it even where they cannot call methods, as in an
// unexported field: they show an address. Dumpers that follow such pointers, as assertion libraries do to print a
// difference, find it masked.
type Secret struct {
	h unique.Handle[string] // of the masked text
}

// pad masks the texts of secrets in this process. It keeps them out of dumps that a person reads, and is no protection
// against an attacker who reads the memory.
var pad = rand.Text()

// mask masks text, and unmasks it when it is masked. Equal texts give equal results, so that secrets can be compared
// without being revealed.
func mask(text string) string {
	masked := []byte(text)
	for i := range masked {
		masked[i] ^= pad[i%len(pad)]
	}
	return string(masked)
}

// NewSecret returns the Secret that holds text. Empty text gives the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{h: unique.Make(mask(text))}
}

// Reveal returns what the Secret holds, or an empty string for the zero Secret.
func (s Secret) Reveal() string {
	if s.IsZero() {
		return ""
	}
	return mask(s.h.Value())
}

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
// The text [redacted] is refused.
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return errRedacted
	}
	*s = NewSecret(string(text))
	return nil
}

// UnmarshalJSON reads a JSON string, a JSON number, which is taken as it is spelled, or null. The string "[redacted]"
// is refused. No error shows the value.
func (s *Secret) UnmarshalJSON(data []byte) error {
	lit, err := readLiteral("Secret", data, kindString, kindNumber)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*s = Secret{}
		return nil
	}
	return s.UnmarshalText([]byte(lit.text))
}
