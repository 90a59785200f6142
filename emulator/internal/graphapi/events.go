package graphapi

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"time"
)

// The history of a chain are events, two hours apart, each in a block and a transaction of its own.
const (
	eventCount     = 600
	firstBlock     = 21_000_000
	blocksPerEvent = 600
	lastBlock      = firstBlock + (eventCount-1)*blocksPerEvent
	eventInterval  = 2 * time.Hour
	gasBlocks      = 100 // The latest blocks have gas prices.
	limitedOrders  = 20  // The orders that are sent if the query wants them limited (assumed).
	defaultCandles = 100 // The intervals that are sent if the query has no limit (assumed).
	zeroAddress    = "0x0000000000000000000000000000000000000000"
)

// began and ended are the times of the first event and the last.
var (
	began = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	ended = began.Add((eventCount - 1) * eventInterval)
)

// layout is the form of all times. In this form they are in order like text.
const layout = "2006-01-02T15:04:05.000Z"

func stamp(at time.Time) string { return at.UTC().Format(layout) }

// amount makes the fields of an event about an amount of an ERC-20 token, or of a token of a collection.
func amount(contract object, standard string, quantity *big.Int) object {
	return object{
		"TokenContract": contract, "TokenContractAddress": contract["address"], "TokenContractERCStandard": standard,
		"TokenQuantity": bigInt(quantity),
	}
}

// drawToken draws an amount of an ERC-20 token.
func (c *chain) drawToken() object {
	drawn := pick(c.random, c.tokens)
	return amount(drawn, "ERC20", scaled(1+c.random.Int64N(5000), drawn["decimals"].(int)))
}

// addEvent makes up the event with a number, its transaction and its sale. Half of all events are sales. Only sales and
// swaps have something that moved to the sender.
func (c *chain) addEvent(number int) {
	kind := []string{"SALE", "MINT", "SALE", "TRANSFER", "SALE", "SWAP", "SALE", "BURN", "SALE", "TRANSFER"}[number%10]
	block, at := float64(firstBlock+number*blocksPerEvent), stamp(began.Add(time.Duration(number)*eventInterval))
	from, to, hash := pick(c.random, c.wallets), pick(c.random, c.wallets), c.bytes(32)
	of := pick(c.random, c.collections)
	token, coins := c.random.IntN(of.Size), int64(0)
	sent, received := amount(of.node["contract"].(object), of.Standard, big.NewInt(1)), object{}
	sent["TokenId"], sent["Nft"] = bigInt(of.id(token)), field(func(object) any { return of.token(token) })
	node := object{
		"__typename":  "Token" + kind[:1] + strings.ToLower(kind[1:]) + "Event",
		"blockNumber": block, "timestamp": at, "type": kind, "transferIndex": number % 3, "transactionHash": hash,
		"fromAddress": from["address"], "toAddress": to["address"], "from": from, "to": to,
	}
	switch kind {
	case "MINT":
		node["from"], node["fromAddress"], from = nil, zeroAddress, to
	case "BURN":
		node["to"], node["toAddress"] = nil, zeroAddress
	case "SALE":
		node["marketplace"] = pick(c.random, []string{"BLUR", "LOOKSRARE", "OPENSEA", "SEAPORT", "X2Y2"})
		coins = of.price * int64(80+c.random.IntN(41)) / 100
		received = amount(c.tokens[0], "ERC20", scaled(coins, 9))
		add(of.node, "sales", object{
			"timestamp": at, "estimatedConfirmedAt": at, "priceInNativeToken": float64(coins) / 1e9,
			"priceInEth": float64(coins) / 1e9, "quantitySold": 1, "fromAddress": from["address"], "toAddress": to["address"],
			"tokenId": of.id(token).String(), "transactionHash": hash, "timeRange": at, "timePeriod": at,
		})
	case "SWAP":
		sent, received = c.drawToken(), c.drawToken()
	case "TRANSFER":
		if number%4 == 1 {
			sent = c.drawToken()
		}
	}
	for name, value := range sent {
		node["sent"+name] = value
		name = strings.Replace(name, "TokenContract", "Contract", 1)
		node[strings.ToLower(name[:1])+name[1:]] = value
	}
	for name, value := range received {
		node["received"+name] = value
	}
	node["walletAddress"] = []any{node["fromAddress"], node["toAddress"]}
	node["contractStandard"] = node["contractERCStandard"]
	node["touches"] = []any{node["contractAddress"], received["TokenContractAddress"]}
	drawn := c.random.Uint64()
	gas, price := 60_000+drawn%200_000, 1_000_000_000+drawn%60_000_000_000
	transaction := object{
		"blockNumber": block, "blockTimestamp": at, "timestamp": at, "hash": hash, "fromAddress": from["address"],
		"toAddress": node["contractAddress"], "gas": gas * 2, "gasUsed": gas, "cumulativeGasUsed": gas * 7, "gasPrice": price,
		"effectiveGasPrice": price, "maxFeePerGas": uint64(90e9), "input": fmt.Sprintf("0x%08x", uint32(drawn)),
		"transactionIndex": drawn % 200, "type": "2", "value": bigInt(scaled(coins, 9)),
		"walletAddress": []any{from["address"], node["contractAddress"]},
	}
	node["transaction"] = transaction
	c.events, c.transactions = append(c.events, node), append(c.transactions, transaction)
}

// gasPrices makes up the gas prices of the latest blocks in wei (assumed), the oldest first.
func (c *chain) gasPrices() (prices []object) {
	for block := lastBlock - gasBlocks + 1; block <= lastBlock; block++ {
		floor := (float64(c.random.IntN(40)) + 0.5) * 1e9
		prices = append(prices, object{
			"blockNumber": float64(block), "floor": floor, "median": floor * 1.25, "average": floor * 1.5,
			"ceiling": floor * 4, "total": floor * 180,
		})
	}
	return prices
}

// periods are the schema's names of periods.
var periods = map[string]time.Duration{
	"ONE_MINUTE": time.Minute, "FIVE_MINUTES": 5 * time.Minute, "FIFTEEN_MINUTES": 15 * time.Minute,
	"THIRTY_MINUTES": 30 * time.Minute, "ONE_HOUR": time.Hour, "SIX_HOURS": 6 * time.Hour, "TWELVE_HOURS": 12 * time.Hour,
	"ONE_DAY": 24 * time.Hour, "SEVEN_DAYS": 7 * 24 * time.Hour, "THIRTY_DAYS": 30 * 24 * time.Hour,
}

// sold returns the collection's sales that pass the filter of the arguments, the oldest first, and the filter.
func (of *collection) sold(args object) ([]object, object) {
	filter, _ := args["filter"].(object)
	sales, _ := of.node["sales"].([]object)
	return filtered(sales, object{
		"timeRange": filter["timeRange"], "timePeriod": filter["timePeriod"],
		"timestamp": object{"gte": filter["confirmedAtGte"], "lte": filter["confirmedAtLte"]},
	}), filter
}

// summary returns the numbers of sales, also under their older names. Without sales there are no prices.
func summary(sales []object) object {
	sum := object{"totalSales": float64(len(sales)), "count": len(sales)}
	if len(sales) == 0 {
		return sum
	}
	price := func(i int) float64 { return sales[i]["priceInNativeToken"].(float64) }
	volume, low, high := 0.0, price(0), price(0)
	for i := range sales {
		volume, low, high = volume+price(i), min(low, price(i)), max(high, price(i))
	}
	for name, value := range map[string]float64{
		"average": volume / float64(len(sales)), "ceiling": high, "floor": low, "volume": volume,
	} {
		sum[name], sum[name+"InNativeToken"] = value, value
	}
	sum["open"], sum["close"], sum["low"], sum["high"] = price(0), price(len(sales)-1), low, high
	return sum
}

func (of *collection) stats(args object) any {
	sales, _ := of.sold(args)
	return summary(sales)
}

// orders lists the sales with their transactions, the oldest first. If they are limited, the latest are sent (assumed).
func (of *collection) orders(args object) any {
	sales, filter := of.sold(args)
	if filter["isLimited"] == true {
		return sales[max(len(sales)-limitedOrders, 0):]
	}
	return sales
}

// chart sums up the sales by intervals, of a day by default. Intervals without sales are left out. If there are too
// many, the latest are sent (assumed).
func (of *collection) chart(args object) any {
	sales, filter := of.sold(args)
	name, _ := filter["interval"].(string)
	intervals, candles := map[string][]object{}, []object{}
	for _, sale := range sales {
		at, _ := time.Parse(layout, sale["timestamp"].(string))
		start := stamp(at.Truncate(cmp.Or(periods[name], periods["ONE_DAY"])))
		if intervals[start] = append(intervals[start], sale); len(intervals[start]) == 1 {
			candles = append(candles, object{"timestamp": start})
		}
	}
	for _, candle := range candles {
		maps.Copy(candle, summary(intervals[candle["timestamp"].(string)]))
	}
	limit, sent := filter["limit"].(float64)
	if !sent {
		limit = defaultCandles
	}
	return candles[max(len(candles)-max(int(limit), 0), 0):]
}

// trending lists the collections with sales that pass a filter, the largest volume first by default.
func (c *chain) trending(args object) any {
	var found []object
	for _, of := range c.collections {
		if sales, _ := of.sold(args); len(sales) > 0 {
			sum := summary(sales)
			found = append(found, object{
				"collection": of.node, "stats": sum, "VOLUME": sum["volume"], "AVERAGE": sum["average"],
				"SALES": sum["totalSales"],
			})
		}
	}
	delete(args, "filter") // It is about the sales.
	args["orderBy"], args["orderDirection"] = cmp.Or(args["orderBy"], "VOLUME"), cmp.Or(args["orderDirection"], "DESC")
	return found
}
