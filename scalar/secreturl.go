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

// hostCharacters are the ASCII characters of host names, addresses and ports. If a host contains any other, such as a
// semicolon before parameters, it is not shown.
const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

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

// URL returns the parsed URL, which shows the credential if it is printed. It returns an error if the SecretURL is zero
// or not an absolute URL; the error does not quote it.
func (u SecretURL) URL() (*url.URL, error) {
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

// Host returns the host, with the port if there is one. It is empty if the SecretURL is not an absolute URL, or if its
// host has unusual characters and could contain more than a host.
func (u SecretURL) Host() string {
	_, host := u.origin()
	return host
}

// origin returns the scheme and the host if they may be shown, otherwise empty strings.
func (u SecretURL) origin() (scheme, host string) {
	parsed, err := u.URL()
	if err != nil || strings.Trim(parsed.Host, hostCharacters) != "" {
		return "", ""
	}
	return parsed.Scheme, parsed.Host
}

// IsZero reports whether the SecretURL is empty.
func (u SecretURL) IsZero() bool { return u.text.IsZero() }

// Equal reports whether both have exactly the same text.
func (u SecretURL) Equal(other SecretURL) bool { return u.text.Equal(other.text) }

// String returns the redacted form: scheme and host with [redacted] as the path, only [redacted] if they are unknown,
// or an empty string for the zero SecretURL.
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

// LogValue returns the same as String.
func (u SecretURL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText returns the same as String.
func (u SecretURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// MarshalJSON returns the redacted form as a JSON string, or null for the zero SecretURL.
func (u SecretURL) MarshalJSON() ([]byte, error) { return quotedOrNull(u.String()), nil }

// UnmarshalText stores text as the URL. If text is a redacted form, also with brackets that another program has
// escaped, it returns [ErrRedacted].
func (u *SecretURL) UnmarshalText(text []byte) error {
	const escaped = "%5bredacted%5d"
	if bytes.Contains(text, []byte(redacted)) ||
		bytes.IndexByte(text, '%') >= 0 && bytes.Contains(bytes.ToLower(text), []byte(escaped)) {
		return ErrRedacted
	}
	*u = SecretURL{text: hide(text)}
	return nil
}

// UnmarshalJSON reads a JSON string or null. If the string is a redacted form, it returns [ErrRedacted]. Errors do not
// quote the value.
func (u *SecretURL) UnmarshalJSON(data []byte) error {
	return unmarshal("SecretURL", data, kindString, u.UnmarshalText)
}
