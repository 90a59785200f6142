package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestNew_refusesInvalidOptions compares the whole errors of options. If an option is refused, there is neither a
// client nor a request, and no error shows a secret.
func TestNew_refusesInvalidOptions(t *testing.T) {
	const s3cr3t = "s3cr3t"
	type options = []rpcfleet.ClientOption
	key, base := rpcfleet.WithAPIKey(testKey), rpcfleet.WithBaseURL("https://api.example.com")
	const (
		noKey   = "API key is required: see WithAPIKey and WithCredentialSource"
		noURL   = "base URL must be an absolute http or https URL"
		noQuery = "base URL must not have a query or a fragment"
		plain   = "base URL must use https: plain http would show the key to the network (see WithInsecureHTTP)"
		ascii   = "API key must be printable ASCII without spaces or line ends"
		negated = "retry policy must not have negative delays"
	)
	type test struct {
		want    string
		options options
	}
	tests := []test{
		{"base URL is required: see WithBaseURL", options{key}},
		{noKey, options{base}},
		{"API key must not be empty", options{rpcfleet.WithAPIKey("")}},
		{"API key was redacted; encode with scalar.WithSecrets", options{rpcfleet.WithAPIKey("[redacted]")}},
		{ascii, options{rpcfleet.WithAPIKey(s3cr3t + "\n")}},
		{ascii, options{rpcfleet.WithAPIKey(s3cr3t + "\x7f")}},
		{ascii, options{rpcfleet.WithAPIKey(s3cr3t + " key")}},
		{"bearer token must not be empty", options{rpcfleet.WithBearerToken("")}},
		{`user agent must be printable ASCII, not "ü"`, options{rpcfleet.WithUserAgent("ü")}},
		{`user agent must be printable ASCII, not "a\x1fb"`, options{rpcfleet.WithUserAgent("a\x1fb")}},
		{`user agent must be printable ASCII, not "a\x7fb"`, options{rpcfleet.WithUserAgent("a\x7fb")}},
		{"timeout must not be negative, not -1s", options{rpcfleet.WithAttemptTimeout(-time.Second)}},
		{"MaxAttempts must be at least 1, not 0", options{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{})}},
		{"maximum body size must be at least 1, not 0", options{rpcfleet.WithMaxBodySize(0)}},
		{"page size must be at least 1, not 0", options{rpcfleet.WithPageSize(0)}},
		{"pages to prefetch must not be negative, not -1", options{rpcfleet.WithPrefetch(-1)}},
		{`area must be one with a path, not "admin"`, options{rpcfleet.WithAreaPath("admin", "/v1")}},
	}
	for address, want := range map[string]string{
		"https://a b:" + s3cr3t: "base URL must be an absolute URL",
		"api.example.com":       noURL, "ftp://api.example.com": noURL, "https://": noURL,
		"https://me:" + s3cr3t + "@api.example.com": "base URL must not contain a user name or a password",
		"https://api.example.com/v0/":               "base URL must not end with /v0, which the paths of operations begin with",
		"https://api.example.com?key=" + s3cr3t:     noQuery, "https://api.example.com?": noQuery,
		"https://api.example.com#a": noQuery, "http://api.example.com": plain, "http://127.0.0.1.example.com": plain,
	} {
		tests = append(tests, test{want, options{key, rpcfleet.WithBaseURL(address)}})
	}
	for _, path := range []string{"a", "/", "/a/..", "/a/.", "/a//b", "/a//", "/a?"} {
		tests = append(tests, test{fmt.Sprintf("alerts path must be a plain absolute path, not %q", path),
			options{rpcfleet.WithAreaPath("alerts", path)}})
		tests = append(tests, test{fmt.Sprintf("streams path must be a plain absolute path, not %q", path),
			options{rpcfleet.WithAreaPath("streams", path)}})
	}
	for _, policy := range []rpcfleet.RetryPolicy{{BaseDelay: -1}, {MaxDelay: -1}, {MaxRetryAfter: -1}} {
		policy.MaxAttempts = 1
		tests = append(tests, test{negated, options{rpcfleet.WithRetryPolicy(policy)}})
	}
	for _, test := range tests {
		client, err := rpcfleet.New(test.options...)
		require.EqualError(t, err, "rpcfleet: "+test.want)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.NotContains(t, err.Error(), s3cr3t)
		assert.Nil(t, client)
	}
	client, server := scripted(t, respondJSON(200, record))
	require.ErrorContains(t, errOf(get(client, rpcfleet.WithAttemptTimeout(-time.Second))),
		"timeout must not be negative, not -1s", "of a call")
	assert.Empty(t, server.Requests())
}

// TestOptions_refuseNil: each is an error that names the argument, of New or of the call.
func TestOptions_refuseNil(t *testing.T) {
	client, server := scripted(t, respondJSON(200, record))
	for name, option := range map[string]any{
		"option":            nil,
		"credential source": rpcfleet.WithCredentialSource(nil),
		"HTTP client":       rpcfleet.WithHTTPClient(nil),
		"pacer":             rpcfleet.WithPacer(nil),
		"logger":            rpcfleet.WithLogger(nil),
		"call hook":         rpcfleet.WithCallHook(nil),
		"attempt hook":      rpcfleet.WithAttemptHook(nil),
		"response":          rpcfleet.WithResponse(nil),
	} {
		ofClient, forClient := option.(rpcfleet.ClientOption)
		if forClient || option == nil {
			require.EqualError(t, errOf(rpcfleet.New(ofClient)), "rpcfleet: "+name+" must not be nil")
		}
		if ofCall, forCall := option.(rpcfleet.CallOption); forCall || option == nil {
			require.ErrorContains(t, errOf(get(client, ofCall)), name+" must not be nil")
		} else {
			assert.True(t, forClient, name)
		}
	}
	assert.Empty(t, server.Requests())
}

func TestNew_accepts(t *testing.T) {
	for _, address := range []string{
		"https://api.example.com", "https://api.example.com/", "https://api.example.com:8443/base/",
		"http://127.0.0.1:9", "http://[::1]:9", "http://localhost",
	} {
		require.NoError(t, errOf(rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(testKey))), address)
	}
	require.NoError(t, errOf(rpcfleet.New(rpcfleet.WithQuickNode(), rpcfleet.WithAPIKey(testKey))))
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("http://api.example.com"), rpcfleet.WithAPIKey("!key~"),
		rpcfleet.WithInsecureHTTP(),
		rpcfleet.WithMaxBodySize(1), rpcfleet.WithPageSize(1), rpcfleet.WithPrefetch(0),
		rpcfleet.WithAreaPath("alerts", "/a..b/.c/d./"))
	require.NoError(t, err)
}

func TestNewFromEnv_readsVariables(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	t.Setenv("RPCFLEET_BASE_URL", server.URL+"/base/")
	t.Setenv("RPCFLEET_API_KEY", "from-the-env")
	t.Setenv("RPCFLEET_TIMEOUT", "5s")
	client := must(rpcfleet.NewFromEnv(rpcfleet.WithUserAgent("  fleetctl/1.4 ~ ")))(t)
	require.NoError(t, errOf(get(client)))
	seen := server.Requests()[0]
	assert.Equal(t, "/base/v0/endpoints/ep1", seen.Path)
	assert.Equal(t, "from-the-env", seen.Header.Get("X-Api-Key"))
	assert.Equal(t, "rpcfleet-go/"+rpcfleet.Version+" fleetctl/1.4 ~", seen.Header.Get("User-Agent"))
	assert.Equal(t, "application/json", seen.Header.Get("Accept"))

	client = must(rpcfleet.NewFromEnv(rpcfleet.WithAPIKey("from-the-code")))(t)
	require.NoError(t, errOf(get(client)))
	assert.Equal(t, "from-the-code", server.Requests()[1].Header.Get("X-Api-Key"), "options win")
	assert.Equal(t, "rpcfleet-go/"+rpcfleet.Version, server.Requests()[1].Header.Get("User-Agent"))
}

func TestNewFromEnv_namesTheVariableInErrors(t *testing.T) {
	variables := []string{
		"RPCFLEET_BASE_URL", "RPCFLEET_API_KEY", "RPCFLEET_BEARER_TOKEN", "RPCFLEET_ALERTS_PATH", "RPCFLEET_TIMEOUT",
	}
	for _, test := range []struct {
		variable, value, want string
	}{
		{"RPCFLEET_BASE_URL", "", "rpcfleet: RPCFLEET_BASE_URL is required: see WithBaseURL"},
		{"RPCFLEET_BASE_URL", "api.example.com", "rpcfleet: RPCFLEET_BASE_URL must be an absolute http or https URL"},
		{"RPCFLEET_API_KEY", "", "rpcfleet: RPCFLEET_API_KEY is required: see WithAPIKey and WithCredentialSource"},
		{"RPCFLEET_API_KEY", "made\nup", "rpcfleet: RPCFLEET_API_KEY must"},
		{"RPCFLEET_BEARER_TOKEN", "made\nup", "rpcfleet: RPCFLEET_BEARER_TOKEN must"},
		{"RPCFLEET_ALERTS_PATH", "no-slash?", "rpcfleet: RPCFLEET_ALERTS_PATH must"},
		{"RPCFLEET_TIMEOUT", "soon", `rpcfleet: RPCFLEET_TIMEOUT must be a duration such as "30s", not "soon"`},
		{"RPCFLEET_TIMEOUT", "https://a.example.com/made/",
			`rpcfleet: RPCFLEET_TIMEOUT must be a duration such as "30s", not "https://a.example.com/[redacted]"`},
		{"RPCFLEET_TIMEOUT", "-1s", "rpcfleet: RPCFLEET_TIMEOUT must not be negative, not -1s"},
	} {
		t.Run(test.variable+" "+test.want, func(t *testing.T) {
			for _, variable := range variables {
				t.Setenv(variable, "")
			}
			t.Setenv("RPCFLEET_BASE_URL", "https://api.example.com")
			t.Setenv("RPCFLEET_API_KEY", testKey)
			t.Setenv(test.variable, test.value)
			_, err := rpcfleet.NewFromEnv()
			assert.Equal(t, test.variable, errorAs[*rpcfleet.ValidationError](t, err).Field)
			assert.ErrorContains(t, err, test.want)
			assert.NotContains(t, err.Error(), "made")
		})
	}
	t.Setenv("RPCFLEET_BASE_URL", "https://api.example.com")
	t.Setenv("RPCFLEET_API_KEY", testKey)
	_, err := rpcfleet.NewFromEnv(rpcfleet.WithBaseURL("api.example.com"))
	require.ErrorContains(t, err, "base URL must be", "an option wins over the variable, and its errors are its own")
}

func source(answer func() (rpcfleet.Credentials, error)) func(context.Context) (rpcfleet.Credentials, error) {
	return func(context.Context) (rpcfleet.Credentials, error) { return answer() }
}

// rotating gives a client one key after another. The last one stays.
func rotating(keys ...string) rpcfleet.ClientOption {
	return rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		key := keys[0]
		keys = keys[min(1, len(keys)-1):]
		return rpcfleet.Credentials{APIKey: scalar.NewSecret(key)}, nil
	}))
}

func TestWithCredentialSource_isAskedPerAttempt(t *testing.T) {
	_, server := scripted(t, respondJSON(502, ``), respondJSON(200, record))
	client := server.client(t, rotating("old-key", "new-key", "bad\nkey"), rpcfleet.WithBearerToken("made-up-bearer"))
	require.NoError(t, errOf(get(client)))
	assert.Equal(t, []string{"old-key", "new-key"}, server.Headers("X-Api-Key"), "the source replaces WithAPIKey for good")
	other := server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{APIKey: scalar.NewSecret("k"), BearerToken: scalar.NewSecret("bad\nbearer")}, nil
	})))
	for field, client := range map[string]*rpcfleet.Client{"API key": client, "bearer token": other} {
		_, err := get(client)
		require.ErrorContains(t, err, "rpcfleet: "+field+" must be printable ASCII")
		assert.NotContains(t, err.Error(), "bad")
	}
	assert.Len(t, server.Requests(), 2, "what cannot be a header is not sent")
}

func TestWithBearerToken_withoutKeyIsSentWithEveryOperation(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record), respondJSON(200, record))
	bearer := scalar.NewSecret("made-up-bearer")
	for _, option := range []rpcfleet.ClientOption{
		rpcfleet.WithBearerToken("made-up-bearer"),
		rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
			return rpcfleet.Credentials{BearerToken: bearer}, nil
		})),
	} {
		client := must(rpcfleet.New(rpcfleet.WithBaseURL(server.URL), option))(t)
		require.NoError(t, errOf(get(client)))
	}
	assert.Equal(t, []string{"Bearer made-up-bearer", "Bearer made-up-bearer"}, server.Headers("Authorization"))
	for _, r := range server.Requests() {
		assert.NotContains(t, r.Header, "X-Api-Key")
	}
}

func TestOperations_areTheCallersOwn(t *testing.T) {
	rpcfleet.Operations()[0].Statuses[0] = -1
	assert.NotContains(t, rpcfleet.Operations()[0].Statuses, -1)
}

func TestBaseURL_keepsItsEscaping(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record), respondJSON(200, `[]`), respondJSON(200, `{"total":1}`))
	client := server.client(t, rpcfleet.WithBaseURL(server.URL+"/a%2Fb/"), rpcfleet.WithAreaPath("alerts", "/watch/ä"),
		rpcfleet.WithAreaPath("webhooks", "/hooks/"))
	require.NoError(t, errOf(get(client)))
	require.NoError(t, errOf(client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})))
	require.NoError(t, errOf(client.Webhooks.CountEnabled(t.Context())))
	var paths []string
	for _, r := range server.Requests() {
		paths = append(paths, r.Path)
	}
	assert.Equal(t, []string{"/a%2Fb/v0/endpoints/ep1", "/a%2Fb/watch/%C3%A4/destinations",
		"/a%2Fb/hooks/webhooks/enabled_count"}, paths)
}

func TestBaseURL_hostIsSentInLowerCase(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	var host string
	client := server.client(t,
		rpcfleet.WithBaseURL(strings.Replace(server.URL, "127.0.0.1", "LocalHost", 1)),
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
			host = req.URL.Hostname()
			req.URL.Host = server.Listener.Addr().String()
			return http.DefaultTransport.RoundTrip(req)
		})}))
	require.NoError(t, errOf(get(client)))
	assert.Equal(t, "localhost", host, "the one spelling that every proxy rule knows")
}
