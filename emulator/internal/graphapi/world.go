package graphapi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// madeUp are the collections of a chain, and coins its ERC-20 tokens. A chain also has wallets that hold both, and a
// history of events. One of the collections is large enough to page through.
var (
	madeUp = []collection{
		{Name: "Quiet Harbors", Size: 5000, Standard: "ERC721", price: 2_400_000_000},
		{Name: "Paper Lanterns", Size: 40, Standard: "ERC721", price: 150_000_000},
		{Name: "Deep Numbers", Size: 25, Standard: "ERC721", price: 50_000_000, idBits: 200},
		{Name: "Field Notes", Size: 30, Standard: "ERC1155", price: 4_000_000},
		{Name: "Tide Tables", Size: 8, Standard: "ERC1155", price: 50_000_000, idBits: 53},
	}
	coins = []struct {
		name, symbol string
		decimals     int
	}{{"Wrapped Coin", "WCOIN", 18}, {"Example Dollar", "EXD", 6}, {"Harbor Token", "HRB", 18}, {"Whole Units", "WHOLE", 0}}
)

const walletCount = 24

var colors = []string{"amber", "blue", "coral", "green", "slate"}

// chain is the data of one chain. Its objects contain all fields of the schema, and the ones that only filters, orders
// and look-ups use.
type chain struct {
	pageCap                               int
	source                                *rand.ChaCha8
	random                                *rand.Rand // Of the source.
	collections                           []*collection
	tokens, wallets, events, transactions []object
}

// newChain makes up a chain. The name is part of the seed, so that chains have different addresses.
func newChain(name string, seed uint64, pageCap int) object {
	c := &chain{pageCap: pageCap, source: rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, name, seed)))}
	c.random = rand.New(c.source)
	for i := range walletCount {
		c.addWallet(i)
	}
	for _, of := range madeUp {
		c.addCollection(of)
	}
	for _, coin := range coins {
		c.addToken(coin.name, coin.symbol, coin.decimals)
	}
	for number := range eventCount {
		c.addEvent(number)
	}
	slices.Reverse(c.events) // The newest first.
	root := object{
		"tokenEvents": c.events, "transactions": c.transactions, "gasPrices": c.gasPrices(), "nft": field(c.nft),
		"trendingCollections": field(c.trending), "walletByAddress": c.wallets, "walletByENS": c.wallets,
	}
	for _, of := range c.collections {
		add(root, "collections", of.node)
		add(root, "contracts", of.node["contract"].(object))
	}
	for _, token := range c.tokens {
		add(root, "contracts", token)
	}
	return root
}

// bytes draws n bytes, in hexadecimal.
func (c *chain) bytes(n int) string {
	drawn := make([]byte, n)
	_, _ = c.source.Read(drawn) // It never fails.
	return "0x" + hex.EncodeToString(drawn)
}

func pick[T any](random *rand.Rand, choices []T) T { return choices[random.IntN(len(choices))] }

// bigInt returns the JSON of a BigInt: a number up to 2^53, and text beyond (observed).
func bigInt(n *big.Int) any {
	if n.CmpAbs(big.NewInt(1<<53)) <= 0 {
		return json.Number(n.String())
	}
	return n.String()
}

// scaled returns n times ten to the power of decimals.
func scaled(n int64, decimals int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return power.Mul(power, big.NewInt(n))
}

// add adds an object to a list of another object.
func add(to object, list string, added object) {
	before, _ := to[list].([]object)
	to[list] = append(before, added)
}

func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// eventsOf lists the events that pass a filter.
func (c *chain) eventsOf(filter object) field {
	return func(object) any { return filtered(c.events, filter) }
}

// addWallet adds a wallet. Every second one has a name.
func (c *chain) addWallet(number int) {
	address := c.bytes(20)
	ofWallet := object{"walletAddress": address}
	node := object{
		"address": address, "tokenEvents": c.eventsOf(ofWallet),
		"transactions": field(func(object) any { return filtered(c.transactions, ofWallet) }),
		"walletNFTs":   c.held(number),
	}
	if number%2 == 0 {
		node["ensName"] = fmt.Sprintf("wallet-%d.example.eth", number)
	}
	c.wallets = append(c.wallets, node)
}

// contract makes the fields that all contracts have.
func (c *chain) contract(kind, address, name, symbol string, interfaces ...string) object {
	return object{
		"__typename": kind, "address": address, "contractAddress": address, "name": name, "symbol": symbol,
		"isVerified": true, "supportedErcInterfaces": interfaces, "tokenEvents": c.eventsOf(object{"touches": address}),
		"abi": json.RawMessage(
			`[{"type":"function","name":"totalSupply","inputs":[],"outputs":[{"type":"uint256"}]}]`),
	}
}

// addToken adds the contract of an ERC-20 token, and the balances of wallets. About every fifth wallet has none.
func (c *chain) addToken(name, symbol string, decimals int) {
	address := c.bytes(20)
	node := c.contract("TokenContract", address, name, symbol, "ERC20")
	node["decimals"] = decimals
	node["details"] = object{"address": address, "name": name, "slug": slug(name), "symbol": symbol}
	for _, wallet := range c.wallets {
		balance := scaled(1+c.random.Int64N(1_000_000), decimals)
		balance.Add(balance, big.NewInt(c.random.Int64N(997)))
		if order, _ := balance.Float64(); c.random.IntN(5) > 0 {
			add(wallet, "tokenBalances", object{
				"contract": node, "contractAddress": address, "totalBalance": bigInt(balance),
				"CONTRACT_ADDRESS": address, "NAME": name, "SYMBOL": symbol, "TOTAL_BALANCE": order,
			})
		}
	}
	c.tokens = append(c.tokens, node)
}

// collection is an NFT collection. Its tokens are made on demand, because there can be many.
type collection struct {
	Name, Standard, Address string
	Size                    int
	price                   int64 // Of a token, in billionths of the chain's coin.
	idBits                  uint  // Ids count from 2 to this power: some collections make them from hashes, beyond 2^53.

	chain *chain
	index int
	node  object
}

func picture(url string) []object {
	return []object{{"height": 512, "width": 512, "mimeType": "image/png", "url": url}}
}

// addCollection adds a collection with its contract, and its share of the wallets.
func (c *chain) addCollection(made collection) {
	of, slug := &made, slug(made.Name)
	of.Address, of.chain, of.index = c.bytes(20), c, len(c.collections)
	first, rest, _ := strings.Cut(slug, "-")
	symbol, site := strings.ToUpper(fmt.Sprintf("%.1s%.3s", first, cmp.Or(rest, first))), "https://"+slug+".example"
	contract := c.contract("NFTContract", of.Address, of.Name, symbol, "ERC165", of.Standard)
	of.node = object{
		"__typename": of.Standard + "Collection", "address": of.Address, "name": of.Name, "slug": slug, "symbol": symbol,
		"description": "Made up: " + of.Name + ".", "externalUrl": site, "baseTokenUri": site + "/metadata/",
		"image": picture(site + "/image.png"), "bannerImage": picture(site + "/banner.png"),
		"contract": contract, "tokenEvents": contract["tokenEvents"],
		"openseaMetadata": object{"isHidden": false, "isVerified": of.index%2 == 0, "unsafeSlug": slug},
		"twitterUsername": slug + "_example",
		"nft":             field(of.nft), "nfts": field(of.nfts), "stats": field(of.stats), "orderHistory": field(of.orders),
		"ohlcvChart": field(of.chart), "contractAddress": of.Address, "ercStandard": of.Standard,
	}
	contract["collection"] = of.node
	supply, counts := 0, make([]int, len(c.wallets))
	for token := range of.Size {
		for _, h := range of.holders(token) {
			counts[h.wallet] += h.count
		}
		if token < len(colors) { // The others have the same backgrounds.
			add(of.node, "attributes", background(token))
		}
	}
	for i, count := range counts {
		if supply += count; count > 0 {
			add(of.node, "wallets", c.wallets[i])
			add(c.wallets[i], "walletCollections", object{
				"collection": of.node, "collectionAddress": of.Address, "nftsCount": count, "contractAddressIn": of.Address,
				"NAME": of.Name,
			})
		}
	}
	of.node["totalSupply"], of.node["circulatingSupply"] = supply, supply
	c.collections = append(c.collections, of)
}

// holding is a wallet's share of a token.
type holding struct{ wallet, count int }

// holders returns the holders of a token: one wallet of an ERC-721 token, and three of an ERC-1155 token.
func (of *collection) holders(token int) []holding {
	first, wallets := token*7+of.index, len(of.chain.wallets)
	if of.Standard == "ERC721" {
		return []holding{{first % wallets, 1}}
	}
	return []holding{{first % wallets, 1}, {(first + 1) % wallets, 1 + token%4}, {(first + 2) % wallets, 2}}
}

// held lists the tokens that the wallet at an index holds.
func (c *chain) held(wallet int) field {
	return func(object) any {
		var held []object
		for _, of := range c.collections {
			for token := range of.Size {
				for _, h := range of.holders(token) {
					if h.wallet == wallet {
						nft := of.token(token)
						held = append(held, object{
							"nft": nft, "nftsCount": h.count, "contractTokens": nft, "contractAddress": of.Address,
							"tokenId": nft["tokenId"], "NAME": nft["name"],
						})
					}
				}
			}
		}
		return held
	}
}

// background makes the trait of a token.
func background(token int) object {
	return object{"name": "background", "value": colors[token%len(colors)]}
}

// nfts returns a page of the tokens.
func (of *collection) nfts(args object) any {
	size := of.Size
	if !passes(object{"contractAddressIn": of.Address}, args["filter"]) {
		size = 0
	}
	return page(args, size, of.chain.pageCap, of.token)
}

// nft finds the token with the id in the arguments, in decimal, or returns nil.
func (of *collection) nft(args object) any {
	id, ok := new(big.Int).SetString(args["tokenId"].(string), 10)
	if !ok || id.Sub(id, of.id(0)).Sign() < 0 || id.Cmp(big.NewInt(int64(of.Size))) >= 0 {
		return nil
	}
	return of.token(int(id.Int64()))
}

// nft finds a token of the chain in the same way.
func (c *chain) nft(args object) any {
	for _, of := range c.collections {
		if passes(of.Address, args["contractAddress"]) {
			return of.nft(args)
		}
	}
	return nil
}

// id returns the id of the token at an index.
func (of *collection) id(index int) *big.Int {
	first := new(big.Int).Lsh(big.NewInt(1), of.idBits)
	return first.Add(first, big.NewInt(int64(index)))
}

// token makes the token at an index.
func (of *collection) token(index int) object {
	name, id, traits := fmt.Sprintf("%s #%d", of.Name, index), bigInt(of.id(index)), []object{background(index)}
	site := fmt.Sprintf("%s/tokens/%d", of.node["externalUrl"], index)
	nft := object{
		"__typename": of.Standard + "NFT", "tokenId": id, "contractAddress": of.Address, "collectionSlug": of.node["slug"],
		"name": name, "description": of.node["description"], "externalUrl": site, "animationUrl": site + ".mp4",
		"collection": of.node, "contract": of.node["contract"], "attributes": traits,
		"uploads": picture(site + ".png"), "metadata": object{"name": name, "attributes": traits, "edition": index},
		"tokenEvents": of.chain.eventsOf(object{"contractAddress": of.Address, "tokenId": id}),
	}
	for _, h := range of.holders(index) {
		nft["wallet"] = of.chain.wallets[h.wallet] // Of an ERC-721 token.
		add(nft, "wallets", of.chain.wallets[h.wallet])
	}
	return nft
}
