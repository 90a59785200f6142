package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheProgramOnAnAccount(t *testing.T) {
	server := account(t)
	for format, check := range map[string]func(t *testing.T, out string){
		"table": func(t *testing.T, out string) {
			assert.Contains(t, out, "without any protection                1          experiment\n")
			assert.Regexp(t, `checkout +ethereum-mainnet +active +tokens, ips +tokens 1, ips 2 +50 +25000 +unlimited +shop, production`, out)
			assert.Contains(t, out, "\n16 endpoints, ")
			assert.Contains(t, out, " credits in the week until ")
		},
		"json": func(t *testing.T, out string) {
			var read report
			require.NoError(t, json.Unmarshal([]byte(out), &read))
			assert.Len(t, read.Endpoints, 16)
			assert.Equal(t, 50, *read.Endpoints[0].Limits.RPS.Requests)
			assert.NotEmpty(t, read.Findings)
		},
		"csv": func(t *testing.T, out string) {
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			require.NoError(t, err)
			require.Len(t, rows, 17)
			assert.Equal(t, []string{"checkout", "ethereum", "ethereum-mainnet", "active", "false", "false"}, rows[1][1:7])
			assert.Equal(t, []string{"1", "0", "2", "0", "0", "0", "50", "25000", "unlimited", "1"}, rows[1][10:20])
		},
		"html": func(t *testing.T, out string) {
			assert.True(t, strings.HasPrefix(out, "<!doctype html>"))
			assert.True(t, strings.HasSuffix(out, "</html>\n"))
		},
	} {
		t.Run(format, func(t *testing.T) {
			code, out, errs := runs(t, t.Context(), "-o "+format)
			assert.Equal(t, 0, code)
			assert.Empty(t, errs)
			check(t, out)
			for _, secret := range []string{server.APIKey, "http://", "https://", "198.51.100.7", "app.example.com", "made-up-public-key"} {
				assert.NotContains(t, out, secret)
			}
		})
	}
	for _, call := range server.Calls() {
		assert.Equal(t, http.MethodGet, call.Method, "it only reads")
	}
	assert.Len(t, server.Calls("getEndpointMetrics"), 4*2*14, "what was not called is not measured")
	for _, call := range server.Calls("getUsage", "getUsageByTag", "getUsageByChain", "getUsageByEndpoint") {
		from, _ := strconv.Atoi(call.Query.Get("start_time"))
		to, _ := strconv.Atoi(call.Query.Get("end_time"))
		assert.Equal(t, 7*24*60*60, to-from)
	}
}

func TestTheProgramOnAnEmulator(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	code, out, errs := runs(t, t.Context(), "")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "experiment")
	assert.True(t, strings.HasPrefix(errs, "No RPCFLEET_BASE_URL: using an emulator at "))
}

func TestFlags(t *testing.T) {
	server := account(t)
	for args, reason := range map[string]string{
		"-o xml":        `invalid value "xml" for flag -o: must be table, json, csv or html`,
		"-period year":  "-period must be hour, day, week or month",
		"-workers 0":    "-workers must be from 1 to 64",
		"-workers 65":   "-workers must be from 1 to 64",
		"-tolerate 101": "-tolerate must be from 0 to 100",
		"-tolerate -1":  "-tolerate must be from 0 to 100",
		"-tolerate NaN": "-tolerate must be from 0 to 100",
		"-x":            "flag provided but not defined: -x",
		"stray":         `unexpected argument "stray"`,
	} {
		code, out, errs := runs(t, t.Context(), args)
		assert.Equal(t, 2, code, args)
		assert.Empty(t, out)
		assert.Equal(t, "fleetreport: "+reason+" (-h explains)\n", errs)
	}
	assert.Empty(t, server.Calls())

	code, out, _ := runs(t, t.Context(), "-h")
	assert.Equal(t, 0, code)
	for _, part := range []string{"It only reads.", "-o format", "-period period", "(default \"week\")", "(default 8)", "(default 5)"} {
		assert.Contains(t, out, part)
	}

	o, err := parse(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "table week 8 5", strings.Join([]string{string(*o.format), string(o.period), number(int64(o.workers)), whole(o.tolerated)}, " "))

	_, out, _ = runs(t, t.Context(), "-period month -tolerate 7 -workers 1")
	assert.Contains(t, out, " credits in the month until ")
	assert.NotContains(t, out, "of calls failed")
	for _, call := range server.Calls("getEndpointMetrics") {
		assert.Equal(t, "month", call.Query.Get("period"))
	}
}

func TestFailures(t *testing.T) {
	account(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, out, errs := runs(t, ctx, "")
	assert.Equal(t, 1, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "fleetreport: interrupted: ")

	t.Setenv("RPCFLEET_API_KEY", "made-up-key-0002")
	code, out, errs = runs(t, t.Context(), "")
	assert.Equal(t, 1, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "401")
	assert.Equal(t, 1, strings.Count(errs, "\n"))
	assert.NotContains(t, errs, "made-up-key-0002")
}
