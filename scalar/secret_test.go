package scalar_test

import (
	"encoding"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestSecret_readsStringsAndNumbers(t *testing.T) {
	for in, want := range map[string]string{`"made-up"`: "made-up", `"m\u0061de\/up\n"`: "made/up\n", `""`: "", `null`: "",
		`12345678901234567890`: "12345678901234567890", `1.50`: "1.50", `"a[redacted]"`: "a[redacted]"} {
		secret := mustDecode[scalar.Secret](t, in)
		assert.Equal(t, want, secret.Reveal())
		assert.Equal(t, want == "", secret.IsZero())
	}
}

func TestSecret_printsRedacted(t *testing.T) {
	checkShown(t, scalar.NewSecret("made-up"), "[redacted]")
	checkShown(t, scalar.Secret{}, "")
	assert.Equal(t, "<nil>", fmt.Sprint((*scalar.Secret)(nil)), "a nil pointer prints as one")
}

// checkShown fails unless every way to print and write secret shows want alone.
func checkShown(t *testing.T, secret interface {
	fmt.Stringer
	fmt.GoStringer
	slog.LogValuer
	encoding.TextMarshaler
}, want string) {
	t.Helper()
	text := must(secret.MarshalText())(t)
	for _, shown := range []string{secret.String(), secret.GoString(), secret.LogValue().String(), string(text),
		fmt.Sprint(secret), fmt.Sprintf("%+v", secret), fmt.Sprintf("%#v", secret), fmt.Sprintf("%x", secret)} {
		assert.Equal(t, want, shown)
	}
	if want != "" {
		assert.Equal(t, `"`+want+`"`, mustEncode(t, secret))
	}
}

func TestSecret_compares(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, text := range []string{"", "x", long} {
		for _, other := range []string{"", "x", "y", "x ", long, long[1:], long[1:] + "y", long + " "} {
			one, two := scalar.NewSecret(text), mustDecode[scalar.Secret](t, strconv.Quote(other))
			assert.Equal(t, text == other, one.Equal(two))
			assert.Equal(t, text == other, reflect.DeepEqual(one, two))
			assert.Equal(t, text == other, scalar.NewSecretURL(text).Equal(scalar.NewSecretURL(other)))
		}
	}
	assert.False(t, reflect.TypeFor[scalar.Secret]().Comparable(), "== would compare addresses")
	assert.False(t, reflect.TypeFor[scalar.SecretURL]().Comparable(), "== would compare addresses")
}

func TestSecretURL_showsSchemeAndHost(t *testing.T) {
	for in, origin := range map[string][2]string{
		"https://name.net.example.com/made-up/":      {"https://", "name.net.example.com"},
		"wss://name.example.com/made-up/ext/bc/C/ws": {"wss://", "name.example.com"},
		"http://127.0.0.1:8080/made-up":              {"http://", "127.0.0.1:8080"},
		"http://[::1]:8080/made-up":                  {"http://", "[::1]:8080"},
		"https://user:made-up@a.example.com":         {"https://", "a.example.com"},
		"https://a.example.com?k=made-up#made-up":    {"https://", "a.example.com"},
		"HTTPS://A.example.com/made-up":              {"https://", "A.example.com"},
		"https://a.example.com;k=made-up/":           {}, // parameters
		"https://a%2dmade-up.example.com/":           {}, // an escape
		"https://ä.example/made-up":                  {}, // other letters
		"https://user:made/up@a.example.com/":        {}, // a password with a slash
		"//a.example.com/made-up":                    {},
		"https:made-up":                              {},
		"/made-up":                                   {},
		"made-up":                                    {},
		"https://a.example.com/\x7fmade-up":          {},
	} {
		address, shown := scalar.NewSecretURL(in), "[redacted]"
		if origin[1] != "" {
			shown = origin[0] + origin[1] + "/[redacted]"
		}
		assert.Equal(t, in, address.Reveal())
		assert.Equal(t, origin[1], address.Host())
		assert.False(t, address.IsZero())
		checkShown(t, address, shown)
	}
	assert.True(t, scalar.NewSecretURL("").IsZero())
	checkShown(t, scalar.SecretURL{}, "")
}

func TestSecretURL_placeholderReplacesFirstSegment(t *testing.T) {
	for text, want := range map[string]string{
		"https://a.mainnet.example/made-up-token/":             "https://a.mainnet.example/TOKEN/",
		"WSS://u:p@a.example:8443/made-up-token/ext/bc/C?q=s3": "wss://a.example:8443/TOKEN/ext/bc/C",
		"https://a.example/made-up-token":                      "https://a.example/TOKEN",
		"https://a.example":                                    "https://a.example/TOKEN",
		"https://a.example/[redacted]":                         "", "made-up-token": "", "": "",
	} {
		assert.Equal(t, want, scalar.NewSecretURL(text).Placeholder(), text)
	}
}

func TestSecretURL_parsesURL(t *testing.T) {
	const text = "https://name.example.com/made-up/ext?k=v"
	assert.Equal(t, text, must(scalar.NewSecretURL(text).URL())(t).String())
	_, err := scalar.SecretURL{}.URL()
	require.EqualError(t, err, "scalar: SecretURL is empty")
	for _, in := range []string{"/made-up", "//a.example.com/made-up", "https:made-up"} {
		_, err = scalar.NewSecretURL(in).URL()
		require.EqualError(t, err, "scalar: SecretURL does not hold an absolute URL", in)
	}
}

func TestSecretURL_isRedactedIfReadBack(t *testing.T) {
	for form, shown := range map[string]string{"[redacted]": "[redacted]",
		"https://name.example.com/[redacted]":     "https://name.example.com/[redacted]",
		"https://name.example.com/%5Bredacted%5D": "https://name.example.com/[redacted]",
		"a%%5BREDACTED%5Dz":                       "[redacted]", "%5bredacted%5d": "[redacted]",
	} {
		address := mustDecode[scalar.SecretURL](t, `"`+form+`"`)
		assert.True(t, address.IsRedacted(), form)
		checkShown(t, address, shown)
		_, err := address.URL()
		require.ErrorIs(t, err, scalar.ErrRedacted)
	}
	for _, other := range []string{"", "%5bredacted%5", "%5bredacted", "[redacted", "%", "https://a.example.com/x"} {
		assert.False(t, scalar.NewSecretURL(other).IsRedacted(), other)
	}
}

// token is the made-up credential that must not show up anywhere. Its letters are not hexadecimal, so that no address
// contains it by chance.
const token = "tokenmadeupxyz"
