package clienttest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestNewRefusesWhatCannotWork(t *testing.T) {
	key := rpcfleet.WithAPIKey(testKey)
	base := rpcfleet.WithBaseURL("https://api.example.com")
	for name, test := range map[string]struct {
		field   string
		options []rpcfleet.Option
	}{
		"no base URL":            {"base URL", []rpcfleet.Option{key}},
		"no key":                 {"API key", []rpcfleet.Option{base}},
		"only a bearer token":    {"API key", []rpcfleet.Option{base, rpcfleet.WithBearerToken("t")}},
		"an empty key":           {"API key", []rpcfleet.Option{base, rpcfleet.WithAPIKey("")}},
		"a key with a line end":  {"API key", []rpcfleet.Option{base, rpcfleet.WithAPIKey("s3cr3t\n")}},
		"a relative base URL":    {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("api.example.com")}},
		"a broken base URL":      {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("https://a b:s3cr3t")}},
		"another scheme":         {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("ftp://api.example.com")}},
		"a password":             {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("https://me:s3cr3t@api.example.com")}},
		"a query":                {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("https://api.example.com?key=s3cr3t")}},
		"plain http":             {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("http://api.example.com")}},
		"plain http, lookalike":  {"base URL", []rpcfleet.Option{key, rpcfleet.WithBaseURL("http://127.0.0.1.example.com")}},
		"no attempts":            {"MaxAttempts", []rpcfleet.Option{base, key, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{})}},
		"a negative base delay":  {"retry policy", []rpcfleet.Option{base, key, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, BaseDelay: -1})}},
		"a negative delay":       {"retry policy", []rpcfleet.Option{base, key, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, MaxDelay: -1})}},
		"a negative retry after": {"retry policy", []rpcfleet.Option{base, key, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, MaxRetryAfter: -1})}},
		"negative prefetching":   {"pages to prefetch", []rpcfleet.Option{base, key, rpcfleet.WithPrefetch(-1)}},
		"a negative timeout":     {"timeout", []rpcfleet.Option{base, key, rpcfleet.WithTimeout(-1)}},
		"a page size of 0":       {"page size", []rpcfleet.Option{base, key, rpcfleet.WithPageSize(0)}},
		"a body size of 0":       {"maximum body size", []rpcfleet.Option{base, key, rpcfleet.WithMaxBodySize(0)}},
		"a nil HTTP client":      {"HTTP client", []rpcfleet.Option{base, key, rpcfleet.WithHTTPClient(nil)}},
		"a nil credential sourc": {"credential source", []rpcfleet.Option{base, rpcfleet.WithCredentialSource(nil)}},
		"an odd user agent":      {"user agent", []rpcfleet.Option{base, key, rpcfleet.WithUserAgent("a\r\nb")}},
		"a control character":    {"user agent", []rpcfleet.Option{base, key, rpcfleet.WithUserAgent("a\x1fb")}},
		"a deletion":             {"user agent", []rpcfleet.Option{base, key, rpcfleet.WithUserAgent("a\x7fb")}},
		"a key with a deletion":  {"API key", []rpcfleet.Option{base, rpcfleet.WithAPIKey("s3cr3t\x7f")}},
		"a key with a space":     {"API key", []rpcfleet.Option{base, rpcfleet.WithAPIKey("s3cr3t key")}},
		"a path that goes up":    {"alerts path", []rpcfleet.Option{base, key, rpcfleet.WithAlertsPath("/a/..")}},
		"a path to itself":       {"alerts path", []rpcfleet.Option{base, key, rpcfleet.WithAlertsPath("/a/.")}},
		"no unlisted networks":   {"unlisted networks", []rpcfleet.Option{base, key, rpcfleet.WithUnlistedNetworks()}},
		"an empty network":       {"unlisted networks[1]", []rpcfleet.Option{base, key, rpcfleet.WithUnlistedNetworks("a", "")}},
		"an alerts path upwards": {"alerts path", []rpcfleet.Option{base, key, rpcfleet.WithAlertsPath("/a/../b")}},
		"a nil observer":         {"observer", []rpcfleet.Option{base, key, rpcfleet.WithObserver(nil)}},
		"a nil option":           {"option", []rpcfleet.Option{base, key, nil}},
		"a relative graph path":  {"graph path", []rpcfleet.Option{base, key, rpcfleet.WithGraphPath("graphql")}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rpcfleet.New(test.options...)
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, test.field, invalid.Field)
			assert.NotContains(t, err.Error(), "s3cr3t")
		})
	}
}

func TestNewAccepts(t *testing.T) {
	for _, address := range []string{
		"https://api.example.com", "https://api.example.com/", "https://api.example.com:8443/base/",
		"http://127.0.0.1:9", "http://[::1]:9", "http://localhost",
	} {
		_, err := rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(testKey))
		require.NoError(t, err, address)
	}
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("http://api.example.com"), rpcfleet.WithAPIKey("!key~"), rpcfleet.WithInsecureHTTP(),
		rpcfleet.WithMaxBodySize(1), rpcfleet.WithPageSize(1), rpcfleet.WithPrefetch(0), rpcfleet.WithAlertsPath("/a..b/.c/d./"))
	require.NoError(t, err)
}

func TestNewFromEnv(t *testing.T) {
	client, server := scripted(t, says(200, record))
	_ = client
	t.Setenv("RPCFLEET_BASE_URL", server.URL+"/base/")
	t.Setenv("RPCFLEET_API_KEY", "from-the-env")
	t.Setenv("RPCFLEET_TIMEOUT", "5s")
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithUserAgent("  fleetctl/1.4 ~ "))
	require.NoError(t, err)
	_, err = get(client)
	require.NoError(t, err)
	seen := server.Requests()[0]
	assert.Equal(t, "/base/v0/endpoints/ep1", seen.Path)
	assert.Equal(t, "from-the-env", seen.Header.Get("X-Api-Key"))
	assert.Equal(t, "rpcfleet-go/"+rpcfleet.Version+" fleetctl/1.4 ~", seen.Header.Get("User-Agent"))
	assert.Equal(t, "application/json", seen.Header.Get("Accept"))

	client, err = rpcfleet.NewFromEnv(rpcfleet.WithAPIKey("from-the-code"))
	require.NoError(t, err)
	_, err = get(client)
	require.NoError(t, err)
	assert.Equal(t, "from-the-code", server.Requests()[1].Header.Get("X-Api-Key"), "options win")
	assert.Equal(t, "rpcfleet-go/"+rpcfleet.Version, server.Requests()[1].Header.Get("User-Agent"))
}

// TestTheUserAgentHasNoSpacesAround looks at it before net/http does, which may take them away.
func TestTheUserAgentHasNoSpacesAround(t *testing.T) {
	for suffix, want := range map[string]string{"": "", "  ": "", " fleetctl/1.4 ": " fleetctl/1.4"} {
		_, server := scripted(t)
		var sent string
		_, _ = get(server.client(t, rpcfleet.WithUserAgent(suffix), rpcfleet.WithHTTPClient(&http.Client{
			Transport: tripper(func(r *http.Request) (*http.Response, error) {
				sent = r.Header.Get("User-Agent")
				return nil, errors.New("not sent")
			}),
		})))
		assert.Equal(t, "rpcfleet-go/"+rpcfleet.Version+want, sent)
	}
}

func TestErrorsOfNewFromEnvNameTheVariable(t *testing.T) {
	variables := []string{
		"RPCFLEET_BASE_URL", "RPCFLEET_API_KEY", "RPCFLEET_BEARER_TOKEN", "RPCFLEET_ALERTS_PATH", "RPCFLEET_GRAPH_PATH", "RPCFLEET_TIMEOUT",
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
		{"RPCFLEET_GRAPH_PATH", "no-slash?", "rpcfleet: RPCFLEET_GRAPH_PATH must"},
		{"RPCFLEET_TIMEOUT", "soon", `rpcfleet: RPCFLEET_TIMEOUT must be a duration such as "30s", not "soon"`},
		{"RPCFLEET_TIMEOUT", "https://a.example.com/made/", `rpcfleet: RPCFLEET_TIMEOUT must be a duration such as "30s", not "https://a.example.com/[redacted]"`},
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
			var invalid *rpcfleet.ValidationError
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, test.variable, invalid.Field)
			assert.ErrorContains(t, err, test.want)
			assert.NotContains(t, err.Error(), "made")
		})
	}
	t.Setenv("RPCFLEET_BASE_URL", "https://api.example.com")
	t.Setenv("RPCFLEET_API_KEY", testKey)
	_, err := rpcfleet.NewFromEnv(rpcfleet.WithBaseURL("api.example.com"))
	require.ErrorContains(t, err, "base URL must be", "an option wins over the variable, and its errors are its own")
}

type source func() (rpcfleet.Credentials, error)

func (s source) Credentials(context.Context) (rpcfleet.Credentials, error) { return s() }

func TestCredentialSource(t *testing.T) {
	_, server := scripted(t, says(502, ``), says(200, record))
	asked := 0
	client := server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		asked++
		return rpcfleet.Credentials{APIKey: scalar.NewSecret([]string{"", "old-key", "new-key", "bad\nkey"}[asked])}, nil
	})))
	_, err := get(client)
	require.NoError(t, err)
	assert.Equal(t, "old-key", server.Requests()[0].Header.Get("X-Api-Key"))
	assert.Equal(t, "new-key", server.Requests()[1].Header.Get("X-Api-Key"))

	_, err = get(client)
	require.Error(t, err, "a key that cannot be a header is not sent")
	assert.NotContains(t, err.Error(), "bad")
	assert.Len(t, server.Requests(), 2)

	client = server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{APIKey: scalar.NewSecret("newest-key")}, nil
	})), rpcfleet.WithBearerToken("made-up-bearer"))
	_, err = get(client)
	require.NoError(t, err)
	assert.Equal(t, "newest-key", server.Requests()[2].Header.Get("X-Api-Key"), "the source replaces WithAPIKey for good")

	vault := errors.New("the vault is closed")
	client = server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{}, vault
	})))
	_, err = get(client)
	require.ErrorIs(t, err, vault)
}

func TestBearerTokenStaysOffOtherOperations(t *testing.T) {
	_, server := scripted(t, says(200, record))
	_, err := get(server.client(t, rpcfleet.WithBearerToken("made-up-bearer")))
	require.NoError(t, err)
	assert.Empty(t, server.Requests()[0].Header.Get("Authorization"))
	assert.Equal(t, testKey, server.Requests()[0].Header.Get("X-Api-Key"))
}

type pacer struct {
	waits int
	err   error
}

func (p *pacer) Wait(context.Context) error {
	p.waits++
	return p.err
}

func TestPacerOfTheClient(t *testing.T) {
	_, server := scripted(t, says(502, ``), says(200, record))
	pace := &pacer{}
	client := server.client(t, rpcfleet.WithPacer(pace))
	_, err := get(client)
	require.NoError(t, err)
	assert.Equal(t, 2, pace.waits, "every attempt waits")

	pace.err = errors.New("the budget is spent")
	_, err = get(client)
	require.ErrorIs(t, err, pace.err)
	assert.Len(t, server.Requests(), 2)
}

func TestLoggerOfTheClient(t *testing.T) {
	_, server := scripted(t, says(502, ``), says(200, record))
	var log bytes.Buffer
	client := server.client(t, rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	_, err := get(client)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2, "one record an attempt")
	assert.Contains(t, lines[1], "operation=getEndpoint method=GET path=/v0/endpoints/{id} attempt=2")
	for _, secret := range []string{testKey, "t0k3n", "ep1", server.URL} {
		assert.NotContains(t, log.String(), secret)
	}
}

type spy struct{ operations []string }

func (s *spy) RoundTrip(r *http.Request) (*http.Response, error) {
	if op, found := rpcfleet.OperationFromContext(r.Context()); found {
		s.operations = append(s.operations, op.ID+" "+op.Path)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestATransportLearnsTheOperation(t *testing.T) {
	_, server := scripted(t, says(200, record))
	spy := &spy{}
	_, err := get(server.client(t, rpcfleet.WithHTTPClient(&http.Client{Transport: spy})))
	require.NoError(t, err)
	assert.Equal(t, []string{"getEndpoint /v0/endpoints/{id}"}, spy.operations)
}

func TestAnyContextHasNoOperation(t *testing.T) {
	operation, found := rpcfleet.OperationFromContext(t.Context())
	assert.False(t, found)
	assert.Zero(t, operation)
}

func TestAnOperationIsTheCallersOwn(t *testing.T) {
	rpcfleet.Operations()[0].Statuses[0] = -1
	assert.NotContains(t, rpcfleet.Operations()[0].Statuses, -1)
}

// TestCredentialsThatNoHeaderHolds gets them from a source. Nothing is sent, and none is shown.
func TestCredentialsThatNoHeaderHolds(t *testing.T) {
	for field, credentials := range map[string]rpcfleet.Credentials{
		"API key":      {APIKey: scalar.NewSecret("made-up\nkey"), BearerToken: scalar.NewSecret("made-up-bearer")},
		"bearer token": {APIKey: scalar.NewSecret("made-up-key"), BearerToken: scalar.NewSecret("made-up\nbearer")},
	} {
		_, server := scripted(t, says(200, record))
		_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) { return credentials, nil }))))
		require.ErrorContains(t, err, "rpcfleet: "+field+" must be printable ASCII")
		assert.NotContains(t, err.Error(), "made-up")
		assert.Empty(t, server.Requests())
	}
}

func TestCallOptionsAreChecked(t *testing.T) {
	client, server := scripted(t, says(200, record))
	for text, option := range map[string]rpcfleet.CallOption{
		"response to capture into must not be nil":      rpcfleet.CaptureResponse(nil),
		"timeout must not be negative, not -1s":         rpcfleet.WithTimeout(-time.Second),
		"page size must be at least 1, not 0":           rpcfleet.WithPageSize(0),
		"maximum body size must be at least 1, not -1":  rpcfleet.WithMaxBodySize(-1),
		"unlisted networks must have at least one item": rpcfleet.WithUnlistedNetworks(),
		"option must not be nil":                        nil,
	} {
		_, err := get(client, option)
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, err, &invalid)
		assert.True(t, strings.HasSuffix(err.Error(), text), err.Error())
	}
	assert.Empty(t, server.Requests())
}
