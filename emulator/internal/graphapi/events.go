package graphapi

import (
	"fmt"
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

// The methods of this file tell the executor an event's concrete type and are its fields beside those of its record.

func (e *event) ToTokenBurnEvent() (*event, bool)     { return e, e.kind == "BURN" }
func (e *event) ToTokenMintEvent() (*event, bool)     { return e, e.kind == "MINT" }
func (e *event) ToTokenSaleEvent() (*event, bool)     { return e, e.kind == "SALE" }
func (e *event) ToTokenSwapEvent() (*event, bool)     { return e, e.kind == "SWAP" }
func (e *event) ToTokenTransferEvent() (*event, bool) { return e, e.kind == "TRANSFER" }

func (e *event) Type() string  { return e.kind }
func (e *event) From() *wallet { return e.chain.walletAt(e.FromAddress) }
func (e *event) To() *wallet   { return e.chain.walletAt(e.ToAddress) }

func (e *event) Contract() *contract          { return e.sent.contractOf() }
func (e *event) ContractAddress() string      { return *e.sent.addressOf() }
func (e *event) ContractERCStandard() *string { return new(e.sent.contractOf().standard()) }
func (e *event) Nft() *nft                    { return e.sent.nftOf() }
func (e *event) TokenID() *bigInt             { return e.sent.idOf() }
func (e *event) TokenQuantity() bigInt        { return *e.sent.quantityOf() }

func (e *event) SentNft() *nft                         { return e.sent.nftOf() }
func (e *event) SentTokenContract() *contract          { return e.sent.contractOf() }
func (e *event) SentTokenContractAddress() string      { return *e.sent.addressOf() }
func (e *event) SentTokenContractERCStandard() *string { return e.ContractERCStandard() }
func (e *event) SentTokenID() *bigInt                  { return e.sent.idOf() }
func (e *event) SentTokenQuantity() bigInt             { return *e.sent.quantityOf() }

func (e *event) ReceivedNft() *nft                     { return e.received.nftOf() }
func (e *event) ReceivedTokenContract() *contract      { return e.received.contractOf() }
func (e *event) ReceivedTokenContractAddress() *string { return e.received.addressOf() }
func (e *event) ReceivedTokenID() *bigInt              { return e.received.idOf() }
func (e *event) ReceivedTokenQuantity() *bigInt        { return e.received.quantityOf() }

// eventArgs are the arguments of a listing of events.
type eventArgs struct {
	paging
	Filter *eventFilter
}

// eventFilter is the schema's filter of events.
type eventFilter struct {
	BlockNumber      *intInput
	ContractAddress  *textInput
	ContractStandard *textInput
	FromAddress      *textInput
	Marketplace      *textInput
	Timestamp        *timeInput
	ToAddress        *textInput
	TransactionHash  *textInput
	Type             *textInput
	WalletAddress    *textInput
}

func (f *eventFilter) allows(e *event) bool {
	if f == nil {
		return true
	}
	marketplace := ""
	if e.Marketplace != nil {
		marketplace = *e.Marketplace
	}
	return f.BlockNumber.allows(e.BlockNumber) &&
		f.ContractAddress.allows(e.ContractAddress()) &&
		f.ContractStandard.allows(*e.ContractERCStandard()) &&
		f.FromAddress.allows(e.FromAddress) &&
		f.Marketplace.allows(marketplace) &&
		f.Timestamp.allows(e.Timestamp.Time) &&
		f.ToAddress.allows(e.ToAddress) &&
		f.TransactionHash.allows(*e.TransactionHash) &&
		f.Type.allows(e.kind) &&
		(f.WalletAddress.allows(e.FromAddress) || f.WalletAddress.allows(e.ToAddress))
}

// eventsWhere lists the events that pass and that the filter allows, the newest first.
func (c *chain) eventsWhere(args eventArgs, pass func(*event) bool) (*connection[*event], error) {
	newest := ordered(c.events, new(descending), func(a, b *event) int { return int(a.BlockNumber - b.BlockNumber) })
	return pageOf(filtered(newest, func(e *event) bool { return pass(e) && args.Filter.allows(e) }), c.pageCap, args.paging)
}

// transaction is the transaction of one event. Its fields are those of the schema.
type transaction struct {
	BlockNumber          int32
	BlockTimestamp       dateTime
	ContractAddress      *string
	CumulativeGasUsed    bigInt
	EffectiveGasPrice    *bigInt
	FromAddress          string
	Gas                  *bigInt
	GasPrice             *bigInt
	GasUsed              bigInt
	Hash                 string
	Input                *string
	MaxFeePerGas         *bigInt
	MaxPriorityFeePerGas *bigInt
	ToAddress            *string
	TransactionIndex     int32
	Type                 *string
	Value                *bigInt
}

func newTransaction(c *chain, e *event) *transaction {
	used := 60_000 + c.random.Int64N(200_000)
	price := newBigInt(1_000_000_000 + c.random.Int64N(60_000_000_000))
	value := new(big.Int).Mul(big.NewInt(e.price), power(9))
	sender := e.FromAddress
	if sender == zeroAddress {
		sender = e.ToAddress
	}
	return &transaction{
		BlockNumber:       e.BlockNumber,
		BlockTimestamp:    e.Timestamp,
		CumulativeGasUsed: newBigInt(used * 7),
		EffectiveGasPrice: &price,
		FromAddress:       sender,
		Gas:               new(newBigInt(used * 2)),
		GasPrice:          &price,
		GasUsed:           newBigInt(used),
		Hash:              *e.TransactionHash,
		Input:             new(fmt.Sprintf("0x%08x", c.random.Uint32())),
		MaxFeePerGas:      new(newBigInt(90_000_000_000)),
		ToAddress:         e.sent.addressOf(),
		TransactionIndex:  int32(c.random.IntN(200)),
		Type:              new("2"),
		Value:             &bigInt{value},
	}
}

// transactionArgs are the arguments of a listing of transactions.
type transactionArgs struct {
	paging
	Filter         *transactionFilter
	OrderDirection *string
}

// transactionFilter is the schema's filter of transactions.
type transactionFilter struct {
	BlockNumber *intInput
	FromAddress *string
	Timestamp   *timeInput
	ToAddress   *string
}

func (f *transactionFilter) allows(t *transaction) bool {
	return f == nil || f.BlockNumber.allows(t.BlockNumber) &&
		f.Timestamp.allows(t.BlockTimestamp.Time) &&
		(&textInput{Eq: f.FromAddress}).allows(t.FromAddress) &&
		(&textInput{Eq: f.ToAddress}).allows(*t.ToAddress)
}

// transactionsWhere lists the transactions that pass and that the filter allows, the oldest first unless ordered
// otherwise (assumed).
func (c *chain) transactionsWhere(args transactionArgs, pass func(*transaction) bool) (*connection[*transaction], error) {
	var found []*transaction
	for _, e := range c.events {
		if pass(e.Transaction) && args.Filter.allows(e.Transaction) {
			found = append(found, e.Transaction)
		}
	}
	found = ordered(found, args.OrderDirection, func(a, b *transaction) int { return int(a.BlockNumber - b.BlockNumber) })
	return pageOf(found, c.pageCap, args.paging)
}

// transactionAt finds a transaction by its hash, or returns nil.
func (c *chain) transactionAt(hash string) *transaction {
	for _, e := range c.events {
		if strings.EqualFold(*e.TransactionHash, hash) {
			return e.Transaction
		}
	}
	return nil
}

// gasPrice is the gas prices of one block, in wei (assumed).
type gasPrice struct {
	Average, Ceiling, Floor, Median, Total float64
	BlockNumber                            int32
}

// gasBlocks is how many blocks back gas prices are known.
const gasBlocks = 100

// gasPrices makes up the gas prices of the latest blocks, the oldest first.
func (c *chain) gasPrices() []gasPrice {
	last := c.events[len(c.events)-1].BlockNumber
	var prices []gasPrice
	for block := last - gasBlocks + 1; block <= last; block++ {
		floor := (float64(c.mix(int(block), 3)%40) + 0.5) * 1e9
		prices = append(prices, gasPrice{
			BlockNumber: block, Floor: floor, Median: floor * 1.25, Average: floor * 1.5, Ceiling: floor * 4, Total: floor * 180,
		})
	}
	return prices
}
