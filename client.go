package rpcfleet

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// A Client calls the API. Each field is a service, and each method of a service is one operation. A Client is safe for
// concurrent use; create one and share it, since it keeps connections open.
type Client struct {
	// Account returns information about the account of the key.
	Account *AccountService
	// Billing lists invoices and payments.
	Billing *BillingService
	// Chains lists chains and the prices of their methods.
	Chains *ChainsService
	// Endpoints creates, lists, changes and archives endpoints.
	Endpoints *EndpointsService
	// Security controls access to an endpoint.
	Security *SecurityService
	// RateLimits sets the request limits of an endpoint.
	RateLimits *RateLimitsService
	// Tags lists, renames and deletes the account's tags.
	Tags *TagsService
	// Teams manages teams, their members and their endpoints.
	Teams *TeamsService
	// Logs reads and follows the logs of endpoints.
	Logs *LogsService
	// Metrics returns measurements of endpoints over time.
	Metrics *MetricsService
	// Usage returns the credits used.
	Usage *UsageService
	// Tooling controls access to the account's tooling endpoint.
	Tooling *ToolingService
	// Destinations manages the webhooks that receive alerts.
	Destinations *DestinationsService
	// Notifications selects transactions for delivery to destinations.
	Notifications *NotificationsService
	// Expressions tests an expression before a notification uses it.
	Expressions *ExpressionsService
	// Graph queries NFT and ERC-20 data.
	Graph *GraphService

	engine *engine
}

// New returns a client. [WithBaseURL] and either [WithAPIKey] or [WithCredentialSource] are required; all other options
// have defaults. New sends nothing.
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
	if settings.credentials == nil {
		return nil, &ValidationError{Field: settings.keyName, Rule: "is required: see WithAPIKey and WithCredentialSource"}
	}
	rateLimit := &latestRateLimit{}
	rateLimit.observer, _ = settings.pacer.(RateLimitObserver)
	var wait func(context.Context) error
	if settings.pacer != nil {
		wait = settings.pacer.Wait
	}
	e := &engine{
		transport: transport.New(transport.Config{
			Origin:      base,
			HTTPClient:  settings.httpClient,
			Credentials: settings.credentials,
			Wait:        wait,
			Received:    rateLimit.received,
			Attempted:   settings.attempts.told(base),
			Logger:      settings.logger,
			UserAgent:   settings.userAgent(),
			Quota:       settings.call.retry.Budget,
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

// CloseIdleConnections closes the client's idle connections. The client can still be used. Idle connections time out,
// so only a program that makes many short-lived clients needs this method. If [WithHTTPClient] was given, it calls the
// method of the same name of that http.Client.
func (c *Client) CloseIdleConnections() { c.engine.transport.CloseIdleConnections() }

// origin checks the base URL. Its errors omit the URL, which may contain a password by mistake.
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
	case strings.HasSuffix(strings.TrimRight(base.Path, "/"), "/v0"):
		return nil, broken("must not end with /v0, which the paths of operations begin with")
	case base.Scheme == "http" && !s.insecureHTTP && !transport.IsLoopback(base):
		return nil, broken("must use https: plain http would show the key to the network (see WithInsecureHTTP)")
	}
	base.Host = strings.ToLower(base.Host) // net/http exempts only the lower-case "localhost" from proxies.
	return base, nil
}

// areasBelow returns the URLs of the areas for a base URL.
func areasBelow(base *url.URL, alertsPath string) areas {
	root, alerts := *base, *base
	root.Path, root.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	prefix := url.URL{Path: alertsPath}
	alerts.Path, alerts.RawPath = root.Path+alertsPath, root.EscapedPath()+prefix.EscapedPath()
	return areas{others: &root, alerts: &alerts}
}

// RateLimit returns the service's own request limits from the response headers. Each window comes from the most recent
// response that included it; it is nil if no response has. RetryAfter comes from the most recent response with any
// limit. A window may have ended: see its Reset.
func (c *Client) RateLimit() RateLimitState { return c.engine.rateLimit.copy() }

// String returns the name of the type, without the base URL and the credentials.
func (c *Client) String() string { return "rpcfleet.Client" }

// GoString returns String.
func (c *Client) GoString() string { return c.String() }

// engine executes calls. All services of a client share one engine.
type engine struct {
	transport *transport.Transport
	observer  CallHook
	rateLimit *latestRateLimit
	areas     areas
	defaults  callSettings
}

// areas contains the base URLs of the operations' paths, without a trailing slash. The admin area and the graph area
// share one.
type areas struct{ alerts, others *url.URL }

// caller is the engine with the resolved options of one method call.
type caller struct {
	engine *engine
	// settings points to the client's defaults, which must not be changed, if the call has no options.
	settings *callSettings
	// err is the first error of the options.
	err error
}

// with resolves the options of a method call.
func (e *engine) with(opts []CallOption) *caller {
	c := &caller{engine: e, settings: &e.defaults}
	c.apply(opts)
	return c
}

// apply resolves options up to the first error.
func (c *caller) apply(opts []CallOption) {
	if len(opts) == 0 {
		return
	}
	settings := c.own()
	for _, option := range opts {
		if option == nil {
			c.err = notNil("option", true)
			return
		}
		if c.err = option.applyCall(settings); c.err != nil {
			return
		}
	}
}

// own replaces the settings by a copy, which may be changed, and returns it.
func (c *caller) own() *callSettings {
	settings := *c.settings
	c.settings = &settings
	return c.settings
}

// call returns a call of a request. The checks are results of the functions in validation.go; nil means valid.
func (e *engine) call(request api.Request, opts []CallOption, checks ...*ValidationError) *call {
	c := &call{caller: caller{engine: e, settings: &e.defaults}, request: request}
	c.apply(opts)
	c.check(checks)
	return c
}

// call returns a call of a request: see engine.call.
func (c *caller) call(request api.Request, checks ...*ValidationError) *call {
	made := &call{caller: *c, request: request}
	made.check(checks)
	return made
}

// Operation describes one operation of the service. It contains no arguments of a call, so its values can be names and
// labels of spans and metrics.
type Operation struct {
	// ID is the operation's id, such as "getEndpoint". For a query of the graph area it is the name of the query; for a
	// call of [Do] it is the name in the request, if any.
	ID string
	// Method is the HTTP method.
	Method string
	// Path is the path template relative to the URL of the area, such as "/v0/endpoints/{id}".
	Path string
	// Area is "admin", "alerts" or "graph".
	Area string
	// Tag is the name of the Client field with a method for the operation, such as "Endpoints". It is empty if only [Do]
	// can call the operation.
	Tag string
	// Source is the source of the description: "contract", "observed" or "assumed".
	Source string
	// Idempotent reports whether the operation can be retried safely. It is set for reads and for writes that set a value.
	Idempotent bool
	// Deprecated reports whether the operation has a successor.
	Deprecated bool
	// Bearer reports whether the operation takes a bearer token in addition to the API key.
	Bearer bool
	// Paging is the pagination of the operation: "none", "offset" or "cursor".
	Paging string
	// Response is the kind of response, such as "data", "page" or "confirm".
	Response string
	// Statuses contains the documented status codes in ascending order.
	Statuses []int
}

// Operations returns all operations of the services, in the order of the contract, followed by the queries of the graph
// area. It is meant for allow-lists, metrics and documentation. GraphQL queries that the caller writes are not
// included.
func Operations() []Operation {
	var all []Operation
	for _, op := range slices.Concat(api.Admin, api.Alerts, queries.Graph) {
		all = append(all, public(op))
	}
	return all
}

// public returns an exported copy of an operation, which the caller may change.
func public(op *api.Operation) Operation {
	seen := Operation(*op)
	seen.Statuses = slices.Clone(op.Statuses)
	return seen
}

// OperationFromContext returns the operation of a request from its context. An http.RoundTripper for [WithHTTPClient]
// can use it to name spans and metrics by operation or path template, so that ids never become labels.
func OperationFromContext(ctx context.Context) (Operation, bool) {
	op, found := transport.OperationOf(ctx)
	if !found {
		return Operation{}, false
	}
	return public(op), true
}
