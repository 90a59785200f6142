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
	case strings.HasSuffix(strings.TrimRight(base.Path, "/"), "/v0"):
		return nil, broken("must not end with /v0, which the paths of operations begin with")
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

// engine carries out calls. It is all that a service holds, and knows nothing of the services.
type engine struct {
	transport *transport.Transport
	observer  CallHook
	rateLimit *latestRateLimit
	areas     areas
	defaults  callSettings
}

// areas are the addresses that the paths of the areas' operations are relative to, without a slash at the end. That of
// the admin area and of the graph area is one.
type areas struct{ alerts, others *url.URL }

// of returns the address that the operation's path is relative to.
func (a *areas) of(op *api.Operation) *url.URL {
	if op.Area == api.AreaAlerts {
		return a.alerts
	}
	return a.others
}

// caller is the engine with the options of one method call, which are resolved once.
type caller struct {
	engine *engine
	// settings are the client's own, and only read, where the call has no options.
	settings *callSettings
	// err is what is wrong with the options.
	err error
}

// with resolves the options of a method call.
func (e *engine) with(opts []CallOption) *caller {
	c := &caller{engine: e, settings: &e.defaults}
	c.apply(opts)
	return c
}

// apply resolves options, up to the first that is wrong.
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

// own returns settings that are the caller's alone, and may be changed.
func (c *caller) own() *callSettings {
	settings := *c.settings
	c.settings = &settings
	return c.settings
}

// call makes a call of one request. The checks are the results of the rules in validation.go, nil where the
// arguments keep them.
func (e *engine) call(request api.Request, opts []CallOption, checks ...*ValidationError) *call {
	c := &call{caller: caller{engine: e, settings: &e.defaults}, request: request}
	c.apply(opts)
	c.check(checks)
	return c
}

// call makes a call of one request. See engine.call.
func (c *caller) call(request api.Request, checks ...*ValidationError) *call {
	made := &call{caller: *c, request: request}
	made.check(checks)
	return made
}

// Operation describes one operation of the service: what the contract states of it, and what the client knows of it.
// Its values are few and hold nothing of a call's arguments, so that they can be names and labels of spans and metrics.
type Operation struct {
	// ID is the operation's id, such as "getEndpoint". For a query of the graph area it is the name of the query, and for
	// a call of [Do] it is the name that the caller gave, if any.
	ID string
	// Method is the HTTP method.
	Method string
	// Path is the path template below the address of the area, such as "/v0/endpoints/{id}".
	Path string
	// Area is the part of the service that the operation belongs to: "admin", "alerts" or "graph".
	Area string
	// Tag is the name of the field of Client whose methods send the operation, such as "Endpoints". It is empty where only
	// [Do] does.
	Tag string
	// Source says how well the operation is known: "contract", "observed" or "assumed".
	Source string
	// Idempotent reports whether a repetition does no harm: it is set for reads and for writes that set a value.
	Idempotent bool
	// Deprecated reports whether the operation has a successor.
	Deprecated bool
	// Bearer reports whether the operation takes a bearer token beside the API key.
	Bearer bool
	// Paging is how the operation divides a long listing: "none", "offset" or "cursor".
	Paging string
	// Response is the kind of response, such as "data", "page" or "confirm".
	Response string
	// Statuses are the documented statuses, in ascending order.
	Statuses []int
}

// Operations returns all operations that the services of Client send, in the order of the contract, and after them the
// queries of the graph area, for allow-lists, metrics and documentation. Queries of the caller's own, which the graph
// area takes as well, are not among them.
func Operations() []Operation {
	var all []Operation
	for _, op := range slices.Concat(api.Admin, api.Alerts, queries.Graph) {
		all = append(all, public(op))
	}
	return all
}

// public is an operation as callers see it. They may change what they are given.
func public(op *api.Operation) Operation {
	seen := Operation(*op)
	seen.Statuses = slices.Clone(op.Statuses)
	return seen
}

// OperationFromContext returns the operation that a request belongs to. An http.RoundTripper given by [WithHTTPClient]
// can use it to name spans and metrics by operation or path template, so that ids never become labels.
func OperationFromContext(ctx context.Context) (Operation, bool) {
	op, found := transport.OperationOf(ctx)
	if !found {
		return Operation{}, false
	}
	return public(op), true
}
