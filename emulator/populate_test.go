package emulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// wholeFleet has something of everything.
func wholeFleet() fleet.Fleet {
	code := -32000
	return fleet.Fleet{
		Account: fleet.Account{Name: "Sample Bridge", Plan: "Build", ToolingAccess: true},
		Users: []fleet.User{
			{Email: "ana@example.com", FullName: "Ana Sample", Role: "admin"},
			{Email: "ben@example.com", FullName: "Ben Sample", Role: "viewer", Pending: true},
		},
		Tags: []string{"idle", "production"},
		Endpoints: []fleet.Endpoint{
			{
				Chain: "ethereum", Network: "ethereum-mainnet", Label: "checkout", Tags: []string{"production", "eu"},
				Tokens: []string{"first-made-up-token", "second_made_up_token"}, Multichain: true,
				Security: fleet.Security{
					Options: map[string]bool{"referrers": true, "tokens": false}, IPCustomHeader: "X-Real-IP",
					Referrers: []string{"shop.example"}, IPs: []string{"192.0.2.0/24"}, DomainMasks: []string{"rpc.example"},
					RequestFilters: [][]string{{"eth_call", "eth_chainId"}},
					JWTs:           []fleet.JWT{{PublicKey: "made-up", Kid: "k1", Name: "login"}},
				},
				RateLimits: fleet.RateLimits{RPS: 50, RPM: 1000},
				MethodRateLimits: []fleet.MethodRateLimit{
					{Interval: "second", Methods: []string{"eth_getLogs"}, Rate: 5}},
				Usage: []fleet.Usage{
					{Method: "eth_call", Requests: 100_000, Bytes: 7_000_000},
					{DaysAgo: 2, Method: "eth_getLogs", Requests: 1000},
					{DaysAgo: 2, Method: "eth_getLogs", Requests: 500, Archive: true, Network: "base-mainnet", Status: 429,
						ErrorCode: &code},
				},
			},
			{Chain: "solana", Network: "solana-mainnet", Label: "indexer", Paused: true, Dedicated: true, FlatRate: true},
		},
		Teams: []fleet.Team{
			{Name: "Payments", Members: []string{"ANA@example.com", emulator.PrimaryUserEmail}, Endpoints: []string{"checkout"}},
			{Name: "Data"},
		},
		Destinations: []fleet.Destination{
			{Name: "pager", URL: "https://pager.example/hook", Token: "made-up-signing-token"},
			{Name: "archive", URL: "https://archive.example/hook"},
		},
		Notifications: []fleet.Notification{
			{Name: "large", Network: "ethereum-mainnet", Expression: "tx_to =~ '^0x'",
				Destinations: []string{"archive", "pager"}},
			{Name: "off", Network: "polygon-mainnet", Expression: "tx_index == '1'"},
		},
		Graph: fleet.Graph{Seed: 99, Polygon: fleet.GraphChain{
			Wallets: []fleet.GraphWallet{
				{Address: "0x00000000000000000000000000000000000000aa", ENSName: "ana.example.eth"}},
			Collections: []fleet.GraphCollection{{Address: "0x00000000000000000000000000000000000000bb", Name: "X", Size: 3}},
			Tokens: []fleet.GraphToken{
				{Address: "0x00000000000000000000000000000000000000cc", Name: "Ana Coin", Symbol: "ANA", Decimals: 2}},
		}},
	}
}

// TestPopulate_addsEveryPart looks for every part of a fleet in the responses of the operations.
func TestPopulate_addsEveryPart(t *testing.T) {
	s := startService(t)
	made := must(s.Populate(wholeFleet()))(t)
	require.Len(t, made.Endpoints, 2)
	id := made.Endpoints[0]

	for path, parts := range map[string][]string{
		"/v0/account/info": {`"name":"Sample Bridge"`, `"plan_name":"Build"`},
		"/v0/endpoints/" + id: {
			`"label":"checkout"`, `/first-made-up-token/`, `"token":"second_made_up_token"`, `"is_multichain":true`,
			`"referrer":"shop.example"`, `"ip":"192.0.2.0/24"`, `"domain":"rpc.example"`, `"value":"X-Real-IP"`,
			`"rps":50`, `"rpm":1000`, `"rpd":-1`, `"tokens":false`, `"referrers":true`, `"kid":"k1"`, `"label":"eu"`,
			`["eth_call","eth_chainId"]`,
		},
		"/v0/endpoints/" + id + "/method-rate-limits": {`"eth_getLogs"`, `"rate":5`},
		"/v0/endpoints?statuses=paused":               {`"label":"indexer"`, `"is_dedicated":true`, `"is_flat_rate":true`},
		"/v0/endpoints/tags": {`"label":"idle","usage_count":0`,
			`"label":"production","usage_count":1`},
		"/v0/teams": {`"name":"Payments"`, `"ana@example.com"`, `"owner@example.com"`,
			`"name":"Data"`},
		"/v0/tooling-access": {`"enabled":true`},
		alertsPath +
			"/destinations": {`"token":"made-up-signing-token"`, `"name":"archive"`},
		alertsPath + "/notifications": {`"name":"large"`, `"name":"off"`},
	} {
		body := string(s.get(path).ok().body)
		for _, part := range parts {
			assert.Contains(t, body, part, path)
		}
	}
	require.NoError(t, s.AcceptInvitation(made.Users[1]), "Ben is pending")
	require.Error(t, s.AcceptInvitation(made.Users[0]), "Ana is not")
	names := string(s.post("/graphql", object{"query": `{polygon {
		collection(contractAddress: "0x00000000000000000000000000000000000000bb") {name}
		contract(contractAddress: "0x00000000000000000000000000000000000000CC") {symbol}
		walletByAddress(address: "0x00000000000000000000000000000000000000aa") {ensName}
	}}`}).ok().body)
	for _, part := range []string{`"name":"X"`, `"symbol":"ANA"`, `"ensName":"ana.example.eth"`} {
		assert.Contains(t, names, part)
	}
}

// TestPopulate_usageCountsWithoutLogs: counted requests are in usage and metrics, and in no log.
func TestPopulate_usageCountsWithoutLogs(t *testing.T) {
	s := startService(t)
	made := must(s.Populate(wholeFleet()))(t)
	id := made.Endpoints[0]
	// eth_call costs 20, eth_getLogs 75.
	const today, two = 100_000 * 20, 1500 * 75
	assert.EqualValues(t, today+two, dataOf[usageTotal](s.get("/v0/usage/rpc")).Used)
	midnight := start.Truncate(24 * time.Hour).Unix()
	assert.EqualValues(t, today, dataOf[usageTotal](s.get("/v0/usage/rpc?start_time="+text(midnight))).Used)
	assert.EqualValues(t, 0, dataOf[usageTotal](s.get("/v0/usage/rpc?start_time="+text(midnight+1))).Used)
	byMethod := string(s.get("/v0/usage/rpc/by-method").ok().body)
	for _, part := range []string{`"credits_used":2000000`, `"credits_used":75000`, `"credits_used":37500`,
		`"archive":true`, `"base-mainnet"`} {
		assert.Contains(t, byMethod, part)
	}
	assert.Contains(t, string(s.get("/v0/usage/rpc/by-tag").ok().body), `"bytes":7000000`)
	assert.Contains(t, string(s.get("/v0/usage/rpc/by-endpoint").ok().body), `"requests":101500`)
	metric := "/v0/endpoints/" + id + "/metrics?period=week&metric="
	assert.Contains(t, string(s.get(metric+"response_status_breakdown").ok().body), `,101000]`)
	assert.Contains(t, string(s.get(metric+"request_errors_over_time").ok().body), `500]`)
	assert.JSONEq(t, `[]`, string(mustData(s.get(metric+"method_response_time_max"))), "no response time was counted")
	logs := s.get("/v0/endpoints/" + id + "/logs?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z").ok()
	assert.JSONEq(t, `[]`, string(mustData(logs)))
	assert.Equal(t, made.Endpoints, s.list("sort_by=usage&sort_direction=desc").ids())

	require.NoError(t, s.AddUsage(id, fleet.Usage{Method: "eth_call", Requests: 1}))
	assert.EqualValues(t, today+two+20, dataOf[usageTotal](s.get("/v0/usage/rpc")).Used)
	for reason, usage := range map[string]fleet.Usage{
		"usage[0]: requests": {Method: "eth_call"},
		"usage[0]: method":   {Requests: 1},
		"usage[0]: days_ago": {Method: "eth_call", Requests: 1, DaysAgo: -1},
		"usage[0]: bytes":    {Method: "eth_call", Requests: 1, Bytes: -1},
		"usage[0]: network":  {Method: "eth_call", Requests: 1, Network: "nowhere"},
		"usage[0]: status":   {Method: "eth_call", Requests: 1, Status: 7},
	} {
		require.ErrorContains(t, s.AddUsage(id, usage), reason)
	}
	require.ErrorContains(t, s.AddUsage("7", fleet.Usage{Method: "eth_call", Requests: 1}), "endpoint not found")
}

// TestPopulate_errorNamesPlace breaks one rule at a time, and nothing is added then.
func TestPopulate_errorNamesPlace(t *testing.T) {
	for want, breakIt := range map[string]func(*fleet.Fleet){
		"tags[1]: label":                        func(f *fleet.Fleet) { f.Tags[1] = "" },
		"users[0]: email":                       func(f *fleet.Fleet) { f.Users[0].Email = "ana" },
		"users[0]: role":                        func(f *fleet.Fleet) { f.Users[0].Role = "" },
		"users[1]: full_name":                   func(f *fleet.Fleet) { f.Users[1].FullName = "" },
		"users[1]: email is used by another":    func(f *fleet.Fleet) { f.Users[1].Email = "ana@EXAMPLE.com" },
		"users[9]: the account has its maximum": func(f *fleet.Fleet) { f.Users = manyUsers(10) },
		"endpoints[1]: network":                 func(f *fleet.Fleet) { f.Endpoints[1].Network = "base-mainnet" },
		"endpoints[0]: tags[1]: label":          func(f *fleet.Fleet) { f.Endpoints[0].Tags[1] = "" },
		"endpoints[0]: tokens[1]: must":         func(f *fleet.Fleet) { f.Endpoints[0].Tokens[1] = "a/b" },
		"endpoints[0]: security: options: unknown": func(f *fleet.Fleet) {
			f.Endpoints[0].Security.Options["cats"] = true
		},
		"endpoints[0]: security: referrers[0]: referrer": func(f *fleet.Fleet) { f.Endpoints[0].Security.Referrers[0] = "" },
		"endpoints[0]: security: ips[0]: ip":             func(f *fleet.Fleet) { f.Endpoints[0].Security.IPs[0] = "here" },
		"endpoints[0]: security: domain_masks[0]":        func(f *fleet.Fleet) { f.Endpoints[0].Security.DomainMasks[0] = "" },
		"endpoints[0]: security: request_filters[0]": func(f *fleet.Fleet) {
			f.Endpoints[0].Security.RequestFilters[0] = nil
		},
		"endpoints[0]: security: jwts[0]: kid":           func(f *fleet.Fleet) { f.Endpoints[0].Security.JWTs[0].Kid = "" },
		"endpoints[0]: rate_limits.rps":                  func(f *fleet.Fleet) { f.Endpoints[0].RateLimits.RPS = 501 },
		"endpoints[0]: method_rate_limits[0]: rate":      func(f *fleet.Fleet) { f.Endpoints[0].MethodRateLimits[0].Rate = 0 },
		"endpoints[0]: usage[2]: network":                func(f *fleet.Fleet) { f.Endpoints[0].Usage[2].Network = "x" },
		"teams[1]: name":                                 func(f *fleet.Fleet) { f.Teams[1].Name = "abc" },
		"teams[0]: members[0]: must":                     func(f *fleet.Fleet) { f.Teams[0].Members[0] = "x@example.com" },
		"teams[0]: members[1]: must":                     func(f *fleet.Fleet) { f.Teams[0].Members[1] = "ana@example.com" },
		"teams[0]: endpoints[0]: must":                   func(f *fleet.Fleet) { f.Endpoints[1].Label = "checkout" },
		"destinations[0]: to_url":                        func(f *fleet.Fleet) { f.Destinations[0].URL = "pager" },
		"notifications[0]: expression":                   func(f *fleet.Fleet) { f.Notifications[0].Expression = "" },
		"notifications[0]: network":                      func(f *fleet.Fleet) { f.Notifications[0].Network = "mars" },
		"notifications[0]: destinations[1]: destination": func(f *fleet.Fleet) { f.Notifications[0].Destinations[1] = "x" },
		"graph.polygon: wallets[0]: address must":        func(f *fleet.Fleet) { f.Graph.Polygon.Wallets[0].Address = "0x12" },
		"graph.polygon: collections[0]: address must": func(f *fleet.Fleet) {
			f.Graph.Polygon.Wallets[0].Address = "0x00000000000000000000000000000000000000BB"
		},
		"graph.polygon: collections[0]: must have a name":                                           func(f *fleet.Fleet) { f.Graph.Polygon.Collections[0].Name = "" },
		"graph.polygon: collections[0]: must have a name, a size":                                   func(f *fleet.Fleet) { f.Graph.Polygon.Collections[0].Size = 0 },
		"graph.polygon: collections[0]: must have a name, a size from 1 to 100000, and no standard": func(f *fleet.Fleet) { f.Graph.Polygon.Collections[0].Standard = "ERC20" },
		"graph.polygon: tokens[0]: must have a name":                                                func(f *fleet.Fleet) { f.Graph.Polygon.Tokens[0].Symbol = "" },
		"graph.polygon: tokens[0]: must have a name, a symbol, and decimals":                        func(f *fleet.Fleet) { f.Graph.Polygon.Tokens[0].Decimals = 37 },
	} {
		t.Run(want, func(t *testing.T) {
			s, untouched := startService(t), startService(t)
			broken := wholeFleet()
			breakIt(&broken)
			_, err := s.Populate(broken)
			require.ErrorContains(t, err, want)
			for _, path := range []string{"/v0/endpoints", "/v0/endpoints/tags", "/v0/teams", "/v0/usage/rpc", alertsPath +
				"/destinations", alertsPath + "/notifications"} {
				assert.Equal(t, untouched.get(path).ok().body, s.get(path).ok().body, path)
			}
			assert.Equal(t, untouched.create().ID, s.create().ID, "the next ids are what they would have been")
		})
	}
}

func manyUsers(n int) []fleet.User {
	users := make([]fleet.User, n)
	for i := range users {
		users[i] = fleet.User{Email: text(int64(i)) + "@example.com", FullName: "Made Up", Role: "viewer"}
	}
	return users
}

// TestAddEndpoint_acceptsWholeSpec: one endpoint has the same spec as a fleet.
func TestAddEndpoint_acceptsWholeSpec(t *testing.T) {
	s := startService(t)
	id := must(s.AddEndpoint(wholeFleet().Endpoints[0]))(t)
	assert.Contains(t, string(s.get("/v0/endpoints/"+id).ok().body), "second_made_up_token")
	_, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tokens: []string{""}})
	require.ErrorContains(t, err, "emulator: tokens[0]: must contain")
	s.get("/v0/endpoints/"+id+"0").rejected(http.StatusNotFound, "endpoint")
}

func TestAppendLog_refusesInvalidEntries(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	for reason, bad := range map[string]emulator.LoggedCall{
		"Method":             {},
		"ResponseTime":       {Method: "eth_call", ResponseTime: -1},
		"Timestamp":          {Method: "eth_call", Timestamp: time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)},
		"years 1970 to 5000": {Method: "eth_call", Timestamp: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)},
		"entry 1: the Netwo": {Method: "eth_call", Network: "nowhere-mainnet"},
	} {
		_, err := s.AppendLog(id, emulator.LoggedCall{Method: "eth_chainId"}, bad)
		require.ErrorContains(t, err, reason)
	}
	_, err := s.AppendLog("unknown", emulator.LoggedCall{Method: "eth_call"})
	require.ErrorContains(t, err, "endpoint not found")
	assert.Empty(t, s.allLogs(logPath(id)), "nothing of a refused append is logged")
}

// TestLogs_lateEntriesComeOnceBehindCursor pages through a log while entries arrive, some of them late. Nothing comes
// twice, and all that stands behind the cursor comes.
func TestLogs_lateEntriesComeOnceBehindCursor(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	logged := s.log(id, callHistory(4)...)
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
