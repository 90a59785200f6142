package graph

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Parameters are printed like records: their fields are pointers.

// Format prints the fields of WalletNFTsParams.
func (p WalletNFTsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of WalletCollectionsParams.
func (p WalletCollectionsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of TokenBalancesParams.
func (p TokenBalancesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of TransactionsParams.
func (p TransactionsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of SalesParams.
func (p SalesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of GasPricesParams.
func (p GasPricesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the fields of TrendingParams.
func (p TrendingParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }
