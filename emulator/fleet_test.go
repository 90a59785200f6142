package emulator_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// populated is a service with the account of the program's example, which has something of everything, and its ids.
func populated(t *testing.T) (*service, map[string]string) {
	t.Helper()
	s := startService(t)
	var fleet []emulator.SeedRequest
	require.NoError(t, yaml.Unmarshal(must(os.ReadFile("cmd/rpcfleet-emulator/fleet.yaml"))(t), &fleet))
	return s, must(s.Populate(fleet...))(t)
}

// partsOf are parts of the account of populated, by the path that shows them.
func partsOf(ids map[string]string) map[string][]string {
	return map[string][]string{
		"/v0/endpoints/" + ids["checkout"]: {
			`"label":"checkout"`, `"label":"payments"`, `"is_multichain":true`, `"referrer":"shop.example"`,
			`"ip":"192.0.2.0/24"`, `"rps":100`, `"rpm":6000`, `"rpd":-1`, `"referrers":true`,
		},
		"/v0/endpoints/" + ids["checkout"] + "/method-rate-limits": {`"eth_getLogs"`, `"rate":5`},
		"/v0/endpoints?statuses=paused":                            {`"label":"playground"`},
		"/v0/endpoints?dedicated=true":                             {`"label":"indexer"`},
		"/v0/endpoints/tags":                                       {`"label":"production","usage_count":2`},
		"/v0/teams":                                                {`"name":"Payments"`, `"owner@example.com"`},
		"/v0/teams/" + ids["payments"]:                             {`"pending_invites":[{"created_at"`, `"ben@example.com"`},
		"/v0/tooling-access":                                       {`"enabled":true`},
		alertsPath + "/destinations":                               {`"name":"pager"`},
		alertsPath + "/notifications":                              {`"name":"Large transfers"`, ids["pager"]},
		webhooksPath + "/webhooks/" + ids["wallets"]:               {`"walletsListName":"treasury"`, `"status":"active"`},
		streamsPath + "/streams/" + ids["backfill"]:                {`"name":"Backfill"`, `"end_range":500`},
		keyValuePath + "/lists/treasury":                           {`"items":["0x00000000000000000000000000`},
		keyValuePath + "/sets/tip":                                 {`"value":"21000000"`},
	}
}

// TestPopulate_addsEveryPart looks for every part of a fleet in the responses of the operations.
func TestPopulate_addsEveryPart(t *testing.T) {
	s, ids := populated(t)
	assert.Empty(t, s.Calls())
	for path, parts := range partsOf(ids) {
		body := string(s.get(path).ok().body)
		for _, part := range parts {
			assert.Contains(t, body, part, path)
		}
	}
}

// TestPopulate_errorNamesRequest: the requests before the error are executed.
func TestPopulate_errorNamesRequest(t *testing.T) {
	for text, want := range map[string]string{
		"POST /v0/teams":                 `request 2, POST /v0/teams: status 400: {"data":null,"error":"the body is`,
		"GET /v0/endpoints/$none":        `status 404: {"data":null,"error":"endpoint not found"}`,
		"POST /_emulator/users/7/accept": "status 404", "POST /_emulator/users/x/accept": "status 400",
		"POST /_emulator/endpoints": "the body must be an endpoint in JSON",
		"\n":                        "invalid method", "GET /v0/\x7f": "invalid control character",
	} {
		s := startService(t)
		ids, err := s.Populate(emulator.SeedRequest{Do: "POST /v0/teams", Body: object{"name": "Core"}, As: "core"},
			emulator.SeedRequest{Do: text})
		require.ErrorContains(t, err, want)
		assert.Contains(t, string(s.get("/v0/teams/"+ids["core"]).ok().body), `"Core"`)
	}
	_, err := startService(t).Populate(emulator.SeedRequest{Do: "POST /v0/teams", Body: make(chan int)})
	require.ErrorContains(t, err, "unsupported type")
}

// TestAddEndpoint_refusesInvalidSpec, and AppendLog the same entries. Nothing is made or logged then.
func TestAddEndpoint_refusesInvalidSpec(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	usage := func(entry emulator.LoggedCall) emulator.EndpointSpec {
		return emulator.EndpointSpec{Usage: []emulator.LoggedCall{{Method: "eth_chainId"}, entry}}
	}
	for reason, spec := range map[string]emulator.EndpointSpec{
		"network is not":         {Chain: "base", Network: "mars"},
		"label must be at":       {Tags: []string{strings.Repeat("x", 26)}},
		`security option "x"`:    {Options: map[string]bool{"x": true}},
		"log entry 1: the Netwo": usage(emulator.LoggedCall{Method: "a", Network: "nowhere-mainnet"}),
		"the Method is missing":  usage(emulator.LoggedCall{}),
		"ResponseTime":           usage(emulator.LoggedCall{Method: "a", ResponseTime: -1}),
		"Timestamp":              usage(emulator.LoggedCall{Method: "a", Timestamp: start.AddDate(-57, 0, 0)}),
		"years 1970 to 5000":     usage(emulator.LoggedCall{Method: "a", Timestamp: start.AddDate(7973, 0, 0)}),
		"the Requests and":       usage(emulator.LoggedCall{Method: "a", Requests: -1}),
		"the Bytes must not":     usage(emulator.LoggedCall{Method: "a", Requests: 1, Bytes: -1}),
	} {
		if spec.Chain == "" {
			spec.Chain, spec.Network = "base", "base-mainnet"
		}
		require.ErrorContains(t, errOf(s.AddEndpoint(spec)), reason)
		if spec.Usage != nil {
			require.ErrorContains(t, errOf(s.AppendLog(id, spec.Usage...)), reason)
		}
	}
	require.ErrorContains(t, errOf(s.AppendLog("unknown", emulator.LoggedCall{Method: "a"})), "endpoint not found")
	assert.Equal(t, []string{id}, s.list(""))
	logged, _ := s.logs(logPath(id))
	assert.Empty(t, logged)
}

// TestAppendLog_talliesCountWithoutLogs: tallies are in usage and metrics, and in no log.
func TestAppendLog_talliesCountWithoutLogs(t *testing.T) {
	s := startService(t)
	id, code := s.create().ID, -32000
	logged := must(s.AppendLog(id, emulator.LoggedCall{Method: "eth_call", Requests: 100_000, Bytes: 7_000_000},
		emulator.LoggedCall{DaysAgo: 2, Method: "eth_getLogs", Requests: 1000},
		emulator.LoggedCall{DaysAgo: 2, Method: "eth_getLogs", Requests: 500, Archive: true, Network: "base-mainnet",
			Status: 429, ErrorCode: &code}))(t)
	assert.Empty(t, logged)
	metric := "/v0/endpoints/" + id + "/metrics?period=week&metric="
	yesterday := fmt.Sprint("/v0/usage/rpc?start_time=", start.Add(-24*time.Hour).Unix())
	for path, parts := range map[string][]string{ // eth_call costs 20, and eth_getLogs 75.
		"/v0/usage/rpc": {`"credits_used":2112500,`}, yesterday: {`"credits_used":2000000,`},
		"/v0/usage/rpc/by-method": {
			`"credits_used":2000000`, `"credits_used":75000`, `"credits_used":37500`, `"archive":true`, `"base-mainnet"`},
		"/v0/usage/rpc/by-tag":               {`"bytes":7000000`},
		"/v0/usage/rpc/by-endpoint":          {`"requests":101500`},
		metric + "response_status_breakdown": {`,101000]`},
		metric + "request_errors_over_time":  {`500]`},
	} {
		for _, part := range parts {
			assert.Contains(t, string(s.get(path).ok().body), part, path)
		}
	}
	assert.JSONEq(t, `[]`, string(dataOf[json.RawMessage](s.get(metric+"method_response_time_max"))), "no time was counted")
	entries, _ := s.logs(logPath(id))
	assert.Empty(t, entries)
}

// TestLogs_lateEntriesComeOnceBehindCursor pages through a log while entries arrive, some of them late. Nothing comes
// twice, and all that stands behind the cursor comes.
func TestLogs_lateEntriesComeOnceBehindCursor(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	log := func(offsets ...time.Duration) []string {
		var entries []emulator.LoggedCall
		for _, offset := range offsets {
			entries = append(entries, emulator.LoggedCall{Method: "eth_call", Timestamp: start.Add(offset * time.Millisecond)})
		}
		return must(s.AppendLog(id, entries...))(t)
	}
	logged := log(0, 1000, 2000, 3000)
	page, cursor := s.logs(logPath(id) + "&limit=2")
	require.Equal(t, logged[:2], page)
	late := log(500, 1500, 2500, 60_000)
	var rest []string
	for cursor != "" {
		page, cursor = s.logs(logPath(id) + "&limit=2&next_at=" + cursor)
		rest = append(rest, page...)
	}
	assert.Equal(t, []string{late[1], logged[2], late[2], logged[3], late[3]}, rest, "one stands before the cursor")
	all, _ := s.logs(logPath(id))
	assert.Equal(t, []string{logged[0], late[0], logged[1], late[1], logged[2], late[2], logged[3], late[3]}, all)
}
