package fleet

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Usage is a number of calls of one method on one day. It is counted in metrics and in reports of usage as if all calls
// came in at the first moment of the day, in UTC; no listing of logs has them. A million calls take as little room as
// one. Metrics of response times leave them out.
type Usage struct {
	// Day is a date such as "2026-03-09". It is as many days ago as DaysAgo says where it is empty.
	Day string `json:"day"`
	// DaysAgo counts back from the emulator's present day, which is 0.
	DaysAgo int `json:"days_ago"`
	// Method is the RPC method, which also decides what a call costs.
	Method string `json:"method"`
	// Requests is the number of calls, at least 1 and at most 10^12.
	Requests int64 `json:"requests"`
	// Bytes is the data that all calls together are metered with, at most 10^15.
	Bytes int64 `json:"bytes"`
	// Network is the slug of the network that was called. It is the endpoint's own where it is empty.
	Network string `json:"network"`
	// Archive says that the calls were on archived state.
	Archive bool `json:"archive"`
	// Status is the HTTP status of the responses, and 200 where it is 0.
	Status int `json:"status"`
	// ErrorCode is the error code of the RPC calls, or nil where they succeeded.
	ErrorCode *int `json:"error_code"`
}

// Format prints the record.
func (u Usage) Format(state fmt.State, _ rune) { redact.Record(state, u) }
