package rpcfleet

import (
	"cmp"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// A Client calls the API. Share one client: it is safe for concurrent use.
type Client struct {
	Account    *AccountService
	Billing    *BillingService
	Chains     *ChainsService
	Endpoints  *EndpointsService
	Security   *SecurityService
	RateLimits *RateLimitsService
	Tags       *TagsService
	Teams      *TeamsService
	Logs       *LogsService
	Metrics    *MetricsService
	Usage      *UsageService
	Tooling    *ToolingService

	// Deprecated: The alerts area has ended: see [DestinationsService].
	Destinations *DestinationsService
	// Deprecated: The alerts area has ended: see [NotificationsService].
	Notifications *NotificationsService
	// Deprecated: The alerts area has ended: see [ExpressionsService].
	Expressions *ExpressionsService
	// Deprecated: The graph area has ended: see [GraphService].
	Graph *GraphService

	Webhooks *WebhooksService
	KeyValue *KeyValueService
	Streams  *StreamsService

	engine *engine
}

// New returns a client. It requires [WithBaseURL] or [WithQuickNode], and [WithAPIKey], [WithBearerToken] or
// [WithCredentialSource].
// New sends nothing.
func New(options ...ClientOption) (*Client, error) {
	settings := defaultSettings()
	for _, option := range options {
		if option == nil {
			return nil, notNil("option", true)
		}
		if err := option.applyClient(&settings); err != nil {
			return nil, err
		}
	}
	base, err := settings.origin()
	if err != nil {
		return nil, err
	}
	if !settings.fixed.APIKey.IsZero() || settings.credentials == nil && !settings.fixed.BearerToken.IsZero() {
		settings.credentials = transport.Fixed(settings.fixed.APIKey, settings.fixed.BearerToken)
	} else if settings.credentials == nil {
		return nil, &ValidationError{Field: settings.keyName, Rule: "is required: see WithAPIKey and WithCredentialSource"}
	}
	e := &engine{
		transport: transport.New(transport.Config{
			Origin:      base,
			HTTPClient:  settings.httpClient,
			Credentials: settings.credentials,
			Wait:        settings.wait,
			Attempted:   settings.attempts.asTransportHook(base),
			Logger:      settings.logger,
			Dump:        settings.dump,
			UserAgent:   strings.TrimSpace("rpcfleet-go/" + Version + " " + settings.agentSuffix),
			Budget:      settings.call.retry.Budget,
		}),
		observer: settings.observer,
		logger:   cmp.Or(settings.logger, slog.New(slog.DiscardHandler)),
		paced:    settings.wait != nil,
		areas:    areasBelow(base, settings.paths),
		defaults: &settings.call,
	}
	return &Client{
		Account:       (*AccountService)(e),
		Billing:       (*BillingService)(e),
		Chains:        (*ChainsService)(e),
		Endpoints:     (*EndpointsService)(e),
		Security:      (*SecurityService)(e),
		RateLimits:    (*RateLimitsService)(e),
		Tags:          (*TagsService)(e),
		Teams:         (*TeamsService)(e),
		Logs:          (*LogsService)(e),
		Metrics:       (*MetricsService)(e),
		Usage:         (*UsageService)(e),
		Tooling:       newToolingService(e, &settings),
		Destinations:  (*DestinationsService)(e),
		Notifications: (*NotificationsService)(e),
		Expressions:   (*ExpressionsService)(e),
		Graph:         &GraphService{engine: e},
		Webhooks:      (*WebhooksService)(e),
		KeyValue:      (*KeyValueService)(e),
		Streams:       (*StreamsService)(e),

		engine: e,
	}, nil
}

const (
	baseURLVariable = "RPCFLEET_BASE_URL"
	apiKeyVariable  = "RPCFLEET_API_KEY"
)

// NewFromEnv creates a client from RPCFLEET_BASE_URL, RPCFLEET_API_KEY, RPCFLEET_BEARER_TOKEN, RPCFLEET_ALERTS_PATH and
// RPCFLEET_TIMEOUT (such as "30s" for an attempt). Options take precedence. An error names the variable.
func NewFromEnv(options ...ClientOption) (*Client, error) {
	all := []ClientOption{clientOption{nil, func(s *clientSettings) {
		s.baseURL, s.baseURLName, s.keyName = os.Getenv(baseURLVariable), baseURLVariable, apiKeyVariable
	}}}
	for _, variable := range []struct {
		name string
		with func(string) ClientOption
	}{
		{apiKeyVariable, WithAPIKey}, {"RPCFLEET_BEARER_TOKEN", WithBearerToken}, {"RPCFLEET_TIMEOUT", withTimeoutText},
		{"RPCFLEET_ALERTS_PATH", func(path string) ClientOption { return WithAreaPath(api.AreaAlerts, path) }},
	} {
		if value := os.Getenv(variable.name); value != "" {
			all = append(all, named{variable.name, variable.with(value)})
		}
	}
	return New(append(all, options...)...)
}

// named is an option with a value from a variable, which its error names.
type named struct {
	variable string
	option   ClientOption
}

func (o named) applyClient(s *clientSettings) *ValidationError {
	violation := o.option.applyClient(s)
	if violation != nil {
		violation.Field = o.variable
	}
	return violation
}

// withTimeoutText is WithAttemptTimeout with the duration as text.
func withTimeoutText(text string) ClientOption {
	timeout, err := time.ParseDuration(text)
	if err != nil {
		const rule = `must be a duration such as "30s"`
		return clientOption{invalid: &ValidationError{Rule: rule, Value: redactArg(text)}}
	}
	return WithAttemptTimeout(timeout)
}

// CloseIdleConnections closes idle connections, for short-lived clients.
func (c *Client) CloseIdleConnections() {
	if e := orNew(c).engine; e != nil {
		e.transport.CloseIdleConnections()
	}
}

// origin checks the base URL. Its errors omit the URL, which may contain a password by mistake.
func (s *clientSettings) origin() (*url.URL, error) {
	base, err := url.Parse(s.baseURL)
	var rule string
	switch {
	case s.baseURL == "":
		rule = "is required: see WithBaseURL"
	case err != nil:
		rule = "must be an absolute URL"
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		rule = "must be an absolute http or https URL"
	case base.User != nil:
		rule = "must not contain a user name or a password"
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		rule = "must not have a query or a fragment"
	case strings.HasSuffix(strings.TrimRight(base.Path, "/"), "/v0"):
		rule = "must not end with /v0, which the paths of operations begin with"
	case base.Scheme == "http" && !s.insecureHTTP && !transport.IsLoopback(base):
		rule = "must use https: plain http would show the key to the network (see WithInsecureHTTP)"
	default:
		base.Host = strings.ToLower(base.Host) // net/http exempts only the lower-case "localhost" from proxies.
		return base, nil
	}
	return nil, &ValidationError{Field: s.baseURLName, Rule: rule}
}

// areasBelow returns the base URL of each area's paths, without a trailing slash.
func areasBelow(base *url.URL, paths map[string]string) map[string]*url.URL {
	root := *base
	root.Path, root.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	areas := map[string]*url.URL{api.AreaAdmin: &root, api.AreaGraph: &root}
	for area, path := range paths {
		below, prefix := root, url.URL{Path: path}
		below.Path, below.RawPath = root.Path+path, root.EscapedPath()+prefix.EscapedPath()
		areas[area] = &below
	}
	return areas
}
