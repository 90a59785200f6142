package rpcfleet

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// A Client calls the API. Share one client: it is safe for concurrent use.
type Client struct {
	Account       *AccountService
	Billing       *BillingService
	Chains        *ChainsService
	Endpoints     *EndpointsService
	Security      *SecurityService
	RateLimits    *RateLimitsService
	Tags          *TagsService
	Teams         *TeamsService
	Logs          *LogsService
	Metrics       *MetricsService
	Usage         *UsageService
	Tooling       *ToolingService
	Destinations  *DestinationsService
	Notifications *NotificationsService
	Expressions   *ExpressionsService
	Graph         *GraphService

	engine *engine
}

// New returns a client. [WithBaseURL] (or [WithQuickNode]) and [WithAPIKey] (or [WithCredentialSource]) are required.
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
	if !settings.fixed.APIKey.IsZero() { // A token without a key is incomplete: every operation needs the key.
		fixed := settings.fixed
		settings.credentials = func(context.Context) (apiKey, bearerToken scalar.Secret, err error) {
			return fixed.APIKey, fixed.BearerToken, nil
		}
	}
	if settings.credentials == nil {
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
			UserAgent:   settings.userAgent(),
			Budget:      settings.call.retry.Budget,
		}),
		observer: settings.observer,
		areas:    areasBelow(base, settings.alertsPath),
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
		Graph:         &GraphService{engine: e, chain: settings.graphChain},

		engine: e,
	}, nil
}

// CloseIdleConnections closes idle connections, for short-lived clients.
func (c *Client) CloseIdleConnections() {
	if c.created() == nil {
		c.engine.transport.CloseIdleConnections()
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
func areasBelow(base *url.URL, alertsPath string) map[string]*url.URL {
	root, below := *base, *base
	root.Path, root.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	prefix := url.URL{Path: alertsPath}
	below.Path, below.RawPath = root.Path+alertsPath, root.EscapedPath()+prefix.EscapedPath()
	return map[string]*url.URL{api.AreaAdmin: &root, api.AreaGraph: &root, api.AreaAlerts: &below}
}

// created returns an error if the client was not created by New.
func (c *Client) created() *ValidationError { return orNew(c).engine.created() }

// Format prints the name of the type for every verb.
func (c *Client) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, "rpcfleet.Client") }

// engine executes calls. All services of a client share one engine: a pointer to a service is a pointer to the engine,
// so that methods of a nil service, as in a zero Client, return an error.
type engine struct {
	transport *transport.Transport
	observer  CallHook
	areas     map[string]*url.URL
	defaults  *callSettings // A pointer, so that fmt does not print headers.
}

// created returns an error if the engine was not created by New: the client or its service is nil or zero.
func (e *engine) created() *ValidationError {
	if e == nil || e.transport == nil {
		return &ValidationError{Field: "client", Rule: "must be created with New"}
	}
	return nil
}

// Operation describes an operation, without arguments, for spans and metrics.
type Operation struct {
	ID         string // Such as "getEndpoint", or the name of a query or of the call of [Do].
	Method     string
	Path       string // The path template, such as "/v0/endpoints/{id}".
	Area       string // "admin", "alerts" or "graph".
	Tag        string // The field of Client, such as "Endpoints". It is empty if only [Do] can call the operation.
	Source     string // "contract", "observed" or "assumed".
	Idempotent bool   // Idempotent is set for reads and for writes that set a value.
	Deprecated bool
	Bearer     bool   // Bearer is set if a bearer token is sent in addition to the API key.
	Paging     string // "none", "offset" or "cursor".
	Response   string // The kind of response, such as "data", "page" or "confirm".
	Statuses   []int  // The documented status codes.
}

// Operations returns all operations, and then the queries of the graph area.
func Operations() []Operation {
	var all []Operation
	for _, op := range slices.Concat(api.Admin, api.Alerts, graphql.Table) {
		all = append(all, exportOperation(op))
	}
	return all
}

// exportOperation returns an exported copy of an operation, which the caller may change.
func exportOperation(op *api.Operation) Operation {
	seen := Operation(*op)
	seen.Statuses = slices.Clone(op.Statuses)
	return seen
}

// OperationFromContext returns the operation of a request, for a RoundTripper.
func OperationFromContext(ctx context.Context) (Operation, bool) {
	op, found := transport.OperationOf(ctx)
	if !found {
		return Operation{}, false
	}
	return exportOperation(op), true
}
