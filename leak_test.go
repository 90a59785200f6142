package rpcfleet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// prints returns every way in which a value is likely to be printed.
func prints(t *testing.T, value any) string {
	t.Helper()
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&out, verb+"\n", value)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "value", value)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "value", value)
	if encoded, err := json.Marshal(value); err == nil {
		out.Write(encoded)
	}
	return out.String()
}

func TestNothingLeaks(t *testing.T) {
	const token = "t0k3n-in-the-path"
	leaky := fmt.Sprintf(`key %s at https://a.example.com/%s/ with "token":"%s"`, testKey, token, token)
	body, err := json.Marshal(map[string]any{"data": nil, "error": leaky})
	require.NoError(t, err)
	withURL := strings.Replace(record, "t0k3n", token, 1)
	for name, line := range map[string]answer{
		"a failure":                 says(400, string(body)),
		"a refusal":                 says(200, string(body)),
		"plain text":                saysAs("text/plain", 401, leaky),
		"an HTML page":              saysAs("text/html", 200, "<html>"+leaky),
		"cut JSON":                  says(200, withURL[:len(withURL)/2]),
		"cut in the token":          says(200, withURL[:strings.Index(withURL, token)+5]),
		"another shape":             says(200, `{"data":[`+withURL+`]}`),
		"text after it":             says(200, withURL+"x"),
		"a redirect with the token": redirects("https://elsewhere.example/" + token),
		"a redirect to no address":  redirects("/" + token + "%zz"),
		"cut in the key":            says(200, `{"data":{"id":"unknown key `+testKey[:len(testKey)-1]),
		"a header that is none":     writes("HTTP/1.1 200 OK\r\nunknown key " + testKey + "\r\n\r\n"),
		"no HTTP":                   writes("unknown key " + testKey + "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			var response rpcfleet.Response
			_, err := get(client, rpcfleet.CaptureResponse(&response))
			require.Error(t, err)
			text := prints(t, err) + prints(t, response) + prints(t, &response) + prints(t, client) + prints(t, *client)
			assert.NotContains(t, text, testKey[:len(testKey)-1])
			assert.NotContains(t, text, token[:5])
		})
	}
	t.Run("a key that was rotated away", func(t *testing.T) {
		_, server := scripted(t, says(503, `{"error":"unknown key old-key-0001"}`), hangsUp)
		asked := 0
		client := server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
			asked++
			return rpcfleet.Credentials{APIKey: scalar.NewSecret([]string{"old-key-0001", "new-key-0002"}[min(asked, 2)-1])}, nil
		})))
		_, err := get(client)
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.NotContains(t, prints(t, err), "old-key")
	})
	t.Run("an error of a source of credentials", func(t *testing.T) {
		_, server := scripted(t, says(200, record))
		vault := &url.Error{Op: "Get", URL: "https://vault.example.com/" + token, Err: io.EOF}
		_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
			return rpcfleet.Credentials{}, vault
		}))))
		require.ErrorIs(t, err, vault)
		assert.NotContains(t, prints(t, err), token[:5])
	})
	t.Run("a record", func(t *testing.T) {
		client, _ := scripted(t, says(200, withURL))
		endpoint, err := get(client)
		require.NoError(t, err)
		text := prints(t, endpoint) + prints(t, *endpoint) + prints(t, endpoint.HTTPURL)
		assert.NotContains(t, text, token[:5])
		assert.Contains(t, endpoint.HTTPURL.Reveal(), token)
	})
	t.Run("credentials", func(t *testing.T) {
		_, server := scripted(t, says(200, record))
		for _, value := range []any{rpcfleet.WithAPIKey(testKey), server.client(t, rpcfleet.WithBearerToken(token))} {
			text := prints(t, value)
			assert.NotContains(t, text, testKey)
			assert.NotContains(t, text, token[:5])
		}
	})
}
