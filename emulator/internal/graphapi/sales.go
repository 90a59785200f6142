package graphapi

import (
	"math/big"
	"time"
)

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
