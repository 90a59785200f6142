package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreated looks for what Create was to make: the endpoints on that network of that chain. An endpoint is created
// without a label, so that nothing but the difference to an earlier lookup tells it from the others: see [Lookup]. A
// network may be spelled with the chain before it or without, as in "ethereum-mainnet" (assumed).
//
// It reads the whole listing, newest first, and again where the listing has changed meanwhile, since that may have hidden
// an endpoint. One that changes during three readings is [ErrIncompleteListing].
//
// GET /v0/endpoints
func (s *EndpointsService) FindCreated(ctx context.Context, endpoint admin.CreateEndpointRequest, opts ...CallOption) (Lookup[admin.Endpoint], error) {
	create := s.engine.with(opts).call(api.CreateEndpoint(endpoint))
	if broken := create.broken(); broken != nil {
		return Lookup[admin.Endpoint]{}, broken
	}
	newest := admin.ListEndpointsParams{SortBy: new(admin.SortByCreatedAt), SortDirection: new(admin.SortDirectionDesc)}
	for range lookups {
		var reading wholeReading
		found, err := lookUp(reading.of(s.Pages(ctx, newest, opts...)), endpointID, func(e *admin.Endpoint) bool {
			return untoldOrSame(e.Chain, endpoint.Chain) && (untoldOrSame(e.Network, endpoint.Network) ||
				untoldOrSame(e.Network, endpoint.Chain+"-"+endpoint.Network) ||
				untoldOrSame(endpoint.Chain+"-"+e.Network, endpoint.Network))
		})
		if err != nil || reading.whole() {
			return found, err
		}
	}
	return Lookup[admin.Endpoint]{}, fmt.Errorf("%w: it changed during each of %d readings", ErrIncompleteListing, lookups)
}

// lookups is how often a listing is read that changes meanwhile.
const lookups = 3

// wholeReading notes whether a listing by offset held still while it was read.
type wholeReading struct {
	total   int
	changed bool
	seen    map[string]bool
}

// of returns the items of the pages.
func (r *wholeReading) of(pages iter.Seq2[*Page[admin.Endpoint], error]) iter.Seq2[admin.Endpoint, error] {
	r.seen = map[string]bool{}
	return items(func(yield func(*Page[admin.Endpoint], error) bool) {
		for page, err := range pages {
			if page != nil {
				r.changed = r.changed || len(r.seen) > 0 && page.Total != r.total
				r.total = page.Total
				for i := range page.Items {
					r.seen[page.Items[i].ID] = true
				}
			}
			if !yield(page, err) {
				return
			}
		}
	})
}

// whole reports whether all came that the service says there is.
func (r *wholeReading) whole() bool { return !r.changed && len(r.seen) >= r.total }

func endpointID(e *admin.Endpoint) string { return e.ID }

// untoldOrSame compares a name of the service's with one that was sent. One that the service left out says nothing.
func untoldOrSame(told, sent string) bool { return told == "" || strings.EqualFold(told, sent) }

// FindAddedTag looks for what AddTag was to do: a tag of that label on the endpoint.
//
// GET /v0/endpoints/{id}
func (s *EndpointsService) FindAddedTag(ctx context.Context, id, label string, opts ...CallOption) (Lookup[admin.EndpointTag], error) {
	endpoint, err := single(ctx, s.engine.call(api.GetEndpoint(id), opts, required("label", label)))
	if err != nil {
		return Lookup[admin.EndpointTag]{}, err
	}
	return lookAmong(endpoint.Tags, nil,
		func(tag *admin.EndpointTag) string { return decimal(tag.TagID) },
		func(tag *admin.EndpointTag) bool { return orZero(tag.Label) == label },
	)
}
