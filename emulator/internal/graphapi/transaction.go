package graphapi

import (
	"fmt"
	"math/big"
	"strings"
)

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
