package payload

import "github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"

func usage(r random) record.Envelope[record.Usage] {
	rows := make([]record.MethodUsage, UsageSize)
	for i := range rows {
		rows[i] = record.MethodUsage{
			MethodName:  r.method(),
			CreditsUsed: 1 + r.Int64N(900_000_000),
			Archive:     sometimes(r, 3, r.IntN(2) == 0),
			Network:     r.of("mainnet", "sepolia", "holesky"),
			Chain:       r.of("eth", "base", "matic"),
		}
	}
	return envelope(record.Usage{Methods: rows, StartTime: From.Unix(), EndTime: To.Unix()})
}
