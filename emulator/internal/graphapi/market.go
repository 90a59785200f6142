package graphapi

import (
	"cmp"
	"time"
)

// sold returns the sales of the collection's tokens that pass a filter, as objects with their numbers, the oldest
// first. A period of the filter ends with the last event.
func (c *collection) sold(filter arguments) []object {
	events := c.chain.events
	since := events[len(events)-1].at.Add(-periods[filter.text("timePeriod")])
	var sales []object
	for _, e := range events {
		if e.kind != "SALE" || e.sent.collection != c || filter["timePeriod"] != nil && !e.at.After(since) {
			continue
		}
		price := float64(e.price) / 1e9
		sales = append(sales, object{
			"timestamp": e.at, "confirmedAt": e.at, "estimatedConfirmedAt": e.at, "priceInNativeToken": price,
			"priceInEth": price, "quantitySold": 1, "fromAddress": e.from, "toAddress": e.to,
			"tokenId": c.id(e.sent.index).String(), "transactionHash": e.hash,
		})
	}
	return filtered(sales, map[string]any{
		"timestamp":   filter["timeRange"],
		"confirmedAt": map[string]any{"gte": filter["confirmedAtGte"], "lte": filter["confirmedAtLte"]},
	})
}

// periods are the schema's names of periods.
var periods = map[string]time.Duration{
	"ONE_MINUTE": time.Minute, "FIVE_MINUTES": 5 * time.Minute, "FIFTEEN_MINUTES": 15 * time.Minute,
	"THIRTY_MINUTES": 30 * time.Minute, "ONE_HOUR": time.Hour, "SIX_HOURS": 6 * time.Hour, "TWELVE_HOURS": 12 * time.Hour,
	"ONE_DAY": 24 * time.Hour, "SEVEN_DAYS": 7 * 24 * time.Hour, "THIRTY_DAYS": 30 * 24 * time.Hour,
}

// summary returns the prices of sales, also under their older names. Without sales there are no prices.
func summary(sales []object) object {
	sum := object{"totalSales": len(sales)}
	if len(sales) == 0 {
		return sum
	}
	first := sales[0]["priceInNativeToken"].(float64)
	volume, floor, ceiling := 0.0, first, first
	for _, sale := range sales {
		price := sale["priceInNativeToken"].(float64)
		volume, floor, ceiling = volume+price, min(floor, price), max(ceiling, price)
	}
	for name, value := range map[string]float64{
		"average": volume / float64(len(sales)), "ceiling": ceiling, "floor": floor, "volume": volume,
	} {
		sum[name], sum[name+"InNativeToken"] = value, value
	}
	return sum
}

func (c *collection) stats(a arguments) any { return summary(c.sold(a.input("filter"))) }

// sales lists the sales, the oldest first (assumed).
func (c *collection) sales(a arguments) any {
	found := ordered(c.sold(a.input("filter")), "", a.text("orderDirection"))
	return c.chain.page(a, len(found), func(i int) object { return found[i] })
}

// limitedOrders is the number of orders if the query wants them limited (assumed).
const limitedOrders = 20

// orders lists the sales with their transactions, the oldest first. If they are limited, the latest are sent (assumed).
func (c *collection) orders(a arguments) any {
	orders := c.sold(a.input("filter"))
	if limited, _ := a.input("filter")["isLimited"].(bool); limited {
		orders = orders[max(len(orders)-limitedOrders, 0):]
	}
	return append([]object{}, orders...)
}

// defaultCandles is the number of intervals if the query has none (assumed).
const defaultCandles = 100

// chart sums up the sales by intervals, of a day by default. Intervals without sales are left out. If there are too
// many, the latest are sent (assumed).
func (c *collection) chart(a arguments) any {
	filter := a.input("filter")
	sales := c.sold(filter)
	interval, known := periods[filter.text("interval")]
	if !known {
		interval = periods["ONE_DAY"]
	}
	start := func(i int) time.Time { return sales[i]["timestamp"].(dateTime).Truncate(interval) }
	candles := []object{}
	for first, i := 0, 1; i <= len(sales); i++ {
		if i < len(sales) && start(i).Equal(start(first)) {
			continue
		}
		sum := summary(sales[first:i])
		candles = append(candles, object{
			"open": sales[first]["priceInNativeToken"], "close": sales[i-1]["priceInNativeToken"], "high": sum["ceiling"],
			"low": sum["floor"], "average": sum["average"], "volume": sum["volume"], "count": i - first,
			"timestamp": dateTime{start(first)},
		})
		first = i
	}
	limit := defaultCandles
	if sent, is := numberOf(filter["limit"]); is {
		limit = max(int(sent), 0)
	}
	return candles[max(len(candles)-limit, 0):]
}

// trending lists the collections with sales in the time range, the largest volume first.
func (c *chain) trending(a arguments) any {
	var found []object
	for _, of := range c.collections {
		sales := of.sold(a.input("filter"))
		if sum := summary(sales); len(sales) > 0 {
			found = append(found, object{
				"collection": of.node(), "stats": sum, "by ": sum["volume"], "by VOLUME": sum["volume"],
				"by AVERAGE": sum["average"], "by SALES": sum["totalSales"],
			})
		}
	}
	found = ordered(found, a.text("orderBy"), cmp.Or(a.text("orderDirection"), "DESC"))
	return c.page(a, len(found), func(i int) object { return found[i] })
}
