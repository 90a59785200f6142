package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// reader reads from one chain what reports are made of.
type reader struct {
	graph *rpcfleet.GraphService
	chain graph.Chain
	// rows is how many rows of a listing to read.
	rows int
}

// read makes a report on the collection and one on the wallet, whichever of them are named.
func (r *reader) read(ctx context.Context, collection, wallet string) ([]*report, error) {
	if collection == "" && wallet == "" {
		var err error
		if collection, wallet, err = r.choose(ctx); err != nil {
			return nil, err
		}
	}
	var reports []*report
	if collection != "" {
		made, err := r.collection(ctx, collection)
		if err != nil {
			return nil, fmt.Errorf("collection %s on %s: %w", clean(collection), r.chain, err)
		}
		reports = append(reports, made)
	}
	if wallet != "" {
		made, err := r.wallet(ctx, wallet)
		if err != nil {
			return nil, fmt.Errorf("wallet %s on %s: %w", clean(wallet), r.chain, err)
		}
		reports = append(reports, made)
	}
	return reports, nil
}

// choose finds the collection that sells most, and the wallet that bought of it last.
func (r *reader) choose(ctx context.Context) (collection, wallet string, err error) {
	trending, _, err := first(1, r.graph.TrendingCollections(ctx, r.chain, graph.TrendingParams{
		OrderBy: new(graph.TrendingOrderByVolume), OrderDirection: new(graph.OrderDirectionDesc),
	}, rpcfleet.WithPageSize(1)))
	if err != nil {
		return "", "", err
	}
	if len(trending) == 0 || trending[0].Collection == nil {
		return "", "", errors.New("no collection is trending: name one with -collection, or a wallet with -wallet")
	}
	collection = trending[0].Collection.GetAddress()
	sales, _, err := first(1, r.graph.ContractEvents(ctx, r.chain, collection, graph.TokenEventsFilterInput{
		Type: &graph.TokenTransferTypeInput{Eq: new(graph.TokenTransferTypeSale)},
	}, rpcfleet.WithPageSize(1)))
	if len(sales) > 0 {
		wallet = sales[0].GetToAddress()
	}
	return collection, wallet, err
}

// first reads up to n items of a listing, over as many pages as that takes. The total is negative where there are more
// and the service does not tell how many.
func first[T any](n int, listing *rpcfleet.Connection[T]) (items []T, total int, err error) {
	for page, err := range listing.Pages() {
		if err != nil {
			return nil, 0, err
		}
		items, total = append(items, page.Items...), page.Total
		if total < 0 && page.Last() {
			total = len(items)
		}
		if len(items) >= n {
			return items[:n], total, nil
		}
	}
	return items, total, nil
}

// pageSize asks for no more than a table shows.
func (r *reader) pageSize() rpcfleet.CallOption { return rpcfleet.WithPageSize(min(r.rows, 100)) }
