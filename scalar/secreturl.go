package scalar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
)

// hostCharacters are the ASCII characters of host names, addresses and ports. A host that holds anything else, such as
// a semicolon with parameters behind it, is not shown.
const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

// SecretURL is a URL that works as a credential: an endpoint's addresses carry the endpoint's token as a part of the
// path. It prints as its scheme and host alone, as in https://name.example.com/[redacted], with every verb of fmt, in
// log/slog, as text and in JSON. User information, path, query and fragment never show, and a text that is not an
// absolute URL prints as [redacted]. [SecretURL.Reveal] and [SecretURL.URL] are the ways to the rest.
//
// SecretURLs are compared with Equal, as Secrets are. The zero SecretURL holds nothing and prints as nothing.
type SecretURL struct {
	text Secret
}

// NewSecretURL returns the SecretURL that holds text, which is kept as it is and not checked. Empty text gives the zero
// SecretURL.
func NewSecretURL(text string) SecretURL { return SecretURL{text: NewSecret(text)} }

// Reveal returns the whole URL as it was given, or an empty string for the zero SecretURL.
func (u SecretURL) Reveal() string { return u.text.Reveal() }

// URL returns the whole URL taken apart. The result shows the credential when it is printed. It is an error if the
// SecretURL is zero or holds no absolute URL; the error shows nothing of it.
func (u SecretURL) URL() (*url.URL, error) {
	if u.IsZero() {
		return nil, errors.New("scalar: SecretURL is empty")
	}
	parsed, err := url.Parse(u.Reveal())
	if err != nil || parsed.Scheme == "" || parsed.Host == "" {
		// The parser's own error is left out: it quotes the URL.
		return nil, errors.New("scalar: SecretURL does not hold an absolute URL")
	}
	return parsed, nil
}

// Host returns the host, with the port if there is one. It is empty if the SecretURL holds no absolute URL, or one
// whose host is out of the ordinary and could hide more than a host.
func (u SecretURL) Host() string {
	_, host := u.origin()
	return host
}

// origin returns the parts of the URL that may show, both of them empty if the host may not.
func (u SecretURL) origin() (scheme, host string) {
	parsed, err := u.URL()
	if err != nil || strings.Trim(parsed.Host, hostCharacters) != "" {
		return "", ""
	}
	return parsed.Scheme, parsed.Host
}

// IsZero reports whether the SecretURL holds nothing.
func (u SecretURL) IsZero() bool { return u.text.IsZero() }

// Equal reports whether both hold the same text, letter by letter.
func (u SecretURL) Equal(other SecretURL) bool { return u.text.Equal(other.text) }

// String returns the redacted form: scheme and host with [redacted] as the path, [redacted] alone where these cannot be
// told, or an empty string for the zero SecretURL.
func (u SecretURL) String() string {
	if u.IsZero() {
		return ""
	}
	scheme, host := u.origin()
	if host == "" {
		return redacted
	}
	return scheme + "://" + host + "/" + redacted
}

// GoString returns the same as String.
func (u SecretURL) GoString() string { return u.String() }

// Format prints the same as String for every verb and flag.
func (u SecretURL) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, u.String()) }

// LogValue gives log/slog the same as String.
func (u SecretURL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText returns the same as String.
func (u SecretURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// MarshalJSON returns the redacted form as a JSON string, or null for the zero SecretURL.
func (u SecretURL) MarshalJSON() ([]byte, error) {
	if u.IsZero() {
		return []byte("null"), nil
	}
	return quoted(u.String()), nil
}

// UnmarshalText takes text as the URL. A redacted form is [ErrRedacted], also after another program escaped its
// brackets as it wrote the URL again.
func (u *SecretURL) UnmarshalText(text []byte) error {
	const escaped = "%5bredacted%5d"
	if bytes.Contains(text, []byte(redacted)) ||
		bytes.IndexByte(text, '%') >= 0 && bytes.Contains(bytes.ToLower(text), []byte(escaped)) {
		return ErrRedacted
	}
	*u = SecretURL{text: hide(text)}
	return nil
}

// UnmarshalJSON reads a JSON string or null. A redacted form is [ErrRedacted]. No error shows the value.
func (u *SecretURL) UnmarshalJSON(data []byte) error {
	return unmarshal("SecretURL", data, kindString, u.UnmarshalText)
}
