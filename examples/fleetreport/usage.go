package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// usage is what was used within a period.
type usage struct {
	total      *admin.UsageTotal
	byTag      *admin.UsageByTag
	byChain    *admin.UsageByChain
	byEndpoint *admin.UsageByEndpoint
}

// parts are what it takes to read it, in any order.
func (u *usage) parts(client *rpcfleet.Client, within admin.GetUsageParams) []func(context.Context) error {
	return []func(context.Context) error{
		func(ctx context.Context) (err error) {
			u.total, err = client.Usage.Total(ctx, within)
			return err
		},
		func(ctx context.Context) (err error) {
			u.byTag, err = client.Usage.ByTag(ctx, within)
			return err
		},
		func(ctx context.Context) (err error) {
			u.byChain, err = client.Usage.ByChain(ctx, within)
			return err
		},
		func(ctx context.Context) (err error) {
			u.byEndpoint, err = client.Usage.ByEndpoint(ctx, within)
			return err
		},
	}
}

// credits returns the credits, the largest shares first.
func (u *usage) credits() credits {
	c := credits{Total: u.total.CreditsUsed, ByTag: []share{}, ByChain: []share{}}
	for _, tag := range u.byTag.Tags {
		label := tag.Label
		if tag.TagID == nil {
			label = "(no tag)"
		}
		c.ByTag = append(c.ByTag, share{label, tag.CreditsUsed})
	}
	for _, chain := range u.byChain.Chains {
		c.ByChain = append(c.ByChain, share{told(chain.Name), told(chain.CreditsUsed)})
	}
	largestFirst(c.ByTag)
	largestFirst(c.ByChain)
	return c
}

func largestFirst(shares []share) {
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.Credits, a.Credits) })
}

// sum adds up the usage of an endpoint, which may have been split up.
func sum(items []admin.EndpointUsage) (credits, requests int64) {
	for _, item := range items {
		credits += told(item.CreditsUsed)
		requests += told(item.Requests)
	}
	return credits, requests
}

// told reads what the service may leave out.
func told[T any](value *T) T {
	if value == nil {
		return *new(T)
	}
	return *value
}
