package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// create creates an endpoint, unless the program has been interrupted. It is not interrupted itself: that would leave
// an endpoint whose id nobody knows. before are the endpoints of that
// kind that were there before the program's own, which have the ids.
func create(ctx context.Context, client *rpcfleet.Client, kind admin.CreateEndpointRequest, before rpcfleet.Lookup[admin.Endpoint], ids []string) (string, error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	ctx, cancel := uninterrupted(ctx)
	defer cancel()
	endpoint, err := client.Endpoints.Create(ctx, kind)
	switch {
	case errors.Is(err, rpcfleet.ErrMaybeCarriedOut):
		return find(ctx, client, kind, before, ids, err)
	case err != nil:
		return "", fmt.Errorf("an endpoint on %s was not created: %w", kind.Network, err)
	}
	return endpoint.ID, nil
}

// find looks for an endpoint that may have been created although the create failed.
func find(ctx context.Context, client *rpcfleet.Client, kind admin.CreateEndpointRequest, before rpcfleet.Lookup[admin.Endpoint], ids []string, failure error) (string, error) {
	found, err := client.Endpoints.FindCreated(ctx, kind)
	if err != nil {
		return "", fmt.Errorf("an endpoint on %s may have been created: %w", kind.Network, errors.Join(failure, err))
	}
	created := found.Since(before).Without(ids...)
	switch created.Outcome() {
	case rpcfleet.LookupFound:
		fmt.Printf("The response to a create got lost; the endpoint is %s\n", created.Records[0].ID)
		return created.Records[0].ID, nil
	case rpcfleet.LookupSeveral: // Somebody else has created some: they must not be archived.
		return "", fmt.Errorf("an endpoint on %s may have been created, and is one of %v: %w", kind.Network, created.IDs(), failure)
	}
	return "", fmt.Errorf("an endpoint on %s was not created, or is not listed yet: %w", kind.Network, failure)
}
