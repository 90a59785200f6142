package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

func TestText(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"endpoint address":       {"see https://calm-sun.eth.example.com/s3cr3tpath/ now", "see https://calm-sun.eth.example.com/[redacted] now"},
		"websocket address":      {"wss://a.example.com/s3cr3tpath", "wss://a.example.com/[redacted]"},
		"escaped slashes":        {`"http_url":"https:\/\/a.example.com\/s3cr3tpath\/"`, `"http_url":"https:\/\/a.example.com/[redacted]"`},
		"slashes as code points": {`"https:\u002f\u002Fa.example.com\u002fs3cr3tpath"`, `"https:\u002f\u002Fa.example.com/[redacted]"`},
		"address in a query":     {`/proxy?to=https%3A%2f%2Fa.example.com%2Fs3cr3tpath`, `/proxy?to=https%3A%2f%2Fa.example.com/[redacted]`},
		"address cut off":        {`{"http_url":"https://a.example.com/s3cr`, `{"http_url":"https://a.example.com/[redacted]`},
		"user info":              {"https://bob:s3cr3t@a.example.com", "https://a.example.com/[redacted]"},
		"query":                  {"https://a.example.com?key=s3cr3t", "https://a.example.com/[redacted]"},
		"bare origin":            {"https://a.example.com/ and https://b.example.com", "https://a.example.com/ and https://b.example.com"},
		"token field":            {`{"id":"7","token":"s3cr3t"}`, `{"id":"7","token":"[redacted]"}`},
		"token field, escapes":   {`{"token":"s3\"cr3t","x":1}`, `{"token":"[redacted]","x":1}`},
		"token field, cut off":   {`{"token": "s3cr`, `{"token": "[redacted]"`},
		"token field, number":    {`{"api_key": 12345}`, `{"api_key": "[redacted]"}`},
		"token field, nested":    {`{"error":"{\"token\":\"s3cr3t\",\"x\":1}"}`, `{"error":"{\"token\":\"[redacted]\",\"x\":1}"}`},
		"nested, cut off":        {`{"error":"{\"token\":\"s3cr`, `{"error":"{\"token\":\"[redacted]\"`},
		"web token":              {"jwt eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI3In0.c2ln end", "jwt [redacted] end"},
		"bearer":                 {"Bearer abcdefgh12345 is no good", "Bearer [redacted] is no good"},
		"known value":            {"key-known-0001 is unknown here", "[redacted] is unknown here"},
		"known value, cut off":   {"key-known-0001 is not key-kno", "[redacted] is not [redacted]"},
		"known word at the end":  {"no such key", "no such key"},
		"nothing to hide":        {`{"error":"endpoint not found"}`, `{"error":"endpoint not found"}`},
		"a field named tokens":   {`{"tokens":"enabled"}`, `{"tokens":"enabled"}`},
		"a word with slashes in": {"ratio 3://4", "ratio 3://4"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, redact.Text(test.in, "key-known-0001", ""))
		})
	}
}

func TestExcerpt(t *testing.T) {
	assert.Equal(t, "abc", redact.Excerpt([]byte("  abc\n"), 10))
	assert.Equal(t, "abcde…", redact.Excerpt([]byte("abcdefgh"), 5))
	assert.Equal(t, "a\uFFFDb", redact.Excerpt([]byte("a\xffb"), 10))

	across := []byte(strings.Repeat("x", 8) + " https://a.example.com/s3cr3t")
	assert.NotContains(t, redact.Excerpt(across, len(across)-4), "s3", "a secret across the cut is recognized whole")
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "x", `"`, `{"a":`, "/", `\`} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const key = "K3Y-0123456789-abcdef"
		got := redact.Text(before+key+after, key)
		assert.NotContains(t, got, key)
		tokens := redact.Text(before + `{"token":"` + key + `"}` + after)
		if !strings.HasSuffix(before, `\`) {
			assert.NotContains(t, tokens, key)
		}
	})
}
