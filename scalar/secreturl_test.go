package scalar_test

import (
	"fmt"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestSecretURLShowsSchemeAndHost(t *testing.T) {
	tests := []struct{ name, in, host, shown string }{
		{"path", "https://name.net.example.com/made-up/", "name.net.example.com", "https://name.net.example.com/[redacted]"},
		{"path with a suffix", "wss://name.example.com/made-up/ext/bc/C/ws", "name.example.com",
			"wss://name.example.com/[redacted]"},
		{"port", "http://127.0.0.1:8080/made-up", "127.0.0.1:8080", "http://127.0.0.1:8080/[redacted]"},
		{"address of version 6", "http://[::1]:8080/made-up", "[::1]:8080", "http://[::1]:8080/[redacted]"},
		{"user information", "https://user:made-up@a.example.com", "a.example.com", "https://a.example.com/[redacted]"},
		{"query and fragment", "https://a.example.com?k=made-up#made-up", "a.example.com",
			"https://a.example.com/[redacted]"},
		{"upper case", "HTTPS://A.example.com/made-up", "A.example.com", "https://A.example.com/[redacted]"},
		{"host with parameters", "https://a.example.com;k=made-up/", "", "[redacted]"},
		{"host with an escape", "https://a%2dmade-up.example.com/", "", "[redacted]"},
		{"host with other letters", "https://ä.example/made-up", "", "[redacted]"},
		{"password with a slash", "https://user:made/up@a.example.com/", "", "[redacted]"},
		{"no scheme", "//a.example.com/made-up", "", "[redacted]"},
		{"no host", "https:made-up", "", "[redacted]"},
		{"path alone", "/made-up", "", "[redacted]"},
		{"text", "made-up", "", "[redacted]"},
		{"control character", "https://a.example.com/\x7fmade-up", "", "[redacted]"},
		{"empty", "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			address := scalar.NewSecretURL(test.in)
			assert.Equal(t, test.in, address.Reveal())
			assert.Equal(t, test.host, address.Host())
			assert.Equal(t, test.in == "", address.IsZero())

			assert.Equal(t, test.shown, address.String())
			assert.Equal(t, test.shown, address.GoString())
			assert.Equal(t, test.shown, fmt.Sprintf("%+v", address))
			assert.Equal(t, test.shown, fmt.Sprintf("%x", &address))
			assert.Equal(t, test.shown, address.LogValue().String())
			text, err := address.MarshalText()
			require.NoError(t, err)
			assert.Equal(t, test.shown, string(text))
			if test.shown != "" {
				assert.Equal(t, `"`+test.shown+`"`, mustEncode(t, address))
			}
		})
	}
}

func TestSecretURLTakenApart(t *testing.T) {
	parsed, err := scalar.NewSecretURL("https://name.example.com/made-up/ext?k=v").URL()
	require.NoError(t, err)
	assert.Equal(t, "name.example.com", parsed.Host)
	assert.Equal(t, "/made-up/ext", parsed.Path)
	assert.Equal(t, "k=v", parsed.RawQuery)

	_, err = scalar.SecretURL{}.URL()
	require.EqualError(t, err, "scalar: SecretURL is empty")
	_, err = scalar.NewSecretURL("/made-up").URL()
	require.EqualError(t, err, "scalar: SecretURL does not hold an absolute URL")
}

func TestSecretURLReads(t *testing.T) {
	address := mustDecode[scalar.SecretURL](t, `"https:\/\/name.example.com\/made-up\/"`)
	assert.Equal(t, "https://name.example.com/made-up/", address.Reveal())
	assert.True(t, mustDecode[scalar.SecretURL](t, `null`).IsZero())
	assert.True(t, mustDecode[scalar.SecretURL](t, `""`).IsZero())
	assert.Equal(t, "no address", mustDecode[scalar.SecretURL](t, `"no address"`).Reveal(),
		"kept, so that nothing is lost")

	var fromText scalar.SecretURL
	require.NoError(t, fromText.UnmarshalText([]byte("https://name.example.com/made-up/")))
	assert.True(t, fromText.Equal(address))
}

func TestSecretURLRefusesARedactedRecord(t *testing.T) {
	forms := []string{"[redacted]", "https://name.example.com/[redacted]", "https://name.example.com/%5Bredacted%5D",
		"https://name.example.com/%5bredacted%5d/", "a%%5BREDACTED%5Dz"}
	for _, form := range forms {
		var address scalar.SecretURL
		require.ErrorContains(t, address.UnmarshalText([]byte(form)), "redacted", form)
		_, err := decode[scalar.SecretURL](`"` + form + `"`)
		require.ErrorContains(t, err, "redacted", form)
		assert.True(t, address.IsZero())
	}
	for _, other := range []string{"%5bredacted%5", "%5bredacted", "[redacted", "%"} {
		require.NoError(t, new(scalar.SecretURL).UnmarshalText([]byte(other)), other)
	}
	_, err := decode[scalar.SecretURL](mustEncode(t, scalar.NewSecretURL("https://name.example.com/made-up/")))
	require.ErrorContains(t, err, "redacted")
}

func FuzzSecretURL(f *testing.F) {
	for _, seed := range []string{
		`"https://name.example.com/made-up/"`, `"wss://u:p@a.example:1/x?y#z"`, `null`, `""`, `1`, `{}`, `"%"`,
		`"http://[::1%25x]/"`,
		`"https://a.example.com/[redacted]"`, `"HTTP://a.example.com\\b"`, `"\ud800://x"`, `"`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var address, second scalar.SecretURL
		secondErr := jsonv2.Unmarshal(data, &second, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		err := address.UnmarshalJSON(data)
		require.Equal(t, err == nil, secondErr == nil, "only one version of encoding/json reads it")
		if err != nil {
			require.True(t, address.IsZero())
			checkErrorHides(t, err, data)
			return
		}
		require.True(t, address.Equal(second), "the versions read different values")
		shown := address.String()
		if address.IsZero() {
			require.Empty(t, shown)
			return
		}
		// The text shows the mark, or scheme and host alone before it.
		origin, isMarked := strings.CutSuffix(shown, "[redacted]")
		require.True(t, isMarked)
		if origin != "" {
			scheme, rest, _ := strings.Cut(origin, "://")
			require.Equal(t, address.Host()+"/", rest)
			require.NotContains(t, scheme+address.Host(), "/")
			require.NotContains(t, scheme+address.Host(), "@")
		}
		require.Equal(t, shown, fmt.Sprintf("%d", address))

		var again scalar.SecretURL
		require.NoError(t, again.UnmarshalText([]byte(address.Reveal())))
		require.True(t, address.Equal(again))
		require.Error(t, again.UnmarshalText([]byte(shown)), "a redacted form must not read back")
	})
}

// FuzzSecretURLHidesItsParts builds URLs around a token and looks for the token in the printed text.
func FuzzSecretURLHidesItsParts(f *testing.F) {
	f.Add("https", "name.example.com", "", "/suffix")
	f.Add("wss", "a.example:443", "user:", "?x=1#y")
	f.Add("http", "[::1]:80", ":", "//..")
	f.Fuzz(func(t *testing.T, scheme, host, user, rest string) {
		if strings.Contains(scheme+host, token) {
			return
		}
		for _, text := range []string{
			scheme + "://" + host + "/" + token + rest,
			scheme + "://" + user + token + "@" + host + rest,
			scheme + "://" + host + "?" + rest + token,
			scheme + "://" + host + "#" + rest + token,
		} {
			address := scalar.NewSecretURL(text)
			shown := strings.ToLower(fmt.Sprintf("%v %+v %#v %s %q %x", address, address, address, address, address, address) +
				mustEncode(t, address))
			require.False(t, strings.Contains(shown, token), "the token shows")
			if _, err := address.URL(); err != nil {
				require.NotContains(t, err.Error(), token)
			}
		}
	})
}
