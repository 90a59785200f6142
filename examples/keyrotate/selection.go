package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// selection says which endpoints to rotate.
type selection struct {
	all bool
	tag string
	ids []string
}

// count counts the ways in which endpoints are named.
func (s selection) count() (n int) {
	for _, named := range []bool{s.all, s.tag != "", len(s.ids) > 0} {
		if named {
			n++
		}
	}
	return n
}

// endpoints lists the endpoints of the selection, in the order in which they were created. An id that the account does
// not have is an error.
func (s selection) endpoints(ctx context.Context, client *rpcfleet.Client) ([]admin.Endpoint, error) {
	params := admin.ListEndpointsParams{
		Limit: new(250), SortBy: new(admin.SortByCreatedAt), SortDirection: new(admin.SortDirectionAsc),
	}
	if s.tag != "" {
		params.TagLabels = []string{s.tag}
	}
	wanted := map[string]bool{}
	for _, id := range s.ids {
		wanted[id] = true
	}
	var endpoints []admin.Endpoint
	for endpoint, err := range client.Endpoints.All(ctx, params) {
		if err != nil {
			return nil, err
		}
		if len(s.ids) == 0 || wanted[endpoint.ID] {
			endpoints = append(endpoints, endpoint)
			delete(wanted, endpoint.ID)
		}
	}
	for _, id := range s.ids {
		if wanted[id] {
			return nil, fmt.Errorf("the account has no endpoint with the id %q", id)
		}
	}
	return slices.Clip(endpoints), nil
}
