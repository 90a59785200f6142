package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// hides reports whether the word behind %s of a text is hidden whole, and nothing else is.
func hides(t *testing.T, text, word string) bool {
	t.Helper()
	spelled := strings.Replace(text, "%s", word, 1)
	got := redact.Text(spelled)
	if got == spelled {
		return false
	}
	assert.Equal(t, strings.Replace(text, "%s", redact.Placeholder, 1), got)
	return true
}

// TestText_boundsOfPathParameters walks along the bounds of the form of a path parameter.
func TestText_boundsOfPathParameters(t *testing.T) {
	z := func(n int) string { return strings.Repeat("z", n) }
	a := func(n int) string { return strings.Repeat("a", n) }
	const uuid = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
	for word, want := range map[string]bool{
		// Letters alone, and digits alone.
		z(31): false, z(32): true, z(20) + "-" + z(20): false, z(32) + "-" + z(2): true, strings.Repeat("7", 60): false,
		"7-7": false,
		// Turns.
		"z1z2z": true, "z1z2": false, "1z2z3": true, "zzz1zzz2": true, "zz1zzz2": false, "zzz1zzzz": false,
		"z1z-2z3-z4": false, "zzz1z2-zz": true, "zz1z2-zz": false,
		z(7) + "1" + z(8): true, z(7) + "1" + z(7): false, z(8) + "1-" + z(8): false, z(3) + "1z-" + z(11): true, z(3) +
			"1z-" + z(10): false,
		// Long ones.
		a(15) + "1": true, a(14) + "1": false, "1" + a(15): true, a(14) + "g1": false, "F" + a(13) + "G1": false, "f" +
			a(13) + "F1": true,
		z(31) + "1": true, z(30) + "1": false, z(20) + "-" + a(15) + "1": false, a(15) + "1-" + z(3): true, a(15) + "1-" +
			z(16): true, a(15) + "1-" + z(17): false, z(10) + "." + a(15) + "1": true,
		// Public values.
		"0x" + a(40): false, "0X" + a(64): false, "0x" + a(40) + "z1z2z": true, "0x" + a(40) + "z": false, "0xz1z2z": true,
		"0x": false, "1x" + a(40): true, "0y" + a(40): true,
		uuid: false, strings.ToUpper(uuid): false, uuid + "-z1z2z": true, uuid + "-z": false, uuid[:35]: true, "g" +
			uuid[1:]: true,
		strings.Replace(uuid, "-", "_", 1): true, strings.Replace(uuid, "-9", "9-", 1): true, uuid[:35] + "g": true,
	} {
		assert.Equal(t, want, hides(t, "no route /v0/%s/ here", word), word)
	}
}

// TestText_boundsOfWords walks along the bounds of the form of a word that stands for itself.
func TestText_boundsOfWords(t *testing.T) {
	turns := func(n, length int) string {
		text := strings.Repeat("z1", n/2+1)[:n+1]
		return text + strings.Repeat(text[n:], length-len(text))
	}
	for word, want := range map[string]bool{
		turns(6, 40): true, turns(6, 39): false, turns(5, 40): false, turns(5, 60): false, turns(12, 39): false,
		turns(3, 20) + "-" + turns(3, 20): true, turns(3, 20) + "-" + turns(2, 20): false, turns(3, 20) + "_" +
			turns(3, 19): false,
		"0x" + strings.Repeat("a1", 32): false, "0x" + strings.Repeat("a1", 32) + strings.Repeat("z1", 20): true, "0x" +
			strings.Repeat("a1", 32) + strings.Repeat("z1", 19) + "z": false,
	} {
		assert.Equal(t, want, hides(t, "endpoint %s does not exist", word), word)
	}
}

// TestText_hidesValuesBySecretName puts a value behind every name that gives one away, in the spellings of names.
func TestText_hidesValuesBySecretName(t *testing.T) {
	names := []string{
		"token", "secret", "password", "passwd", "passphrase", "pwd", "credential", "jwt", "sessionid", "mnemonic", "apikey",
		"secretkey", "privatekey",
		"accesskey", "signingkey", "encryptionkey", "authkey", "api_key", "private-key", "key", "auth", "bearer", "session",
		"sid", "sig", "signature", "pass", "passcode",
	}
	for _, name := range names {
		upper := strings.ToUpper(name[:1]) + name[1:]
		for _, spelled := range []string{name, upper, strings.ToUpper(name), "my_" + name, "x-" + name, "my" + upper, name +
			"2", name + "_12"} {
			assert.True(t, hides(t, "GET /v0/x?"+spelled+"=%s&limit=2", "made0up1value2"), spelled)
			assert.True(t, hides(t, `{"`+spelled+`":"%s","a":"b"}`, "made0up1value2"), spelled)
		}
	}
	for _, name := range []string{"token", "password", "credential", "apikey", "api_key", "jwt"} {
		assert.True(t, hides(t, `{"`+name+`s":"%s"}`, "made0up1value2"), name)
		assert.True(t, hides(t, `{"`+name+`Value":"%s"}`, "made0up1value2"), name)
	}
	for _, name := range []string{
		"id", "label", "toke", "oken", "tokenized", "secretary", "keyed", "monkey", "turkey", "publicKey", "public_key",
		"public-key", "author", "passage", "design", "assign",
		"inside", "mode", "code", "order", "nation", "value", "base", "ken", "ey", "y", "s",
	} {
		assert.False(t, hides(t, `{"`+name+`":"%s","a":"b"}`, "made0up1value2"), name)
	}
}

// TestText_hidesCredentialsBehindScheme hides all words of a credential behind its scheme.
func TestText_hidesCredentialsBehindScheme(t *testing.T) {
	for _, scheme := range []string{
		"Digest", "Token", "ApiKey", "api-key", "Key", "Negotiate", "NTLM", "OAuth", "Hawk", "HMAC", "Signature",
		"AWS4-HMAC-SHA256", "hmac-sha512",
	} {
		assert.True(t, hides(t, "Authorization: "+scheme+" %s\nAccept: */*", `id="bob", mac=a, b`), scheme)
	}
	for _, scheme := range []string{"Bearer", "Basic", "basic", "bearer"} {
		assert.True(t, hides(t, "Authorization: "+scheme+" %s and so on\nAccept: */*", "made0up1"), scheme)
	}
	assert.Equal(t, "Authorization: [redacted] b\nc", redact.Text("Authorization: made0up1 b\nc"), "no known scheme")
	assert.Equal(t, "Proxy-Authorization: Digest\nc", redact.Text("Proxy-Authorization: Digest\nc"), "nothing behind it")
}

// TestText_keepsHarmlessValues keeps the values that switches and the like have in the place of a secret.
func TestText_keepsHarmlessValues(t *testing.T) {
	for _, value := range []string{"enabled", "disabled", "true", "false", "null", "nil", "none", "None", "undefined"} {
		assert.False(t, hides(t, `{"token":"%s","a":"b"}`, value), value)
		assert.False(t, hides(t, "token=%s&a=b", value), value)
		assert.True(t, hides(t, "token=%s&a=b", value+"1"), value)
		assert.True(t, hides(t, `{"token":"%s","a":"b"}`, value+"1"), value)
	}
}

// TestText_keepsWordsOfSentence keeps a word behind the name of a secret, and hides it if it is not a word.
func TestText_keepsWordsOfSentence(t *testing.T) {
	z := strings.Repeat("z", 20)
	for word, want := range map[string]bool{
		z: false, z + "z": true, "invalid_token": false, "endpoint.label": false, "expired": false, "notFoundHere": false,
		"aBcDe": false, "aBcDeF": true, "aBcDeFg": true,
		"made0up": true, "made.0": false, "a-b": false, "ab.cd1": true, "ab.c1": true, "EXPIRED": false,
		"banana_papaya": false, "ab/c": true,
	} {
		assert.Equal(t, want, hides(t, "the token: %s", word), word)
		assert.Equal(t, want, hides(t, "the token: %s, it said", word), word)
	}
}
