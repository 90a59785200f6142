package clienttest

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestTooling_tokenStaysAtEndpointAddress(t *testing.T) {
	elsewhere := scriptnet.Serve(t, unauthorized)
	// The addresses, with the endpoint's origin for ORIGIN.
	for name, address := range map[string]string{
		"another origin":           elsewhere.URL + "/tooling/42/",
		"another host's name":      "LOCALHOST/tooling/42/",
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
	} {
		t.Run(name, func(t *testing.T) {
			p, before := startTooling(t, unauthorized), len(elsewhere.Requests())
			localhost := strings.Replace(p.URL, "127.0.0.1", "localhost", 1)
			address := strings.NewReplacer("ORIGIN", p.URL, "LOCALHOST", localhost).Replace(address)
			assert.Equal(t, 401, post(t, p.rpc, address, nil))
			assert.Equal(t, []string{""}, append(bearers(p.Server), bearers(elsewhere)[before:]...), "it is not retried")
			assert.Equal(t, 1, p.tokens.made, "nor is the token renewed")
			req := request(t, address, nil)
			req.Header.Set("Authorization", "Basic of-the-callers")
			must(p.rpc.Do(req))(t).Body.Close()
			headers := append(bearers(elsewhere), bearers(p.Server)...)
			assert.Equal(t, "Basic of-the-callers", headers[len(headers)-1], "the header of the caller is sent")
		})
	}
}

func TestTooling_opaqueAddressGetsNoToken(t *testing.T) {
	p := startTooling(t, fine)
	req := request(t, p.URL+"/tooling/42", nil)
	req.URL.Opaque = "/elsewhere" // This is sent, for any path.
	must(p.rpc.Do(req))(t).Body.Close()
	assert.Equal(t, "/elsewhere", p.Requests()[0].Path)
	assert.Equal(t, []string{""}, bearers(p.Server))
}

func TestTooling_redirectHidesEndpointAddress(t *testing.T) {
	for _, moved := range []bool{false, true} {
		elsewhere, p := scriptnet.Serve(t, fine), startTooling(t)
		last := redirect(elsewhere.URL + "/y")
		if moved { // To a third place, while the request is under way.
			last = func(w http.ResponseWriter, r *http.Request) {
				p.tokens.set(func(m *tokenService) { m.address = "https://rpc.example.com/tooling/42" })
				assert.NoError(t, errOf(p.admin.Tooling.Disable(t.Context())))
				redirect(elsewhere.URL+"/y")(w, r)
			}
		}
		p.Play(redirect("/outside"), redirect("/tooling/42/x"), last)
		resp := must(p.rpc.Get(p.URL + "/tooling/42"))(t)
		resp.Body.Close()
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, []string{"Bearer session-1", "", "Bearer session-1"}, bearers(p.Server))
		assert.Empty(t, p.Headers("Referer"), "nor within it")
		require.Len(t, elsewhere.Requests(), 1)
		assert.Empty(t, elsewhere.Headers("Referer"))
		assert.Empty(t, bearers(elsewhere)[0])
		for response := resp; response != nil; response = response.Request.Response {
			assert.NotContains(t, response.Request.Header, "Authorization", "a response does not show the token")
		}
	}
}

func TestToolingHTTPClient_sendsTheCallersReferer(t *testing.T) {
	elsewhere := scriptnet.Serve(t, fine)
	p := startTooling(t, redirect(elsewhere.URL), fine)
	for _, test := range []struct {
		address  string
		referers []string
		arrive   []string
	}{
		{p.URL + "/tooling/42", []string{"https://app.example.com/"}, []string{"https://app.example.com/"}}, // Redirected.
		{p.URL + "/tooling/42", []string{"https://app.example.com/"}, []string{"https://app.example.com/"}},
		{elsewhere.URL, []string{"https://app.example.com/"}, []string{"https://app.example.com/"}},
		{elsewhere.URL, []string{p.URL + "/tooling/42"}, nil},
		{elsewhere.URL, []string{"https://app.example.com/", strings.ToUpper(p.URL)}, nil},
		{elsewhere.URL, []string{p.URL + "/tooling/42%zz"}, nil},
		{p.URL + "/tooling/42", []string{p.URL + "/tooling/42"}, nil},
	} {
		endpoint, beyond := len(p.Requests()), len(elsewhere.Requests())
		req := request(t, test.address, nil)
		req.Header["Referer"] = test.referers
		must(p.rpc.Do(req))(t).Body.Close()
		assert.Equal(t, test.referers, req.Header["Referer"], "the caller's request is left as it is")
		seen := append(p.Requests()[endpoint:], elsewhere.Requests()[beyond:]...)
		for _, r := range seen {
			assert.Equal(t, test.arrive, r.Header["Referer"])
		}
	}
	assert.Len(t, elsewhere.Requests(), 5)
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
