package graphapi

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// wallet is an address with what it holds.
type wallet struct {
	chain   *chain
	Address string
	EnsName *string
}

// walletAt finds a wallet by its address, or returns nil.
func (c *chain) walletAt(address string) *wallet {
	for _, w := range c.wallets {
		if strings.EqualFold(w.Address, address) {
			return w
		}
	}
	return nil
}

func (c *chain) walletIndex(w *wallet) int { return slices.Index(c.wallets, w) }

// walletNFT is a token that a wallet holds.
type walletNFT struct {
	Nft       *nft
	NftsCount *int32
}

// WalletNFT finds a token if the wallet holds it.
func (w *wallet) WalletNFT(args struct{ ContractAddress, TokenID string }) *walletNFT {
	collection := w.chain.collectionAt(args.ContractAddress)
	if collection == nil {
		return nil
	}
	token := collection.token(args.TokenID)
	if token == nil {
		return nil
	}
	held := token.heldBy(w)
	if held == nil {
		return nil
	}
	return &walletNFT{token, new(int32(held.count))}
}

// walletNFTsArgs are the arguments of WalletNFTs.
type walletNFTsArgs struct {
	paging
	Filter *struct {
		ContractTokens *[]struct {
			ContractAddress string
			TokenID         *string
		}
	}
	OrderBy        *string
	OrderDirection *string
}

// allows reports whether the filter names the token or its contract.
func (a *walletNFTsArgs) allows(n *nft) bool {
	if a.Filter == nil || a.Filter.ContractTokens == nil {
		return true
	}
	for _, wanted := range *a.Filter.ContractTokens {
		if strings.EqualFold(wanted.ContractAddress, n.collection.Address) &&
			(wanted.TokenID == nil || *wanted.TokenID == n.id().String()) {
			return true
		}
	}
	return false
}

// WalletNFTs lists the tokens that the wallet holds.
func (w *wallet) WalletNFTs(args walletNFTsArgs) (*connection[walletNFT], error) {
	var held []walletNFT
	for _, h := range w.holdings() {
		if args.allows(h.nft) {
			held = append(held, walletNFT{h.nft, new(int32(h.count))})
		}
	}
	held = ordered(held, args.OrderDirection, func(a, b walletNFT) int {
		if args.OrderBy != nil && *args.OrderBy == "NAME" {
			return cmp.Compare(*a.Nft.Name(), *b.Nft.Name())
		}
		return acquired(a.Nft, b.Nft)
	})
	return pageOf(held, w.chain.pageCap, args.paging)
}

// acquired orders tokens by when they were acquired: in this world, in the order of collections and ids.
func acquired(a, b *nft) int {
	return cmp.Or(cmp.Compare(a.collection.index, b.collection.index), cmp.Compare(a.index, b.index))
}

// holdings returns all tokens that the wallet holds.
func (w *wallet) holdings() []holding {
	var held []holding
	for _, collection := range w.chain.collections {
		for i := range collection.spec.size {
			for _, holding := range collection.holders(i) {
				if holding.wallet == w {
					held = append(held, holding)
				}
			}
		}
	}
	return held
}

// walletCollection is a collection that a wallet holds tokens of.
type walletCollection struct {
	Collection        *collection
	CollectionAddress *string
	NftsCount         bigInt
}

// collections returns the collections that the wallet holds tokens of.
func (w *wallet) collections() []walletCollection {
	var held []walletCollection
	for _, h := range w.holdings() {
		if len(held) == 0 || held[len(held)-1].Collection != h.nft.collection {
			held = append(held, walletCollection{h.nft.collection, &h.nft.collection.Address, newBigInt(0)})
		}
		count := held[len(held)-1].NftsCount
		count.Add(count.Int, big.NewInt(int64(h.count)))
	}
	return held
}

// WalletCollection finds a collection if the wallet holds tokens of it.
func (w *wallet) WalletCollection(args struct{ CollectionAddress string }) *walletCollection {
	for _, held := range w.collections() {
		if strings.EqualFold(held.Collection.Address, args.CollectionAddress) {
			return &held
		}
	}
	return nil
}

// WalletCollections lists the collections that the wallet holds tokens of.
func (w *wallet) WalletCollections(args struct {
	paging
	Filter         *struct{ ContractAddressIn *[]string }
	OrderBy        *string
	OrderDirection *string
}) (*connection[walletCollection], error) {
	held := filtered(w.collections(), func(c walletCollection) bool {
		return args.Filter == nil || containsAddress(args.Filter.ContractAddressIn, c.Collection.Address)
	})
	held = ordered(held, args.OrderDirection, func(a, b walletCollection) int {
		if args.OrderBy != nil && *args.OrderBy == "NAME" {
			return cmp.Compare(*a.Collection.Name, *b.Collection.Name)
		}
		return cmp.Compare(a.Collection.index, b.Collection.index)
	})
	return pageOf(held, w.chain.pageCap, args.paging)
}

// tokenBalance is what a wallet holds of an ERC-20 token.
type tokenBalance struct {
	Contract        *contract
	ContractAddress string
	TotalBalance    bigInt
}

// TokenBalances lists what the wallet holds of ERC-20 tokens.
func (w *wallet) TokenBalances(args struct {
	paging
	OrderBy        *string
	OrderDirection *string
}) (*connection[tokenBalance], error) {
	var held []tokenBalance
	for _, t := range w.chain.tokens {
		if balance := t.balance(w); balance.Sign() > 0 {
			held = append(held, tokenBalance{&contract{chain: w.chain, token: t}, t.address, bigInt{balance}})
		}
	}
	order := "CONTRACT_ADDRESS"
	if args.OrderBy != nil {
		order = *args.OrderBy
	}
	held = ordered(held, args.OrderDirection, func(a, b tokenBalance) int {
		switch order {
		case "NAME":
			return cmp.Compare(*a.Contract.Name(), *b.Contract.Name())
		case "SYMBOL":
			return cmp.Compare(*a.Contract.Symbol(), *b.Contract.Symbol())
		case "TOTAL_BALANCE":
			return a.TotalBalance.Cmp(b.TotalBalance.Int)
		}
		return cmp.Compare(a.ContractAddress, b.ContractAddress)
	})
	return pageOf(held, w.chain.pageCap, args.paging)
}

// TokenEvents lists the events that the wallet took part in.
func (w *wallet) TokenEvents(args eventArgs) (*connection[*event], error) {
	return w.chain.eventsWhere(args, func(e *event) bool { return e.FromAddress == w.Address || e.ToAddress == w.Address })
}

// Transactions lists the transactions that the wallet sent or received.
func (w *wallet) Transactions(args transactionArgs) (*connection[*transaction], error) {
	return w.chain.transactionsWhere(args, func(t *transaction) bool {
		return t.FromAddress == w.Address || *t.ToAddress == w.Address
	})
}
