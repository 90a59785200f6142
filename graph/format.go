package graph

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// The hand-written records are printed like the generated ones.

// Format prints the record.
func (r GasPriceGwei) Format(state fmt.State, _ rune) { redact.Record(state, r) }

// Format prints the record.
func (p WalletNFTsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p WalletCollectionsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p TokenBalancesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p TransactionsParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p SalesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p GasPricesParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// Format prints the record.
func (p TrendingParams) Format(state fmt.State, _ rune) { redact.Record(state, p) }
