package scalar

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
)

// redacted is printed in place of a secret.
const redacted = "[redacted]"

// ErrRedacted matches the error of using a redacted secret: see [Secret.IsRedacted].
var ErrRedacted = errors.New("was redacted; encode with scalar.WithSecrets")

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
	text **string
}

// NewSecret returns a Secret with the given text. If text is empty, it returns the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	made := &struct {
		text string
		to   *string
	}{text: text}
	made.to = &made.text
	return Secret{text: &made.to}
}

// Reveal returns the text of the Secret, or an empty string for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return **s.text
}

// IsRedacted reports whether the Secret was decoded from JSON or a text without it, and is only [redacted]. Requests,
// clients and verifiers reject such a Secret.
func (s Secret) IsRedacted() bool { return s.Reveal() == redacted }

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

// UnmarshalText stores text as the secret, for flags, environment variables and configuration files.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// UnmarshalJSON reads a JSON string, the spelling of a JSON number, or null. Errors do not quote the value.
func (s *Secret) UnmarshalJSON(data []byte) error {
	return unmarshal("Secret", data, kindStringOrNumber, s.UnmarshalText)
}

// SecretURL is a URL that works as a credential: an endpoint's addresses contain the endpoint's token in the path. With
// every verb of fmt, in log/slog, as text and in JSON, it prints only its scheme and host, as in
// https://name.example.com/[redacted]. User information, path, query and fragment are never shown. If the text is not
// an absolute URL, it prints as [redacted]. [SecretURL.Reveal] and [SecretURL.URL] return the whole URL.
//
// Compare SecretURLs with Equal, like Secrets. The zero SecretURL is empty and prints as an empty string.
type SecretURL struct {
	text Secret
}

// NewSecretURL returns a SecretURL with the given text, which is neither changed nor checked. If text is empty, it
// returns the zero SecretURL.
func NewSecretURL(text string) SecretURL { return SecretURL{text: NewSecret(text)} }

// Reveal returns the whole URL, or an empty string for the zero SecretURL.
func (u SecretURL) Reveal() string { return u.text.Reveal() }

// URL returns the parsed URL, which shows the credential if it is printed. It returns an error if the SecretURL is
// zero, redacted, or not an absolute URL; the error does not quote it.
func (u SecretURL) URL() (*url.URL, error) {
	if u.IsRedacted() {
		return nil, fmt.Errorf("scalar: SecretURL %w", ErrRedacted)
	}
	return u.parse()
}

func (u SecretURL) parse() (*url.URL, error) {
	if u.IsZero() {
		return nil, errors.New("scalar: SecretURL is empty")
	}
	parsed, err := url.Parse(u.Reveal())
	if err != nil || parsed.Scheme == "" || parsed.Host == "" {
		// The parser's error quotes the URL.
		return nil, errors.New("scalar: SecretURL does not hold an absolute URL")
	}
	return parsed, nil
}

// hostCharacters are the ASCII characters of host names, addresses and ports. If a host contains any other, such as a
// semicolon before parameters, it is not shown.
const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

// Host returns the host, with the port if there is one. It is empty if the SecretURL is not an absolute URL, or if its
// host has unusual characters and could contain more than a host.
func (u SecretURL) Host() string {
	parsed, err := u.parse()
	if err != nil || strings.Trim(parsed.Host, hostCharacters) != "" {
		return ""
	}
	return parsed.Host
}

// Placeholder returns the URL for display, with TOKEN in place of the credential, which is the first segment of an
// endpoint's path: "https://name.network.example/TOKEN/". It is empty if the host is unknown, and omits any query.
func (u SecretURL) Placeholder() string {
	host := u.Host()
	if host == "" || u.IsRedacted() {
		return ""
	}
	parsed, _ := u.parse()
	_, rest, more := strings.Cut(strings.TrimPrefix(parsed.EscapedPath(), "/"), "/")
	if more {
		rest = "/" + rest
	}
	return strings.ToLower(parsed.Scheme) + "://" + host + "/TOKEN" + rest
}

// IsZero reports whether the SecretURL is empty.
func (u SecretURL) IsZero() bool { return u.text.IsZero() }

// IsRedacted reports whether the SecretURL contains [redacted], as one that was decoded from JSON or a text without its
// secret does, also if another program has escaped the brackets.
func (u SecretURL) IsRedacted() bool {
	text := strings.ToLower(u.Reveal())
	return strings.Contains(text, redacted) || strings.Contains(text, "%5bredacted%5d")
}

// Equal reports whether both have exactly the same text.
func (u SecretURL) Equal(other SecretURL) bool { return u.text.Equal(other.text) }

// String returns the redacted form: scheme and host with [redacted] as the path, only [redacted] if they are unknown,
// or an empty string for the zero SecretURL.
func (u SecretURL) String() string {
	host := u.Host()
	if host == "" {
		return u.text.String()
	}
	scheme, _, _ := strings.Cut(u.Reveal(), ":")
	return strings.ToLower(scheme) + "://" + host + "/" + redacted
}

// GoString returns the same as String.
func (u SecretURL) GoString() string { return u.String() }

// Format prints the same as String for every verb and flag.
func (u SecretURL) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, u.String()) }

// LogValue returns the same as String.
func (u SecretURL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText returns the same as String.
func (u SecretURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// MarshalJSON returns the redacted form as a JSON string, or null for the zero SecretURL.
func (u SecretURL) MarshalJSON() ([]byte, error) { return quotedOrNull(u.String()), nil }

// UnmarshalText stores text as the URL.
func (u *SecretURL) UnmarshalText(text []byte) error {
	u.text = NewSecret(string(text))
	return nil
}

// UnmarshalJSON reads a JSON string or null. Errors do not quote the value.
func (u *SecretURL) UnmarshalJSON(data []byte) error {
	return unmarshal("SecretURL", data, kindString, u.UnmarshalText)
}
