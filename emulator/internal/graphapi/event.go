package graphapi

import (
	"math/big"
	"strings"
	"time"
)

// event is something that happened to a token, of any of the schema's five types.
type event struct {
	chain *chain
	kind  string
	// sent and received are what moved from the sender and to it. Only sales and swaps have received.
	sent, received *asset
	// price is that of a sale, in billionths of the chain's coin.
	price int64

	BlockNumber     int32
	Timestamp       dateTime
	FromAddress     string
	ToAddress       string
	TransferIndex   int32
	TransactionHash *string
	Marketplace     *string
	Transaction     *transaction
}

// asset is an amount of an ERC-20 token, or some of an NFT.
type asset struct {
	collection *collection
	nft        *nft
	token      *token
	quantity   *big.Int
}

// nftOf returns the asset's NFT; also for no asset.
func (a *asset) nftOf() *nft {
	if a == nil {
		return nil
	}
	return a.nft
}

// idOf returns the id of the asset's NFT.
func (a *asset) idOf() *bigInt {
	if a.nftOf() == nil {
		return nil
	}
	return &bigInt{a.nft.id()}
}

// contractOf returns the asset's contract.
func (a *asset) contractOf() *contract {
	switch {
	case a == nil:
		return nil
	case a.token != nil:
		return &contract{chain: a.token.chain, token: a.token}
	}
	return a.collection.Contract()
}

// addressOf returns the address of the asset's contract.
func (a *asset) addressOf() *string {
	if a == nil {
		return nil
	}
	return new(a.contractOf().Address())
}

// quantityOf returns how much of it moved.
func (a *asset) quantityOf() *bigInt {
	if a == nil {
		return nil
	}
	return &bigInt{a.quantity}
}

var marketplaces = []string{"BLUR", "LOOKSRARE", "OPENSEA", "SEAPORT", "X2Y2"}

// newEvent makes up the event with a number. Sales are as frequent as all others together.
func newEvent(c *chain, number int) *event {
	e := &event{
		chain:           c,
		kind:            []string{"SALE", "MINT", "SALE", "TRANSFER", "SALE", "SWAP", "SALE", "BURN", "SALE", "TRANSFER"}[number%10],
		BlockNumber:     int32(firstBlock + number*blocksPerEvent),
		Timestamp:       dateTime{began.Add(time.Duration(number) * eventInterval)},
		FromAddress:     pick(c.random, c.wallets).Address,
		ToAddress:       pick(c.random, c.wallets).Address,
		TransferIndex:   int32(number % 3),
		TransactionHash: new(c.bytes(32)),
	}
	e.sent = c.drawNFT()
	switch e.kind {
	case "MINT":
		e.FromAddress = zeroAddress
	case "BURN":
		e.ToAddress = zeroAddress
	case "SALE":
		e.Marketplace = new(pick(c.random, marketplaces))
		e.price = e.sent.collection.spec.price * int64(80+c.random.IntN(41)) / 100
		wei := new(big.Int).Mul(big.NewInt(e.price), power(9))
		e.received = &asset{token: c.tokens[0], quantity: wei}
	case "SWAP":
		e.sent, e.received = c.drawToken(), c.drawToken()
	case "TRANSFER":
		if number%4 == 1 {
			e.sent = c.drawToken()
		}
	}
	e.Transaction = newTransaction(c, e)
	return e
}

// drawNFT draws a collection and a token of it.
func (c *chain) drawNFT() *asset {
	drawn := pick(c.random, c.collections)
	return &asset{collection: drawn, nft: &nft{drawn, c.random.IntN(drawn.spec.size)}, quantity: big.NewInt(1)}
}

// drawToken draws an amount of an ERC-20 token.
func (c *chain) drawToken() *asset {
	drawn := pick(c.random, c.tokens)
	return &asset{token: drawn, quantity: new(big.Int).Mul(big.NewInt(1+c.random.Int64N(5000)), power(drawn.spec.decimals))}
}

// touches reports whether the event moves something of a contract.
func (e *event) touches(address string) bool {
	return strings.EqualFold(*e.sent.addressOf(), address) ||
		e.received != nil && strings.EqualFold(*e.received.addressOf(), address)
}

// moves reports whether the event moves a token.
func (e *event) moves(n *nft) bool {
	for _, moved := range []*nft{e.sent.nftOf(), e.received.nftOf()} {
		if moved != nil && moved.collection == n.collection && moved.index == n.index {
			return true
		}
	}
	return false
}
