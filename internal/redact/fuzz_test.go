package redact_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

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

// TestText_isLinear reads texts of one size and of twice that size, and counts the bytes that are looked at.
func TestText_isLinear(t *testing.T) {
	race.Skip(t)
	for _, first := range hostile {
		for _, second := range append([]string{""}, hostile...) {
			piece := first + second
			for _, before := range []string{"", `"token":["`, "a:"} {
				small := strings.Repeat(piece, 1500/len(piece))
				once, twice := redact.Work(before+small), redact.Work(before+small+small)
				require.LessOrEqual(t, twice, 2*once+200, "%q", before+piece)
				require.LessOrEqual(t, once, 12*(len(before)+len(small))+200, "%q", before+piece)
			}
		}
	}
}

// TestText_countsBytesRead has the count itself, which the test above relies on.
func TestText_countsBytesRead(t *testing.T) {
	for text, want := range map[string]int{
		"...": 3, "x x ": 10, "https://a.bc/" + strings.Repeat("x", 50) + " ": 63, `"token":"` + strings.Repeat(".", 50) +
			`"`: 61,
		`"token":[` + strings.Repeat(`"a",`, 20) + `]`: 91, `"token":` + strings.Repeat("7", 50) + `,`: 61, "token: " +
			strings.Repeat("a", 50): 133,
		"to%3Dx%3Ay": 18,
	} {
		require.Equal(t, want, redact.Work(text), text)
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
		require.LessOrEqual(t, redact.Work(before+after), 12*len(before+after)+200)

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
