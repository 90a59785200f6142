package clienttest

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestTooling_refusesAddressesOutsideEndpoint(t *testing.T) {
	elsewhere, p := scriptnet.Serve(t, fine), startTooling(t, fine)
	// The addresses, with the endpoint's origin for ORIGIN.
	for name, address := range map[string]string{
		"another origin":           elsewhere.URL + "/tooling/42/",
		"another host's name":      strings.Replace(p.URL, "127.0.0.1", "localhost", 1) + "/tooling/42/",
		"the root":                 "ORIGIN",
		"a path beside it":         "ORIGIN/tooling/421",
		"the path above it":        "ORIGIN/tooling/",
		"in another case":          "ORIGIN/Tooling/42/",
		"out by dots":              "ORIGIN/tooling/42/../43",
		"out by encoded dots":      "ORIGIN/tooling/42/%2e%2e/43",
		"out by encoded slashes":   "ORIGIN/tooling/42/..%2f43",
		"out by backslashes":       "ORIGIN/tooling/42/..%5c43",
		"out by parameters":        "ORIGIN/tooling/42/..;x=y/43",
		"with a dot":               "ORIGIN/tooling/42/./x",
		"with an encoded slash":    "ORIGIN/tooling%2f42/",
		"doubled slashes above it": "ORIGIN//tooling/42/",
		"opaque":                   "ORIGIN/tooling/42",
	} {
		t.Run(name, func(t *testing.T) {
			sent := &body{Reader: strings.NewReader("text")}
			req := request(t, strings.Replace(address, "ORIGIN", p.URL, 1), sent)
			if name == "opaque" {
				req.URL.Opaque = "/elsewhere" // This would be sent, for any path.
			}
			_, err := p.rpc.Do(req)
			require.EqualError(t, errors.Unwrap(err),
				"rpcfleet: URL must be the tooling endpoint's or below it, without dot segments")
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
			assert.True(t, sent.closed)
			assert.Empty(t, append(p.Requests(), elsewhere.Requests()...))
		})
	}
}

// TestTooling_redirectStaysAtEndpoint, which returns redirects. A caller's own policy can follow them within the
// endpoint.
func TestTooling_redirectStaysAtEndpoint(t *testing.T) {
	elsewhere := scriptnet.Serve(t, fine)
	for name, target := range map[string]string{
		"within it": "/tooling/42/x", "to another path": "/outside", "to another origin": elsewhere.URL + "/tooling/42",
	} {
		t.Run(name, func(t *testing.T) {
			p := startTooling(t, redirect(target), redirect(target), fine)
			resp := must(p.rpc.Get(p.URL + "/tooling/42"))(t)
			resp.Body.Close()
			assert.Equal(t, target, resp.Header.Get("Location"))
			assert.NotContains(t, resp.Request.Header, "Authorization", "a response does not show the token")

			p.rpc.CheckRedirect = nil
			resp, err := p.rpc.Get(p.URL + "/tooling/42")
			want := []string{"Bearer session-1", "Bearer session-1"}
			if name == "within it" {
				require.NoError(t, err)
				resp.Body.Close()
				want = append(want, "Bearer session-1")
			} else {
				require.ErrorAs(t, err, new(*rpcfleet.ValidationError))
			}
			assert.Equal(t, want, bearers(p.Server))
			assert.Empty(t, elsewhere.Requests())
		})
	}
}

// TestTooling_refusesInvalidAddresses, and sends nothing without a token, or with one that no header can have.
func TestTooling_refusesInvalidAddresses(t *testing.T) {
	const unusable, unsendable = "no usable address", "cannot be sent"
	at := func(address string) func(*tokenService) { return func(m *tokenService) { m.address = address } }
	token := func(token string) func(*tokenService) { return func(m *tokenService) { m.token = token } }
	for name, test := range map[string]struct {
		spoil func(*tokenService)
		text  string
	}{
		"none":                     {at(""), unusable},
		"relative":                 {at("/tooling/42"), unusable},
		"of another kind":          {at("ftp://localhost/tooling/42"), unusable},
		"a WebSocket's":            {at("wss://localhost/tooling/42"), unusable},
		"with dots":                {at("http://localhost/tooling/../42"), unusable},
		"with a dot":               {at("http://localhost/tooling/./42"), unusable},
		"with encoded dots":        {at("http://localhost/tooling/%2e%2E/42"), unusable},
		"no address":               {at("http://local host/"), unusable},
		"a mail address":           {at("mailto:t0k3n@example.com"), unusable},
		"a port that is no number": {at("http://localhost:t0k3n/"), unusable},
		"plain http":               {at("http://rpc.example.com/tooling/42"), "plain http"},
		"no token":                 {func(m *tokenService) { m.failure = down }, "503"},
		"a line end":               {token("t0k3n\r\nX-Evil: 1"), unsendable},
		"a space":                  {token("t0k3n x"), unsendable},
		"a foreign letter":         {token("t0k3nö"), unsendable},
	} {
		t.Run(name, func(t *testing.T) {
			p := startTooling(t, fine)
			address := p.URL + "/tooling/42"
			if test.spoil(p.tokens); name == "plain http" {
				address = p.tokens.address
			}
			sent := &body{Reader: strings.NewReader("text")}
			_, err := p.rpc.Do(request(t, address, sent))
			require.ErrorContains(t, err, test.text)
			assert.Equal(t, name == "no token", errors.Is(err, rpcfleet.ErrServer))
			assert.Empty(t, p.Requests())
			assert.True(t, sent.closed, "a RoundTripper closes the body, whatever happens")
			assert.NotContains(t, err.Error(), "t0k3n")
			assert.NotContains(t, err.Error(), "session-1")
		})
	}
}

// The endpoint's address may be spelled in several ways, and contain parts that are not sent.
func TestToolingHTTPClient_knowsOtherSpellingsOfTheAddress(t *testing.T) {
	for name, spell := range map[string]func(string) string{
		"as it is":        func(a string) string { return a },
		"without slash":   func(a string) string { return strings.TrimRight(a, "/") },
		"slashes":         func(a string) string { return a + "//" },
		"in capitals":     func(a string) string { return strings.Replace(a, "http", "HTTP", 1) },
		"with a user":     func(a string) string { return strings.Replace(a, "http://", "http://user:t0k3n@", 1) },
		"with a query":    func(a string) string { return a + "?x=t0k3n" },
		"with a fragment": func(a string) string { return a + "#t0k3n" },
	} {
		t.Run(name, func(t *testing.T) {
			p := startTooling(t, fine)
			p.tokens.address = spell(p.tokens.address)
			assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/x", strings.NewReader("y")))
			assert.Equal(t, 200, post(t, p.rpc, strings.Replace(p.URL, "http://", "http://me:too@", 1)+"/tooling/42", nil))
			assert.Equal(t, []string{"Bearer session-1", "Bearer session-1"}, bearers(p.Server))
			assert.NotContains(t, p.Requests()[0].Query, "t0k3n")
		})
	}
}
