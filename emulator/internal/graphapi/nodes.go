package graphapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// The functions of this file make the objects of the schema. An unknown thing is nil.

// nodes makes an object of each item, and leaves out the items without one.
func nodes[T any](items []T, node func(T) object) (list []object) {
	for _, item := range items {
		if made := node(item); made != nil {
			list = append(list, made)
		}
	}
	return list
}

// eventsField lists the events that pass, the newest first.
func (c *chain) eventsField(pass func(*event) bool) field {
	return func(a arguments) any {
		var found []object
		for _, e := range slices.Backward(c.events) {
			if pass(e) {
				found = append(found, c.eventNode(e))
			}
		}
		return c.list(a, found)
	}
}

// transactionsField lists the transactions of a wallet, or of all, the oldest first (assumed).
func (c *chain) transactionsField(of map[string]any) field {
	return func(a arguments) any { return c.list(a, filtered(nodes(c.events, c.transactionNode), of)) }
}

// node is the root of a chain's data.
func (c *chain) node() object {
	return object{
		"collection":  field(func(a arguments) any { return c.collectionAt(a.text("contractAddress")).node() }),
		"collections": field(func(a arguments) any { return c.list(a, nodes(c.collections, (*collection).node)) }),
		"contract":    field(func(a arguments) any { return c.contractAt(a.text("contractAddress")) }),
		"contracts": field(func(a arguments) any {
			list := nodes(c.collections, (*collection).contractNode)
			for i := range c.tokens {
				list = append(list, c.tokenNode(i))
			}
			return c.list(a, list)
		}),
		"gasPrices": field(c.gasPrices),
		"nft": field(func(a arguments) any {
			of := c.collectionAt(a.text("contractAddress"))
			return of.tokenNode(of.token(a.text("tokenId")))
		}),
		"tokenEvents": c.eventsField(func(*event) bool { return true }),
		"transaction": field(func(a arguments) any {
			i := at(c.events, a.text("hash"), func(e *event) string { return e.hash })
			if i < 0 {
				return nil
			}
			return c.transactionNode(c.events[i])
		}),
		"transactions":        c.transactionsField(nil),
		"trendingCollections": field(c.trending),
		"walletByAddress":     field(func(a arguments) any { return c.walletNode(a.text("address")) }),
		"walletByENS": field(func(a arguments) any {
			i := at(c.wallets, a.text("ensName"), func(w fleet.GraphWallet) string { return w.ENSName })
			if i < 0 || a.text("ensName") == "" {
				return nil
			}
			return c.walletNode(c.wallets[i].Address)
		}),
	}
}

// gasPrices makes up the gas prices of the latest blocks in wei (assumed), the oldest first.
func (c *chain) gasPrices(a arguments) any {
	var prices []object
	last := c.events[len(c.events)-1].block
	for block := last - gasBlocks + 1; block <= last; block++ {
		floor := (float64(c.mix(block, 3)%40) + 0.5) * 1e9
		prices = append(prices, object{
			"blockNumber": block, "floor": floor, "median": floor * 1.25, "average": floor * 1.5, "ceiling": floor * 4,
			"total": floor * 180,
		})
	}
	return ordered(filtered(prices, a.input("filter")), "", a.text("orderDirection"))
}

func picture(slug, name string, width float64) []object {
	return []object{{
		"height": width / 2, "width": width, "mimeType": "image/png",
		"url": fmt.Sprintf("https://%s.example/%s.png", slug, name),
	}}
}

func (c *collection) node() object {
	if c == nil {
		return nil
	}
	first, rest, _ := strings.Cut(c.slug, "-")
	supply := field(func(arguments) any { return newBigInt(c.supply()) })
	node := object{
		"__typename": c.standard + "Collection", "address": c.address, "name": c.name, "slug": c.slug,
		"symbol": strings.ToUpper(fmt.Sprintf("%.1s%.3s", first, cmp.Or(rest, first))), "description": "Made up: " + c.name + ".",
		"externalUrl":  "https://" + c.slug + ".example",
		"baseTokenUri": "https://" + c.slug + ".example/metadata/", "image": picture(c.slug, "image", 512),
		"openseaMetadata": object{"isHidden": false, "isVerified": c.index%2 == 0, "unsafeSlug": c.slug},
		"totalSupply":     supply, "circulatingSupply": supply,
		"contract":    field(func(arguments) any { return c.contractNode() }),
		"tokenEvents": c.chain.eventsField(func(e *event) bool { return e.touches(c.address) }),
		"attributes":  field(c.attributes), "wallets": field(c.wallets),
		"nft": field(func(a arguments) any { return c.tokenNode(c.token(a.text("tokenId"))) }),
		"nfts": field(func(a arguments) any {
			if !passes(object{"contractAddressIn": c.address}, a["filter"]) {
				return c.chain.page(a, 0, c.tokenNode)
			}
			return c.chain.page(a, c.size, c.tokenNode)
		}),
		"ohlcvChart": field(c.chart), "orderHistory": field(c.orders), "sales": field(c.sales), "stats": field(c.stats),
		"ercStandard": c.standard, "contractAddressIn": c.address,
	}
	if c.index%2 == 0 {
		node["twitterUsername"] = strings.ReplaceAll(c.slug, "-", "_") + "_example"
		node["bannerImage"] = picture(c.slug, "banner", 1400)
	}
	return node
}

// attributes lists the traits of the tokens, each once, in the order of the tokens.
func (c *collection) attributes(a arguments) any {
	var found []object
	seen := map[string]bool{}
	for i := range c.size {
		for _, trait := range c.traits(i) {
			if key := fmt.Sprint(trait); !seen[key] {
				seen[key] = true
				found = append(found, trait)
			}
		}
	}
	return c.chain.list(a, found)
}

// traits draws the two traits of a token.
func (c *collection) traits(index int) []object {
	drawn := c.chain.mix(c.index, index)
	colors := []string{"amber", "blue", "coral", "green", "slate"}
	return []object{
		{"name": "background", "value": colors[drawn%uint64(len(colors))]},
		{"name": "rank", "value": fmt.Sprint(drawn>>8%100 + 1)},
	}
}

// wallets lists the wallets that hold tokens, in the order of the chain's wallets.
func (c *collection) wallets(a arguments) any {
	holds := map[int]bool{}
	for i := range c.size {
		for _, h := range c.holders(i) {
			holds[h.wallet] = true
		}
	}
	var found []object
	for i, w := range c.chain.wallets {
		if holds[i] {
			found = append(found, c.chain.walletNode(w.Address))
		}
	}
	return c.chain.list(a, found)
}

// id returns the id of the token at an index.
func (c *collection) id(index int) bigInt {
	return bigInt{new(big.Int).Add(c.firstID, big.NewInt(int64(index)))}
}

// tokenNode makes the token at an index. Index -1 gives nil.
func (c *collection) tokenNode(index int) object {
	if index < 0 {
		return nil
	}
	name, traits, site := fmt.Sprintf("%s #%d", c.name, index), c.traits(index), "https://"+c.slug+".example"
	wallet := func(h holding) object { return c.chain.walletNode(c.chain.wallets[h.wallet].Address) }
	node := object{
		"__typename": c.standard + "NFT", "tokenId": c.id(index), "contractAddress": c.address, "collectionSlug": c.slug,
		"name": name, "description": "Made up: " + c.name + ".", "externalUrl": fmt.Sprintf("%s/tokens/%d", site, index),
		"collection": field(func(arguments) any { return c.node() }),
		"contract":   field(func(arguments) any { return c.contractNode() }),
		"uploads":    picture(c.slug, fmt.Sprintf("tokens/%d", index), 1024),
		"attributes": traits, "metadata": map[string]any{"name": name, "attributes": traits, "edition": index},
		"wallet":      field(func(arguments) any { return wallet(c.holders(index)[0]) }),
		"wallets":     field(func(a arguments) any { return c.chain.list(a, nodes(c.holders(index), wallet)) }),
		"tokenEvents": c.chain.eventsField(func(e *event) bool { return e.sent.is(c, index) || e.received.is(c, index) }),
	}
	if index%3 == 0 {
		node["animationUrl"] = fmt.Sprintf("%s/animations/%d.mp4", site, index)
	}
	return node
}

// contract makes the fields that all contracts have.
func (c *chain) contract(address, name, symbol string, interfaces []string) object {
	return object{
		"address": address, "name": name, "symbol": symbol, "isVerified": true, "supportedErcInterfaces": interfaces,
		"abi": json.RawMessage(
			`[{"type":"function","name":"totalSupply","inputs":[],"outputs":[{"type":"uint256"}]}]`),
		"tokenEvents": c.eventsField(func(e *event) bool { return e.touches(address) }),
	}
}

// contractAt makes the contract with an address.
func (c *chain) contractAt(address string) object {
	if found := c.collectionAt(address); found != nil {
		return found.contractNode()
	}
	return c.tokenNode(c.tokenAt(address))
}

func (c *collection) contractNode() object {
	of := c.node()
	node := c.chain.contract(c.address, c.name, of["symbol"].(string), []string{"ERC165", c.standard})
	node["__typename"], node["collection"] = "NFTContract", of
	return node
}

// tokenNode makes the contract of the ERC-20 token at an index. Index -1 gives nil.
func (c *chain) tokenNode(index int) object {
	if index < 0 {
		return nil
	}
	t := c.tokens[index]
	node := c.contract(t.Address, t.Name, t.Symbol, []string{erc20})
	node["__typename"], node["decimals"] = "TokenContract", newBigInt(int64(t.Decimals))
	slug := strings.ReplaceAll(strings.ToLower(t.Name), " ", "-")
	node["details"] = object{"address": t.Address, "name": t.Name, "slug": slug, "symbol": t.Symbol}
	return node
}

func (c *chain) walletNode(address string) object {
	index := at(c.wallets, address, func(w fleet.GraphWallet) string { return w.Address })
	if index < 0 {
		return nil
	}
	address = c.wallets[index].Address
	node := object{
		"address":      address,
		"tokenEvents":  c.eventsField(func(e *event) bool { return e.from == address || e.to == address }),
		"transactions": c.transactionsField(map[string]any{"walletAddress": address}),
		"walletNFT": field(func(a arguments) any {
			of := c.collectionAt(a.text("contractAddress"))
			for _, h := range of.held(index) {
				if h.index == of.token(a.text("tokenId")) {
					return of.holdingNode(h)
				}
			}
			return nil
		}),
		"walletNFTs": field(func(a arguments) any {
			var held []object
			for _, of := range c.collections {
				held = append(held, nodes(of.held(index), of.holdingNode)...)
			}
			return c.list(a, held)
		}),
		"walletCollection": field(func(a arguments) any {
			return c.collectionAt(a.text("collectionAddress")).shareNode(index)
		}),
		"walletCollections": field(func(a arguments) any {
			return c.list(a, nodes(c.collections, func(of *collection) object { return of.shareNode(index) }))
		}),
		"tokenBalances": field(func(a arguments) any {
			var held []object
			for i, t := range c.tokens {
				if balance := c.balance(i, index); balance.Sign() > 0 {
					held = append(held, object{
						"contract": c.tokenNode(i), "contractAddress": t.Address, "totalBalance": balance, "by ": t.Address,
						"by CONTRACT_ADDRESS": t.Address, "by NAME": t.Name, "by SYMBOL": t.Symbol, "by TOTAL_BALANCE": balance,
					})
				}
			}
			return c.list(a, held)
		}),
	}
	if name := c.wallets[index].ENSName; name != "" {
		node["ensName"] = name
	}
	return node
}

// holdingNode makes a wallet's share of a token.
func (c *collection) holdingNode(h holding) object {
	nft := c.tokenNode(h.index)
	return object{
		"nft": nft, "nftsCount": h.count, "by NAME": nft["name"],
		"contractTokens": object{"contractAddress": c.address, "tokenId": c.id(h.index).String()},
	}
}

// shareNode makes a wallet's share of the collection, or nil if it holds none of its tokens.
func (c *collection) shareNode(wallet int) object {
	count := int64(0)
	for _, h := range c.held(wallet) {
		count += h.count
	}
	if count == 0 {
		return nil
	}
	return object{
		"collection": c.node(), "collectionAddress": c.address, "nftsCount": newBigInt(count), "contractAddressIn": c.address,
		"by NAME": c.name,
	}
}

// is reports whether the asset is a token of a collection.
func (a *asset) is(of *collection, index int) bool {
	return a != nil && a.collection == of && a.index == index
}

// address returns the address of the asset's contract.
func (a *asset) address() string {
	if a.token != nil {
		return a.token.Address
	}
	return a.collection.address
}

// touches reports whether the event moves something of a contract.
func (e *event) touches(address string) bool {
	return strings.EqualFold(e.sent.address(), address) || e.received != nil &&
		strings.EqualFold(e.received.address(), address)
}

// assetFields sets the fields of an event about one asset, whose names begin with a prefix. Without a prefix they begin
// with lower case.
func (c *chain) assetFields(node object, a *asset, nft, prefix string) {
	if a == nil {
		return
	}
	name := func(of string) string { return strings.ToLower((prefix + of)[:1]) + (prefix + of)[1:] }
	contract := "TokenContract"
	if prefix == "" {
		contract = "Contract"
	}
	standard := erc20
	if a.token == nil {
		standard = a.collection.standard
		node[nft] = field(func(arguments) any { return a.collection.tokenNode(a.index) })
		node[name("TokenId")] = a.collection.id(a.index)
	}
	node[name(contract)] = field(func(arguments) any { return c.contractAt(a.address()) })
	node[name(contract+"Address")], node[name(contract+"ERCStandard")] = a.address(), standard
	node[name("TokenQuantity")] = a.quantity
}

func (c *chain) eventNode(e *event) object {
	wallet := func(address string) field {
		return func(arguments) any { return c.walletNode(address) }
	}
	node := object{
		"__typename":  "Token" + e.kind[:1] + strings.ToLower(e.kind[1:]) + "Event",
		"blockNumber": e.block, "timestamp": e.at, "type": e.kind, "transferIndex": e.number % 3, "transactionHash": e.hash,
		"fromAddress": e.from, "toAddress": e.to, "from": wallet(e.from), "to": wallet(e.to), "marketplace": e.marketplace,
		"transaction":   field(func(arguments) any { return c.transactionNode(e) }),
		"walletAddress": []string{e.from, e.to},
	}
	c.assetFields(node, e.sent, "nft", "")
	c.assetFields(node, e.sent, "sentNft", "Sent")
	c.assetFields(node, e.received, "receivedNft", "Received")
	node["contractStandard"] = node["contractERCStandard"]
	return node
}

func (c *chain) transactionNode(e *event) object {
	sender := e.from
	if sender == zeroAddress {
		sender = e.to
	}
	drawn := c.mix(e.number, 4)
	gas, price := int64(60_000+drawn%200_000), newBigInt(int64(1_000_000_000+drawn%60_000_000_000))
	return object{
		"blockNumber": e.block, "blockTimestamp": e.at, "timestamp": e.at, "hash": e.hash, "fromAddress": sender,
		"toAddress": e.sent.address(), "gas": newBigInt(gas * 2), "gasUsed": newBigInt(gas),
		"cumulativeGasUsed": newBigInt(gas * 7), "gasPrice": price,
		"effectiveGasPrice": price, "maxFeePerGas": newBigInt(90_000_000_000), "input": fmt.Sprintf("0x%08x", uint32(drawn)),
		"transactionIndex": int(drawn % 200), "type": "2", "value": scaled(e.price, 9),
		"walletAddress": []string{sender, e.sent.address()},
	}
}
