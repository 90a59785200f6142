package scalar

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// redacted is printed in place of a secret.
const redacted = "[redacted]"

// ErrRedacted matches the error of reading a redacted secret. If the placeholder were accepted, the secret would be
// lost silently, and the placeholder sent as a credential.
var ErrRedacted = errors.New("scalar: the value is redacted: it was written without its secret")

// Secret is a credential such as an API key, an endpoint's token or a destination's token. It prints as [redacted] with
// every verb of fmt, in log/slog, as text and in JSON, at any depth inside another value. [Secret.Reveal] returns its
// text, and [WithSecrets] writes it as JSON. The zero Secret is empty and prints as an empty string.
//
// Compare Secrets with Equal: == does not compile, since it could only compare addresses. reflect.DeepEqual compares
// their texts.
//
// A Secret points to its text, so that fmt prints an address if it cannot call methods, as in an unexported field. If a
// dumper follows pointers and calls no methods, it shows the text: go-spew does with DisableMethods, which testify uses
// to print the difference between two records.
type Secret struct {
	_ [0]func() // makes == a compile error

	// text has two pointers, since fmt follows one to report an unknown verb.
	text **hidden
}

// hidden is a text. It is sized for tokens and addresses of endpoints, so that each needs only one allocation.
type hidden struct {
	length uint8
	short  [95]byte
	long   *string // or nil
}

// NewSecret returns a Secret with the given text. If text is empty, it returns the zero Secret.
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

// Reveal returns the text of the Secret, or an empty string for the zero Secret.
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

// Equal reports whether both have the same text. Its time depends only on the lengths.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// IsZero reports whether the Secret is empty.
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

// LogValue returns the same as String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns the same as String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns the JSON string "[redacted]", or null for the zero Secret.
func (s Secret) MarshalJSON() ([]byte, error) { return quotedOrNull(s.String()), nil }

// UnmarshalText stores text as the secret, for flags, environment variables and configuration files. If text is
// [redacted], it returns [ErrRedacted].
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return ErrRedacted
	}
	*s = hide(text)
	return nil
}

// UnmarshalJSON reads a JSON string, the spelling of a JSON number, or null. If the string is "[redacted]", it returns
// [ErrRedacted]. Errors do not quote the value.
func (s *Secret) UnmarshalJSON(data []byte) error {
	return unmarshal("Secret", data, kindStringOrNumber, s.UnmarshalText)
}
