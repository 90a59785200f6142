package emulator_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var (
	periodStart = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC).Unix()
	wholeYear   = fmt.Sprintf("?start_time=%d", start.AddDate(-1, 0, 0).Unix())
)

type usageTotal struct {
	Used      int64  `json:"credits_used"`
	Remaining *int64 `json:"credits_remaining"`
	Limit     *int64 `json:"limit"`
	Overages  *int64 `json:"overages"`
	Start     int64  `json:"start_time"`
	End       int64  `json:"end_time"`
}

func TestUsageRange(t *testing.T) {
	s, _, _ := busy(t)
	now := start.Unix()
	// What busy logs costs 530 credits in March, and 20 more in February.
	for query, want := range map[string]usageTotal{
		"":                                       {530, new(int64(449_999_470)), new(int64(450_000_000)), new(int64(0)), periodStart, now},
		wholeYear:                                {550, nil, nil, nil, start.AddDate(-1, 0, 0).Unix(), now},
		fmt.Sprintf("?end_time=%d", now-4*86400): {20, nil, nil, nil, periodStart, now - 4*86400},
		fmt.Sprintf("?start_time=%d&end_time=%d", now, now):     {320, nil, nil, nil, now, now},
		fmt.Sprintf("?start_time=%d&end_time=%d", now-1, now-1): {40, nil, nil, nil, now - 1, now - 1},
		fmt.Sprintf("?start_time=%d", now-600):                  {435, nil, nil, nil, now - 600, now},
		"?start_time=0&end_time=0":                              {0, nil, nil, nil, 0, 0},
		"?end_time=253402300799":                                {530, nil, nil, nil, periodStart, 253402300799},
	} {
		assert.Equal(t, want, dataOf[usageTotal](s.get("/v0/usage/rpc"+query)), query)
	}
	for _, report := range []string{"", "/by-tag", "/by-endpoint", "/by-method", "/by-chain"} {
		for query, reason := range map[string]string{
			"?start_time=2&end_time=1":                 "start_time",
			fmt.Sprintf("?start_time=%d", now+1):       "start_time",
			fmt.Sprintf("?end_time=%d", periodStart-1): "start_time",
			"?start_time=-1":                           "start_time",
			"?end_time=253402300800":                   "end_time",
			"?start_time=yesterday":                    "start_time",
			"?end_time=2026-03-10T00:00:00Z":           "end_time",
		} {
			s.get("/v0/usage/rpc"+report+query).refused(http.StatusBadRequest, reason)
		}
		times := dataOf[usageTotal](s.get("/v0/usage/rpc" + report + fmt.Sprintf("?end_time=%d", now-5)))
		assert.Equal(t, periodStart, times.Start, report)
		assert.Equal(t, now-5, times.End, report)
	}
}

func TestOverages(t *testing.T) {
	s := startService(t, emulator.WithIncludedCredits(50))
	id, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "solana", Network: "solana-mainnet"})
	require.NoError(t, err)
	now := start.Unix()
	for _, want := range []usageTotal{
		{0, new(int64(50)), new(int64(50)), new(int64(0)), periodStart, now},
		{30, new(int64(20)), new(int64(50)), new(int64(0)), periodStart, now},
		{60, new(int64(0)), new(int64(50)), new(int64(10)), periodStart, now},
	} {
		assert.Equal(t, want, dataOf[usageTotal](s.get("/v0/usage/rpc")))
		s.log(id, emulator.LoggedCall{Method: "getSlot"})
	}
}

type tagUsage struct {
	TagID       *int64 `json:"tag_id"`
	Label       string `json:"label"`
	CreditsUsed int64  `json:"credits_used"`
	RPCCredits  int64  `json:"rpc_credits"`
	DataCredits int64  `json:"data_credits"`
	Bytes       int64  `json:"bytes"`
	Requests    int64  `json:"requests"`
}

func TestUsageByTag(t *testing.T) {
	s, first, second := busy(t)
	report := func() []tagUsage {
		return dataOf[struct{ Tags []tagUsage }](s.get("/v0/usage/rpc/by-tag")).Tags
	}
	assert.Equal(t, []tagUsage{{nil, "untagged", 530, 530, 0, 22, 7}}, report())

	s.tag(first, "red")
	s.tag(first, "blue")
	s.tag(s.create().ID, "idle")
	tags := s.tags()
	red, blue := &tags[0].ID, &tags[1].ID
	assert.Equal(t, []tagUsage{
		{red, "red", 230, 230, 0, 20, 6}, {blue, "blue", 230, 230, 0, 20, 6}, {nil, "untagged", 300, 300, 0, 2, 1},
	}, report())

	s.tag(second, "red")
	assert.Equal(t, []tagUsage{{red, "red", 530, 530, 0, 22, 7}, {blue, "blue", 230, 230, 0, 20, 6}}, report())

	// The tags of an archived endpoint can be deleted, and its usage stays.
	s.delete("/v0/endpoints/" + first).ok()
	s.delete(fmt.Sprintf("/v0/endpoints/tags/%d", *blue)).ok()
	assert.Equal(t, []tagUsage{{red, "red", 530, 530, 0, 22, 7}}, report())
	s.delete(fmt.Sprintf("/v0/endpoints/%s/tags/%d", second, *red)).ok()
	s.delete(fmt.Sprintf("/v0/endpoints/tags/%d", *red)).ok()
	assert.Equal(t, []tagUsage{{nil, "untagged", 530, 530, 0, 22, 7}}, report())
}

type methodUsage struct {
	Method  string `json:"method_name"`
	Credits int64  `json:"credits_used"`
	Archive *bool  `json:"archive"`
	Network string `json:"network"`
	Chain   string `json:"chain"`
}

// firstMethods is what busy's first endpoint used within a year.
var firstMethods = []methodUsage{
	{"eth_call", 60, new(false), "ethereum-mainnet", "ethereum"},
	{"eth_chainId", 20, new(false), "base-mainnet", "base"},
	{"eth_chainId", 20, new(true), "ethereum-mainnet", "ethereum"},
	{"eth_getLogs", 150, new(false), "ethereum-mainnet", "ethereum"},
}

func TestUsageByMethod(t *testing.T) {
	s, _, _ := busy(t)
	methods := func(query string) []methodUsage {
		return dataOf[struct{ Methods []methodUsage }](s.get("/v0/usage/rpc/by-method" + query)).Methods
	}
	solana := methodUsage{"getProgramAccounts", 300, new(false), "solana-mainnet", "solana"}
	assert.Equal(t, append(firstMethods[:4:4], solana), methods(wholeYear))
	assert.Equal(t, []methodUsage{firstMethods[0], firstMethods[1], firstMethods[3], solana}, methods(""))
	assert.Equal(t, []methodUsage{}, methods("?start_time=0&end_time=0"))
}

func TestUsageByEndpoint(t *testing.T) {
	type endpointUsage struct {
		Name     string        `json:"name"`
		Label    *string       `json:"label"`
		Chain    string        `json:"chain"`
		Network  string        `json:"network"`
		Status   string        `json:"status"`
		Credits  int64         `json:"credits_used"`
		Requests int64         `json:"requests"`
		Methods  []methodUsage `json:"methods_breakdown"`
	}
	s, first, second := busy(t)
	names := map[string]string{}
	for _, endpoint := range s.list("").Data {
		names[endpoint.ID] = endpoint.Name
	}
	s.create()
	s.patch("/v0/endpoints/"+second+"/status", object{"status": "paused"}).ok()
	want := []endpointUsage{
		{names[first], new("First"), "ethereum", "ethereum-mainnet", "active", 250, 7, firstMethods},
		{names[second], nil, "solana", "solana-mainnet", "paused", 300, 1,
			[]methodUsage{{"getProgramAccounts", 300, new(false), "solana-mainnet", "solana"}}},
	}
	report := func() []endpointUsage {
		return dataOf[struct{ Endpoints []endpointUsage }](s.get("/v0/usage/rpc/by-endpoint" + wholeYear)).Endpoints
	}
	assert.Equal(t, want, report())
	s.delete("/v0/endpoints/" + first).ok()
	assert.Equal(t, want, report(), "archiving does not undo calls")
}

func TestUsageByChain(t *testing.T) {
	type chainUsage struct {
		Name    string `json:"name"`
		Credits int64  `json:"credits_used"`
	}
	s, _, _ := busy(t)
	got := dataOf[struct{ Chains []chainUsage }](s.get("/v0/usage/rpc/by-chain")).Chains
	assert.Equal(t, []chainUsage{{"ethereum", 210}, {"base", 20}, {"solana", 300}}, got)
}

// TestUsageSorts: the listing of endpoints sorts by what was used.
func TestUsageSorts(t *testing.T) {
	s, first, second := busy(t)
	idle := s.create().ID
	assert.Equal(t, []string{idle, first, second}, s.list("sort_by=usage&sort_direction=asc").ids())
	assert.Equal(t, []string{second, first, idle}, s.list("sort_by=usage&sort_direction=desc").ids())
}
