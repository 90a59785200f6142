package scalar

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// redacted is what every print form of a secret shows in its place.
const redacted = "[redacted]"

// ErrRedacted matches the error of reading a secret that was redacted when it was written. Taking the mark for the
// secret would lose the secret silently, and send the mark as a credential.
var ErrRedacted = errors.New("scalar: the value is redacted: it was written without its secret")

// Secret is a credential such as an API key, an endpoint's token or a destination's token. It prints as [redacted] with
// every verb of fmt, in log/slog, as text and in JSON, also when it is deep inside another value; [Secret.Reveal] is
// the way to what it holds, and [WithSecrets] writes it as JSON. The zero Secret holds nothing and prints as nothing.
//
// Compare Secrets with Equal: == does not compile, since it could only compare addresses. reflect.DeepEqual compares
// what they hold.
//
// A Secret points to its text, so that fmt prints an address if it cannot call methods, as in an unexported field. A
// dumper that follows pointers and calls no methods does show the text: go-spew does with DisableMethods, which testify
// uses to print the difference between two records.
type Secret struct {
	_ [0]func() // makes == a compile error

	// text is behind two pointers, since fmt follows one to report a verb that it does not know.
	text **hidden
}

// hidden is a text. Tokens and addresses of endpoints are short, so that each takes one allocation.
type hidden struct {
	length uint8
	short  [95]byte
	long   *string // or nil
}

// NewSecret returns the Secret that holds text. Empty text gives the zero Secret.
func NewSecret(text string) Secret { return hide(text) }

func hide[T string | []byte](text T) Secret {
	if len(text) == 0 {
		return Secret{}
	}
	made := new(struct {
		to *hidden
		hidden
	})
	made.to = &made.hidden
	if len(text) > len(made.short) {
		made.long = new(string(text))
	} else {
		made.length = uint8(copy(made.short[:], text))
	}
	return Secret{text: &made.to}
}

// Reveal returns what the Secret holds, or an empty string for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	held := *s.text
	if held.long != nil {
		return *held.long
	}
	return string(held.short[:held.length])
}

// Equal reports whether both hold the same text. The time that it takes depends on the lengths alone.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// IsZero reports whether the Secret holds nothing.
func (s Secret) IsZero() bool { return s.text == nil }

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
	return quoted(redacted), nil
}

// UnmarshalText takes text as the secret, so that flags, environment variables and configuration files can hold one.
// The text [redacted] is [ErrRedacted].
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return ErrRedacted
	}
	*s = hide(text)
	return nil
}

// UnmarshalJSON reads a JSON string, a JSON number, which is taken as it is spelled, or null. The string "[redacted]"
// is [ErrRedacted]. No error shows the value.
func (s *Secret) UnmarshalJSON(data []byte) error {
	return unmarshal("Secret", data, kindStringOrNumber, s.UnmarshalText)
}
