package scalar_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// fuzzJSON reads data as a T with both versions of encoding/json, which must read the same, and hands each value that
// was read to check. A failure leaves the zero value; after one, version 2 may have read a value before stray text.
func fuzzJSON[T any](f *testing.F, seeds []string, check func(t *testing.T, read T)) {
	for _, seed := range append(seeds, `null`, `""`, `{}`, `[1]`, `true`, `12`, `"`, ``, "\"\xff\"", `"\ud800"`,
		"\n\t \"1.5\" \r") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read, second T
		err := any(&read).(json.Unmarshaler).UnmarshalJSON(data)
		secondErr := jsonv2.Unmarshal(data, &second, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		require.Equal(t, err == nil, secondErr == nil, "only one version of encoding/json reads it")
		if err == nil {
			require.True(t, reflect.DeepEqual(read, second), "the versions read different values")
			check(t, read)
			return
		}
		require.True(t, reflect.ValueOf(read).IsZero())
	})
}

func checkWritten[T any](t *testing.T, v T) {
	t.Helper()
	text := mustEncode(t, v)
	require.True(t, reflect.DeepEqual(v, mustDecode[T](t, text)), "%s reads back as another value", text)
}

func FuzzBigInt(f *testing.F) {
	seeds := []string{`10000`, `"35546774534000000000000000"`, `1e3`, `1.5`, `"0x10"`, `"9007199254740993"`, `1e999999999`,
		`-1.0e-0`, `0e99999999999999999999`, `"-0x0"`, `"0x"`, `1A`}
	fuzzJSON(f, seeds, func(t *testing.T, b scalar.BigInt) {
		checkWritten(t, b)
		if encoded := mustEncode(t, b); !strings.HasPrefix(encoded, `"`) {
			// A reader that uses floating point gets the same integer.
			f, _, err := big.ParseFloat(encoded, 10, 53, big.ToNearestEven)
			require.NoError(t, err)
			exact, _ := f.Int(nil)
			require.Zero(t, exact.Cmp(b.Big()))
		}
		if hex := fmt.Sprintf("%#x", b); len(hex) < 8_000 {
			require.True(t, b.Equal(must(scalar.ParseBigInt(hex))(t)))
		}
	})
}

func FuzzDecimal(f *testing.F) {
	seeds := []string{`"12.50"`, `1250`, `-0.0`, `"1e999999999"`, `1e-9999`, `"0e99999999999999999999"`, `"free"`}
	fuzzJSON(f, seeds, func(t *testing.T, d scalar.Decimal) {
		checkWritten(t, d)
		if r, err := d.Rat(); err == nil {
			want, readable := new(big.Rat).SetString(d.String()) // math/big is the reference.
			require.True(t, readable)
			require.Zero(t, want.Cmp(r), "%s became %s", d, r)
		}
	})
}

func FuzzSecret(f *testing.F) {
	fuzzJSON(f, []string{`"made-up"`, `-1.5e7`, `"[redacted]"`, `"a[redacted]"`, `"redacted"`}, func(t *testing.T, secret scalar.Secret) {
		shown := mustEncode(t, secret) +
			fmt.Sprintf("%v%+v%#v%s%q%x%d", secret, secret, secret, secret, secret, secret, secret)
		if secret.IsZero() {
			require.Equal(t, "null", shown)
			return
		}
		require.Equal(t, `"[redacted]"`+strings.Repeat("[redacted]", 7), shown)
		require.Equal(t, secret.IsRedacted(), secret.Reveal() == "[redacted]")
		var again scalar.Secret
		require.NoError(t, again.UnmarshalText([]byte(secret.Reveal())))
		require.True(t, secret.Equal(again))
	})
}

func FuzzSecretURL(f *testing.F) {
	seeds := []string{`"https://name.example.com/made-up/"`, `"wss://u:p@a.example:1/x?y#z"`, `"http://[::1%25x]/"`,
		`"https://a.example.com/[redacted]"`, `"HTTP://a.example.com\\b"`, `"\ud800://x"`, `"%"`}
	fuzzJSON(f, seeds, func(t *testing.T, address scalar.SecretURL) {
		shown := address.String()
		require.Equal(t, shown, fmt.Sprintf("%d", address))
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
			require.False(t, strings.ContainsAny(scheme+address.Host(), "/@"))
		}
		var again scalar.SecretURL
		require.NoError(t, again.UnmarshalText([]byte(address.Reveal())))
		require.True(t, address.Equal(again))
		require.NoError(t, again.UnmarshalText([]byte(shown)))
		require.True(t, again.IsRedacted())
		require.Equal(t, shown, again.String())
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

func FuzzExtra(f *testing.F) {
	seeds := []string{`{"a":1,"a":[2],"b":"x"}`, "{\"\xff\":\"\\ud800\"}", `{"a":"[redacted]"}`,
		`{"a":{"b":[null,true,-1e400]}}`}
	fuzzJSON(f, seeds, func(t *testing.T, e scalar.Extra) {
		var back scalar.Extra
		require.NoError(t, back.UnmarshalJSON(e.Reveal()))
		require.Equal(t, e, back)
		shown := mustEncode(t, e)
		require.Equal(t, shown, mustEncode(t, mustDecode[scalar.Extra](t, shown)))
	})
}

// FuzzRevealed reads anything: if it can be read, it is written and read back as the same value. The input has no
// spaces, since encoding/json writes none.
func FuzzRevealed(f *testing.F) {
	for _, seed := range []string{mustEncode(f, scalar.WithSecrets[kept]{Value: nest()}), `{}`, `null`, `[`,
		`{"token":"[redacted]"}`, `{"token":null,"empty":"","list":[],"map":{}}`, `{"list":[7,"\ud800"]}`, `{"token":{}}`,
		`{"Inner":{"Deep":[[null,{"address":"https://a.example/%5bredacted%5d"}]]}}`, `{"TOKEN":1,"token":2}`,
		`{"extra":{"plan":{"&000":0}}}`, `{"extra":{"a":"<\u003c\u2028"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var compact, written bytes.Buffer
		var read scalar.WithSecrets[kept]
		if json.Compact(&compact, data) != nil || json.Unmarshal(compact.Bytes(), &read) != nil {
			return
		}
		enc := json.NewEncoder(&written)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(read); err != nil {
			require.ErrorContains(t, err, scalar.ErrRedacted.Error())
			return
		}
		require.Equal(t, read, mustDecode[scalar.WithSecrets[kept]](t, written.String()))
	})
}
