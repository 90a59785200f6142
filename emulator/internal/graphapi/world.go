package graphapi

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// The made-up world is small: a few collections, one of them large enough to page through, a few ERC-20 tokens, wallets
// that hold both, and a history of events, two hours apart, each in a block and a transaction of its own.
const (
	largeCollection = 5000
	walletCount     = 24
	eventCount      = 600
	firstBlock      = 21_000_000
	blocksPerEvent  = 600
	eventInterval   = 2 * time.Hour
)

// began is when the history begins.
var began = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// zeroAddress is where tokens come from when they are minted, and where they go when they are burnt.
const zeroAddress = "0x0000000000000000000000000000000000000000"

// world is the root of all queries: a chain for each field of the schema's Query.
type world struct {
	Ethereum        *chain
	EthereumSepolia *chain
	Polygon         *chain
}

func newWorld(given fleet.Graph, pageCap int) *world {
	return &world{
		newChain("ethereum", given.Seed, pageCap, given.Ethereum),
		newChain("ethereumSepolia", given.Seed, pageCap, given.EthereumSepolia),
		newChain("polygon", given.Seed, pageCap, given.Polygon),
	}
}

// chain is the data of one chain.
type chain struct {
	seed        uint64
	pageCap     int
	random      *rand.Rand
	collections []*collection
	tokens      []*token
	wallets     []*wallet
	events      []*event
}

// newChain makes up a chain around what is given. Chains differ in all made-up addresses, since the name is part of the
// seed.
func newChain(name string, seed uint64, pageCap int, given fleet.GraphChain) *chain {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	c := &chain{seed: seed ^ hash.Sum64(), pageCap: pageCap}
	c.random = rand.New(rand.NewPCG(c.seed, 0x6772617068))
	for i := range walletCount {
		w := &wallet{chain: c, Address: c.address()}
		if i%2 == 0 {
			w.EnsName = new(fmt.Sprintf("wallet-%d.example.eth", i))
		}
		c.wallets = append(c.wallets, w)
	}
	for i, spec := range collectionSpecs {
		c.collections = append(c.collections, newCollection(c, i, spec))
	}
	for i, spec := range tokenSpecs {
		c.tokens = append(c.tokens, newToken(c, i, spec))
	}
	c.give(given)
	for i := range eventCount {
		c.events = append(c.events, newEvent(c, i))
	}
	return c
}

// bytes draws n bytes, in hexadecimal.
func (c *chain) bytes(n int) string {
	drawn := make([]byte, n)
	for i := range drawn {
		drawn[i] = byte(c.random.UintN(256))
	}
	return "0x" + hex.EncodeToString(drawn)
}

// address draws an address.
func (c *chain) address() string { return c.bytes(20) }

// mix draws a number that depends on the seed and the keys alone, so that things too many to keep can be made when they
// are asked for.
func (c *chain) mix(keys ...int) uint64 {
	hash := fnv.New64a()
	_, _ = fmt.Fprint(hash, c.seed, keys) // A hash takes everything.
	return hash.Sum64()
}

// ended is the time of the last event: the present of this world.
func (c *chain) ended() time.Time { return c.events[len(c.events)-1].Timestamp.Time }

func pick[T any](random *rand.Rand, choices []T) T { return choices[random.IntN(len(choices))] }

// power returns ten to the power of n.
func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// usualPrice is that of the tokens of a given collection, in billionths of the chain's coin.
const usualPrice = 50_000_000

// give adds what is given to what is made up, behind it. The addresses are the given ones.
func (c *chain) give(given fleet.GraphChain) {
	for _, g := range given.Wallets {
		w := &wallet{chain: c, Address: g.Address}
		if g.ENSName != "" {
			w.EnsName = &g.ENSName
		}
		c.wallets = append(c.wallets, w)
	}
	for _, g := range given.Collections {
		added := newCollection(c, len(c.collections), collectionSpec{
			name: g.Name, standard: cmp.Or(g.Standard, erc721), size: g.Size, firstID: big.NewInt(1), price: usualPrice,
		})
		added.Address = g.Address
		c.collections = append(c.collections, added)
	}
	for _, g := range given.Tokens {
		added := newToken(c, len(c.tokens), tokenSpec{g.Name, g.Symbol, g.Decimals})
		added.address = g.Address
		c.tokens = append(c.tokens, added)
	}
}
