package graphapi

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// bigInt is the schema's BigInt.
type bigInt struct{ *big.Int }

func newBigInt(v int64) bigInt { return bigInt{big.NewInt(v)} }

// MarshalJSON writes a number up to 2^53, and text beyond (observed).
func (b bigInt) MarshalJSON() ([]byte, error) {
	if b.CmpAbs(big.NewInt(1<<53)) <= 0 {
		return []byte(b.String()), nil
	}
	return json.Marshal(b.String())
}

// dateTime is the schema's DateTime.
type dateTime struct{ time.Time }

// MarshalJSON writes RFC 3339 with milliseconds.
func (d dateTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(d.UTC().Format("2006-01-02T15:04:05.000Z"))
}

func numberOf(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case bigInt:
		f, _ := new(big.Float).SetInt(n.Int).Float64()
		return f, true
	}
	return 0, false
}

// compare compares a value of an object with a value of the same field, or with one in the query. Case does not matter.
func compare(value, with any) int {
	switch value := value.(type) {
	case dateTime:
		other, _ := with.(dateTime)
		return value.Compare(other.Time)
	case bigInt:
		if other, is := with.(bigInt); is {
			return value.Cmp(other.Int)
		}
	}
	if a, is := numberOf(value); is {
		b, _ := numberOf(with)
		return cmp.Compare(a, b)
	}
	return cmp.Compare(strings.ToLower(fmt.Sprint(value)), strings.ToLower(fmt.Sprint(with)))
}

// holds reports whether an operator of a filter holds between a value and the one in the query.
func holds(value any, operator string, with any) bool {
	switch operator {
	case "in":
		return passes(value, with)
	case "notIn":
		return !passes(value, with)
	case "gt":
		return compare(value, with) > 0
	case "gte":
		return compare(value, with) >= 0
	case "lt":
		return compare(value, with) < 0
	case "lte":
		return compare(value, with) <= 0
	}
	return compare(value, with) == 0
}

// passes reports whether a value passes a condition of a filter: a condition for each field of an object, an object of
// operators, a list of alternatives, or a single value. A missing condition lets all pass. One of a list of values is
// enough.
func passes(value, condition any) bool {
	if values, is := value.([]string); is {
		return slices.ContainsFunc(values, func(v string) bool { return passes(v, condition) })
	}
	switch condition := condition.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(condition, func(one any) bool { return passes(value, one) })
	case map[string]any:
		inner, nested := value.(object)
		for name, with := range condition {
			if nested && !passes(inner[name], with) || !nested && with != nil && !holds(value, name, with) {
				return false
			}
		}
		return true
	}
	return compare(value, condition) == 0
}

func filtered(list []object, filter map[string]any) []object {
	return slices.DeleteFunc(list, func(o object) bool { return !passes(o, filter) })
}

// ordered sorts a list by the field that orderBy names, such as "by NAME". Without it, the list is in order already.
// Equal objects keep their places.
func ordered(list []object, by, direction string) []object {
	sign := 1
	if direction == "DESC" {
		sign = -1
	}
	key := "by " + by
	if len(list) > 0 && list[0][key] == nil {
		if sign < 0 {
			slices.Reverse(list)
		}
		return list
	}
	slices.SortStableFunc(list, func(a, b object) int { return sign * compare(a[key], b[key]) })
	return list
}

// defaultPage is the size of a page if the query has none (assumed).
const defaultPage = 20

// list returns a page of a list, filtered and ordered as the arguments ask for.
func (c *chain) list(args arguments, list []object) any {
	found := ordered(filtered(list, args.input("filter")), args.text("orderBy"), args.text("orderDirection"))
	return c.page(args, len(found), func(i int) object { return found[i] })
}

// page returns a page of a list of n items, and makes only the items on it.
func (c *chain) page(args arguments, n int, item func(i int) object) any {
	start, end := window(args, n, c.pageCap)
	edges := []object{}
	for i := start; i < end; i++ {
		edges = append(edges, object{"cursor": cursorAt(i), "node": item(i)})
	}
	info := object{"hasNextPage": end < n, "hasPreviousPage": start > 0}
	if len(edges) > 0 {
		info["startCursor"], info["endCursor"] = edges[0]["cursor"], edges[len(edges)-1]["cursor"]
	}
	return object{"edges": edges, "pageInfo": info, "totalCount": n}
}

// window returns the beginning and the end of a page: the first items between the cursors, and the last ones of these.
func window(args arguments, n, limit int) (start, end int) {
	end = n
	if after, is := args["after"].(int); is {
		start = min(after+1, n)
	}
	if before, is := args["before"].(int); is {
		end = min(before, n)
	}
	first, hasFirst := args["first"].(int)
	last, hasLast := args["last"].(int)
	if !hasFirst && !hasLast {
		first, hasFirst = defaultPage, true
	}
	if hasFirst {
		end = min(end, start+min(first, limit))
	}
	if hasLast {
		start = max(start, end-min(last, limit))
	}
	return start, end
}

const cursorPrefix = "at:"

func cursorAt(i int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
}

// readCursor returns the position of the item with a cursor.
func readCursor(argument, cursor string) (any, *gqlerror.Error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, known := strings.CutPrefix(string(text), cursorPrefix)
	position, malformed := strconv.ParseUint(number, 10, 31)
	if err != nil || !known || malformed != nil {
		return nil, failure("INVALID_CURSOR", argument+" is not a cursor of this listing")
	}
	return int(position), nil
}

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
