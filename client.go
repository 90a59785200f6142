package rpcfleet

import (
	"net/url"
	"strings"

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
		return nil, &ValidationError{Field: settings.keyName, Rule: "is required: see WithAPIKey and WithCredentialSource"}
	}
	rateLimit := &latestRateLimit{}
	rateLimit.observer, _ = settings.pacer.(RateLimitObserver)
	e := &engine{
		transport: transport.New(transport.Config{
			Origin:      base,
			HTTPClient:  settings.httpClient,
			Credentials: settings.credentials,
			Pacer:       settings.pacer,
			Received:    rateLimit.received,
			Attempted:   settings.attempts.told(base),
			Logger:      settings.logger,
			UserAgent:   settings.userAgent(),
			Quota:       settings.call.retry.Quota,
		}),
		observer:  settings.observer,
		rateLimit: rateLimit,
		areas:     areasBelow(base, settings.alertsPath),
		defaults:  settings.call,
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
	c.Graph = &GraphService{e, settings.graphPath, settings.graphChain}
	return c, nil
}

// CloseIdleConnections closes those of the client's connections that no call uses at the moment. A client that is used
// again makes new ones. Kept connections end by themselves after a while, so that only a program that makes many clients
// for a short time each needs this. Those of an http.Client given by [WithHTTPClient] are closed like its own method of
// this name does.
func (c *Client) CloseIdleConnections() { c.engine.transport.CloseIdleConnections() }

// origin checks the base URL. Its errors do not show it: it may hold a password by mistake.
func (s *clientSettings) origin() (*url.URL, error) {
	broken := func(rule string) error { return &ValidationError{Field: s.baseURLName, Rule: rule} }
	if s.baseURL == "" {
		return nil, broken("is required: see WithBaseURL")
	}
	base, err := url.Parse(s.baseURL)
	switch {
	case err != nil:
		return nil, broken("must be an absolute URL")
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		return nil, broken("must be an absolute http or https URL")
	case base.User != nil:
		return nil, broken("must not carry a user or a password")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, broken("must not have a query or a fragment")
	case base.Scheme == "http" && !s.insecureHTTP && !transport.IsLoopback(base):
		return nil, broken("must use https: plain http would show the key to the network (see WithInsecureHTTP)")
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
	return areas{others: &root, alerts: &alerts}
}

// RateLimit returns what the service has told of its own request limits. Each window is that of the latest response that
// mentioned it, and nil where none did; RetryAfter is that of the latest response that said anything. The windows may be
// over by now: their Reset says so.
func (c *Client) RateLimit() RateLimitState { return c.engine.rateLimit.copy() }

// String names the client without its address or credentials.
func (c *Client) String() string { return "rpcfleet.Client" }

// GoString names the client without its address or credentials.
func (c *Client) GoString() string { return c.String() }
