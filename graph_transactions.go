package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// Contract returns one contract. The concrete type tells an NFT contract, which has its collection, from an ERC-20
// token, which has its decimals. A contract that does not exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) Contract(ctx context.Context, chain graph.Chain, contractAddress string, opts ...CallOption) (graph.Contract, error) {
	q := s.query(chain, opts, required("contractAddress", contractAddress))
	answer, err := graph.GetContract(ctx, q, contractAddress)
	contract := answer.Chain.Contract
	return found(q, contract, contract != nil, err)
}

// Transaction returns one transaction. Amounts are in the smallest unit of the chain's own coin. A transaction that does
// not exist is ErrNotFound.
//
// POST /graphql
func (s *GraphService) Transaction(ctx context.Context, chain graph.Chain, hash string, opts ...CallOption) (*graph.Transaction, error) {
	q := s.query(chain, opts, required("hash", hash))
	answer, err := graph.GetTransaction(ctx, q, hash)
	transaction := answer.Chain.Transaction
	return found(q, transaction, transaction != nil, err)
}

// Transactions searches the chain's transactions by block, time, sender and receiver. Where the service answers null for
// the listing, it is ErrNotFound.
//
// POST /graphql
func (s *GraphService) Transactions(ctx context.Context, chain graph.Chain, params *graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Transaction], error) {
			answer, err := graph.ListTransactions(ctx, q, q.first, q.after, params.Filter, params.OrderDirection)
			return pageOf(q, answer.Chain.Transactions, err, record[graph.Transaction])
		})
}

// WalletTransactions lists the transactions that a wallet sent or received. A wallet that does not exist is
// ErrNotFound.
//
// POST /graphql
func (s *GraphService) WalletTransactions(ctx context.Context, chain graph.Chain, address string, params *graph.TransactionsParams, opts ...CallOption) *Connection[graph.Transaction] {
	params = cloned(params)
	return connect(ctx, s.query(chain, opts, required("address", address)),
		func(ctx context.Context, q *graphQuery) (*CursorPage[graph.Transaction], error) {
			answer, err := graph.ListWalletTransactions(ctx, q, address, q.first, q.after, params.Filter, params.OrderDirection)
			return pageOf(q, orNothing(answer.Chain.Wallet).Transactions, err, record[graph.Transaction])
		})
}

// GasPrices returns the gas prices of blocks.
//
// POST /graphql
func (s *GraphService) GasPrices(ctx context.Context, chain graph.Chain, params *graph.GasPricesParams, opts ...CallOption) ([]graph.GasPrice, error) {
	params = cloned(params)
	answer, err := graph.ListGasPrices(ctx, s.query(chain, opts), params.Filter, params.OrderDirection)
	return answer.Chain.GasPrices, err
}
