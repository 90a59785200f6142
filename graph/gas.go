package graph

// weiInGwei is the number of wei in one gwei.
const weiInGwei = 1e9

// Gwei returns the prices in gwei, a billionth of the chain's native coin. The record contains them in wei (assumed).
func (p GasPrice) Gwei() GasPriceGwei {
	return GasPriceGwei{
		BlockNumber: p.BlockNumber,
		Average:     p.Average / weiInGwei,
		Median:      p.Median / weiInGwei,
		Floor:       p.Floor / weiInGwei,
		Ceiling:     p.Ceiling / weiInGwei,
		Total:       p.Total / weiInGwei,
	}
}

// GasPriceGwei contains the gas prices of one block, in gwei.
type GasPriceGwei struct {
	BlockNumber                            int
	Average, Median, Floor, Ceiling, Total float64
}
