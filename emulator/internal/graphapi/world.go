package graphapi

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// The made-up data of a chain are few: some collections, one of them large enough to page through, some ERC-20 tokens,
// wallets that hold both, and a history of events, two hours apart, each in a block and a transaction of its own.
const (
	largeCollection = 5000
	walletCount     = 24
	eventCount      = 600
	firstBlock      = 21_000_000
	blocksPerEvent  = 600
	eventInterval   = 2 * time.Hour
	gasBlocks       = 100 // The latest blocks have gas prices.
	zeroAddress     = "0x0000000000000000000000000000000000000000"
)

// began is the beginning of the history.
var began = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

const (
	erc20   = "ERC20"
	erc721  = "ERC721"
	erc1155 = "ERC1155"
)

var collections = []collection{
	{name: "Quiet Harbors", standard: erc721, size: largeCollection, firstID: big.NewInt(1), price: 2_400_000_000},
	{name: "Paper Lanterns", standard: erc721, size: 40, firstID: big.NewInt(0), price: 150_000_000},
	// Some collections make ids from hashes, beyond 2^53.
	{name: "Deep Numbers", standard: erc721, size: 25, firstID: new(big.Int).Lsh(big.NewInt(1), 200), price: 31_000_000},
	{name: "Field Notes", standard: erc1155, size: 30, firstID: big.NewInt(1), price: 4_000_000},
	{name: "Tide Tables", standard: erc1155, size: 8, firstID: big.NewInt(9_007_199_254_740_990), price: 900_000},
}

// usualPrice is the price of the tokens of a given collection.
const usualPrice = 50_000_000

var tokenSpecs = []fleet.GraphToken{
	{Name: "Wrapped Coin", Symbol: "WCOIN", Decimals: 18}, {Name: "Example Dollar", Symbol: "EXD", Decimals: 6},
	{Name: "Harbor Token", Symbol: "HRB", Decimals: 18}, {Name: "Whole Units", Symbol: "WHOLE"},
}

// chain is the data of one chain.
type chain struct {
	seed        uint64
	pageCap     int
	random      *rand.Rand
	collections []*collection
	tokens      []fleet.GraphToken
	wallets     []fleet.GraphWallet
	events      []*event
}

// collection is an NFT collection.
type collection struct {
	name, standard, slug, address string
	size                          int
	firstID                       *big.Int // The ids of all tokens follow it.
	price                         int64    // The usual price of a token, in billionths of the chain's coin.
	chain                         *chain
	index                         int
}

// asset is an amount of an ERC-20 token, or a token of a collection.
type asset struct {
	collection *collection
	index      int               // Of the token in the collection.
	token      *fleet.GraphToken // nil for a token of a collection.
	quantity   bigInt
}

// event is an event of any of the schema's five types. Only sales and swaps have received, which moved to the sender.
type event struct {
	number         int
	kind           string
	sent, received *asset
	price          int64 // The price of a sale, in billionths of the chain's coin.
	block          int
	at             dateTime
	from, to, hash string
	marketplace    any // nil for none.
}

// newChain makes up a chain, and adds the given data. The name is part of the seed, so that chains have different
// addresses.
func newChain(name string, seed uint64, pageCap int, given fleet.GraphChain) *chain {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	c := &chain{seed: seed ^ hash.Sum64(), pageCap: pageCap}
	c.random = rand.New(rand.NewPCG(c.seed, 0x6772617068))
	for i := range walletCount {
		w := fleet.GraphWallet{Address: c.bytes(20)}
		if i%2 == 0 {
			w.ENSName = fmt.Sprintf("wallet-%d.example.eth", i)
		}
		c.wallets = append(c.wallets, w)
	}
	for _, made := range collections {
		c.addCollection(made, c.bytes(20))
	}
	for _, spec := range tokenSpecs {
		spec.Address = c.bytes(20)
		c.tokens = append(c.tokens, spec)
	}
	c.wallets, c.tokens = append(c.wallets, given.Wallets...), append(c.tokens, given.Tokens...)
	for _, g := range given.Collections {
		added := collection{name: g.Name, size: g.Size, firstID: big.NewInt(1), price: usualPrice}
		added.standard = cmp.Or(g.Standard, erc721)
		c.addCollection(added, g.Address)
	}
	for i := range eventCount {
		c.events = append(c.events, c.newEvent(i))
	}
	return c
}

func (c *chain) addCollection(added collection, address string) {
	added.chain, added.index, added.address = c, len(c.collections), address
	added.slug = strings.ReplaceAll(strings.ToLower(added.name), " ", "-")
	c.collections = append(c.collections, &added)
}

// newEvent makes up the event with a number. Half of all events are sales.
func (c *chain) newEvent(number int) *event {
	e := &event{
		kind:  []string{"SALE", "MINT", "SALE", "TRANSFER", "SALE", "SWAP", "SALE", "BURN", "SALE", "TRANSFER"}[number%10],
		block: firstBlock + number*blocksPerEvent, at: dateTime{began.Add(time.Duration(number) * eventInterval)},
		from: pick(c.random, c.wallets).Address, to: pick(c.random, c.wallets).Address, hash: c.bytes(32),
		number: number,
	}
	drawn := pick(c.random, c.collections)
	e.sent = &asset{collection: drawn, index: c.random.IntN(drawn.size), quantity: newBigInt(1)}
	switch e.kind {
	case "MINT":
		e.from = zeroAddress
	case "BURN":
		e.to = zeroAddress
	case "SALE":
		e.marketplace = pick(c.random, []string{"BLUR", "LOOKSRARE", "OPENSEA", "SEAPORT", "X2Y2"})
		e.price = drawn.price * int64(80+c.random.IntN(41)) / 100
		e.received = &asset{token: &c.tokens[0], quantity: scaled(e.price, 9)}
	case "SWAP":
		e.sent, e.received = c.drawToken(), c.drawToken()
	case "TRANSFER":
		if number%4 == 1 {
			e.sent = c.drawToken()
		}
	}
	return e
}

// drawToken draws an amount of an ERC-20 token.
func (c *chain) drawToken() *asset {
	drawn := &c.tokens[c.random.IntN(len(c.tokens))]
	return &asset{token: drawn, quantity: scaled(1+c.random.Int64N(5000), drawn.Decimals)}
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
	hash := fnv.New64a()
	_, _ = fmt.Fprint(hash, c.seed, keys) // A hash's Write never fails.
	return hash.Sum64()
}

func pick[T any](random *rand.Rand, choices []T) T { return choices[random.IntN(len(choices))] }

// scaled returns n times ten to the power of decimals.
func scaled(n int64, decimals int) bigInt {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return bigInt{power.Mul(power, big.NewInt(n))}
}

// holding is a wallet's share of a token.
type holding struct {
	wallet, index int
	count         int64
}

// sharedBy is the number of holders of an ERC-1155 token, and share the pieces of one.
const sharedBy = 3

func share(index, holder int) int64 { return int64(1 + (index+holder)%4) }

// holders returns the holders of a token: one wallet of an ERC-721 token, and three of an ERC-1155 token.
func (c *collection) holders(index int) []holding {
	wallets := len(c.chain.wallets)
	first := int(c.chain.mix(c.index, index, 1) % uint64(wallets))
	if c.standard == erc721 {
		return []holding{{first, index, 1}}
	}
	holders := make([]holding, sharedBy)
	for i := range holders {
		holders[i] = holding{(first + i) % wallets, index, share(index, i)}
	}
	return holders
}

// supply returns the number of pieces of all tokens.
func (c *collection) supply() int64 {
	if c.standard == erc721 {
		return int64(c.size)
	}
	pieces := int64(0)
	for index := range c.size {
		for i := range sharedBy {
			pieces += share(index, i)
		}
	}
	return pieces
}

// held returns what a wallet holds of the collection, in the order of the tokens.
func (c *collection) held(wallet int) (held []holding) {
	if c == nil {
		return nil
	}
	for i := range c.size {
		for _, h := range c.holders(i) {
			if h.wallet == wallet {
				held = append(held, h)
			}
		}
	}
	return held
}

// token returns the index of the token with an id, in decimal, or -1.
func (c *collection) token(id string) int {
	number, ok := new(big.Int).SetString(id, 10)
	if !ok || c == nil {
		return -1
	}
	offset := number.Sub(number, c.firstID)
	if !offset.IsInt64() || offset.Sign() < 0 || offset.Int64() >= int64(c.size) {
		return -1
	}
	return int(offset.Int64())
}

// balance returns a wallet's balance of an ERC-20 token, in its smallest unit. About every fifth wallet has none.
func (c *chain) balance(token, wallet int) bigInt {
	drawn := c.mix(token, wallet, 2)
	if drawn%5 == 0 {
		return newBigInt(0)
	}
	amount := scaled(int64(drawn>>8%1_000_000), c.tokens[token].Decimals)
	amount.Add(amount.Int, big.NewInt(int64(drawn%997)))
	return amount
}

// at finds the index of an address, a hash or a name in a list, or returns -1. Case does not matter.
func at[T any](list []T, key string, keyOf func(T) string) int {
	return slices.IndexFunc(list, func(item T) bool { return strings.EqualFold(keyOf(item), key) })
}

// collectionAt finds a collection by its address, or returns nil.
func (c *chain) collectionAt(address string) *collection {
	if i := at(c.collections, address, func(c *collection) string { return c.address }); i >= 0 {
		return c.collections[i]
	}
	return nil
}

// tokenAt finds the index of an ERC-20 token by its address, or returns -1.
func (c *chain) tokenAt(address string) int {
	return at(c.tokens, address, func(t fleet.GraphToken) string { return t.Address })
}
