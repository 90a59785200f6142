package acceptance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var logBegin = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

// logEntries are n entries, a second apart.
func logEntries(n int, details string) []emulator.LoggedCall {
	entries := make([]emulator.LoggedCall, n)
	for i := range entries {
		entries[i] = emulator.LoggedCall{
			Timestamp: logBegin.Add(time.Duration(i) * time.Second), Method: "eth_call", Request: details, Response: details,
		}
	}
	return entries
}

func TestLogs_listAndDetails(t *testing.T) {
	b, ctx := start(t), t.Context()
	endpoint := b.CreateEndpoints(1)[0]
	ids := must(b.AppendLog(endpoint, logEntries(25, `{"jsonrpc":"2.0"}`)...))(t)
	failed := must(b.AppendLog(endpoint, emulator.LoggedCall{
		Timestamp: logBegin.Add(time.Minute), Method: "eth_getLogs", Status: 429, ErrorCode: new(-32005), HTTPMethod: "GET",
	}))(t)
	query := admin.ListLogsParams{From: logBegin, To: logBegin.Add(time.Hour), Limit: new(10)}
	page := must(b.Logs.List(ctx, endpoint, query))(t)
	require.Len(t, page.Items, 10)
	assert.False(t, page.Last())
	assert.Equal(t, ids[0], page.Items[0].RequestID)
	assert.Zero(t, page.Items[0].Details, "nobody asked for them")
	query.IncludeDetails, query.NextAt = new(true), &page.NextCursor
	var rest []string
	for entry, err := range b.Logs.All(ctx, endpoint, query) {
		require.NoError(t, err)
		if entry.RequestID == failed[0] {
			assert.Equal(t, new(-32005), entry.ErrorCode)
			assert.Equal(t, 429, entry.Status)
		} else {
			assert.Equal(t, `{"jsonrpc":"2.0"}`, entry.Details.Response)
		}
		rest = append(rest, entry.RequestID)
	}
	assert.Equal(t, append(ids[10:], failed...), rest, "an iteration starts from a stored cursor")

	assert.Equal(t, `{"jsonrpc":"2.0"}`, must(b.Logs.Details(ctx, endpoint, ids[3]))(t).Request)
}
