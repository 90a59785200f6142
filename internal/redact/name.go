package redact

import (
	"slices"
	"strings"
)

// kind is what a name says about its value.
type kind int

const (
	ordinary kind = iota
	// suspect is a name such as "key", whose value is a secret if it looks like one.
	suspect
	// secret is a name such as "token". As a word of a sentence it may be followed by another word.
	secret
	// header is the name of a header, such as "x-api-key", which a sentence does not have.
	header
	// cookies and authorization are the headers whose values are more than one word.
	cookies
	authorization
)

// secretNames are what names of secrets end in, in lower case and without dashes.
var secretNames = []string{
	"token", "secret", "password", "passwd", "passphrase", "pwd", "credential", "jwt", "sessionid", "mnemonic",
	"apikey", "secretkey", "privatekey", "accesskey", "signingkey", "encryptionkey", "authkey",
}

// suspectNames are the whole last part of names of what may be secret.
var suspectNames = []string{"key", "auth", "bearer", "session", "sid", "sig", "signature", "pass", "passcode"}

// kindOf judges a name by its end: it may be written accessToken, access_token, X-Access-Token, tokens, token2 or
// tokenValue.
func kindOf(name string) kind {
	name = withoutNumber(name)
	var buffer [24]byte
	lower := buffer[:0]
	for i := max(0, len(name)-cap(lower)); i < len(name); i++ {
		if c := name[i]; !is(c, dash) {
			lower = append(lower, toLower(c))
		}
	}
	end := strings.TrimSuffix(strings.TrimSuffix(string(lower), "value"), "s")
	switch {
	case strings.HasSuffix(end, "cookie"):
		return cookies
	case strings.HasSuffix(end, "authorization"):
		return authorization
	case slices.ContainsFunc(secretNames, func(known string) bool { return strings.HasSuffix(end, known) }):
		if strings.Contains(name, "-") {
			return header
		}
		return secret
	case slices.Contains(suspectNames, lastPart(name)) && end != "publickey":
		return suspect
	}
	return ordinary
}

// lastPart returns the last part of a name, in lower case.
func lastPart(name string) string {
	from := len(name)
	for from > 0 && !is(name[from-1], dash) {
		from--
		if from > 0 && name[from] < 'a' && name[from-1] >= 'a' {
			break
		}
	}
	return strings.ToLower(name[from:])
}

// toLower returns a letter in lower case. No other byte of a name becomes a letter by it.
func toLower(c byte) byte { return c | 0x20 }

// withoutNumber returns a name without a number that it ends in.
func withoutNumber(name string) string {
	for len(name) > 0 && is(name[len(name)-1], digit|dash) {
		name = name[:len(name)-1]
	}
	return name
}

// mayBeSecret tells most words from the names of secrets by their last three letters, since every word is asked about.
func mayBeSecret(word string) bool {
	word = withoutNumber(word)
	n := len(word)
	if n > 3 && toLower(word[n-1]) == 's' {
		n--
	}
	if n < 3 {
		return false
	}
	switch string([]byte{toLower(word[n-3]), toLower(word[n-2]), toLower(word[n-1])}) {
	case "ken", "ret", "ord", "swd", "ase", "pwd", "ial", "jwt", "nid", "nic", "kie", "ion", // The names of secrets.
		"key", "uth", "rer", "sid", "sig", "ure", "pas", "ode", // Those of suspects, of which "pass" ends in s.
		"lue":
		return true
	}
	return false
}
