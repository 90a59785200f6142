package graph

// The records of this file filter and order listings. If a field is nil, the service chooses.

// WalletNFTsParams filters and orders a wallet's tokens. A nil field does neither.
type WalletNFTsParams struct {
	Filter         *WalletNFTsFilterInput
	OrderBy        *WalletNFTsOrderBy
	OrderDirection *OrderDirection
}

// WalletCollectionsParams filters and orders the collections of a wallet's tokens.
type WalletCollectionsParams struct {
	Filter         *WalletCollectionsFilterInput
	OrderBy        *WalletCollectionOrderBy
	OrderDirection *OrderDirection
}

// TokenBalancesParams orders a wallet's ERC-20 balances.
type TokenBalancesParams struct {
	OrderBy        *WalletTokenBalanceOrder
	OrderDirection *OrderDirection
}

// TransactionsParams filters transactions, and orders them by block.
type TransactionsParams struct {
	Filter         *TransactionsFilterInput
	OrderDirection *OrderDirection
}

// SalesParams filters and orders the sales of a collection.
type SalesParams struct {
	Filter         *CollectionSaleFilterInput
	OrderBy        *CollectionSaleOrderBy
	OrderDirection *OrderDirection
}

// GasPricesParams selects the blocks of the gas prices, and orders them.
type GasPricesParams struct {
	Filter         *GasPriceFilterInput
	OrderDirection *OrderDirection
}

// TrendingParams sets the period and the order of trending collections.
type TrendingParams struct {
	Filter         *TrendingCollectionsFilterInput
	OrderBy        *TrendingOrderBy
	OrderDirection *OrderDirection
}
