package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// checkText cleans a text twice, and compares the results.
func checkText(t *testing.T, want, text string, values ...string) {
	t.Helper()
	got := redact.Text(text, values...)
	assert.Equal(t, want, got, text)
	assert.Equal(t, got, redact.Text(got, values...), "a second time: %s", text)
}

var hidden = regexp.MustCompile(`(?s)«.*?»`)

// checkMarked cleans a text in which the parts to hide stand between « and ».
func checkMarked(t *testing.T, marked string, values ...string) {
	t.Helper()
	checkText(t, hidden.ReplaceAllString(marked, redact.Placeholder), strings.NewReplacer("«", "", "»", "").Replace(marked),
		values...)
}

// TestText_boundsOfRules walks along the bounds of each rule: the texts it hides stand beside the texts it leaves.
func TestText_boundsOfRules(t *testing.T) {
	for _, marked := range []string{
		// Addresses: possible schemes and hosts.
		"git-https://a.example.com/«secretword»", "x_3://a.example.com/«secretword»",
		"3-x://a.example.com/«secretword»", "3x://a.example.com/«secretword»", "x3://a.example.com/«secretword»",
		"x://a/«secretword»", "3-x://a/«secretword»", "http:///«secretword»",
		"https://«bob:s3/cr3t:pass@a.example.com» now", "https://)", "https://a.example.com/«secretword»).,;:!?} now",
		"https://[2001:db8::1]:8443/«secretword»", "https://[2001:DB8::1]/«secretword»",
		"https://«[::1]:84x/secretword»", "https://«[xyz]/secretword»", "https://a.example.com:8443/«secretword»",
		"https://«a.example.com:84x/secretword»", "https://«a+b.example.com/secretword»", "https://a.example.com//",
		"https://é.example.com/«secretword»",

		// Hosts without a scheme: the text before them, and the signs of a host.
		"a.example.com/«secretword»", ".a.example.com/secretword", "x/a.example.com/secretword",
		"x /a.example.com/secretword", "//a.example.com/«secretword»", ":/a.example.com/«secretword»",
		"x:a.example.com/«secretword»", "a.example.com/", "a.example.com//", "a.example.com/7", "a.example.com/«7x»",
		"a.example.com/«7/secretword»", "a.example.com/7, and more", "10.0.0.7/24", "10.0.0.7/«24x»",
		"10.0.0.7/«24/secretword»", "10.0.0.7/«secretword»", "10.0.0/secretword", "10.0.0.0.7/secretword",
		"a.0.0.7/secretword", "gateway:8545/«secretword»", "gateway:8/«secretword»", "gateway:8545",
		"gateway:/secretword", "gateway:85x/secretword", "12:34/secretword", "12:34/56", "1a:34/«secretword»",
		"localhost/«secretword»", "localhosts/secretword", "a.b/secretword", "a.bc/«secretword»", "a.bc/«x7»",
		"a.bc/«(secret»)", "a.bc:7/«secretword»", "a.b1/secretword", ".bc/secretword", "and/secretword",

		// Path parameters: a slash stands before them, with no more than a byte between.
		"/«s3cr3tpath»", "x/«s3cr3tpath»/y", "/~«s3cr3tpath»", "/.«s3cr3tpath»", "/ s3cr3tpath", `/"s3cr3tpath"`,
		"/~.s3cr3tpath", "s3cr3tpath/", "/«s3cr3tpath»... and more", "/«s3cr3tpath.json»", "/«пароль1пароль2пароль3»",

		// A password between a colon and an @.
		"bob:«secretword»@cache", "bob:«secretword»@[::1]", "bob:«secretword»@{cache}", "bob:secretword@ cache",
		"bob:secretword@-cache", "bob:secretword@", "bob:@cache", "bob:«s»@cache", "bob:secret/word@cache",
		"bob:«пароль»@cache", "a:«b:secretword»@cache", "a b:«secretword»@cache", "mailto:secretword@cache",

		// Headers.
		"Cookie: «missing=»", "Cookie: «a=b; c=d»", "Cookie: a b", "Cookie: a b=c", "Authorization: Bearer\nnext: x",
		"Authorization: Bearer", "Authorization: Bearer ", "Authorization: Digest ", "Authorization: Bearer <none>",
		"Authorization: Bearer «a», b", "Authorization: Basic «a==» b", "Authorization: basic «a==» b",
		"Authorization: Digest «a=b, c=d»", "Authorization: Digest\nnext: x", "Authorization: «a1b», c",
		"Authorization = Bearer «a» b", "authorization=Bearer «abcdefgh12345» was refused",
		"/x?authorization=Bearer%20«abcdefgh12345»&limit=2", "authorization=Digest «a, b»", "cookie=«a=b»; c=d",
		"x=authorization%3D«bearer+abcdefgh1»", `{"e":"Authorization: Digest «a=\"b\", c=\"d\"»","x":1}`,
		`{"e":"Authorization: Digest «a=b, c=d»","x":1}`, `{"e":"Authorization: Digest «a=\"b»`,
		"'Authorization: Digest «a»' and more", `"authorization": "«Digest a, b»"`, `{"Cookie":"«a=b; c=d»"}`,

		// Behind the name of a scheme.
		"Bearer «made0up1»", "Bearer made0up", "Bearer  <made0up1>", "Bearer (made0up1)", "Bearer «wordword»",
		"Bearer wordwor", "BEARER «made0up1»", "Bearer «wordword.»", "basic wordword", "Bearer word-words",
		"basic:«secretword»@cache", "basic «made0up1»", "Bearer/«made0up1»", "bearing made0up1",
		"bearer «abcdefg1»", "BEARER  «abcdefg1»", "basic\t«abcdefg1»", "basic abcdef1", "bear abcdefg1", "bearers abcdefg1",
		"Bearer credentials needed", "Bearer authentication needed", "Bearer authorized needed",
		"Bearer authorization needed", "Bearer «wordsofletters» needed", "Bearer letters needed",
		"bearer wordsofletters needed",

		// Web tokens, whole and cut off.
		"«eyJ»", "see «eyJ»", "see eyJ.", "eyJ and more", "«eyJabcdefgh» and more", "eyJabcdefg and more",
		"«eyJabcdefgh.ab.cd»... and more", "x-«eyJabcdefgh» and more", "x_«eyJabcdefgh» and more",
		"xeyJabcdefgh and more", "x-«eyJabc»", "x.«eyJabcdefgh» and more", "eyJa.b and more", "eyJab.cdefgh and more",

		// Names of secrets, and the text that may stand between them and a value.
		"token => «secret1»", "token ::= «secret1»", "token := «secret1»", "token === «secret1»",
		"token ==== «secret1»", "token: <b>", "token :«secret1»", "token:\nsecret1", "\"token\":\n\"«secret1»\"",
		"token:«secret1»", "token=«secret1»", "token = «secret1», x", "token", "token:", `"token":`, `"token":,`,
		"token=&x=1", "token;secret1",

		// A tag, or nothing but space, behind the name.
		"<token>«secret»</token>", "<a:token>«secret»</a:token>", "x token>secret</token>", "<token></token>",
		"<token>«s»</token>", "<token «s3cr3t1value»", "<token>secret<b>", "<key>secret1</key>",
		"<colour>secret1</colour>", "token «s3cr3t1value»", "token '«s3cr3t1value»'", `token  "«s3cr3t1value»"`,
		"token (s3cr3t1value)", "token wordword", "colour s3cr3t1value", "key «s3cr3t1value»",

		// Values in quotes.
		`key: "word"`, `key: "«s3cr3t1»"`, `"key": "word"`, `token: "!!"`, `token: "«é»"`, `token: "«word»"`,
		`token: "«a»" b`, `"token":"«!!»"`, `token: ""`, `'token': '«it\'s»'`,

		// Lists and records.
		"token: «[secret]» x", "token: «[a b]» x", `token: «["a] b","secret1"]» x`, "token=«[a,b]c» x", `"token":[ ]`,
		`"token":[{ }, ]`, `"key":["s3cr3t1"]`, `token: «[a]b»"c`,

		// Numbers, and values without quotes.
		`"tokens": 12}`, `"TOKENS": 12}`, `"key": 12}`, "token: «12»", "token=«12»", "token: true", "token: trueish",
		"token: true-x", "token=none", "token=«nonesuch»", "token: (secret1)", "token: secret.word",
		"token=«secret.word»", "X-Api-Key: «word»", "X-Api-Key: «a» b",
		"«s3cret90123456789abcdef0123456789abcdefCookie»: ", "«s3cret90123456789abcdef0123456789abcdefCookie»: , x",
		"s3cret90123456789abcdef0123456789abcdefCookie: «%26x»", `"key":"«?s3cr3t1»"`, "session=«word»; x=1",
		"session: word", "session: «s3cr3t1»", "token=%20«x»", "token=«%26secret1»", "token=«true%26secret1»",
		"Unexpected token: }", "token=%22«abc»%22&x=1", "x=token%3D«secret1»%26y%3D1&z=1", "token: пароль",
		"token: «пароль1»", `"passwords":"«secret1»"`, `"PASS":"«secret1»"`, `"Pass":"«secret1»"`,

		// Escapes.
		`{"e":"Authorization: Digest «a»\nnext: x"}`, `{"e":"token=«secret1»\rnext"}`,
		`{"e":"Authorization: Digest «a»\n5cnext: x"}`, `{"e":"token=«secret1»\tnext"}`,
		`{"e":"token=«secret1»\\nnext"}`, `{"e":"token=«secret1»\u000anext"}`, `{"e":"token=«secret1\u00»","x":1}`,
		`{"e":"x\u123`, `x\n/«s3cr3tpath»`, `x\t/«s3cr3tpath»`, `x\nkey=«s3cr3t1» y`, `x\tkey=«s3cr3t1» y`,
		`x\rkey=«s3cr3t1» y`, `{"e":"Authorization: Digest «a,\tsecret»"}`, `{"e":"token\u003a«secret1»\u0020x"}`,
		`{"e":"token\u20acsecret1"}`, `{"e":"\"token\":\"«a\\\"b»\",\"x\":1"}`, "token%3d«secret1»%0Anext",
		"token%253d«secret1»%250Anext", "token%5C%22secret1", "%5C%22token%5C%22:%5C%22«secret1»%5C%22",
		"&quot;token&quot;:&quot;«secret1»&quot;,x", "&#34;token&#34;:&#34;«secret1»&#34;,x",
		"&#x22;token&#X22;:&#x22;«secret1»&#x22;,x", "&lt;token&gt;«secret1»&lt;/token&gt;",
		"&apos;token&apos;:&apos;«secret1»&apos;,x", "token&#61;«secret1»&amp;x=1", "token&#58;«s3cr3t1»",
		"token&#058;«s3cr3t1»", "token&x3d;secret1", "token&#x3g;secret1", "token&#;=secret1", "token&#6a;=secret1",
		"token&#12345678;=secret1", "token&#x3d;«secret1»&#x26;x", "token%3", "token%", `token\`, "token&",
		"token%3D«secret1%»",

		// Secrets in ordinary texts, nested and cut off.
		"see https://calm-sun.eth.example.com/«s3cr3tpath/» now", `{"http_url":"https://a.example.com/«s3cr»`,
		"https://a.example.com/«s3%20cr3t%22x» now", "no route for /«t0k3n»/ here",
		"https://a.example.com/ and https://b.example.com", "a.https://b.example.com/«s3cr3tpath»",
		`{"id":"7","token":"«s3cr3t»"}`, `{"token":"«s3\"cr3t»","x":1}`, `{"error":"{\"token\":\"«s3cr3t»\",\"x\":1}"}`,
		`"{\"e\":\"{\\\"token\\\":\\\"«s3\\\\\\\"cr»\\\",\\\"x\\\":1}\"}"`,
	} {
		checkMarked(t, marked)
	}
	for _, test := range []struct{ in, want string }{ // More changes than the part that is hidden.
		{"https://@a.example.com", "https://a.example.com/[redacted]"},
		{"https://@a.example.com/", "https://a.example.com/[redacted]"},
		{"to=https%3A%2F%2Fa.example.com%2Fsecretword%29). now", "to=https%3A%2F%2Fa.example.com/[redacted]). now"},
		{"to=https%3A%2F%2Fa.example.com%2Fsecretword%2E", "to=https%3A%2F%2Fa.example.com/[redacted]"},
		{`{"cookies":{"a":"b"},"x":1}`, `{"cookies":"[redacted]","x":1}`},
		{`"token" : secret1`, `"token" : "[redacted]"`},
		{`token: "secret`, `token: "[redacted]"`},
		{`"token":["a]b"],"x":1`, `"token":"[redacted]","x":1`},
		{"'token':['a]b'],'x':1", "'token':'[redacted]','x':1"},
		{`"token":{"a":{"b":1},"c":[2]},"x":1`, `"token":"[redacted]","x":1`},
		{`"token":["a"`, `"token":"[redacted]"`},
		{`"token": 12, "x": 1`, `"token": "[redacted]", "x": 1`},
		{`"token": -1.5e+7}`, `"token": "[redacted]"}`},
		{`"token": 12x}`, `"token": "[redacted]"`},
		{`"token": 1_2}`, `"token": "[redacted]"`},
		{`"http_url":"https:\/\/a.example.com\/s3cr3tpath\/"`, `"http_url":"https:\/\/a.example.com/[redacted]"`},
		{`at https://a.example.com\s3cr3tpath now`, "at https://a.example.com/[redacted] now"},
		{`"at https://a.example.com\\s3cr3t\\path"`, `"at https://a.example.com/[redacted]"`},
		{`"https:\u002f\u002Fa.example.com\u002fs3cr3tpath"`, `"https:\u002f\u002Fa.example.com/[redacted]"`},
		{"/proxy?to=https%3A%2f%2Fa.example.com%2Fs3cr3tpath", "/proxy?to=https%3A%2f%2Fa.example.com/[redacted]"},
		{"https://bob:s3cr3t@a.example.com", "https://a.example.com/[redacted]"},
		{"https://a.example.com?key=s3cr3t", "https://a.example.com/[redacted]"},
		{"redis://:s3cr3t@cache:6379/0", "redis://cache:6379/[redacted]"},
		{`{"token": "s3cr`, `{"token": "[redacted]"`},
		{`{"error":"{\"token\":\"s3cr`, `{"error":"{\"token\":\"[redacted]\"`},
		{`{"token":{"a":["s3]cr3t"]},"x":1}`, `{"token":"[redacted]","x":1}`},
		{`"{\"token\":{\"a\":\"s3cr3t\"},\"x\":1}"`, `"{\"token\":\"[redacted]\",\"x\":1}"`},
		{`{"e":"{\"token\":{\"a\":\"s3cr3t\"","code":7}`, `{"e":"{\"token\":\"[redacted]\"","code":7}`},
	} {
		checkText(t, test.want, test.in)
	}
}
