package emulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestAppendRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	const request = "6f1a2b3c-d7a8-11ee-8c90-0242ac120002"
	s.log(id, emulator.LoggedCall{Method: "eth_call", RequestID: request})
	for reason, bad := range map[string]emulator.LoggedCall{
		"Method":                {},
		"ResponseTime":          {Method: "eth_call", ResponseTime: -1},
		"Timestamp":             {Method: "eth_call", Timestamp: time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)},
		"years 1970 to 5000":    {Method: "eth_call", Timestamp: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)},
		"time-based UUID":       {Method: "eth_call", RequestID: "3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47"},
		"RequestID is dupl":     {Method: "eth_call", RequestID: request},
		"Network must be in":    {Method: "eth_call", Network: "nowhere-mainnet"},
		"entry 1: the RequestI": {Method: "eth_call", RequestID: "second-nonsense"},
	} {
		_, err := s.AppendLog(id, emulator.LoggedCall{Method: "eth_chainId"}, bad)
		require.ErrorContains(t, err, reason)
	}
	twice := emulator.LoggedCall{Method: "eth_call", RequestID: "6f1a2b3c-d7a8-11ee-8c90-0242ac120003"}
	_, err := s.AppendLog(id, twice, twice)
	require.ErrorContains(t, err, "the RequestID is duplicate")
	_, err = s.AppendLog("unknown", emulator.LoggedCall{Method: "eth_call"})
	require.ErrorContains(t, err, "endpoint not found")
	assert.Equal(t, []string{request}, s.allLogs(logPath(id)), "nothing of a refused append is logged")
}

// TestLateEntries pages through a log while entries arrive, some of them late. Nothing comes twice, and all that stands
// behind the cursor comes.
func TestLateEntries(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	logged := s.log(id, calls(4)...)
	page := s.logs(logPath(id) + "&limit=2")
	require.Equal(t, logged[:2], page.ids())

	at := func(offset time.Duration) emulator.LoggedCall {
		return emulator.LoggedCall{Method: "eth_call", Timestamp: start.Add(offset)}
	}
	late := s.log(id, at(500*time.Millisecond), at(1500*time.Millisecond), at(2500*time.Millisecond), at(time.Minute))
	rest := s.restOfLogs(logPath(id)+"&limit=2", page.NextAt)
	assert.Equal(t, []string{late[1], logged[2], late[2], logged[3], late[3]}, rest, "one stands before the cursor")
	want := []string{logged[0], late[0], logged[1], late[1], logged[2], late[2], logged[3], late[3]}
	assert.Equal(t, want, s.allLogs(logPath(id)))
}
