package rpcfleet

import (
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Client is the way to the service. Its fields are the services; a method of a service is one operation. A Client is
// safe for concurrent use, and one is enough for a program: it keeps the connections.
type Client struct {
	// Account tells about the account that the key belongs to.
	Account *AccountService
	// Billing lists invoices and payments.
	Billing *BillingService
	// Chains lists chains and what their methods cost.
	Chains *ChainsService
	// Endpoints creates, lists, changes and archives endpoints.
	Endpoints *EndpointsService
	// Security says who may use an endpoint.
	Security *SecurityService
	// RateLimits limits how often an endpoint may be called.
	RateLimits *RateLimitsService
	// Tags lists, renames and deletes the account's tags.
	Tags *TagsService
	// Teams manages teams, their members and their endpoints.
	Teams *TeamsService
	// Logs reads and follows the logs of endpoints.
	Logs *LogsService
	// Metrics measures endpoints over time.
	Metrics *MetricsService
	// Usage adds up the credits used.
	Usage *UsageService
	// Tooling gives access to the account's tooling endpoint.
	Tooling *ToolingService
	// Destinations are the webhooks that alerts are delivered to.
	Destinations *DestinationsService
	// Notifications say which transactions are delivered to which destinations.
	Notifications *NotificationsService
	// Expressions tries an expression before a notification uses it.
	Expressions *ExpressionsService
	// Graph queries NFT and ERC-20 data.
	Graph *GraphService

	engine *engine
}

// New makes a client. [WithBaseURL] and either [WithAPIKey] or [WithCredentialSource] are needed; all else has
// defaults. Nothing is sent.
func New(options ...Option) (*Client, error) {
	settings := defaultSettings()
	for _, option := range options {
		if option == nil {
			return nil, errNilOption()
		}
		if err := option.applyClient(&settings); err != nil {
			return nil, err
		}
	}
	base, err := settings.origin()
	if err != nil {
		return nil, err
	}
	if settings.credentials == nil {
		return nil, &ValidationError{Field: "API key", Rule: "is required: see WithAPIKey and WithCredentialSource"}
	}
	e := &engine{
		transport: transport.New(transport.Config{
			Origin:      base,
			HTTPClient:  settings.httpClient,
			Credentials: settings.credentials,
			Pacer:       settings.pacer,
			Logger:      settings.logger,
			UserAgent:   settings.userAgent(),
			Quota:       settings.call.retry.Quota,
		}),
		observer: settings.observer,
		areas:    areasBelow(base, settings.alertsPath),
		defaults: settings.call,
	}
	c := &Client{engine: e}
	c.Account = &AccountService{e}
	c.Billing = &BillingService{e}
	c.Chains = &ChainsService{e}
	c.Endpoints = &EndpointsService{e}
	c.Security = &SecurityService{e}
	c.RateLimits = &RateLimitsService{e}
	c.Tags = &TagsService{e}
	c.Teams = &TeamsService{e}
	c.Logs = &LogsService{e}
	c.Metrics = &MetricsService{e}
	c.Usage = &UsageService{e}
	c.Tooling = newToolingService(e, &settings)
	c.Destinations = &DestinationsService{e}
	c.Notifications = &NotificationsService{e}
	c.Expressions = &ExpressionsService{e}
	c.Graph = &GraphService{e, settings.graphPath}
	return c, nil
}

// NewFromEnv makes a client from the environment. Options given here come after it and win.
//
//	RPCFLEET_BASE_URL      the base URL (WithBaseURL)
//	RPCFLEET_API_KEY       the API key (WithAPIKey)
//	RPCFLEET_BEARER_TOKEN  the bearer token of team operations (WithBearerToken)
//	RPCFLEET_ALERTS_PATH   the prefix of the alerts area (WithAlertsPath)
//	RPCFLEET_GRAPH_PATH    the path of the graph area (WithGraphPath)
//	RPCFLEET_TIMEOUT       the time limit of an attempt, as "30s" (WithTimeout)
func NewFromEnv(options ...Option) (*Client, error) {
	var fromEnv []Option
	for _, variable := range []struct {
		name string
		with func(string) Option
	}{
		{"RPCFLEET_BASE_URL", WithBaseURL},
		{"RPCFLEET_API_KEY", WithAPIKey},
		{"RPCFLEET_BEARER_TOKEN", WithBearerToken},
		{"RPCFLEET_ALERTS_PATH", WithAlertsPath},
		{"RPCFLEET_GRAPH_PATH", WithGraphPath},
	} {
		if value := os.Getenv(variable.name); value != "" {
			fromEnv = append(fromEnv, variable.with(value))
		}
	}
	if text := os.Getenv("RPCFLEET_TIMEOUT"); text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil {
			return nil, &ValidationError{Field: "RPCFLEET_TIMEOUT", Rule: `must be a duration such as "30s"`, Value: shown(text)}
		}
		fromEnv = append(fromEnv, WithTimeout(timeout))
	}
	return New(append(fromEnv, options...)...)
}

// origin checks the base URL. Its errors do not show it: it may hold a password by mistake.
func (s *clientSettings) origin() (*url.URL, error) {
	broken := func(rule string) (*url.URL, error) {
		return nil, &ValidationError{Field: "base URL", Rule: rule}
	}
	if s.baseURL == "" {
		return broken("is required: see WithBaseURL")
	}
	base, err := url.Parse(s.baseURL)
	switch {
	case err != nil:
		return broken("must be an absolute URL")
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		return broken("must be an absolute http or https URL")
	case base.User != nil:
		return broken("must not carry a user or a password")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return broken("must not have a query or a fragment")
	case base.Scheme == "http" && !s.insecureHTTP && !transport.IsLoopback(base):
		return broken("must use https: plain http would show the key to the network (see WithInsecureHTTP)")
	}
	base.Host = strings.ToLower(base.Host) // net/http exempts "localhost" from proxies, and no other spelling.
	return base, nil
}

// areasBelow returns the addresses of the areas below a base URL.
func areasBelow(base *url.URL, alertsPath string) areas {
	root, alerts := *base, *base
	root.Path, root.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	prefix := url.URL{Path: alertsPath}
	alerts.Path, alerts.RawPath = root.Path+alertsPath, root.EscapedPath()+prefix.EscapedPath()
	return areas{admin: &root, alerts: &alerts, graph: &root}
}

// String names the client without its address or credentials.
func (c *Client) String() string { return "rpcfleet.Client" }

// GoString names the client without its address or credentials.
func (c *Client) GoString() string { return c.String() }
