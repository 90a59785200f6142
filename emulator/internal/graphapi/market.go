package graphapi

import (
	"cmp"
	"math/big"
	"time"
)

// prices sums up the prices of sales.
type prices struct {
	AverageInNativeToken *float64
	CeilingInNativeToken *float64
	FloorInNativeToken   *float64
	VolumeInNativeToken  *float64
}

// The older names of the same figures.

func (p prices) Average() *float64 { return p.AverageInNativeToken }
func (p prices) Ceiling() *float64 { return p.CeilingInNativeToken }
func (p prices) Floor() *float64   { return p.FloorInNativeToken }
func (p prices) Volume() *float64  { return p.VolumeInNativeToken }

// stats sums up sales.
type stats struct {
	prices
	TotalSales *int32
}

// newStats sums up sales. Where there are none, there are no prices.
func newStats(sales []sale) *stats {
	s := &stats{TotalSales: new(int32(len(sales)))}
	if len(sales) == 0 {
		return s
	}
	volume, floor, ceiling := 0.0, sales[0].price, sales[0].price
	for _, sale := range sales {
		volume += sale.price
		floor, ceiling = min(floor, sale.price), max(ceiling, sale.price)
	}
	s.VolumeInNativeToken, s.AverageInNativeToken = &volume, new(volume/float64(len(sales)))
	s.FloorInNativeToken, s.CeilingInNativeToken = &floor, &ceiling
	return s
}

// periods are the schema's names of lengths of time.
var periods = map[string]time.Duration{
	"ONE_MINUTE":      time.Minute,
	"FIVE_MINUTES":    5 * time.Minute,
	"FIFTEEN_MINUTES": 15 * time.Minute,
	"THIRTY_MINUTES":  30 * time.Minute,
	"ONE_HOUR":        time.Hour,
	"SIX_HOURS":       6 * time.Hour,
	"TWELVE_HOURS":    12 * time.Hour,
	"ONE_DAY":         24 * time.Hour,
	"SEVEN_DAYS":      7 * 24 * time.Hour,
	"THIRTY_DAYS":     30 * 24 * time.Hour,
}

// candle is the prices of one interval. Its fields are those of the schema.
type candle struct {
	Average, Close, High, Low, Open, Volume *float64
	Count                                   float64
	Timestamp                               dateTime
}

// chartFilter is the schema's filter of charts.
type chartFilter struct {
	ConfirmedAtGte, ConfirmedAtLte *dateTime
	Interval                       *string
	Limit                          *float64
}

// defaultCandles is how many intervals are sent where the query does not say (assumed).
const defaultCandles = 100

// OhlcvChart adds the sales up by intervals, of a day unless asked otherwise. Intervals without sales are left out, and
// where there are too many the latest are sent (assumed).
func (c *collection) OhlcvChart(args struct{ Filter *chartFilter }) *[]candle {
	filter := chartFilter{}
	if args.Filter != nil {
		filter = *args.Filter
	}
	interval := periods["ONE_DAY"]
	if filter.Interval != nil {
		interval = periods[*filter.Interval]
	}
	during := &timeInput{Gte: filter.ConfirmedAtGte, Lte: filter.ConfirmedAtLte}
	candles := []candle{}
	var within []sale
	for _, sale := range c.sold(during.allows) {
		if len(within) > 0 && !sale.Timestamp.Truncate(interval).Equal(within[0].Timestamp.Truncate(interval)) {
			candles = append(candles, newCandle(within, interval))
			within = nil
		}
		within = append(within, sale)
	}
	if len(within) > 0 {
		candles = append(candles, newCandle(within, interval))
	}
	limit := defaultCandles
	if filter.Limit != nil {
		limit = max(int(*filter.Limit), 0)
	}
	candles = candles[max(len(candles)-limit, 0):]
	return &candles
}

// newCandle sums up the sales of one interval.
func newCandle(sales []sale, interval time.Duration) candle {
	sum := newStats(sales)
	return candle{
		Open: &sales[0].price, Close: &sales[len(sales)-1].price,
		High: sum.CeilingInNativeToken, Low: sum.FloorInNativeToken,
		Average: sum.AverageInNativeToken, Volume: sum.VolumeInNativeToken,
		Count: float64(len(sales)), Timestamp: dateTime{sales[0].Timestamp.Truncate(interval)},
	}
}

// trending is a collection with its sales of late.
type trending struct {
	Collection *collection
	Stats      *trendingStats
}

// trendingStats are stats with the number of sales as the schema has it here.
type trendingStats struct {
	prices
	TotalSales *float64
}

// trendingArgs are the arguments of TrendingCollections.
type trendingArgs struct {
	paging
	Filter         *periodFilter
	OrderBy        *string
	OrderDirection *string
}

// TrendingCollections lists the collections with sales in the time asked for, those that sell most first.
func (c *chain) TrendingCollections(args trendingArgs) (*connection[trending], error) {
	pass := c.during(args.Filter)
	var found []trending
	for _, collection := range c.collections {
		if sales := collection.sold(pass); len(sales) > 0 {
			found = append(found, trending{collection, &trendingStats{newStats(sales).prices, new(float64(len(sales)))}})
		}
	}
	direction := cmp.Or(args.OrderDirection, new(descending))
	found = ordered(found, direction, func(a, b trending) int {
		return cmp.Compare(a.Stats.rank(args.OrderBy), b.Stats.rank(args.OrderBy))
	})
	return pageOf(found, c.pageCap, args.paging)
}

// rank is the figure to order by: the volume unless asked otherwise.
func (s *trendingStats) rank(orderBy *string) float64 {
	switch {
	case orderBy != nil && *orderBy == "AVERAGE":
		return *s.AverageInNativeToken
	case orderBy != nil && *orderBy == "SALES":
		return *s.TotalSales
	}
	return *s.VolumeInNativeToken
}

// GasPrices lists the gas prices of blocks, the oldest first unless ordered otherwise (assumed).
func (c *chain) GasPrices(args struct {
	Filter         *struct{ BlockNumber *intInput }
	OrderDirection *string
}) *[]gasPrice {
	found := filtered(c.gasPrices(), func(p gasPrice) bool {
		return args.Filter == nil || args.Filter.BlockNumber.allows(p.BlockNumber)
	})
	found = ordered(found, args.OrderDirection, func(a, b gasPrice) int { return int(a.BlockNumber - b.BlockNumber) })
	return &found
}

// sale is a sale of one of a collection's tokens, with what was paid in the chain's coin.
type sale struct {
	*event
	price float64
}

// sold lists the sales at the times that pass, the oldest first.
func (c *collection) sold(pass func(time.Time) bool) []sale {
	var sales []sale
	for _, e := range c.chain.events {
		if e.kind == "SALE" && e.sent.collection == c && pass(e.Timestamp.Time) {
			sales = append(sales, sale{e, float64(e.price) / 1e9})
		}
	}
	return sales
}

// Stats sums up the sales.
func (c *collection) Stats(args struct {
	Filter *struct{ TimeRange *timeInput }
}) *stats {
	var during *timeInput
	if args.Filter != nil {
		during = args.Filter.TimeRange
	}
	return newStats(c.sold(during.allows))
}

// collectionSale is a sale in short. Its fields are those of the schema.
type collectionSale struct {
	EstimatedConfirmedAt *dateTime
	PriceInNativeToken   *float64
	QuantitySold         *float64
}

// periodFilter is the schema's filter of sales by time. A period ends with the present.
type periodFilter struct {
	TimePeriod *string
	TimeRange  *timeInput
}

// during returns the condition that a filter, if there is one, makes for a time.
func (c *chain) during(f *periodFilter) func(time.Time) bool {
	return func(at time.Time) bool {
		return f == nil || f.TimeRange.allows(at) &&
			(f.TimePeriod == nil || at.After(c.ended().Add(-periods[*f.TimePeriod])))
	}
}

// Sales lists the sales, the oldest first unless ordered otherwise (assumed). They can be ordered by their time only.
func (c *collection) Sales(args struct {
	paging
	Filter                  *periodFilter
	OrderBy, OrderDirection *string
}) (*connection[collectionSale], error) {
	sales := ordered(c.sold(c.chain.during(args.Filter)), args.OrderDirection, func(a, b sale) int {
		return a.Timestamp.Compare(b.Timestamp.Time)
	})
	return page(len(sales), c.chain.pageCap, args.paging, func(i int) collectionSale {
		pieces, _ := new(big.Float).SetInt(sales[i].sent.quantity).Float64()
		return collectionSale{&sales[i].Timestamp, &sales[i].price, &pieces}
	})
}

// order is a sale with its transaction. Its fields are those of the schema.
type order struct {
	FromAddress, ToAddress string
	PriceInNativeToken     float64
	Timestamp              dateTime
	TokenID                *string
	TransactionHash        string
}

// PriceInEth is the older name of the same figure.
func (o order) PriceInEth() float64 { return o.PriceInNativeToken }

// limitedOrders is how many orders are sent where the query wants them limited (assumed).
const limitedOrders = 20

// OrderHistory lists the sales with their transactions, the oldest first. Where they are to be limited, the latest are
// sent (assumed).
func (c *collection) OrderHistory(args struct {
	Filter *struct {
		ConfirmedAtGte, ConfirmedAtLte *dateTime
		IsLimited                      *bool
	}
}) *[]order {
	during, limited := &timeInput{}, false
	if f := args.Filter; f != nil {
		during.Gte, during.Lte = f.ConfirmedAtGte, f.ConfirmedAtLte
		limited = f.IsLimited != nil && *f.IsLimited
	}
	orders := []order{}
	for _, s := range c.sold(during.allows) {
		orders = append(orders, order{
			s.FromAddress, s.ToAddress, s.price, s.Timestamp, new(s.sent.nft.id().String()), *s.TransactionHash,
		})
	}
	if limited {
		orders = orders[max(len(orders)-limitedOrders, 0):]
	}
	return &orders
}
