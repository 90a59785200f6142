package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// reader reads an account. It changes nothing.
type reader struct {
	client  *rpcfleet.Client
	period  admin.MetricsPeriod
	workers int
}

// read reads all of the report but the findings.
func (r *reader) read(ctx context.Context, now time.Time) (*report, error) {
	made := &report{Period: string(r.period), From: now.Add(-lengths[r.period]), To: now}
	var listed []admin.Endpoint
	var usage usage
	within := admin.GetUsageParams{StartTime: new(made.From.Unix()), EndTime: new(made.To.Unix())}
	reports := usage.parts(r.client, within)
	ahead := max(r.workers-len(reports), 1) // The listing has the requests that the reports beside it leave.
	parts := append([]func(context.Context) error{func(ctx context.Context) (err error) {
		listed, err = r.list(ctx, ahead)
		return err
	}}, reports...)
	err := parallel(ctx, r.workers, len(parts), func(ctx context.Context, i int) error { return parts[i](ctx) })
	if err != nil {
		return nil, err
	}
	made.Credits = usage.credits()
	used, others := rpcfleet.UsageByID(usage.byEndpoint, listed)
	made.Credits.Unlisted, _ = sum(others)

	made.Endpoints = make([]*endpoint, len(listed))
	series := make([]timeline, len(listed))
	err = parallel(ctx, r.workers, len(listed), func(ctx context.Context, i int) error {
		e, line, err := r.endpoint(ctx, &listed[i], used[listed[i].ID])
		if errors.Is(err, rpcfleet.ErrNotFound) {
			return nil // It was archived since it was listed.
		}
		made.Endpoints[i], series[i] = e, line
		return err
	})
	if err != nil {
		return nil, err
	}
	made.Endpoints = slices.DeleteFunc(made.Endpoints, func(e *endpoint) bool { return e == nil })
	made.Errors = moments(series)
	return made, nil
}

// list lists all endpoints, in the largest pages that the service has. So many of them are asked for in advance.
func (r *reader) list(ctx context.Context, ahead int) (listed []admin.Endpoint, err error) {
	for e, err := range r.client.Endpoints.All(ctx, admin.ListEndpointsParams{}, rpcfleet.WithPageSize(250), rpcfleet.WithPrefetch(ahead)) {
		if err != nil {
			return nil, err
		}
		listed = append(listed, e)
	}
	return listed, nil
}

// endpoint reads what the listing does not tell of an endpoint.
func (r *reader) endpoint(ctx context.Context, listed *admin.Endpoint, used []admin.EndpointUsage) (*endpoint, timeline, error) {
	record, err := r.client.Endpoints.Get(ctx, listed.ID)
	if err != nil {
		return nil, nil, err
	}
	methods, err := r.client.RateLimits.ListMethodLimits(ctx, listed.ID)
	if err != nil {
		return nil, nil, err
	}
	e := &endpoint{
		ID: listed.ID, Label: told(listed.Label), Chain: listed.Chain, Network: listed.Network, Status: string(listed.Status),
		Dedicated: listed.IsDedicated, Multichain: listed.IsMultichain, Tags: []string{},
		Protection: protectionOf(record.Security), Limits: limitsOf(record.RateLimits, methods),
	}
	for _, tag := range listed.Tags {
		if tag.Label != nil {
			e.Tags = append(e.Tags, *tag.Label)
		}
	}
	e.Credits, e.Requests = sum(used)
	if e.Requests == 0 {
		return e, nil, nil // There is nothing to measure.
	}
	line, err := r.measure(ctx, e.ID)
	e.Measured = line.total()
	return e, line, err
}

// limitsOf reads the limits of an endpoint.
func limitsOf(record *admin.EndpointRateLimits, methods []admin.MethodRateLimiter) limits {
	inForce := rpcfleet.RateLimitsOf(record)
	of := func(bucket admin.RateLimitBucket) *limit {
		found, told := inForce.InForce(bucket)
		if !told {
			return nil
		}
		return &limit{found.Requests, found.Unlimited}
	}
	l := limits{RPS: of(admin.RateLimitBucketRPS), RPM: of(admin.RateLimitBucketRPM), RPD: of(admin.RateLimitBucketRPD)}
	for _, method := range methods {
		if method.Status == admin.SwitchEnabled {
			l.Methods++
		}
	}
	return l
}
