package rpcfleet

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ClientOption configures a client.
type ClientOption interface {
	applyClient(*clientSettings) *ValidationError
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
	graphChain   graph.Chain
	insecureHTTP bool
	fixed        Credentials // They replace a source if they have a key.
	credentials  func(context.Context) (apiKey, bearerToken scalar.Secret, err error)
	httpClient   *http.Client
	wait         func(context.Context) error // Of the pacer, or nil.
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

// clientOption sets a value, or returns the error of an invalid one.
type clientOption func(*clientSettings) *ValidationError

func (o clientOption) applyClient(s *clientSettings) *ValidationError { return o(s) }

// WithBaseURL sets the base URL: https, or http on a loopback address.
func WithBaseURL(address string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.baseURL, s.baseURLName = address, "base URL"
		return nil // It is checked after all options are known.
	})
}

// WithInsecureHTTP allows plain http, which shows the key to the network.
func WithInsecureHTTP() ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.insecureHTTP = true
		return nil
	})
}

// WithAPIKey sets the account's API key.
func WithAPIKey(key string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.fixed.APIKey = scalar.NewSecret(key)
		return headerSafe("API key", key)
	})
}

// WithBearerToken sets the bearer token that team operations also send. A [CredentialSource] replaces it.
func WithBearerToken(token string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.fixed.BearerToken = scalar.NewSecret(token)
		return headerSafe("bearer token", token)
	})
}

// WithCredentialSource sets a source in place of fixed credentials.
func WithCredentialSource(source CredentialSource) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.fixed = Credentials{} // A later WithBearerToken must not restore the replaced key.
		s.credentials = func(ctx context.Context) (scalar.Secret, scalar.Secret, error) {
			credentials, err := source.Credentials(ctx)
			if violation := credentials.validate(); err == nil && violation != nil {
				err = violation
			}
			return credentials.APIKey, credentials.BearerToken, err
		}
		return notNil("credential source", source == nil)
	})
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
	return clientOption(func(s *clientSettings) *ValidationError {
		s.baseURL, s.alertsPath = "https://api.quicknode.com", "/quickalerts/rest/v1"
		return nil
	})
}

// WithAlertsPath sets the alerts area's path, by default "/alerts/rest/v1".
func WithAlertsPath(prefix string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.alertsPath = strings.TrimSuffix(prefix, "/")
		if !path.IsAbs(s.alertsPath) || path.Clean(s.alertsPath) != s.alertsPath || strings.ContainsAny(prefix, "?#%\\ ") {
			return &ValidationError{Field: "alerts path", Rule: "must be a plain absolute path", Value: redactArg(prefix)}
		}
		return nil
	})
}

// WithHTTPClient sets the HTTP client, for its connections, cookie jar and timeout, but not its redirect policy. Of an
// [*http.Transport] the library uses the settings except limits of connections, in its own pool, because http.Transport
// retries some requests. Any other [http.RoundTripper] is used unchanged: the library cannot know whether it sent a
// failed create.
func WithHTTPClient(client *http.Client) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.httpClient = client
		return notNil("HTTP client", client == nil)
	})
}

// WithPacer sets the pacer. By default attempts are not delayed.
func WithPacer(pacer Pacer) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		if pacer == nil {
			return notNil("pacer", true)
		}
		s.wait = pacer.Wait
		return nil
	})
}

// WithLogger sets the logger. It gets a debug record for each attempt, and a warning if a retryable call fails, without
// credentials, addresses or bodies.
func WithLogger(logger *slog.Logger) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.logger = logger
		return notNil("logger", logger == nil)
	})
}

// WithUserAgent appends a suffix such as "fleetctl/1.4" to the User-Agent.
func WithUserAgent(suffix string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.agentSuffix = strings.TrimSpace(suffix)
		if !printableASCII(suffix) {
			return &ValidationError{Field: "user agent", Rule: "must be printable ASCII", Value: redactArg(suffix)}
		}
		return nil
	})
}

// WithCallHook adds a hook for all calls. The first begins first, ends last.
func WithCallHook(hook CallHook) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.observer = wrap(s.observer, hook)
		return notNil("call hook", hook == nil)
	})
}

// WithAttemptHook adds a hook for all attempts, in the order of WithCallHook.
func WithAttemptHook(hook AttemptHook) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.attempts = wrap(s.attempts, hook)
		return notNil("attempt hook", hook == nil)
	})
}

func (s *clientSettings) userAgent() string {
	return strings.TrimSpace("rpcfleet-go/" + Version + " " + s.agentSuffix)
}

const (
	baseURLVariable = "RPCFLEET_BASE_URL"
	apiKeyVariable  = "RPCFLEET_API_KEY"
)

// NewFromEnv creates a client from RPCFLEET_BASE_URL, RPCFLEET_API_KEY, RPCFLEET_BEARER_TOKEN, RPCFLEET_ALERTS_PATH and
// RPCFLEET_TIMEOUT (such as "30s" for an attempt). Options take precedence. An error names the variable.
func NewFromEnv(options ...ClientOption) (*Client, error) {
	all := []ClientOption{clientOption(func(s *clientSettings) *ValidationError {
		s.baseURL, s.baseURLName, s.keyName = os.Getenv(baseURLVariable), baseURLVariable, apiKeyVariable
		return nil
	})}
	for _, variable := range []struct {
		name string
		with func(string) ClientOption
	}{
		{apiKeyVariable, WithAPIKey}, {"RPCFLEET_BEARER_TOKEN", WithBearerToken},
		{"RPCFLEET_ALERTS_PATH", WithAlertsPath}, {"RPCFLEET_TIMEOUT", withTimeoutText},
	} {
		if value := os.Getenv(variable.name); value != "" {
			all = append(all, clientOption(func(s *clientSettings) *ValidationError {
				violation := variable.with(value).applyClient(s)
				if violation != nil {
					violation.Field = variable.name
				}
				return violation
			}))
		}
	}
	return New(append(all, options...)...)
}

// withTimeoutText is WithAttemptTimeout with the duration as text.
func withTimeoutText(text string) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		timeout, err := time.ParseDuration(text)
		if err != nil {
			return &ValidationError{Rule: `must be a duration such as "30s"`, Value: redactArg(text)}
		}
		return WithAttemptTimeout(timeout).applyClient(s)
	})
}
