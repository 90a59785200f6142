package graph

import (
	"math/big"
	"strings"
)

// maxDecimals is the maximum number of decimals of an amount: an ERC-20 token stores it in a uint8.
const maxDecimals = 255

// Amount returns the balance in whole tokens, exactly, such as "12.5". It reports false if the service does not send
// the token's decimals, or sends more than a token can have.
func (b *TokenBalance) Amount() (amount string, known bool) {
	if b.Contract == nil || b.Contract.Decimals == nil {
		return "", false
	}
	decimals, fits := b.Contract.Decimals.Int64()
	if !fits || decimals < 0 || decimals > maxDecimals {
		return "", false
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	amount = new(big.Rat).SetFrac(b.TotalBalance.Big(), unit).FloatString(int(decimals))
	if decimals > 0 {
		amount = strings.TrimSuffix(strings.TrimRight(amount, "0"), ".")
	}
	return amount, true
}
