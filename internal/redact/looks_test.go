package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

var hidden = regexp.MustCompile(`(?s)«.*?»`)

// checkMarked cleans a text in which the parts to hide stand between « and », and cleans the result again.
func checkMarked(t *testing.T, marked string, values ...string) {
	t.Helper()
	text := strings.NewReplacer("«", "", "»", "").Replace(marked)
	got := redact.Text(text, values...)
	assert.Equal(t, hidden.ReplaceAllString(marked, redact.Placeholder), got, text)
	assert.Equal(t, got, redact.Text(got, values...), "a second time: %s", text)
}

// TestText_hidesLooks has the texts that each look hides beside the texts it leaves.
func TestText_hidesLooks(t *testing.T) {
	for _, marked := range []string{
		// Addresses: the user, possible schemes and hosts, and the end of a sentence.
		"git-https://a.example.com/«secretword»", "3-x://a/«secretword»", "http:///«secretword»", "https://)",
		"https://«bob:s3cr3t»@a.example.com", "redis://«:s3cr3t»@cache:6379/«0»",
		"https://a.example.com?«key=s3cr3t»", "https://«bob:s3/cr3t:pass@a.example.com» now",
		"https://a.example.com/«secretword»).,;:!?} now", "https://[2001:db8::1]:8443/«secretword»",
		"https://«[::1]:84x/secretword»", "https://«[xyz]/secretword»", "https://«a.example.com:84x/secretword»",
		"https://«a+b.example.com/secretword»", "https://é.example.com/«secretword»",
		"https://a.example.com/ and https://b.example.com", "a.https://b.example.com/«s3cr3tpath»",
		`at https://a.example.com\«s3cr3tpath» now`, "https://a.example.com/«s3%20cr3t%22x» now",
		`"https://a.bc/«s3cr»`,
		// Hosts without a scheme: the text before them, and the signs of a host.
		"a.example.com/«secretword»", ".a.example.com/secretword", "x/a.example.com/secretword",
		"//a.bc/«secretword»", "x /a.example.com/secretword", "x:a.example.com/«secretword»", "a.example.com/",
		"a.example.com/7", "a.example.com/«7x»", "a.example.com/«7/secretword»", "a.example.com/7, and more",
		"10.0.0.7/24", "10.0.0.7/«24x»", "10.0.0.7/«24/secretword»", "10.0.0/secretword", "10.0.0.0.7/secretword",
		"a.0.0.7/secretword", "gateway:8/«secretword»", "gateway:8545", "gateway:/secretword",
		"gateway:85x/secretword", "12:34/secretword", "1a:34/«secretword»", "localhosts/secretword",
		"a.b/secretword", "a.bc/«x7»", "a.bc/«(secret»)", "a.b1/secretword", ".bc/secretword", "and/secretword",
		// A password between a colon and an @.
		"«bob:secretword»@cache", "«bob:s»@[::1]", "bob:secretword@ cache", "bob:secretword@", "bob:@cache",
		"bob:secret/word@cache", "«bob:пароль»@cache", "«a:b:secretword»@cache", "a «b:secretword»@cache",
		// Headers, and credentials after the name of a scheme.
		"Cookie: «missing=»", "Cookie: «a=b; c=d»", "Cookie: a b=c", `{"Cookie":"«a=b; c=d"}»`, "Cookies: «a=b»\nx",
		"Authorization: Bearer\nnext: x", "Authorization: Bearer ", "Authorization: Bearer <none>",
		"Authorization: Bearer «a», b", "Authorization: basic «a==» b", "Authorization: Digest\nnext: x",
		"Authorization: «a1b», c", "Authorization: «a1b» c", "Bearer «made0up1»", "Bearer made0up",
		"Bearer (made0up1)", "Bearer «wordword»", "Bearer wordwor", "BEARER «made0up1»", "basic wordword",
		"basic «made0up1»", "bearing made0up1", "bearers abcdefg1", "basic\t«abcdefg1»", "bearer+«abcdefg1»",
		"Bearer credentials needed", "Bearer authorized needed", "bearer wordsofletters needed",
		// Web tokens.
		"see eyJ and more", "«eyJabcdefgh» and more", "eyJabcdefg and more", "x_«eyJabcdefgh.ab.cd» and more",
		"xeyJabcdefgh", "eyJa.b and more",
		// Names of secrets, and the text that may stand between them and a value.
		"token => «secret1»", "token ::= «secret1»", "token := «secret1»", "token === «secret1»", "token: <b>",
		"token :«secret1»", "\"token\":\n\"«secret1»\"", "token", "token:", `"token":,`, "token=&x=1",
		"token;secret1", "token: «(secret1)»", "<a:token>«secret»</a:token>", "x token>secret</token>",
		"<token></token>", "<token>secret<b></b>", "<key>secret1</key>", "token  '«s3cr3t1value»'",
		"token (s3cr3t1value)", "token wordword", "colour s3cr3t1value", "key «s3cr3t1value»",
		"key 0x742d35Cc6634C0532925a3b844Bc454e4438f44e", "key 7d444840-9dc0-11d1-b245-5ffdce74fad2",
		// Values: in quotes, lists and records with all that follows, numbers, and words.
		`key: "word"`, `key: "«s3cr3t1»"`, `"key": "word"`, `token: "!!"`, `token: "«é»"`, `token: "«a»" b`,
		`'token': '«it\'s»'`, `{"token":"«s3\"cr3t»","x":1}`, `{"token":"«s3"cr3t»","x":1}`, `{"token":"«s3cr»`,
		`token: ""`, "token: «[a b] x»", `"token":«["a"],"x":1»`, `"token":«{"a":{"b":1}},"x":1»`, `"token":[ ]`,
		`"key":["s3cr3t1"]`, "token: [redacted] x", `"tokens": 12}`, "token: 123456", "token: «1234567»",
		"token: «12x»", "token: true", "token: «true-x1»", "token=none", "token=«nonesuch»", "token: secret.word",
		"token=«secret.word»", "X-Api-Key: «word»", "X-Api-Key: «a» b", "session: word", "session: «s3cr3t1»",
		"session=«word»; x=1", "token: пароль", "token: «пароль1»", `"PASS":"«secret1»"`, "token: key: «s3cr3t1»",
		"Unexpected token: }",
		// Path parameters and long words. Four changes between letters and digits look random.
		"/«s3cr3tpath»", "x/«s3cr3tpath»/y", "//«s3cr3tpath»", "/ s3cr3tpath", "s3cr3tpath/", "/«s3cr3tpath.json»",
		"/z1z2", "/«z1z2z»/«1z2z3»", "/z1z-2z3-z4", "/" + strings.Repeat("z", 31),
		"/«" + strings.Repeat("z", 32) + "»", "/" + strings.Repeat("7", 60), "/«" + strings.Repeat("a", 15) + "1»",
		"/" + strings.Repeat("a", 14) + "1", "/«1" + strings.Repeat("1a", 8) + "»",
		"/0x" + strings.Repeat("a1", 32), "/«0xz1z2z»", "x://a1b2c3.bc", "see «" + strings.Repeat("z1", 20) + "»",
		"see " + strings.Repeat("z1", 17), "see 0x" + strings.Repeat("a1", 32),
	} {
		checkMarked(t, marked)
	}
	z := strings.Repeat("z", 20)
	for _, word := range strings.Fields(z + " «" + z + "z» invalid_token endpoint.label expired notFoundHere " +
		"aBcDe «aBcDeF» «made0up» a-b «ab.cd1» «ab.c1» EXPIRED «ab/c»") {
		checkMarked(t, "the token: "+word)
		checkMarked(t, "the token: "+word+", it said")
	}
}

// TestText_hidesValuesBySecretName puts a value behind every name that gives one away, in the spellings of names.
func TestText_hidesValuesBySecretName(t *testing.T) {
	names := strings.Fields("token secret password passwd passphrase pwd credential jwt sessionid mnemonic apikey " +
		"api_key secretkey privatekey private-key accesskey signingkey encryptionkey authkey key auth bearer session sid " +
		"sig signature pass passcode key_pem")
	for _, name := range names {
		upper := strings.ToUpper(name[:1]) + name[1:]
		for _, spelled := range []string{name, upper, strings.ToUpper(name), "my_" + name, "x-" + name, "my" + upper, name +
			"2", name + "_12", name + "s", name + "Value"} {
			checkMarked(t, "GET /v0/x?"+spelled+"=«made0up1value2»&limit=2")
			checkMarked(t, `{"`+spelled+`":"«made0up1value2»","a":"b"}`)
		}
	}
	for _, name := range strings.Fields("id label toke oken tokenized secretary keyed monkey turkey author passage " +
		"design assign inside mode code order nation value base ken ey y s") {
		checkMarked(t, `{"`+name+`":"made0up1value2","a":"b"}`)
	}
	for _, scheme := range strings.Fields("Digest Token ApiKey api-key Key Negotiate NTLM OAuth Hawk HMAC Signature") {
		checkMarked(t, "Authorization: "+scheme+` «id="bob", mac=a, b»`+"\nAccept: */*")
	}
	for _, value := range strings.Fields("enabled disabled true false null nil none None undefined") {
		checkMarked(t, `{"token":"`+value+`","a":"b"}`)
		checkMarked(t, "token="+value+"&a=b")
		checkMarked(t, `{"token":"«`+value+`1»","a":"b"}`)
	}
}

// TestText_showsUnescapedText hides secrets at every level of escapes, and then shows the last one.
func TestText_showsUnescapedText(t *testing.T) {
	for text, want := range map[string]string{
		`{"e":"token\u003asecret1\u0020x"}`:          `{"e":"token:[redacted] x"}`,
		`"https:\/\/a.example.com\u002fs3cr3tpath"`:  `"https://a.example.com/[redacted]"`,
		"/to?u=https%3A%2f%2Fa.bc%2Fs3%2520cr3t&x":   "/to?u=https://a.bc/[redacted]",
		"token%253dsecret1%250Anext":                 "token=[redacted]\nnext",
		"&lt;token&gt;secret1&lt;/token&gt;":         "<token>[redacted]</token>",
		"&#34;token&#X22;:&quot;secret1&quot;,x":     `"token":"[redacted]",x`,
		`"{\"e\":\"{\\\"token\\\":\\\"s3cr3t\\\"}\"`: `"{"e":"{"token":"[redacted]"}"`,
		"/data/https:~1~1a.bc~1secret":               "/data/https://a.bc/[redacted]",
		`%2525252541 and \u00e9`:                     "[redacted]",
		`%25252541 and \u00e9`:                       `%25252541 and \u00e9`,
	} {
		assert.Equal(t, want, redact.Text(text))
	}
}
