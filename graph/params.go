package graph

// The records of this file are what listings can be narrowed down and ordered by. What is nil is left to the service.

// WalletNFTsParams selects and orders the tokens that a wallet holds.
type WalletNFTsParams struct {
	Filter         *WalletNFTsFilterInput
	OrderBy        *WalletNFTsOrderBy
	OrderDirection *OrderDirection
}

// WalletCollectionsParams selects and orders the collections that a wallet holds tokens of.
type WalletCollectionsParams struct {
	Filter         *WalletCollectionsFilterInput
	OrderBy        *WalletCollectionOrderBy
	OrderDirection *OrderDirection
}

// TokenBalancesParams orders what a wallet holds of ERC-20 tokens.
type TokenBalancesParams struct {
	OrderBy        *WalletTokenBalanceOrder
	OrderDirection *OrderDirection
}

// TransactionsParams selects transactions, and orders them by their blocks.
type TransactionsParams struct {
	Filter         *TransactionsFilterInput
	OrderDirection *OrderDirection
}

// SalesParams selects the sales of a collection, and orders them.
type SalesParams struct {
	Filter         *CollectionSaleFilterInput
	OrderBy        *CollectionSaleOrderBy
	OrderDirection *OrderDirection
}

// GasPricesParams selects the blocks whose gas prices to return, and orders them.
type GasPricesParams struct {
	Filter         *GasPriceFilterInput
	OrderDirection *OrderDirection
}

// TrendingParams says how far back to look for trending collections, and by what they are ordered.
type TrendingParams struct {
	Filter         *TrendingCollectionsFilterInput
	OrderBy        *TrendingOrderBy
	OrderDirection *OrderDirection
}
