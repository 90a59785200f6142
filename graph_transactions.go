package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// Contract returns one contract. The concrete type tells an NFT contract, which has its collection, from an ERC-20
// token, which has its decimals. A contract that does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Contract(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Contract, error) {
	c := s.call(queries.GetContract(chain, contractAddress), opts, required("contractAddress", contractAddress))
	return fetchGraph(ctx, c, func(data *queries.GetContractResponse) (graph.Contract, bool) {
		return data.Chain.Contract, data.Chain.Contract != nil
	})
}

// Contracts lists the chain's contracts, or those that the filter selects.
//
// POST /graphql
func (s *GraphService) Contracts(ctx context.Context, chain graph.Chain, filter graph.ContractsFilterInput, opts ...CallOption) *Connection[graph.ContractSummary] {
	selection := selected(filter)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListContracts(chain, w, selection)
	}, func(data *queries.ListContractsResponse) *queries.List[graph.ContractSummary] {
		return data.Chain.Contracts
	})
}

// Transaction returns one transaction. Amounts are in the smallest unit of the chain's own coin. A transaction that
// does not exist is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Transaction(ctx context.Context, chain graph.Chain, hash string, opts ...CallOption) (*graph.Transaction, error) {
	c := s.call(queries.GetTransaction(chain, hash), opts, required("hash", hash))
	return fetchGraph(ctx, c, func(data *queries.GetTransactionResponse) (*graph.Transaction, bool) {
		return data.Chain.Transaction, data.Chain.Transaction != nil
	})
}

// Transactions searches the chain's transactions by block, time, sender and receiver. Where the service responds with
// null for the listing, it is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) Transactions(ctx context.Context, chain graph.Chain, params graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListTransactions(chain, w, params.Filter, params.OrderDirection)
	}, func(data *queries.ListTransactionsResponse) *queries.List[graph.Transaction] {
		return data.Chain.Transactions
	})
}

// WalletTransactions lists the transactions that a wallet sent or received. A wallet that does not exist is
// [ErrNotFound].
//
// POST /graphql
func (s *GraphService) WalletTransactions(ctx context.Context, chain graph.Chain, wallet string, params graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = deepCopy(params)
	return connect(ctx, s, opts, func(w queries.Window) queries.Request {
		return queries.ListWalletTransactions(chain, wallet, w, params.Filter, params.OrderDirection)
	}, func(data *queries.ListWalletTransactionsResponse) *queries.List[graph.Transaction] {
		return orNothing(data.Chain.Wallet).Transactions
	}, walletID("wallet", wallet))
}

// GasPrices returns the gas prices of blocks, in wei (assumed); [graph.GasPrice.Gwei] has them in gwei. Where the service
// responds with null for the list, it is [ErrNotFound].
//
// POST /graphql
func (s *GraphService) GasPrices(ctx context.Context, chain graph.Chain, params graph.GasPricesParams, opts ...CallOption) ([]graph.GasPrice, error) {
	params = deepCopy(params)
	c := s.call(queries.ListGasPrices(chain, params.Filter, params.OrderDirection), opts)
	return fetchGraph(ctx, c, func(data *queries.ListGasPricesResponse) ([]graph.GasPrice, bool) {
		return data.Chain.GasPrices, data.Chain.GasPrices != nil
	})
}
