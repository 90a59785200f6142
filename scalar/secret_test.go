package scalar_test

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestSecretReadsWhatTheWireSpells(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"string", `"made-up"`, "made-up"},
		{"escapes", `"m\u0061de\/up\n"`, "made/up\n"},
		{"empty string", `""`, ""},
		{"null", `null`, ""},
		{"number", `12345678901234567890`, "12345678901234567890"},
		{"number with a fraction", `1.50`, "1.50"},
		{"text that only contains the mark", `"a[redacted]"`, "a[redacted]"},
		{"surrounding space", " \"made-up\"\n", "made-up"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			secret := mustDecode[scalar.Secret](t, test.in)
			assert.Equal(t, test.want, secret.Reveal())
			assert.Equal(t, test.want == "", secret.IsZero())
		})
	}
}

func TestSecretPrintsTheMark(t *testing.T) {
	secret := scalar.NewSecret("made-up")
	const want = "[redacted]"
	assert.Equal(t, want, secret.String())
	assert.Equal(t, want, secret.GoString())
	assert.Equal(t, want, fmt.Sprintf("%v", secret))
	assert.Equal(t, want, fmt.Sprintf("%#v", secret))
	assert.Equal(t, want, fmt.Sprintf("%d", &secret))
	assert.Equal(t, slog.StringValue(want), secret.LogValue())
	text, err := secret.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, want, string(text))
	assert.Equal(t, `"[redacted]"`, mustEncode(t, secret))

	var zero scalar.Secret
	assert.Empty(t, zero.String())
	assert.Empty(t, fmt.Sprintf("%v%+v%#v%s", zero, zero, zero, zero))
	assert.Empty(t, zero.Reveal())
	assert.True(t, zero.IsZero())
	text, err = zero.MarshalText()
	require.NoError(t, err)
	assert.Empty(t, text)

	var absent *scalar.Secret
	assert.Equal(t, "<nil>", fmt.Sprint(absent), "a nil pointer prints as one")
}

// TestSecretRefusesARedactedRecord covers the way back: a record that was written with its secrets redacted must not be
// read as if it were whole.
func TestSecretRefusesARedactedRecord(t *testing.T) {
	type record struct{ Token scalar.Secret }
	written := mustEncode(t, record{Token: scalar.NewSecret("made-up")})

	_, err := decode[record](written)
	require.ErrorContains(t, err, "redacted")

	var secret scalar.Secret
	require.ErrorContains(t, secret.UnmarshalText([]byte("[redacted]")), "redacted")
	assert.True(t, secret.IsZero())

	_, err = decode[record](mustEncode(t, record{}))
	require.NoError(t, err, "a record without a secret loses nothing")
}

func TestSecretsCompare(t *testing.T) {
	for _, length := range []int{1, 94, 95, 96, 255, 256, 1000} {
		text := strings.Repeat("x", length)
		one, same := scalar.NewSecret(text), mustDecode[scalar.Secret](t, `"`+text+`"`)
		assert.Equal(t, text, one.Reveal())
		assert.True(t, one.Equal(same), length)
		assert.True(t, reflect.DeepEqual(one, same), length)
		for _, other := range []scalar.Secret{{}, scalar.NewSecret(text[1:] + "y"), scalar.NewSecret(text + "\x00"),
			scalar.NewSecret(text[1:])} {
			assert.False(t, one.Equal(other), length)
			assert.False(t, reflect.DeepEqual(one, other), length)
		}
		address := scalar.NewSecretURL(text)
		assert.True(t, address.Equal(scalar.NewSecretURL(text)))
		assert.False(t, address.Equal(scalar.NewSecretURL(text+"y")))
		assert.True(t, reflect.DeepEqual(address, scalar.NewSecretURL(text)))
	}
	assert.True(t, scalar.Secret{}.Equal(scalar.NewSecret("")))
	assert.True(t, reflect.DeepEqual(scalar.Secret{}, scalar.NewSecret("")))
	for _, secret := range []reflect.Type{reflect.TypeFor[scalar.Secret](), reflect.TypeFor[scalar.SecretURL]()} {
		assert.False(t, secret.Comparable(), "== would compare addresses")
	}
}

func TestSecretAsAFlag(t *testing.T) {
	var secret scalar.Secret
	var usage strings.Builder
	flags := flag.NewFlagSet("program", flag.ContinueOnError)
	flags.SetOutput(&usage)
	flags.TextVar(&secret, "key", scalar.NewSecret("made-up-default"), "the key")
	require.NoError(t, flags.Parse([]string{"-key", "made-up"}))
	assert.Equal(t, "made-up", secret.Reveal())

	flags.PrintDefaults()
	assert.Contains(t, usage.String(), "[redacted]")
	assert.NotContains(t, usage.String(), "made-up-default")

	require.NoError(t, flags.Parse([]string{"-key", ""}))
	assert.True(t, secret.IsZero())
}

func FuzzSecret(f *testing.F) {
	for _, seed := range []string{`"made-up"`, `null`, `""`, `12`, `-1.5e7`, `"[redacted]"`, `"\ud800"`, "\"\xff\"", `{}`,
		`[1]`, `true`, `"`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var secret, second scalar.Secret
		secondErr := jsonv2.Unmarshal(data, &second, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		err := secret.UnmarshalJSON(data)
		require.Equal(t, err == nil, secondErr == nil, "only one version of encoding/json reads it")
		if err != nil {
			require.True(t, secret.IsZero())
			checkErrorHides(t, err, data)
			return
		}
		require.True(t, secret.Equal(second), "the versions read different values")
		shown := mustEncode(t, secret) +
			fmt.Sprintf("%v%+v%#v%s%q%x%d", secret, secret, secret, secret, secret, secret, secret)
		if secret.IsZero() {
			require.Equal(t, "null", shown)
			return
		}
		require.Equal(t, `"[redacted]"`+strings.Repeat("[redacted]", 7), shown)
		require.NotEqual(t, "[redacted]", secret.Reveal())

		var again scalar.Secret
		require.NoError(t, again.UnmarshalText([]byte(secret.Reveal())))
		require.True(t, secret.Equal(again))
	})
}

// checkErrorHides fails if err shows any eight bytes of data that the fixed wording of the errors does not contain
// anyway.
func checkErrorHides(t *testing.T, err error, data []byte) {
	t.Helper()
	const width = 8
	wording := "scalar: SecretURL cannot be read from a JSON boolean scalar: Secret cannot be read from malformed JSON " +
		"scalar: the value is redacted: it was written without its secret a JSON object a JSON array a JSON number"
	for i := 0; i+width <= len(data); i++ {
		piece := string(data[i : i+width])
		if strings.Contains(err.Error(), piece) && !strings.Contains(wording, piece) {
			_, _ = io.WriteString(t.Output(), "an error shows a piece of its input\n")
			t.FailNow()
		}
	}
}
