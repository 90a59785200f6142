package graphapi

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// The made-up data of a chain are few: some collections, one of them large enough to page through, some ERC-20 tokens,
// wallets that hold both, and a history of events.
const (
	walletCount = 24
	gasBlocks   = 100 // The latest blocks have gas prices.
	sharedBy    = 3   // An ERC-1155 token has so many holders.
)

var madeCollections = []collection{
	{GraphCollection: fleet.GraphCollection{Name: "Quiet Harbors", Size: 5000}, price: 2_400_000_000},
	{GraphCollection: fleet.GraphCollection{Name: "Paper Lanterns", Size: 40}, firstID: new(big.Int), price: 150_000_000},
	// Some collections make ids from hashes, beyond 2^53.
	{GraphCollection: fleet.GraphCollection{Name: "Deep Numbers", Size: 25},
		firstID: new(big.Int).Lsh(big.NewInt(1), 200), price: 31_000_000},
	{GraphCollection: fleet.GraphCollection{Name: "Field Notes", Standard: "ERC1155", Size: 30}, price: 4_000_000},
	{GraphCollection: fleet.GraphCollection{Name: "Tide Tables", Standard: "ERC1155", Size: 8},
		firstID: big.NewInt(9_007_199_254_740_990), price: 900_000},
}

var madeTokens = []fleet.GraphToken{
	{Name: "Wrapped Coin", Symbol: "WCOIN", Decimals: 18}, {Name: "Example Dollar", Symbol: "EXD", Decimals: 6},
	{Name: "Harbor Token", Symbol: "HRB", Decimals: 18}, {Name: "Whole Units", Symbol: "WHOLE"},
}

// chain is the data of one chain. Its objects contain all fields of the schema, and the ones that only filters, orders
// and look-ups use.
type chain struct {
	seed                                  uint64
	pageCap                               int
	random                                *rand.Rand
	collections                           []*collection
	tokens, wallets, events, transactions []object
}

// collection is an NFT collection. Its tokens are made on demand.
type collection struct {
	fleet.GraphCollection
	firstID *big.Int // The ids of all tokens follow it.
	price   int64    // The usual price of a token, in billionths of the chain's coin.
	chain   *chain
	index   int
	node    object
	held    [][]holding // By wallet.
}

// holding is a wallet's share of a token.
type holding struct{ token, wallet, count int }

// newChain makes up a chain, and adds the given data. The name is part of the seed, so that chains have different
// addresses.
func newChain(name string, seed uint64, pageCap int, given fleet.GraphChain) object {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	c := &chain{seed: seed ^ hash.Sum64(), pageCap: pageCap}
	c.random = rand.New(rand.NewPCG(c.seed, 0x6772617068))
	for i := range walletCount {
		w := fleet.GraphWallet{Address: c.bytes(20)}
		if i%2 == 0 {
			w.ENSName = fmt.Sprintf("wallet-%d.example.eth", i)
		}
		c.addWallet(w)
	}
	for _, w := range given.Wallets {
		c.addWallet(w)
	}
	for _, made := range madeCollections {
		made.Address = c.bytes(20)
		c.addCollection(made)
	}
	for _, g := range given.Collections {
		c.addCollection(collection{GraphCollection: g, price: 50_000_000})
	}
	for _, made := range madeTokens {
		made.Address = c.bytes(20)
		c.addToken(made)
	}
	for _, token := range given.Tokens {
		c.addToken(token)
	}
	for number := range eventCount {
		c.addEvent(number)
	}
	slices.Reverse(c.events)
	root := object{
		"gasPrices": c.gasPrices(), "tokenEvents": c.events, "transactions": c.transactions,
		"trendingCollections": field(c.trending), "walletByAddress": c.wallets, "walletByENS": c.wallets,
		"nft": field(func(args object) any {
			for _, of := range c.collections {
				if passes(of.Address, args["contractAddress"]) {
					return of.nft(args)
				}
			}
			return nil
		}),
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
	for i := range drawn {
		drawn[i] = byte(c.random.UintN(256))
	}
	return "0x" + hex.EncodeToString(drawn)
}

// mix draws a number that depends only on the seed and the keys, for data that are made on demand.
func (c *chain) mix(keys ...int) uint64 {
	drawn := rand.NewPCG(c.seed, 0).Uint64()
	for _, key := range keys {
		drawn = rand.NewPCG(drawn, uint64(key)).Uint64()
	}
	return drawn
}

func pick[T any](random *rand.Rand, choices []T) T { return choices[random.IntN(len(choices))] }

// scaled returns n times ten to the power of decimals.
func scaled(n int64, decimals int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return power.Mul(power, big.NewInt(n))
}

// eventsOf lists the events that pass a filter, the newest first.
func (c *chain) eventsOf(filter object) field {
	return func(object) any { return filtered(c.events, filter) }
}

// add adds an object to a list of another object.
func add(to object, list string, added object) {
	before, _ := to[list].([]object)
	to[list] = append(before, added)
}

func (c *chain) addWallet(w fleet.GraphWallet) {
	index := len(c.wallets)
	node := object{
		"address":     w.Address,
		"tokenEvents": c.eventsOf(object{"walletAddress": w.Address}),
		"transactions": field(func(object) any {
			return filtered(c.transactions, object{"walletAddress": w.Address})
		}),
		"walletNFTs": field(func(object) any {
			var held []object
			for _, of := range c.collections {
				for _, h := range of.held[index] {
					nft := of.token(h.token)
					held = append(held, object{
						"nft": nft, "nftsCount": h.count, "contractTokens": nft, "contractAddress": of.Address,
						"tokenId": nft["tokenId"], "NAME": nft["name"],
					})
				}
			}
			return held
		}),
	}
	if w.ENSName != "" {
		node["ensName"] = w.ENSName
	}
	c.wallets = append(c.wallets, node)
}

// contract makes the fields that all contracts have.
func (c *chain) contract(address, name, symbol string, interfaces ...string) object {
	return object{
		"address": address, "name": name, "symbol": symbol, "contractAddress": address, "isVerified": true, "supportedErcInterfaces": interfaces,
		"abi": json.RawMessage(
			`[{"type":"function","name":"totalSupply","inputs":[],"outputs":[{"type":"uint256"}]}]`),
		"tokenEvents": c.eventsOf(object{"touches": address}),
	}
}

// addToken adds the contract of an ERC-20 token, and the balances of wallets. About every fifth wallet has none.
func (c *chain) addToken(t fleet.GraphToken) {
	node := c.contract(t.Address, t.Name, t.Symbol, "ERC20")
	node["__typename"], node["decimals"] = "TokenContract", t.Decimals
	slug := strings.ReplaceAll(strings.ToLower(t.Name), " ", "-")
	node["details"] = object{"address": t.Address, "name": t.Name, "slug": slug, "symbol": t.Symbol}
	for i, wallet := range c.wallets {
		drawn := c.mix(len(c.tokens), i, 2)
		balance := scaled(int64(drawn>>8%1_000_000), t.Decimals)
		balance.Add(balance, big.NewInt(int64(drawn%997)))
		if drawn%5 > 0 && balance.Sign() > 0 {
			add(wallet, "tokenBalances", object{
				"contract": node, "contractAddress": t.Address, "totalBalance": balance,
				"CONTRACT_ADDRESS": t.Address, "NAME": t.Name, "SYMBOL": t.Symbol, "TOTAL_BALANCE": balance,
			})
		}
	}
	c.tokens = append(c.tokens, node)
}

func picture(site, name string, width float64) []object {
	return []object{{
		"height": width / 2, "width": width, "mimeType": "image/png", "url": fmt.Sprintf("%s/%s.png", site, name),
	}}
}

// addCollection adds a collection with its contract, and its share of the wallets.
func (c *chain) addCollection(made collection) {
	of := &made
	of.chain, of.index, of.held = c, len(c.collections), make([][]holding, len(c.wallets))
	of.Standard, of.firstID = cmp.Or(of.Standard, "ERC721"), cmp.Or(of.firstID, big.NewInt(1))
	slug := strings.ReplaceAll(strings.ToLower(of.Name), " ", "-")
	first, rest, _ := strings.Cut(slug, "-")
	symbol := strings.ToUpper(fmt.Sprintf("%.1s%.3s", first, cmp.Or(rest, first)))
	contract, site := c.contract(of.Address, of.Name, symbol, "ERC165", of.Standard), "https://"+slug+".example"
	of.node = object{
		"__typename": of.Standard + "Collection", "address": of.Address, "name": of.Name, "slug": slug, "symbol": symbol,
		"description": "Made up: " + of.Name + ".", "externalUrl": site, "baseTokenUri": site + "/metadata/",
		"image": picture(site, "image", 512), "contract": contract, "tokenEvents": contract["tokenEvents"],
		"openseaMetadata": object{"isHidden": false, "isVerified": of.index%2 == 0, "unsafeSlug": slug},
		"attributes":      field(of.attributes), "nft": field(of.nft), "nfts": field(of.nfts),
		"sales": []object{}, "stats": field(of.stats), "orderHistory": field(of.orders), "ohlcvChart": field(of.chart),
		"contractAddress": of.Address, "ercStandard": of.Standard,
	}
	if of.index%2 == 0 {
		of.node["twitterUsername"] = strings.ReplaceAll(slug, "-", "_") + "_example"
		of.node["bannerImage"] = picture(site, "banner", 1400)
	}
	contract["__typename"], contract["collection"] = "NFTContract", of.node
	pieces := make([]int, len(c.wallets))
	for token := range of.Size {
		for _, h := range of.holders(token) {
			of.held[h.wallet] = append(of.held[h.wallet], h)
			pieces[h.wallet] += h.count
		}
	}
	supply := 0
	for i, count := range pieces {
		if count > 0 {
			supply += count
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

// holders returns the holders of a token: one wallet of an ERC-721 token, and three of an ERC-1155 token.
func (of *collection) holders(token int) []holding {
	wallets := len(of.chain.wallets)
	first := int(of.chain.mix(of.index, token, 1) % uint64(wallets))
	if of.Standard == "ERC721" {
		return []holding{{token, first, 1}}
	}
	holders := make([]holding, sharedBy)
	for i := range holders {
		holders[i] = holding{token, (first + i) % wallets, 1 + (token+i)%4}
	}
	return holders
}

// traits draws the two traits of a token.
func (of *collection) traits(token int) []object {
	drawn := of.chain.mix(of.index, token)
	colors := []string{"amber", "blue", "coral", "green", "slate"}
	return []object{
		{"name": "background", "value": colors[drawn%uint64(len(colors))]},
		{"name": "rank", "value": fmt.Sprint(drawn>>8%100 + 1)},
	}
}

// attributes lists the traits of the tokens, each once, in the order of the tokens.
func (of *collection) attributes(object) any {
	var found []object
	seen := map[any]bool{}
	for token := range of.Size {
		for _, trait := range of.traits(token) {
			if !seen[trait["value"]] {
				seen[trait["value"]] = true
				found = append(found, trait)
			}
		}
	}
	return found
}

// nfts returns a page of the tokens, of which there can be too many to make them all.
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
	if !ok {
		return nil
	}
	token := id.Sub(id, of.firstID)
	if token.Sign() < 0 || token.Cmp(big.NewInt(int64(of.Size))) >= 0 {
		return nil
	}
	return of.token(int(token.Int64()))
}

// id returns the id of the token at an index.
func (of *collection) id(index int) *big.Int {
	return new(big.Int).Add(of.firstID, big.NewInt(int64(index)))
}

// token makes the token at an index.
func (of *collection) token(index int) object {
	name, traits := fmt.Sprintf("%s #%d", of.Name, index), of.traits(index)
	site, id := of.node["externalUrl"].(string), of.id(index)
	node := object{
		"__typename": of.Standard + "NFT", "tokenId": id, "contractAddress": of.Address, "collectionSlug": of.node["slug"],
		"name": name, "description": of.node["description"], "externalUrl": fmt.Sprintf("%s/tokens/%d", site, index),
		"collection": of.node, "contract": of.node["contract"], "attributes": traits,
		"uploads":     picture(site, fmt.Sprintf("tokens/%d", index), 1024),
		"metadata":    object{"name": name, "attributes": traits, "edition": index},
		"tokenEvents": of.chain.eventsOf(object{"contractAddress": of.Address, "tokenId": id}),
	}
	for _, h := range of.holders(index) {
		node["wallet"] = of.chain.wallets[h.wallet] // Of an ERC-721 token.
		add(node, "wallets", of.chain.wallets[h.wallet])
	}
	if index%3 == 0 {
		node["animationUrl"] = fmt.Sprintf("%s/animations/%d.mp4", site, index)
	}
	return node
}
