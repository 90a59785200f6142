package graph

import "github.com/rpcfleet/rpcfleet-go/scalar"

// TokenRef identifies a token by the address of its contract and its id there.
type TokenRef struct {
	ContractAddress string
	TokenID         scalar.BigInt
}

// Amount returns the balance in whole tokens, exactly, such as "12.5". It reports false if the service does not send
// the token's decimals, or sends more than a token can have.
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
