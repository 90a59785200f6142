package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// writes are the calls that change something.
func writes(e *emulator.Server) (bodies []any) {
	for _, call := range e.Calls() {
		if call.Method != http.MethodGet {
			bodies = append(bodies, call.Body)
		}
	}
	return bodies
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		used, budget int64
		warn         float64
		want         state
	}{
		{0, 100, 80, within}, {79, 100, 80, within}, {80, 100, 80, warned}, {100, 100, 80, warned}, {101, 100, 80, over},
		{99, 100, 100, within}, {100, 100, 100, warned}, {29, 100, 29, warned}, {0, 0, 80, within}, {1, 0, 80, over},
		{1 << 52, 1 << 53, 50, warned}, {1<<52 - 1, 1 << 53, 50, within}, {1<<53 + 1, 1 << 53, 50, over},
	} {
		assert.Equal(t, test.want, judge(test.used, test.budget, test.warn), "%+v", test)
	}
}

// TestOneLabelTwice is one tag to its budget.
func TestOneLabelTwice(t *testing.T) {
	usage := &admin.UsageByTag{Tags: []admin.TagUsage{
		{TagID: new(int64(1)), Label: "a", CreditsUsed: 6}, {TagID: new(int64(2)), Label: "a", CreditsUsed: 5},
	}}
	assert.Equal(t, []row{{new("a"), 11, new(int64(10)), new(110.0), over}}, newReport(usage, &options{budgets: budgets{"a": 10}, warn: 80}).Tags)
}

func TestExitCodes(t *testing.T) {
	service := seeded(t)
	for _, test := range []struct {
		args []string
		code int
	}{
		{[]string{"-budget", "production=2000000"}, 0},
		{[]string{"-budget", "production=1125000"}, 3},                // 80%, which is the default.
		{[]string{"-budget", "production=1125001"}, 0},                // Below that.
		{[]string{"-budget", "production=2000000", "-warn", "45"}, 3}, // 45%.
		{[]string{"-budget", "production=2000000", "-warn", "45.1"}, 0},
		{[]string{"-budget", "production=900000", "-warn", "100"}, 3},
		{[]string{"-budget", "production=899999"}, 4},
		{[]string{"-budget", "production=900000", "-budget", "staging=1"}, 4},
		{[]string{"-budget", "=1"}, 0},
		{[]string{"-budget", "no-such=1", "-budget", "staging=1"}, 1},
	} {
		code, stdout, stderr := runs(t, test.args...)
		assert.Equal(t, test.code, code, "%v: %s", test.args, stderr)
		assert.Equal(t, code != 0, stderr != "", "cron sends a mail where there is something to say: %s", stderr)
		assert.NotEmpty(t, stdout)
	}
	assert.Empty(t, writes(service), "it is not told to pause anything")
	_, _, stderr := runs(t, "-budget", "no-such=1", "-budget", "staging=1")
	assert.Equal(t, "1 active endpoints have tags over their budget: -pause pauses them\n"+
		"over budget: the tag \"staging\" has used 180000 credits of 1\n"+
		"costguard: budgets of tags that no endpoint has: [\"no-such\"]\n", stderr)
}

func TestFormats(t *testing.T) {
	service := seeded(t)
	bare, err := service.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet",
		Usage: []emulated.Usage{{Method: "eth_call", Requests: 3}}})
	require.NoError(t, err)
	args := []string{"-budget", "production=1000000", "-budget", "=0", "-budget", "research=4000"}
	code, stdout, stderr := runs(t, args...)
	assert.Equal(t, 4, code)
	assert.Equal(t, "TAG         USED    BUDGET   SHARE  STATE\n"+
		"(no tag)    60      0               over\n"+
		"production  900000  1000000  90.0%  warned\n"+
		"research    2000    4000     50.0%  within\n"+
		"staging     180000                  no budget\n", stdout)
	assert.Contains(t, stderr, "over budget: endpoints without a tag have used 60 credits of 0\n")
	assert.Contains(t, stderr, "warning: the tag \"production\" has used 900000 credits of 1000000, 90.0%\n")

	_, stdout, _ = runs(t, append(args, "-o", "csv")...)
	assert.Equal(t, "TAG,USED,BUDGET,SHARE,STATE\n,60,0,,over\nproduction,900000,1000000,90.0%,warned\n"+
		"research,2000,4000,50.0%,within\nstaging,180000,,,no budget\n", stdout)

	_, stdout, _ = runs(t, append(args, "-o", "json", "-pause")...)
	var got report
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	assert.Equal(t, []row{
		{nil, 60, new(int64(0)), nil, over},
		{new("production"), 900000, new(int64(1000000)), new(90.0), warned},
		{new("research"), 2000, new(int64(4000)), new(50.0), within},
		{new("staging"), 180000, nil, nil, noBudget},
	}, got.Tags)
	assert.Equal(t, []string{bare}, got.Paused)
	assert.Equal(t, 80.0, got.Warn)
	assert.Equal(t, 1, got.Start.Day(), "the billing period")
	assert.WithinDuration(t, time.Now(), got.End, time.Minute)
}

func TestDays(t *testing.T) {
	service := newService(t)
	_, err := service.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"old"},
		Usage: []emulated.Usage{{Method: "eth_call", Requests: 1, DaysAgo: 40}}})
	require.NoError(t, err)
	for args, want := range map[string]int{"0": 0, "30": 0, "42": 4} {
		code, _, _ := runs(t, "-budget", "old=1", "-days", args)
		assert.Equal(t, want, code, args)
	}
}
