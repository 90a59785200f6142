package graphapi

import (
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
const walletCount = 24

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

// newChain makes up a chain, and adds the given data. The name is part of the seed, so that chains have different
// addresses.
func newChain(name string, seed uint64, pageCap int, given fleet.GraphChain) object {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	c := &chain{seed: seed ^ hash.Sum64(), pageCap: pageCap}
	c.random = rand.New(rand.NewPCG(c.seed, 0x6772617068))
	made := fleet.GraphChain{Wallets: make([]fleet.GraphWallet, walletCount), Tokens: slices.Clone(madeTokens)}
	for i := range made.Wallets {
		made.Wallets[i].Address = c.bytes(20)
		if i%2 == 0 {
			made.Wallets[i].ENSName = fmt.Sprintf("wallet-%d.example.eth", i)
		}
	}
	for _, w := range slices.Concat(made.Wallets, given.Wallets) {
		c.addWallet(w)
	}
	for _, of := range madeCollections {
		of.Address = c.bytes(20)
		c.addCollection(of)
	}
	for _, g := range given.Collections {
		c.addCollection(collection{GraphCollection: g, price: 50_000_000})
	}
	for i := range made.Tokens {
		made.Tokens[i].Address = c.bytes(20)
	}
	for _, token := range slices.Concat(made.Tokens, given.Tokens) {
		c.addToken(token)
	}
	for number := range eventCount {
		c.addEvent(number)
	}
	slices.Reverse(c.events) // The newest first.
	root := object{
		"gasPrices": c.gasPrices(), "tokenEvents": c.events, "transactions": c.transactions,
		"trendingCollections": field(c.trending), "walletByAddress": c.wallets, "walletByENS": c.wallets,
	}
	root["nft"] = field(func(args object) any {
		for _, of := range c.collections {
			if passes(of.Address, args["contractAddress"]) {
				return of.nft(args)
			}
		}
		return nil
	})
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

func (c *chain) addWallet(w fleet.GraphWallet) {
	index, ofWallet := len(c.wallets), object{"walletAddress": w.Address}
	node := object{
		"address": w.Address, "tokenEvents": c.eventsOf(ofWallet),
		"transactions": field(func(object) any { return filtered(c.transactions, ofWallet) }),
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
func (c *chain) contract(kind, address, name, symbol string, interfaces ...string) object {
	return object{
		"__typename": kind, "address": address, "contractAddress": address, "name": name, "symbol": symbol,
		"isVerified": true, "supportedErcInterfaces": interfaces, "tokenEvents": c.eventsOf(object{"touches": address}),
		"abi": json.RawMessage(
			`[{"type":"function","name":"totalSupply","inputs":[],"outputs":[{"type":"uint256"}]}]`),
	}
}

// addToken adds the contract of an ERC-20 token, and the balances of wallets. About every fifth wallet has none.
func (c *chain) addToken(t fleet.GraphToken) {
	node := c.contract("TokenContract", t.Address, t.Name, t.Symbol, "ERC20")
	node["decimals"] = t.Decimals
	node["details"] = object{"address": t.Address, "name": t.Name, "slug": slug(t.Name), "symbol": t.Symbol}
	for i, wallet := range c.wallets {
		drawn := c.mix(len(c.tokens), i, 2)
		balance := scaled(int64(drawn>>8%1_000_000), t.Decimals)
		balance.Add(balance, big.NewInt(int64(drawn%997)))
		if order, _ := balance.Float64(); drawn%5 > 0 && order > 0 {
			add(wallet, "tokenBalances", object{
				"contract": node, "contractAddress": t.Address, "totalBalance": bigInt(balance),
				"CONTRACT_ADDRESS": t.Address, "NAME": t.Name, "SYMBOL": t.Symbol, "TOTAL_BALANCE": order,
			})
		}
	}
	c.tokens = append(c.tokens, node)
}
