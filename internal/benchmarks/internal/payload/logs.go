package payload

import (
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

func logs(r random) record.Envelope[[]located] {
	subdomain := r.subdomain()
	entries := make([]located, LogSize)
	for i := range entries {
		entries[i] = located{
			LogEntry: logEntry(r, i, r.address("https", subdomain, Network)),
			ClientIP: fmt.Sprintf("192.0.2.%d", r.IntN(256)),
			Region:   r.of("fra1", "iad2", "sin1"),
			Duration: float64(r.IntN(100_000)) / 100,
		}
	}
	page := envelope(entries)
	page.NextAt = new(r.hex(48))
	return page
}

func logEntry(r random, i int, address string) record.LogEntry {
	method := r.method()
	entry := record.LogEntry{
		Timestamp:  From.Add(time.Duration(i)*time.Second + time.Duration(r.IntN(1000))*time.Millisecond),
		Method:     method,
		Network:    Network,
		HTTPMethod: "POST",
		Status:     200,
		URL:        address,
		RequestID:  fmt.Sprintf("%s-%s-1%s-8%s-%s", r.hex(8), r.hex(4), r.hex(3), r.hex(3), r.hex(12)),
		Details: &record.LogDetails{
			Request: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":[{"to":"0x%s","data":"0x%s"},"latest"]}`,
				i, method, r.hex(40), r.hex(136)),
			Response: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"0x%s"}`, i, r.hex(800)),
		},
	}
	if r.IntN(10) == 0 {
		entry.ErrorCode = new(-32000)
		entry.Details.Response = fmt.Sprintf(
			`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"header not found\n"}}`, i)
	}
	return entry
}
