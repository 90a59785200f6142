package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// each is the number of endpoints that work creates on each of a few chains.
const each = 12

// work creates endpoints, changes them in several ways, and archives them. It archives them as well when something
// fails in the middle, or when the program is interrupted.
func work(ctx context.Context, client *rpcfleet.Client) (err error) {
	kinds, err := choose(ctx, client, 3)
	if err != nil {
		return err
	}
	var ids []string
	defer func() { err = errors.Join(err, archive(ctx, client, ids)) }()
	for _, kind := range kinds {
		before, err := client.Endpoints.FindCreated(ctx, kind)
		if err != nil {
			return err
		}
		for range each {
			id, err := create(ctx, client, kind, before, ids)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
	}
	fmt.Printf("\nCreated %d endpoints on %d chains\n", len(ids), len(kinds))
	return change(ctx, client, ids)
}

// change changes endpoints in several ways.
func change(ctx context.Context, client *rpcfleet.Client, ids []string) error {
	// A tag on every other endpoint, in one call, with a report for each id. One id is wrong on purpose.
	half := everyOther(ids)
	outcome, err := client.Endpoints.BulkAddTag(ctx, append(half, "no-such-endpoint"), "quickstart")
	if err != nil {
		return err
	}
	fmt.Printf("Tagged %d endpoints; failed: %v\n", outcome.UpdatedCount, outcome.Failed())

	// The account may have had endpoints with that tag before, which are none of this program's.
	tagged := 0
	for _, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{"quickstart"}}) {
		if err != nil {
			return err
		}
		tagged++
	}
	fmt.Printf("Listing by tag finds %d\n", tagged)

	for _, status := range []admin.EndpointStatus{admin.EndpointStatusPaused, admin.EndpointStatusActive} {
		outcome, err := client.Endpoints.BulkSetStatus(ctx, half, status)
		if err != nil {
			return err
		}
		fmt.Printf("%d endpoints are now %s, %d failed\n", outcome.UpdatedCount, status, outcome.FailedCount)
	}

	if err := client.Endpoints.Update(ctx, ids[0], admin.UpdateEndpointRequest{Label: new("my first endpoint")}); err != nil {
		return err
	}
	endpoint, err := client.Endpoints.Get(ctx, ids[0])
	if err != nil {
		return err
	}
	// The address carries the endpoint's token; it prints without it. Reveal gives the whole.
	fmt.Printf("Endpoint %s is labeled %q and listens at %s\n", endpoint.ID, text(endpoint.Label), endpoint.HTTPURL)
	return nil
}

// choose picks the first network of each of the first n chains on offer.
func choose(ctx context.Context, client *rpcfleet.Client, n int) ([]admin.CreateEndpointRequest, error) {
	chains, err := client.Chains.List(ctx)
	if err != nil {
		return nil, err
	}
	var kinds []admin.CreateEndpointRequest
	for _, chain := range chains {
		if len(kinds) < n && chain.Slug != nil && len(chain.Networks) > 0 && chain.Networks[0].Slug != nil {
			kinds = append(kinds, admin.CreateEndpointRequest{Chain: *chain.Slug, Network: *chain.Networks[0].Slug})
		}
	}
	return kinds, nil
}

func everyOther(ids []string) []string {
	var half []string
	for i := 0; i < len(ids); i += 2 {
		half = append(half, ids[i])
	}
	return half
}
