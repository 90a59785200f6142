package graphapi

import (
	"encoding/json"
	"math/big"
	"strings"
)

// tokenSpec is what an ERC-20 token is made of.
type tokenSpec struct {
	name, symbol string
	decimals     int
}

var tokenSpecs = []tokenSpec{
	{"Wrapped Coin", "WCOIN", 18},
	{"Example Dollar", "EXD", 6},
	{"Harbor Token", "HRB", 18},
	{"Whole Units", "WHOLE", 0},
}

// token is an ERC-20 token.
type token struct {
	chain   *chain
	index   int
	spec    tokenSpec
	address string
}

func newToken(c *chain, index int, spec tokenSpec) *token {
	return &token{c, index, spec, c.address()}
}

// balance is what a wallet holds, in the smallest unit. Every fifth wallet or so holds nothing.
func (t *token) balance(w *wallet) *big.Int {
	drawn := t.chain.mix(t.index, t.chain.walletIndex(w), 2)
	if drawn%5 == 0 {
		return new(big.Int)
	}
	amount := new(big.Int).Mul(big.NewInt(int64(drawn>>8%1_000_000)), power(t.spec.decimals))
	return amount.Add(amount, big.NewInt(int64(drawn%997)))
}

// contract is the contract of a collection or of an ERC-20 token: one of the two is set.
type contract struct {
	chain      *chain
	collection *collection
	token      *token
}

// ToNFTContract tells the executor the concrete type.
func (c *contract) ToNFTContract() (*contract, bool) { return c, c.collection != nil }

// ToTokenContract tells the executor the concrete type.
func (c *contract) ToTokenContract() (*contract, bool) { return c, c.token != nil }

// The methods below are the fields of the schema.

func (c *contract) Address() string {
	if c.token != nil {
		return c.token.address
	}
	return c.collection.Address
}

func (c *contract) Name() *string {
	if c.token != nil {
		return &c.token.spec.name
	}
	return c.collection.Name
}

func (c *contract) Symbol() *string {
	if c.token != nil {
		return &c.token.spec.symbol
	}
	return c.collection.Symbol
}

// standard is the name of the contract's standard.
func (c *contract) standard() string {
	if c.token != nil {
		return erc20
	}
	return c.collection.spec.standard
}

func (c *contract) IsVerified() *bool { return new(true) }

func (c *contract) SupportedErcInterfaces() *[]string {
	if c.token != nil {
		return &[]string{erc20}
	}
	return &[]string{"ERC165", c.collection.spec.standard}
}

func (c *contract) Abi() *jsonValue {
	return &jsonValue{json.RawMessage(`[{"type":"function","name":"totalSupply","inputs":[],"outputs":[{"type":"uint256"}]}]`)}
}

func (c *contract) Collection() *collection { return c.collection }

func (c *contract) Decimals() *bigInt { return new(newBigInt(int64(c.token.spec.decimals))) }

type tokenDetails struct {
	Address            string
	Name, Slug, Symbol *string
}

func (c *contract) Details() *tokenDetails {
	slug := strings.ReplaceAll(strings.ToLower(c.token.spec.name), " ", "-")
	return &tokenDetails{c.token.address, &c.token.spec.name, &slug, &c.token.spec.symbol}
}

func (c *contract) TokenEvents(args eventArgs) (*connection[*event], error) {
	return c.chain.eventsWhere(args, func(e *event) bool { return e.touches(c.Address()) })
}

// contractAt finds a contract by its address, or returns nil.
func (c *chain) contractAt(address string) *contract {
	for _, collection := range c.collections {
		if strings.EqualFold(collection.Address, address) {
			return collection.Contract()
		}
	}
	for _, token := range c.tokens {
		if strings.EqualFold(token.address, address) {
			return &contract{chain: c, token: token}
		}
	}
	return nil
}
