package graph

import "github.com/rpcfleet/rpcfleet-go/scalar"

// TokenRef names a token: the address of its contract, and its id there.
type TokenRef struct {
	ContractAddress string
	TokenID         scalar.BigInt
}

// Amount is the balance in whole tokens, exactly, such as "12.5". It reports false where the service does not tell the
// token's decimals, or where no token can have as many.
func (b *TokenBalance) Amount() (amount string, known bool) {
	if b.Contract == nil || b.Contract.Decimals == nil {
		return "", false
	}
	decimals, fits := b.Contract.Decimals.Int64()
	if !fits || decimals < 0 || decimals > scalar.MaxDecimals {
		return "", false
	}
	amount, err := b.TotalBalance.FormatUnits(int(decimals))
	return amount, err == nil
}
