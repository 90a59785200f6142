package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// days is how many days of prices to read. Days without sales may not count.
const days = 90

// collection reports on a collection: what it is, how it sells, its tokens and what happened to them last.
func (r *reader) collection(ctx context.Context, address string) (*report, error) {
	collection, err := r.graph.Collection(ctx, r.chain, address)
	if err != nil {
		return nil, err
	}
	name := nameOf(collection)
	made := newReport("Collection", name)
	made.fact("Chain", string(r.chain))
	made.fact("Contract", collection.GetAddress())
	made.fact("Standard", standard(collection.GetTypename()))
	made.fact("Symbol", text(collection.GetSymbol()))
	made.fact("Description", text(collection.GetDescription()))
	made.fact("Website", text(collection.GetExternalURL()))
	made.fact("Supply", integer(collection.GetTotalSupply()))
	made.fact("In circulation", integer(collection.GetCirculatingSupply()))
	if sold := statsOf(collection); sold != nil {
		made.fact("Sales", count(sold.TotalSales))
		made.fact("Volume", r.price(sold.VolumeInNativeToken))
		made.fact("Lowest price", r.price(sold.FloorInNativeToken))
		made.fact("Average price", r.price(sold.AverageInNativeToken))
		made.fact("Highest price", r.price(sold.CeilingInNativeToken))
	}
	for _, add := range []func(context.Context, *report, string) error{r.addPrices, r.addTokens, r.addEvents} {
		if err := add(ctx, made, collection.GetAddress()); err != nil {
			return nil, err
		}
	}
	made.Prices.Of = clean(name)
	return made, nil
}

// nameOf returns a collection's name, or its address if it has none.
func nameOf(collection interface {
	GetAddress() string
	GetName() *string
}) string {
	if name := collection.GetName(); name != nil && *name != "" {
		return *name
	}
	return collection.GetAddress()
}

// statsOf returns the statistics of a collection's sales. Collections of a type that is newer than the library come
// without.
func statsOf(collection graph.Collection) *graph.Stats {
	if known, ok := collection.(interface{ GetStats() *graph.Stats }); ok {
		return known.GetStats()
	}
	return nil
}

// prices reads a collection's prices by day, the oldest first.
func (r *reader) prices(ctx context.Context, address string) ([]graph.Candle, error) {
	candles, err := r.graph.OHLCVChart(ctx, r.chain, address, graph.CollectionOHLCVChartInput{
		Interval: new(graph.CollectionOHLCVChartIntervalOneDay), Limit: new(float64(days)),
	})
	candles = slices.DeleteFunc(candles, func(c graph.Candle) bool { return !c.Timestamp.Valid() })
	slices.SortStableFunc(candles, func(a, b graph.Candle) int { return a.Timestamp.Compare(b.Timestamp.Time) })
	return candles, err
}

// addPrices adds the prices, and a table of the latest.
func (r *reader) addPrices(ctx context.Context, to *report, address string) error {
	candles, err := r.prices(ctx, address)
	if err != nil {
		return err
	}
	to.Prices = &prices{Unit: r.coin(), Candles: candles}
	shown := min(len(candles), r.rows)
	table := to.table("Prices by day, in "+r.coin(), shown, len(candles),
		words("Day"), numbers("Open"), numbers("High"), numbers("Low"), numbers("Close"), numbers("Volume"), numbers("Sales"))
	for _, c := range slices.Backward(candles[len(candles)-shown:]) {
		table.row(day(c.Timestamp.Time),
			amount(c.Open), amount(c.High), amount(c.Low), amount(c.Close), amount(c.Volume), amount(&c.Count))
	}
	return nil
}

// addTokens adds a table of the collection's tokens.
func (r *reader) addTokens(ctx context.Context, to *report, address string) error {
	tokens, total, err := first(r.rows, r.graph.CollectionNFTs(ctx, r.chain, address, r.pageSize()))
	if err != nil {
		return err
	}
	table := to.table("Tokens", len(tokens), total, words("Name"), numbers("Token"))
	for _, token := range tokens {
		table.row(text(token.GetName()), id(new(token.GetTokenID())))
	}
	return nil
}

// addEvents adds a table of what happened to the collection's tokens last.
func (r *reader) addEvents(ctx context.Context, to *report, address string) error {
	events, total, err := first(r.rows, r.graph.ContractEvents(ctx, r.chain, address, graph.TokenEventsFilterInput{}, r.pageSize()))
	if err != nil {
		return err
	}
	table := to.table("Events", len(events), total, words("When"), words("What"), numbers("Token"), words("From"), words("To"))
	for _, event := range events {
		table.row(moment(event.GetTimestamp()), cmp.Or(string(event.GetType()), event.GetTypename()), tokenOf(event),
			short(event.GetFromAddress()), short(event.GetToAddress()))
	}
	return nil
}

// tokenOf returns the id of the token that an event moved.
func tokenOf(event graph.Event) string {
	switch e := event.(type) {
	case interface{ GetTokenID() *scalar.BigInt }: // burns, mints and transfers
		return id(e.GetTokenID())
	case interface{ GetSentTokenID() *scalar.BigInt }: // sales and swaps
		return id(e.GetSentTokenID())
	}
	return none
}
