package main

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// checker reads an account. It looks at nothing of what it reads: the client tells the report what strays.
type checker struct {
	client  *rpcfleet.Client
	report  *report
	options options
}

// account reads everything that can be read. What cannot be is in the report; the error is one that stops the rest, too.
func (c *checker) account(ctx context.Context) error {
	if _, err := c.client.Account.Info(ctx); errors.Is(err, rpcfleet.ErrUnauthorized) {
		return err
	} else if err != nil {
		c.report.failed(err)
	}
	for _, read := range []func(context.Context){c.money, c.chains, c.endpoints, c.teams, c.usage, c.alerts} {
		read(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// try notes that something could not be read.
func try[T any](c *checker, result T, err error) T {
	if err != nil {
		c.report.failed(err)
	}
	return result
}

// some returns the first items of a listing, and reads the rest of it, too.
func some[T any](c *checker, all iter.Seq2[T, error]) []T {
	var first []T
	for item, err := range all {
		if err != nil {
			c.report.failed(err)
			break
		}
		if len(first) < c.options.endpoints {
			first = append(first, item)
		}
	}
	return first
}

// few returns the first items of a list.
func few[T any](c *checker, all []T) []T { return all[:min(len(all), c.options.endpoints)] }

func (c *checker) money(ctx context.Context) {
	invoices, err := c.client.Billing.Invoices(ctx)
	try(c, invoices, err)
	payments, err := c.client.Billing.Payments(ctx)
	try(c, payments, err)
	access, err := c.client.Tooling.Status(ctx)
	try(c, access, err)
}

func (c *checker) chains(ctx context.Context) {
	chains, err := c.client.Chains.List(ctx)
	for _, chain := range few(c, try(c, chains, err)) {
		if chain.Slug != nil {
			credits, err := c.client.Chains.APICredits(ctx, *chain.Slug)
			try(c, credits, err)
		}
	}
}

func (c *checker) teams(ctx context.Context) {
	teams, err := c.client.Teams.List(ctx)
	for _, team := range few(c, try(c, teams, err)) {
		detail, err := c.client.Teams.Get(ctx, team.ID)
		try(c, detail, err)
		endpoints, err := c.client.Teams.Endpoints(ctx, team.ID)
		try(c, endpoints, err)
	}
}

func (c *checker) usage(ctx context.Context) {
	within := admin.GetUsageParams{}
	total, err := c.client.Usage.Total(ctx, within)
	try(c, total, err)
	byTag, err := c.client.Usage.ByTag(ctx, within)
	try(c, byTag, err)
	byEndpoint, err := c.client.Usage.ByEndpoint(ctx, within)
	try(c, byEndpoint, err)
	byMethod, err := c.client.Usage.ByMethod(ctx, within)
	try(c, byMethod, err)
	byChain, err := c.client.Usage.ByChain(ctx, within)
	try(c, byChain, err)
	for _, metric := range admin.AccountMetricName("").Values() {
		series, err := c.client.Metrics.Account(ctx, admin.GetAccountMetricsParams{Period: admin.MetricsPeriodDay, Metric: metric})
		try(c, series, err)
	}
}

func (c *checker) alerts(ctx context.Context) {
	for _, destination := range some(c, c.client.Destinations.All(ctx, alerts.ListDestinationsParams{})) {
		again, err := c.client.Destinations.Get(ctx, destination.ID)
		try(c, again, err)
	}
	for _, notification := range some(c, c.client.Notifications.All(ctx, alerts.ListNotificationsParams{})) {
		again, err := c.client.Notifications.Get(ctx, notification.ID)
		try(c, again, err)
		events, err := c.client.Notifications.Events(ctx, notification.ID, alerts.ListNotificationEventsParams{})
		try(c, events, err)
	}
}

func (c *checker) endpoints(ctx context.Context) {
	tags, err := c.client.Tags.List(ctx)
	try(c, tags, err)
	for _, endpoint := range some(c, c.client.Endpoints.All(ctx, admin.ListEndpointsParams{})) {
		c.endpoint(ctx, endpoint.ID)
	}
}

// endpoint looks into one endpoint.
func (c *checker) endpoint(ctx context.Context, id string) {
	single, err := c.client.Endpoints.Get(ctx, id)
	try(c, single, err)
	addresses, err := c.client.Endpoints.URLs(ctx, id)
	try(c, addresses, err)
	security, err := c.client.Security.Get(ctx, id)
	try(c, security, err)
	switches, err := c.client.Security.Options(ctx, id)
	try(c, switches, err)
	limits, err := c.client.RateLimits.Get(ctx, id)
	try(c, limits, err)
	methods, err := c.client.RateLimits.ListMethodLimits(ctx, id)
	try(c, methods, err)
	for _, metric := range admin.EndpointMetricName("").Values() {
		series, err := c.client.Metrics.Endpoint(ctx, id, admin.GetEndpointMetricsParams{Period: admin.MetricsPeriodDay, Metric: metric})
		try(c, series, err)
	}
	now := time.Now()
	page, err := c.client.Logs.List(ctx, id, admin.ListLogsParams{
		From: scalar.NewTime(now.Add(-c.options.logs)), To: scalar.NewTime(now), IncludeDetails: new(true),
	})
	if try(c, page, err) == nil {
		return
	}
	for _, entry := range few(c, page.Items) {
		details, err := c.client.Logs.Details(ctx, id, entry.RequestID)
		try(c, details, err)
	}
}
