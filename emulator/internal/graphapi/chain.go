package graphapi

import "strings"

// The methods of this file are the fields of a chain that find one thing, or list all of a kind. What does not exist is
// nil, which the executor writes as null.

// Collection finds a collection.
func (c *chain) Collection(args struct{ ContractAddress string }) *collection {
	return c.collectionAt(args.ContractAddress)
}

func (c *chain) collectionAt(address string) *collection {
	for _, collection := range c.collections {
		if strings.EqualFold(collection.Address, address) {
			return collection
		}
	}
	return nil
}

// Collections lists the collections.
func (c *chain) Collections(args struct {
	paging
	Filter *struct{ Address, ErcStandard *textInput }
}) (*connection[*collection], error) {
	found := filtered(c.collections, func(one *collection) bool {
		return args.Filter == nil || args.Filter.Address.allows(one.Address) && args.Filter.ErcStandard.allows(one.spec.standard)
	})
	return pageOf(found, c.pageCap, args.paging)
}

// Contract finds a contract.
func (c *chain) Contract(args struct{ ContractAddress string }) *contract {
	return c.contractAt(args.ContractAddress)
}

// Contracts lists the contracts: those of the collections, and after them those of the ERC-20 tokens.
func (c *chain) Contracts(args struct {
	paging
	Filter *struct{ Address *textInput }
}) (*connection[*contract], error) {
	var contracts []*contract
	for _, collection := range c.collections {
		contracts = append(contracts, collection.Contract())
	}
	for _, token := range c.tokens {
		contracts = append(contracts, &contract{chain: c, token: token})
	}
	found := filtered(contracts, func(one *contract) bool {
		return args.Filter == nil || args.Filter.Address.allows(one.Address())
	})
	return pageOf(found, c.pageCap, args.paging)
}

// Nft finds a token.
func (c *chain) Nft(args struct{ ContractAddress, TokenID string }) *nft {
	collection := c.collectionAt(args.ContractAddress)
	if collection == nil {
		return nil
	}
	return collection.token(args.TokenID)
}

// TokenEvents lists all events.
func (c *chain) TokenEvents(args eventArgs) (*connection[*event], error) {
	return c.eventsWhere(args, func(*event) bool { return true })
}

// Transaction finds a transaction.
func (c *chain) Transaction(args struct{ Hash string }) *transaction {
	return c.transactionAt(args.Hash)
}

// Transactions searches all transactions.
func (c *chain) Transactions(args transactionArgs) (*connection[*transaction], error) {
	return c.transactionsWhere(args, func(*transaction) bool { return true })
}

// WalletByAddress finds a wallet.
func (c *chain) WalletByAddress(args struct{ Address string }) *wallet {
	return c.walletAt(args.Address)
}

// WalletByENS finds a wallet by its name.
func (c *chain) WalletByENS(args struct{ EnsName string }) *wallet {
	for _, w := range c.wallets {
		if w.EnsName != nil && strings.EqualFold(*w.EnsName, args.EnsName) {
			return w
		}
	}
	return nil
}
