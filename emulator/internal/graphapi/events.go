package graphapi

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// The history of a chain are events, two hours apart, each in a block and a transaction of its own.
const (
	eventCount     = 600
	firstBlock     = 21_000_000
	blocksPerEvent = 600
	eventInterval  = 2 * time.Hour
	zeroAddress    = "0x0000000000000000000000000000000000000000"
)

// began and ended are the times of the first event and the last.
var (
	began = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	ended = began.Add((eventCount - 1) * eventInterval)
)

// kinds are the types of the events, in turn. Half of all events are sales.
var kinds = []string{"SALE", "MINT", "SALE", "TRANSFER", "SALE", "SWAP", "SALE", "BURN", "SALE", "TRANSFER"}

// amount makes the fields of an event about an amount of an ERC-20 token, or of a token of a collection.
func amount(contract object, standard string, quantity *big.Int) object {
	return object{
		"TokenContract": contract, "TokenContractAddress": contract["address"], "TokenContractERCStandard": standard,
		"TokenQuantity": quantity,
	}
}

// drawToken draws an amount of an ERC-20 token.
func (c *chain) drawToken() object {
	drawn := pick(c.random, c.tokens)
	return amount(drawn, "ERC20", scaled(1+c.random.Int64N(5000), drawn["decimals"].(int)))
}

// addEvent makes up the event with a number, its transaction and its sale. Only sales and swaps have something that
// moved to the sender.
func (c *chain) addEvent(number int) {
	kind, block := kinds[number%len(kinds)], float64(firstBlock+number*blocksPerEvent)
	at := began.Add(time.Duration(number) * eventInterval)
	from, to, hash := pick(c.random, c.wallets), pick(c.random, c.wallets), c.bytes(32)
	of := pick(c.random, c.collections)
	index, price := c.random.IntN(of.Size), int64(0)
	node := object{
		"__typename":  "Token" + kind[:1] + strings.ToLower(kind[1:]) + "Event",
		"blockNumber": block, "timestamp": at, "type": kind, "transferIndex": number % 3, "transactionHash": hash,
		"fromAddress": from["address"], "toAddress": to["address"], "from": from, "to": to,
	}
	sent, received := amount(of.node["contract"].(object), of.Standard, big.NewInt(1)), object{}
	sent["Nft"], sent["TokenId"] = field(func(object) any { return of.token(index) }), of.id(index)
	switch kind {
	case "MINT":
		node["from"], node["fromAddress"], from = nil, zeroAddress, to
	case "BURN":
		node["to"], node["toAddress"] = nil, zeroAddress
	case "SALE":
		node["marketplace"] = pick(c.random, []string{"BLUR", "LOOKSRARE", "OPENSEA", "SEAPORT", "X2Y2"})
		price = of.price * int64(80+c.random.IntN(41)) / 100
		received = amount(c.tokens[0], "ERC20", scaled(price, 9))
		coins := float64(price) / 1e9
		add(of.node, "sales", object{
			"timestamp": at, "estimatedConfirmedAt": at, "priceInNativeToken": coins, "priceInEth": coins, "quantitySold": 1,
			"fromAddress": from["address"], "toAddress": to["address"], "tokenId": of.id(index).String(),
			"transactionHash": hash, "timeRange": at, "timePeriod": at,
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
	node["contractStandard"], node["walletAddress"] = sent["TokenContractERCStandard"], []any{node["fromAddress"], node["toAddress"]}
	node["touches"] = []any{sent["TokenContractAddress"], received["TokenContractAddress"]}
	drawn := c.mix(number, 4)
	gas, gasPrice := int64(60_000+drawn%200_000), int64(1_000_000_000+drawn%60_000_000_000)
	transaction := object{
		"blockNumber": block, "blockTimestamp": at, "timestamp": at, "hash": hash, "fromAddress": from["address"],
		"toAddress": sent["TokenContractAddress"], "gas": gas * 2, "gasUsed": gas, "cumulativeGasUsed": gas * 7,
		"gasPrice": gasPrice, "effectiveGasPrice": gasPrice, "maxFeePerGas": 90_000_000_000,
		"input": fmt.Sprintf("0x%08x", uint32(drawn)), "transactionIndex": drawn % 200, "type": "2",
		"value": scaled(price, 9), "walletAddress": []any{from["address"], sent["TokenContractAddress"]},
	}
	node["transaction"] = transaction
	c.events, c.transactions = append(c.events, node), append(c.transactions, transaction)
}

// gasPrices makes up the gas prices of the latest blocks in wei (assumed), the oldest first.
func (c *chain) gasPrices() (prices []object) {
	last := firstBlock + (eventCount-1)*blocksPerEvent
	for block := last - gasBlocks + 1; block <= last; block++ {
		floor := (float64(c.mix(block, 3)%40) + 0.5) * 1e9
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

// take takes the filter out of the arguments of a field, which then is not filtered by it.
func take(args object) object {
	filter, _ := args["filter"].(object)
	delete(args, "filter")
	return filter
}

// sold returns the collection's sales that pass a filter, the oldest first.
func (of *collection) sold(filter object) []object {
	sales, _ := of.node["sales"].([]object)
	return filtered(sales, object{
		"timeRange": filter["timeRange"], "timePeriod": filter["timePeriod"],
		"timestamp": object{"gte": filter["confirmedAtGte"], "lte": filter["confirmedAtLte"]},
	})
}

// summary returns the prices of sales, also under their older names. Without sales there are no prices.
func summary(sales []object) object {
	sum := object{"totalSales": float64(len(sales))}
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

func (of *collection) stats(args object) any { return summary(of.sold(take(args))) }

// limitedOrders is the number of orders if the query wants them limited (assumed).
const limitedOrders = 20

// orders lists the sales with their transactions, the oldest first. If they are limited, the latest are sent (assumed).
func (of *collection) orders(args object) any {
	filter := take(args)
	orders := of.sold(filter)
	if filter["isLimited"] == true {
		orders = orders[max(len(orders)-limitedOrders, 0):]
	}
	return orders
}

// defaultCandles is the number of intervals if the query has none (assumed).
const defaultCandles = 100

// chart sums up the sales by intervals, of a day by default. Intervals without sales are left out. If there are too
// many, the latest are sent (assumed).
func (of *collection) chart(args object) any {
	filter := take(args)
	sales := of.sold(filter)
	name, _ := filter["interval"].(string)
	interval := cmp.Or(periods[name], periods["ONE_DAY"])
	start := func(i int) time.Time { return sales[i]["timestamp"].(time.Time).Truncate(interval) }
	candles := []object{}
	for first, i := 0, 1; i <= len(sales); i++ {
		if i < len(sales) && start(i).Equal(start(first)) {
			continue
		}
		sum := summary(sales[first:i])
		candles = append(candles, object{
			"open": sales[first]["priceInNativeToken"], "close": sales[i-1]["priceInNativeToken"], "high": sum["ceiling"],
			"low": sum["floor"], "average": sum["average"], "volume": sum["volume"], "count": i - first,
			"timestamp": start(first),
		})
		first = i
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
	filter := take(args)
	for _, of := range c.collections {
		if sales := of.sold(filter); len(sales) > 0 {
			sum := summary(sales)
			found = append(found, object{
				"collection": of.node, "stats": sum, "VOLUME": sum["volume"], "AVERAGE": sum["average"],
				"SALES": sum["totalSales"],
			})
		}
	}
	args["orderBy"], args["orderDirection"] = cmp.Or(args["orderBy"], "VOLUME"), cmp.Or(args["orderDirection"], "DESC")
	return found
}
