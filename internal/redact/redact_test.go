package redact_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestText_hidesSecretsInEveryPlace puts secrets of several looks into every place that gives them away, spelled in
// every way that a body may spell it, whole and cut off.
func TestText_hidesSecretsInEveryPlace(t *testing.T) {
	const hex, word, mixed = "4f1d8a2b9c3e7f60516273849aabbccddeeff001", "correcthorsebattery", "s3cr3tV4lue"
	const letters = "wordsofletterswordsofletterswordsofletters"
	places := map[string]struct {
		text  string
		looks []string
	}{
		"a query":              {"GET /v0/x?a=b&token=%s&limit=2 failed", []string{hex, word, mixed}},
		"a key in a query":     {"GET /v0/x?key=%s", []string{hex, word, mixed}},
		"a form":               {"api_key=%s;x=y", []string{hex, word, mixed}},
		"an assignment":        {"password = %s, x", []string{hex, word, mixed}},
		"a quoted assignment":  {`password = "%s", x`, []string{hex, word, mixed}},
		"a header line":        {"x-api-key: %s\nAccept: */*", []string{hex, word, mixed}},
		"an authorization":     {"Authorization: Bearer %s\nAccept: */*", []string{hex, word, mixed}},
		"basic authorization":  {"authorization: basic %s==", []string{hex, word, mixed}},
		"a raw authorization":  {"Authorization: %s", []string{hex, mixed}},
		"a cookie":             {"Cookie: a=1; session=%s; b=2\nAccept: */*", []string{hex, word, mixed}},
		"a cookie that is set": {"Set-Cookie: sid=%s; Path=/; HttpOnly", []string{hex, word, mixed}},
		"headers of Go":        {"map[Accept:[*/*] X-Api-Key:[%s] X-B:[c]]", []string{hex, word, mixed}},
		"a sentence":           {"the token: %s is unknown", []string{hex, mixed, "sOmEwOrD", letters}},
		"a sentence, apart":    {"unknown API key %s given", []string{hex, mixed}},
		"a sentence, quoted":   {"unknown token '%s'", []string{hex, mixed}},
		"a bearer":             {"Bearer %s was refused", []string{hex, word, mixed}},
		"an address":           {"at https://calm-sun.example.com/%s/ext/bc/C", []string{hex, word, mixed}},
		"an address, second":   {"at https://calm-sun.example.com:8443/a/%s?b", []string{hex, word, mixed}},
		"a cleaned address":    {"at https:/calm-sun.example.com/%s", []string{hex, word, mixed}},
		"user information":     {"at https://bob:%s@example.com/", []string{hex, word, mixed}},
		"a user":               {"at ftp://%s@example.com:21", []string{hex, word, mixed}},
		"a host":               {"at calm-sun.example.com/%s: gone", []string{hex, word, mixed}},
		"a host with a port":   {"dial gateway:8545/%s", []string{hex, word, mixed}},
		"a local host":         {"dial localhost/%s", []string{hex, word, mixed}},
		"a network address":    {"dial 10.0.0.7/%s", []string{hex, word, mixed}},
		"no scheme":            {"//calm-sun.example.com/%s", []string{hex, word, mixed}},
		"a path":               {"no route /%s/ here", []string{hex, mixed, "feedfacedeadbeef1", letters}},
		"a longer path":        {"POST /rpc/v1/%s", []string{hex, mixed}},
		"a word":               {"endpoint %s does not exist", []string{hex}},
		"a password":           {"bob:%s@cache-1 refused", []string{hex, word, mixed}},
		"a field":              {`{"id":7,"token":"%s","a":"b"}`, []string{hex, word, mixed}},
		"a field, spaced":      {"{\n  \"api_key\" : \"%s\"\n}", []string{hex, word, mixed}},
		"a field, camel case":  {`{"accessToken":"%s"}`, []string{hex, word, mixed}},
		"a field, long name":   {`{"Access-Token_Value2":"%s"}`, []string{hex, word, mixed}},
		"a field named key":    {`{"key":"%s","a":"b"}`, []string{hex, mixed}},
		"a field, bare":        {`{"token": %s, "a": 1}`, []string{hex, mixed}},
		"a key, bare":          {`{"key": %s, "a": 1}`, []string{hex, mixed}},
		"a field of Python":    {`{'client_secret': '%s'}`, []string{hex, word, mixed}},
		"a list of Python":     {`{'tokens': ['a]b', '%s'], 'a': 'b'}`, []string{hex, word, mixed}},
		"a field of Ruby":      {`{"password"=>"%s"}`, []string{hex, word, mixed}},
		"a list":               {`{"tokens":["a","%s"],"a":"b"}`, []string{hex, word, mixed}},
		"a list of lists":      {`{"tokens":[["a"],{"b":["%s"]}],"a":"b"}`, []string{hex, word, mixed}},
		"a record":             {`{"token":{"id":"1","value":"%s"},"a":"b"}`, []string{hex, word, mixed}},
		"a record, first":      {`{"secret":{"%s":1}}`, []string{hex, word, mixed}},
		"a list of records":    {`{"data":{"tokens":[{"id":"1","x":"}]"},{"id":"2","y":"%s"}]}}`, []string{hex, word, mixed}},
		"XML":                  {"<Error><SecretKey>%s</SecretKey></Error>", []string{hex, word, mixed}},
		"a web token":          {"see eyJhbGciOiJFUzI1NiJ9.%s.%[1]s now", []string{hex, word, mixed}},
	}
	spellings := map[string]func(string) string{
		"plain":       func(s string) string { return s },
		"JSON":        quoted,
		"JSON twice":  func(s string) string { return quoted(quoted(s)) },
		"JSON thrice": func(s string) string { return `{"a":` + quoted(quoted(quoted(s))) + `,"b":"c"}` },
		"code points": func(s string) string {
			return strings.NewReplacer(`"`, `\u0022`, "/", `\u002F`, ":", `\u003a`, "&", `\u0026`, "=", `\u003d`, "'", `\u0027`,
				"<", `\u003c`, ">", `\u003e`).Replace(s)
		},
		"slashes": func(s string) string { return strings.ReplaceAll(quoted(s), "/", `\/`) },
		"query":   func(s string) string { return "/to?u=" + strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
		"path":    func(s string) string { return "/to/" + url.PathEscape(s) + "/x" },
		"twice":   func(s string) string { return url.PathEscape(url.PathEscape(s)) },
		"HTML":    func(s string) string { return "<p>" + html.EscapeString(s) + "</p>" },
	}
	for place, test := range places {
		for spelling, spell := range spellings {
			t.Run(place+" in "+spelling, func(t *testing.T) {
				for _, look := range test.looks {
					text := spell(fmt.Sprintf(test.text, look))
					got := redact.Text(text)
					require.NotContains(t, got, look[:8], text)
					require.Equal(t, got, redact.Text(got), "a second time: %s", text)
				}
			})
		}
	}
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// TestText_keepsOrdinaryTexts reads the ordinary texts of errors.
func TestText_keepsOrdinaryTexts(t *testing.T) {
	for _, text := range []string{
		"", " ", `\`, `%`, `&`, `"`, `{`, `\u00`, `%2`, `&#`,
		"endpoint not found", "no such key", "the API key is missing", "invalid token", "Invalid token: expired",
		"token: must not be empty", "Token expired. Please log in again.", "password must have at least 8 characters",
		"authorization: required", "Authorization header is missing", "missing x-api-key header", "cookie: missing",
		"Bearer authentication required", "Bearer authorization is needed", "basic understanding of it", "bearer is missing",
		"Unexpected token < in JSON at position 0", "Unexpected token: '}'", "expected <token> but <nil> came", "ratio 3://4",
		"and/or", "24/7", "invalid character 'x' looking for beginning of value", "key: limit",
		"unknown key \"colour\"", "public_key is required",
		"from 2024-05-14T12:34:56.123456Z to 2024-05-15", "at 12:34:56", "took 1.5s, 10,000 requests, 99.9%",
		"request 7d444840-9dc0-11d1-b245-5ffdce74fad2 failed", "/v0/endpoints/7d444840-9dc0-11d1-b245-5ffdce74fad2/logs",
		"/v0/endpoints/12345/method-rate-limits", "/v0/endpoints/calm-sun-1003", "/v0/api-credits/ethereum-sepolia2",
		"/alerts/rest/v1/notifications/backtest", "/v0/tooling-access/token", "rest/v1/eth_getBlockByNumber",
		"/quickalerts/rest/v1",
		"network 10.0.0.0/8 is too large", "2001:db8::/32 is no address", "application/json; charset=utf-8", "text/html",
		"multipart/form-data; boundary=xyz", "nginx/1.25.3", "HTTP/1.1 502 Bad Gateway", "rpcfleet-go/0.1.0 (linux; amd64)",
		"0x742d35Cc6634C0532925a3b844Bc454e4438f44e", "/nft/0x742d35cc6634c0532925a3b844bc454e4438f44e/12",
		"block 19000000 of 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b",
		"write to bob@example.com", "mailto:bob@example.com", "erc721 and erc1155, base64, sha256, utf8, http2, ipv6",
		"trace 4bf92f3577b34da6a3ce929d0e0e4736", "00-4bf92f3577b34da6-00", "id: 8a4f2c",
		"the key was rotated, token by token",
		"Zugriff verweigert: Schlüssel ungültig", "токен: недействителен", "トークンが無効です",
		`{"data":null,"error":"endpoint not found"}`, `{"tokens":"enabled","jwts":"disabled","ips":true}`,
		`{"options":{"tokens":true,"jwts":false,"ipCustomHeader":{"value":null}}}`,
		`{"tokens":[],"token":null,"secret":{},"token":""}`,
		`{"token_id":"7","tag_id":12,"tokenId":"99","token_count":5,"max_tokens":100,"tokens":100}`,
		`{"statusCode":400,"message":["limit must not be less than 1"],"error":"Bad Request"}`,
		`{"errors":[{"message":"Cannot query field \"x\"","path":["ethereum","collection",0],"extensions":{"code":"INVALID_FIELD"}}]}`,
		`{"kid":"a1b2c3d4"}`,
		"the endpoint a-very-long-name-of-an-endpoint-in-the-network-of-2024 is gone",
		`{"key":"limit","keys":["a","b"],"sort_key":"created_at","code":"rate_limited","details":{"key":{"a":1}}}`,
		`{"id":"7","label":"production 7","network":"mainnet","status":"active","created_at":"2024-05-14T12:34:56.123Z"}`,
		`{"error":"{\"code\":7,\"message\":\"no \\\"such\\\" thing\"}"}`,
		"<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>",
		`<a href="/help/errors">help &amp; more &quot;quoted&quot;</a>`, "100%25 of 5%20items",
		"the value of labels1x is no labels", "[redacted]", "https://a.example.com/[redacted]", `{"token":"[redacted]"}`,
	} {
		assert.Equal(t, text, redact.Text(text, "made-up-key-0001", "short", "labels1", "redacted", ""))
	}
}

// TestText_matchesShortValuesAsWords walks along the bounds of which occurrences of a given value count.
func TestText_matchesShortValuesAsWords(t *testing.T) {
	const key = "key-known-0001"
	for _, test := range []struct{ value, marked string }{
		{"abcdefgh", "x«abcdefgh»y"}, {"abcdefg", "xabcdefgy"}, {"abcdefg", "xabcdefg «abcdefg»"},
		{"abcdefgh", "no «abcdef»"}, {"abcdefgh", "no abcde"}, {"abcdefgh", "noabcdef"}, {"abcdefg", "no abcdef"},
		{"abcdefgh", "«abcdefgh»"}, {"abcdefgh", "«abcdef»"}, {"abcdefgh", `no «abcdefg»"...… `},
		{"a a", "xa «a a»"}, {"ab-", "«ab-»c"}, {"-ab", "x«-ab»"}, {"-ab", "x-abc"},
		{key, "«key-known-0001» is unknown here"}, {key, "x«key-known-0001»y"}, {key, `«key\u002dknown%2D0001» is unknown`},
		{key, "«key-known-0001» is not «key-kno»"}, {key, `malformed "«key-known-0»"`},
		{"la", "«la» is no label"}, {"la", "la_x"}, {"la", "x_la"}, {"la", "laü"}, {"la", "üla"}, {"la", "«la»-x"}, {"la", "1la"},
	} {
		checkMarked(t, test.marked, test.value, "")
	}
	values := []string{"b", "", "longest"}
	assert.Equal(t, "[redacted] and [redacted] all", redact.Text("b and longest all", append([]string{"long"}, values...)...))
	assert.Equal(t, []string{"b", "", "longest"}, values, "the caller's list stays as it is")
}

func TestText_hidesEscapedValues(t *testing.T) {
	const value = `k%41y\n-0001&amp`
	checkMarked(t, "«"+value+"» here", value)
	assert.Equal(t, `{"a":"[redacted] here"}`, redact.Text(`{"a":`+quoted(value+" here")+`}`, value))
	assert.Equal(t, "[redacted] AB", redact.Text(`a%62c AB`, "%41%42", "abc"), "one that is passed over keeps no other")
	assert.Equal(t, "[redacted] here", redact.Text(`abcdefg\u0041 here`, "abcdefg%41"))
	checkMarked(t, `«l\u0061» here`, "la")
	assert.Equal(t, "a b [redacted] c", redact.Text("a%20b %20 c", "%20"), "the space that it spells is none")
}

func TestExcerpt_cutsAndCleans(t *testing.T) {
	assert.Equal(t, `a"\n\u202e\\"b`, redact.Printable("a\"\n\u202e\\\\\"b"))
	assert.Equal(t, "abc", redact.Excerpt([]byte("  abc\n"), 10))
	assert.Equal(t, "abcde… abcde", redact.Excerpt([]byte("abcdefgh"), 5)+" "+redact.Excerpt([]byte("abcde"), 5))
	assert.Equal(t, "a\uFFFDb", redact.Excerpt([]byte("a\xffb"), 10))
	assert.Equal(t, "a…", redact.Excerpt([]byte("a€"), 2), "no half a character")
	long := []byte(strings.Repeat("word ", 1000))
	assert.Equal(t, string(long[:100])+"…", redact.Excerpt(long, 100))
	emptied := []byte(`{"token":"` + strings.Repeat("x", 5000) + `","a":"b"}`)
	assert.Equal(t, `{"token":"[redacted]…`, redact.Excerpt(emptied, 100),
		"what is hidden makes no room for what was not read to its end")
	for end, want := range map[string]string{"wordthatiscut": "", "wörd": "wö", "(a) word": "(a)"} {
		cut := []byte(`{"token":"` + strings.Repeat("x", 612-len(`{"token":"","a":"`)-len(end)) + `","a":"` + end + "more")
		assert.Equal(t, `{"token":"[redacted]","a":"`+want+"…", redact.Excerpt(cut, 100), "a word that is not whole")
	}
}

// TestExcerpt_hidesSecretsAtCut moves secrets across every place at which a body may be cut.
func TestExcerpt_hidesSecretsAtCut(t *testing.T) {
	race.Skip(t)
	const token, key = "4f1d8a2b9c3e7f60516273849aabbccddeeff001", "made-up-key-0001"
	for _, secret := range []string{
		token, "/" + token, "https://a.example.com/" + token, `"token":"` + token + `"`, "bob:" + token + "@example.com", key,
	} {
		for before := range 900 {
			if before > 20 && before < 190 || before > 280 && before < 690 {
				continue // Far from a cut.
			}
			address := "https://a.example.com/" + strings.Repeat("y", before)
			for _, begins := range []string{strings.Repeat("y ", before)[before:], address + " "} {
				got := redact.Excerpt([]byte(begins+secret+strings.Repeat(" x", 600)), 256, key)
				assert.NotContains(t, got, token[:8])
				assert.NotContains(t, got, key[:8])
				assert.LessOrEqual(t, len(got), 256+len("…"))
			}
		}
	}
}

func TestRequestID_prefersEarlierHeader(t *testing.T) {
	assert.Empty(t, redact.RequestID(http.Header{}))
	header := http.Header{}
	for i := len(redact.RequestIDHeaders) - 1; i >= 0; i-- { // An earlier name wins over those after it.
		name := redact.RequestIDHeaders[i]
		header.Set(name, "of "+name)
		assert.Equal(t, "of "+name, redact.RequestID(header))
	}
	for value, want := range map[string]string{
		" r-1 \t":                "r-1",
		"":                       "of Request-Id",
		"  ":                     "of Request-Id",
		" ~":                     "~",
		"a\x7fb\x1fcé":           "abc",
		"made-up-key-0001 is it": "[redacted] is it",
		strings.Repeat("x", 128): strings.Repeat("x", 128),
		strings.Repeat("x", 129): strings.Repeat("x", 128) + "…",
	} {
		header.Set("X-Request-Id", value)
		assert.Equal(t, want, redact.RequestID(header, "made-up-key-0001"), "%q", value)
	}
}

// hostile are texts that make a careless scanner read ahead again and again.
var hostile = []string{
	"a", "/", `\`, "%", "&", `"`, "'", "[", "{", " ", "=", ":", "@", ".", "-", "eyJ", "%25", `\u`, "&#", "&quot;", `\"`,
	"a:", "a.b:", "a@", "a:b/", "http://", "http:///", "a://b ", "//", "/a", "a/", "/a1b2", "a.b/", "a.b/1",
	"token", "token ", "token:", "token: a ", "token=", "token='", `token="`, `"token":`, `"token":"`, `"token":[`,
	`"token":{"`,
	`\"token\":[`, "key: ", `"key":"a `, `"key":"a1`, "<token>", "</token>", "<token>a", "Bearer ", "basic a",
	"cookie: a=\"", "cookie: a ",
	"authorization: digest a=\"", "authorization: ", "a1a1", "a%3A", "token%3D%22", "%22token%22%3A%5B", "10.0.0.0/", ")",
	"://)", "b: token ",
}

// TestText_isLinear reads texts of one size and of twice that size, and counts the characters that the expressions read.
func TestText_isLinear(t *testing.T) {
	race.Skip(t)
	check := func(before, piece string) {
		small := strings.Repeat(piece, 1500/len(piece)+1)
		once, twice := redact.Work(before+small), redact.Work(before+small+small)
		require.LessOrEqual(t, twice, 2*once+400, "%q", before+piece)
	}
	for i, piece := range hostile {
		check("", piece)
		check("a:", piece+hostile[(7*i+1)%len(hostile)])
		check(`"token":["`, piece+hostile[(3*i+2)%len(hostile)])
	}
	for _, piece := range []string{"%25", `\u005c`, "amp;"} {
		check("&", piece)
	}
}

// FuzzText plants secrets between two texts. With any texts a given value is hidden; a value that is named a secret is
// hidden, too, if the texts could not turn it into something else.
func FuzzText(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed, seed)
		f.Add("x "+seed, " y")
	}
	f.Add(`{"a":"`, `"}`)
	f.Add("<a href='", "'>")
	f.Fuzz(func(t *testing.T, before, after string) {
		const key, short, token = "K3Y-0123456789-abcdef", "sh0rt", "4f1d8a2b9c3e7f60516273849aabbccddeeff001"
		if strings.Contains(before+after, token[:4]) || strings.Contains(before+after, key[:4]) {
			return
		}
		given := redact.Text(before+key+after, key, short)
		require.NotContains(t, given, key)
		require.NotContains(t, redact.Text(before+" "+short+" "+after, key, short), " "+short+" ")
		require.Equal(t, given, redact.Text(given, key, short), "a second time changes nothing")

		for _, place := range []string{"\n{\"token\":\"%s\"}", "\n{\"tokens\":[\"%s\"]}", "\n/%s/",
			" https://a.example.com/%s", "\ntoken=%s", "\nx-api-key: %s"} {
			require.NotContains(t, redact.Text(before+fmt.Sprintf(place, token)+" "+after), token, place)
		}
		body := []byte(before + " " + token + " " + after)
		excerpt := redact.Excerpt(body, 64, key)
		require.LessOrEqual(t, len(excerpt), 64+len("…"))
		require.True(t, utf8.ValidString(excerpt))
		require.NotContains(t, excerpt, token)
	})
}

func TestHasCredential_acceptsOpaqueTexts(t *testing.T) {
	const key = "key-known-0001"
	texts := []string{
		"", "7", "1700000000", "at 3", "2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00+01:00|ep1",
		"7d444840-9dc0-11d1-b245-5ffdce74fad2", "0x" + strings.Repeat("a1", 32), "YXJyYXljb25uZWN0aW9uOjk=",
		"eyJvZmZzZXQiOjEwMH0=", "eyJvZmZzZXQiOjEwMH0.a1b2c3", `{"offset":100,"key":"a1"}`, "offset=100&token=7", "a.b.c",
		"key-known", "seven77", "c,d:e/f",
	}
	for size := 16; size <= 200; size++ {
		random := make([]byte, size)
		_, _ = rand.Read(random)
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			texts = append(texts, encoding.EncodeToString(random))
		}
		texts = append(texts, hex.EncodeToString(random))
	}
	for _, text := range texts {
		assert.False(t, redact.HasCredential(text, key, "seven77", "eight888"), text)
	}
	for _, text := range []string{
		key, "eight888", "x" + key + "y", "x=key%2Dknown%2D0001", `key\u002dknown-0001`,
		"https://a.example.com/s3cr3t", "a=https%3A%2F%2Fb",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln", "x eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn",
	} {
		assert.True(t, redact.HasCredential(text, key, "seven77", "eight888"), text)
	}
}
