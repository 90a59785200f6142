package rpcfleet

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ClientOption configures a client.
type ClientOption interface {
	applyClient(*clientSettings) error
}

// Pacer delays every attempt until it may be sent; its error ends the call. Examples are *rate.Limiter of
// golang.org/x/time/rate and contrib/pacer.
type Pacer interface {
	Wait(ctx context.Context) error
}

// Credentials identify the caller. The key is required; a zero token is not sent.
type Credentials struct {
	APIKey      scalar.Secret // APIKey is sent as x-api-key with every operation.
	BearerToken scalar.Secret // BearerToken is also sent, as "Authorization: Bearer", with the team operations.
}

// CredentialSource returns the credentials. It is called before every attempt, concurrently: answer from memory. Its
// error ends the call.
type CredentialSource interface {
	Credentials(ctx context.Context) (Credentials, error)
}

type clientSettings struct {
	baseURL      string
	baseURLName  string // The names of base URL and key in errors.
	keyName      string
	alertsPath   string
	graphPath    string
	graphChain   graph.Chain
	insecureHTTP bool
	fixed        Credentials // They replace a source if they have a key.
	credentials  func(context.Context) (apiKey, bearerToken scalar.Secret, err error)
	httpClient   *http.Client
	wait         func(context.Context) error // Of the pacer, or nil.
	rateLimit    RateLimitObserver           // The pacer, or nil if it is not an observer.
	logger       *slog.Logger
	observer     CallHook
	attempts     AttemptHook
	agentSuffix  string
	call         callSettings
}

func defaultSettings() clientSettings {
	return clientSettings{
		baseURLName: "base URL",
		keyName:     "API key",
		alertsPath:  "/alerts/rest/v1",
		graphPath:   "/graphql",
		call: callSettings{
			timeout:  30 * time.Second,
			retry:    DefaultRetryPolicy(),
			maxBody:  64 << 20,
			pageSize: 100,
			header:   func() http.Header { return nil },
			query:    url.Values{},
			fields:   map[string]json.RawMessage{},
		},
	}
}

// clientOption sets a value, or fails if the value is invalid.
type clientOption struct {
	violation *ValidationError
	set       func(*clientSettings)
}

func (o clientOption) applyClient(s *clientSettings) error {
	if o.violation != nil {
		return o.violation
	}
	o.set(s)
	return nil
}

// WithBaseURL sets the base URL: https, or http on a loopback address.
func WithBaseURL(address string) ClientOption {
	return clientOption{nil, func(s *clientSettings) { s.baseURL, s.baseURLName = address, "base URL" }}
}

// WithInsecureHTTP allows plain http, which shows the key to the network.
func WithInsecureHTTP() ClientOption {
	return clientOption{nil, func(s *clientSettings) { s.insecureHTTP = true }}
}

// WithAPIKey sets the account's API key.
func WithAPIKey(key string) ClientOption {
	return clientOption{headerSafe("API key", key), func(s *clientSettings) { s.fixed.APIKey = scalar.NewSecret(key) }}
}

// WithBearerToken sets the bearer token that team operations also send. A [CredentialSource] replaces it.
func WithBearerToken(token string) ClientOption {
	return clientOption{headerSafe("bearer token", token), func(s *clientSettings) {
		s.fixed.BearerToken = scalar.NewSecret(token)
	}}
}

// WithCredentialSource sets a source in place of fixed credentials.
func WithCredentialSource(source CredentialSource) ClientOption {
	return clientOption{notNil("credential source", source == nil), func(s *clientSettings) {
		s.fixed = Credentials{} // A later WithBearerToken must not restore the replaced key.
		s.credentials = func(ctx context.Context) (scalar.Secret, scalar.Secret, error) {
			credentials, err := source.Credentials(ctx)
			if violation := credentials.validate(); err == nil && violation != nil {
				err = violation
			}
			return credentials.APIKey, credentials.BearerToken, err
		}
	}}
}

func (c Credentials) validate() *ValidationError {
	violation := headerSafe("API key", c.APIKey.Reveal())
	if violation == nil && !c.BearerToken.IsZero() {
		violation = headerSafe("bearer token", c.BearerToken.Reveal())
	}
	return violation
}

// headerSafe checks a credential. Its error does not contain the value.
func headerSafe(field, value string) *ValidationError {
	if value == "" {
		return &ValidationError{Field: field, Rule: "must not be empty"}
	}
	if !printableASCII(value) || strings.Contains(value, " ") {
		return &ValidationError{Field: field, Rule: "must be printable ASCII without spaces or line ends"}
	}
	return nil
}

// printableASCII reports whether a text is a valid header value.
func printableASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// WithQuickNode sets QuickNode's base URL and alerts path (observed).
func WithQuickNode() ClientOption {
	return clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.alertsPath = "https://api.quicknode.com", "/quickalerts/rest/v1"
	}}
}

// WithAlertsPath sets the alerts area's path, by default "/alerts/rest/v1".
func WithAlertsPath(path string) ClientOption {
	trimmed, violation := plainPath("alerts path", path)
	return clientOption{violation, func(s *clientSettings) { s.alertsPath = trimmed }}
}

// WithGraphPath sets the path of the graph area, by default "/graphql".
func WithGraphPath(path string) ClientOption {
	trimmed, violation := plainPath("graph path", path)
	return clientOption{violation, func(s *clientSettings) { s.graphPath = trimmed }}
}

// plainPath returns a path without trailing slashes.
func plainPath(field, path string) (string, *ValidationError) {
	trimmed := strings.TrimRight(path, "/")
	if !strings.HasPrefix(trimmed, "/") || strings.ContainsAny(path, "?#%\\ ") ||
		strings.Contains(path, "//") || strings.Contains(trimmed+"/", "/../") || strings.Contains(trimmed+"/", "/./") {
		return "", &ValidationError{Field: field, Rule: "must be a plain absolute path", Value: redactArg(path)}
	}
	return trimmed, nil
}

// WithHTTPClient sets the HTTP client, for its connections, cookie jar and timeout, but not its redirect policy. Of an
// [*http.Transport] the library uses the settings except limits of connections, in its own pool, because http.Transport
// retries some requests. Any other [http.RoundTripper] is used unchanged: the library cannot know whether it sent a
// failed create.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption{notNil("HTTP client", client == nil), func(s *clientSettings) { s.httpClient = client }}
}

// WithPacer sets the pacer. By default attempts are not delayed.
func WithPacer(pacer Pacer) ClientOption {
	return clientOption{notNil("pacer", pacer == nil), func(s *clientSettings) {
		s.wait = pacer.Wait
		s.rateLimit, _ = pacer.(RateLimitObserver)
	}}
}

// WithLogger sets the logger. It gets a debug record for each attempt, and a warning if a retryable call fails, without
// credentials, addresses or bodies.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption{notNil("logger", logger == nil), func(s *clientSettings) { s.logger = logger }}
}

// WithUserAgent appends a suffix such as "fleetctl/1.4" to the User-Agent.
func WithUserAgent(suffix string) ClientOption {
	var violation *ValidationError
	if !printableASCII(suffix) {
		violation = &ValidationError{Field: "user agent", Rule: "must be printable ASCII", Value: redactArg(suffix)}
	}
	return clientOption{violation, func(s *clientSettings) { s.agentSuffix = strings.TrimSpace(suffix) }}
}

func (s *clientSettings) userAgent() string {
	return strings.TrimSpace("rpcfleet-go/" + Version + " " + s.agentSuffix)
}

const (
	baseURLVariable = "RPCFLEET_BASE_URL"
	apiKeyVariable  = "RPCFLEET_API_KEY"
)

// NewFromEnv creates a client from RPCFLEET_BASE_URL, RPCFLEET_API_KEY, RPCFLEET_BEARER_TOKEN, RPCFLEET_ALERTS_PATH,
// RPCFLEET_GRAPH_PATH and RPCFLEET_TIMEOUT (such as "30s" for an attempt). Options take precedence.
func NewFromEnv(options ...ClientOption) (*Client, error) {
	fromEnv := []ClientOption{clientOption{nil, func(s *clientSettings) {
		s.baseURLName, s.keyName = baseURLVariable, apiKeyVariable
	}}}
	for _, variable := range []struct {
		name string
		with func(string) ClientOption
	}{
		{baseURLVariable, WithBaseURL},
		{apiKeyVariable, WithAPIKey},
		{"RPCFLEET_BEARER_TOKEN", WithBearerToken},
		{"RPCFLEET_ALERTS_PATH", WithAlertsPath},
		{"RPCFLEET_GRAPH_PATH", WithGraphPath},
		{"RPCFLEET_TIMEOUT", withTimeoutText},
	} {
		if value := os.Getenv(variable.name); value != "" {
			fromEnv = append(fromEnv, variableOption{variable.with(value), variable.name})
		}
	}
	return New(append(fromEnv, options...)...)
}

// withTimeoutText is WithAttemptTimeout with the duration as text.
func withTimeoutText(text string) ClientOption {
	timeout, err := time.ParseDuration(text)
	if err != nil {
		return clientOption{violation: &ValidationError{Rule: `must be a duration such as "30s"`, Value: redactArg(text)}}
	}
	return WithAttemptTimeout(timeout)
}

// variableOption is an option from an environment variable. Its errors contain the name of the variable.
type variableOption struct {
	ClientOption
	name string
}

func (o variableOption) applyClient(s *clientSettings) error {
	err := o.ClientOption.applyClient(s)
	if violation, ok := errors.AsType[*ValidationError](err); ok {
		violation.Field = o.name
	}
	if o.name == baseURLVariable {
		s.baseURLName = o.name // It is checked after all options are known.
	}
	return err
}
