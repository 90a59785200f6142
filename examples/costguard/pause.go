package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// fleet are the endpoints that there are.
type fleet struct {
	tags map[string]bool
	// guilty are the active endpoints of tags over their budget.
	guilty []string
}

// readFleet reads the endpoints.
func readFleet(ctx context.Context, client *rpcfleet.Client, r *report) (*fleet, error) {
	f, over := &fleet{tags: map[string]bool{}}, r.in(over)
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return nil, err
		}
		labels := []string{}
		for _, tag := range endpoint.Tags {
			if tag.Label != nil {
				labels = append(labels, *tag.Label)
				f.tags[*tag.Label] = true
			}
		}
		if len(endpoint.Tags) == 0 {
			labels = append(labels, "")
		}
		if endpoint.Status == admin.EndpointStatusActive && slices.ContainsFunc(labels, func(label string) bool { return over[label] }) {
			f.guilty = append(f.guilty, endpoint.ID)
		}
	}
	return f, nil
}

// missing is the error of a budget whose tag neither an endpoint nor the usage has: it would guard nothing.
func (f *fleet) missing(usage *admin.UsageByTag, given budgets) error {
	for _, item := range usage.Tags {
		f.tags[label(item)] = true
	}
	missing := []string{}
	for tag := range given {
		if tag != "" && !f.tags[tag] {
			missing = append(missing, tag)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return fmt.Errorf("budgets of tags that no endpoint has: %q", missing)
}

// pause pauses what is guilty, or says what it would pause. What is paused already is left alone, so that a second run
// changes nothing.
func (f *fleet) pause(ctx context.Context, client *rpcfleet.Client, o *options, r *report, stderr io.Writer) error {
	if len(f.guilty) == 0 {
		return nil
	}
	if !o.pause {
		_, _ = fmt.Fprintf(stderr, "%d active endpoints have tags over their budget: -pause pauses them\n", len(f.guilty))
		return nil
	}
	outcome, err := client.Endpoints.BulkSetStatus(ctx, f.guilty, admin.EndpointStatusPaused)
	if outcome != nil {
		for _, result := range outcome.Results {
			if result.Success {
				r.Paused = append(r.Paused, result.ID)
				_, _ = fmt.Fprintf(stderr, "paused %s\n", result.ID)
			}
		}
	}
	if err != nil {
		return err
	}
	if left := slices.Concat(outcome.Failed(), outcome.Unreported); len(left) > 0 {
		return fmt.Errorf("not paused, as far as is known: %q", left)
	}
	return nil
}
