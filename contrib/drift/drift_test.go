package fleetdrift_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetdrift "github.com/rpcfleet/rpcfleet-go/contrib/drift"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/rpcfleettest"
)

// client returns a client of an emulator, and the drift of its calls.
func client(t testing.TB, faults ...emulator.Fault) (*rpcfleet.Client, *[]fleetdrift.Drift) {
	t.Helper()
	service := emulator.New(emulator.WithFaults(faults...))
	t.Cleanup(service.Close)
	reported := &[]fleetdrift.Drift{}
	hook, err := fleetdrift.New(func(_ context.Context, drift fleetdrift.Drift) { *reported = append(*reported, drift) })
	require.NoError(t, err)
	client, err := rpcfleet.New(rpcfleet.WithCallHook(hook), rpcfleet.WithBaseURL(emulator.ClientURL),
		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithoutRetries(),
		rpcfleet.WithHeader("X-Made-Up", odd), rpcfleet.WithMaxBodySize(1<<30))
	require.NoError(t, err)
	return client, reported
}

const (
	odd   = "made-up/key+0001"
	token = "5f3a9c0b7e21d4866fa05c1b92e7d3480a6be1c9"
)

var parameters = regexp.MustCompile(`\{(\w+)\}`)

// operation returns an operation of the contract.
func operation(t testing.TB, id string) rpcfleet.Operation {
	t.Helper()
	all := rpcfleet.Operations()
	i := slices.IndexFunc(all, func(op rpcfleet.Operation) bool { return op.ID == id })
	require.NotEqual(t, -1, i, id)
	return all[i]
}

// call calls an operation of the contract.
func call(t testing.TB, client *rpcfleet.Client, id string) {
	t.Helper()
	op := operation(t, id)
	request := rpcfleet.Request{Operation: "of the caller", Method: op.Method, Path: op.Path, Area: op.Area,
		PathParams: map[string]string{}}
	for _, found := range parameters.FindAllStringSubmatch(op.Path, -1) {
		request.PathParams[found[1]] = "a"
	}
	_, _ = rpcfleet.Do[struct{}](t.Context(), client, request)
}

// body is a fault that sends a body with status 200.
func body(text string) emulator.Fault { return emulator.Fault{Status: 200, Body: text} }

func set(pointer string, value any) emulator.Fault {
	return emulator.Fault{Effect: emulator.EffectSetField, Pointer: pointer, Value: value}
}

const (
	filter   = `{"data":{"request_filters":[{"id":"a","method":%s}]},"error":null}`
	metric   = `{"data":[{"tag":%s,"data":[%s]}],"error":null}`
	notified = `{"id":"a","name":%s,"expression":"dHhfdG8=","network":%s,"enabled":true,` +
		`"created_at":"2024-03-01T09:30:00Z","updated_at":"2024-03-01T09:30:00Z"}`
	limits = `{"data":{"rate_limiters":[{"created":"2024-03-01T09:30:00Z","id":"a","interval":"second","methods":[%s],` +
		`"rate":%s,"status":"enabled"}]},"error":null}`
)

func TestHook_reportsDrift(t *testing.T) {
	for name, test := range map[string]struct {
		operation string
		fault     emulator.Fault
		want      []string // Pointer, rule and kind.
	}{
		"as documented":       {"getAccountInfo", emulator.Fault{Latency: 1}, nil},
		"a documented status": {"getAccountInfo", emulator.Fault{Status: 401}, nil},
		"an unknown field": {"getAccountInfo", set("/data/a~1b~0", []int{}), []string{
			"/data/a~1b~0: unknown field array"}},
		"another type":    {"getAccountInfo", set("/data/name", 7), []string{"/data/name: type number"}},
		"another format":  {"getAccountInfo", set("/data/created_at", "made up"), []string{"/data/created_at: format string"}},
		"null":            {"getAccountInfo", set("/data", nil), []string{"/data: nullable null"}},
		"an allowed null": {"getAccountInfo", set("/data/subscription/plan_name", nil), nil},
		"a missing field": {"getAccountInfo", emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data/name"},
			[]string{"/data/name: required "}},
		"an unknown status":  {"getAccountInfo", emulator.Fault{Status: 418}, []string{": status "}},
		"an unknown success": {"listTags", emulator.Fault{Status: 203, Body: `{"x":1}`}, []string{": status "}},
		"HTML": {"getAccountInfo", emulator.Fault{Status: 429, Body: "<html>",
			Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}, []string{": content "}},
		"documented text": {"getAccountInfo", emulator.Fault{Status: 401, Body: "7",
			Header: http.Header{"Content-Type": {"text/plain"}}}, nil},
		"no JSON":             {"listTags", body(`{"x":1,"data":tru`), nil},
		"more than one value": {"listTags", body(`{"x":1} x`), nil},
		"a cut refusal":       {"listTags", emulator.Fault{Effect: emulator.EffectTruncate}, nil},
		"no body":             {"archiveEndpoint", emulator.Fault{Status: 204, Header: http.Header{"X-A": {"b"}}}, []string{": status "}},
		"a scalar":            {"listTags", body(`true`), []string{": type boolean"}},
		"kinds of unknown fields": {"removeIP", body(`{"data":7,"x":"a","y":null,"z":false,"zz":{}}`), []string{
			"/data: type number", "/x: unknown field string", "/y: unknown field null", "/z: unknown field boolean",
			"/zz: unknown field object", "/error: required "}},
		"an unknown value":    {"getNotification", body(fmt.Sprintf(notified, `"b"`, `"moon"`)), []string{"/network: enum string"}},
		"a list for a record": {"getNotification", body(`[7]`), []string{": type array"}},
		"text of a record":    {"getNotification", body(fmt.Sprintf(notified, `{}`, `"ethereum-mainnet"`)), []string{"/name: type object"}},
		"items": {"getEndpointSecurity", body(fmt.Sprintf(filter, `[{},"a",null]`)), []string{
			"/data/request_filters/0/method/0: type object", "/data/request_filters/0/method/2: nullable null"}},
		"no list": {"getEndpointSecurity", body(fmt.Sprintf(filter, `"a"`)), []string{
			"/data/request_filters/0/method: type string"}},
		"a map": {"getEndpointURLs", body(`{"data":{"http_url":"https://a.example/x","multichain_urls":{"a/b":7,"c":{"http_url":[]}}},"error":null}`),
			[]string{"/data/multichain_urls/a~1b: type number", "/data/multichain_urls/c/http_url: type array"}},
		"points": {"getEndpointMetrics", body(fmt.Sprintf(metric, `["network","y"]`, `[1,2.5],["1",2],[1]`)), []string{
			"/data/0/data/1/0: type string", "/data/0/data/2: minItems array"}},
		"one of two types": {"getEndpointMetrics", body(fmt.Sprintf(metric, `7`, ``)), []string{"/data/0/tag: oneOf number"}},
		"integers": {"listMethodRateLimits", body(fmt.Sprintf(limits, `7`, `5.5`)), []string{
			"/data/rate_limiters/0/methods/0: type number", "/data/rate_limiters/0/rate: type number"}},
		"an integer of a float": {"listMethodRateLimits", body(fmt.Sprintf(limits, `"a"`, `5.0`)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			client, reported := client(t, test.fault)
			call(t, client, test.operation)
			var got []string
			for _, drift := range *reported {
				assert.Equal(t, "of the caller", drift.Operation)
				got = append(got, drift.Pointer+": "+drift.Rule+" "+drift.Found)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestHook_ignoresOtherOperations has a query with the name of an operation, and a route that is not in the contract.
func TestHook_ignoresOtherOperations(t *testing.T) {
	client, reported := client(t, body(`{"data":{"a":1},"x":1}`))
	_, err := graph.Query[map[string]any](t.Context(), client.Graph, "query listTags { a }", nil)
	require.NoError(t, err)
	_, err = rpcfleet.Do[map[string]any](t.Context(), client,
		rpcfleet.Request{Operation: "listTags", Method: "GET", Path: "/v0/uptime"})
	require.NoError(t, err)
	assert.Empty(t, *reported)
	_, err = fleetdrift.New(nil)
	require.Error(t, err)
}

// TestHook_knowsEveryOperation sends each operation a response of another type.
func TestHook_knowsEveryOperation(t *testing.T) {
	client, reported := client(t, emulator.Fault{Status: 418})
	for i, op := range rpcfleet.Operations() {
		if op.Area != "graph" {
			call(t, client, op.ID)
			assert.Len(t, *reported, i+1, op.ID)
		}
	}
}

// TestDrift_hidesSecrets has credentials as names and as values.
func TestDrift_hidesSecrets(t *testing.T) {
	secrets := []string{odd, token, "https://a.example.com/" + token + "/"}
	fields := ""
	for _, secret := range secrets {
		fields += `,"` + secret + `":{"` + secret + `":1}`
	}
	client, reported := client(t, body(`{"data":[{"option":"`+odd+`","status":"`+token+`"`+fields+`}],"error":null,"a\n\u001b[31m":1}`))
	call(t, client, "getSecurityOptions")
	require.Len(t, *reported, 6)
	text := fmt.Sprintf("%+v", *reported)
	assert.Contains(t, text, "redacted")
	for _, secret := range []string{odd, strings.ReplaceAll(odd, "/", "~1"), token, "\n", "\x1b"} {
		assert.NotContains(t, text, secret)
	}
}

func TestDrift_isTruncated(t *testing.T) {
	for n, want := range map[int]fleetdrift.Drift{
		100: {Pointer: "/data/tags/99/made", Rule: "unknown field", Found: "string"}, 999: {More: 899},
	} {
		tags := strings.Repeat(`,{"id":1,"label":"a","usage_count":1,"made":"up"}`, n)
		client, reported := client(t, body(`{"data":{"tags":[`+tags[1:]+`]},"error":null}`))
		call(t, client, "listTags")
		require.Len(t, *reported, min(n, 101))
		want.Operation, want.StatusCode = "of the caller", 200
		assert.Equal(t, want, (*reported)[len(*reported)-1])
	}
}

// TestDrift_isLinear doubles bodies with any number of differences, and compares the memory of the hook.
func TestDrift_isLinear(t *testing.T) {
	race.Skip(t) // The detector allocates too.
	hook, err := fleetdrift.New(func(context.Context, fleetdrift.Drift) {})
	require.NoError(t, err)
	for id, build := range map[string]func(n int) string{
		"getEndpointSecurity": func(n int) string { return fmt.Sprintf(filter, "["+strings.Repeat(`{},"a",`, n)+"0]") },
		"listTags":            func(n int) string { return `{"data":{"tags":[` + strings.Repeat(`{},`, n) + `1]}}` },
		"getEndpointURLs": func(n int) string {
			fields := ""
			for i := range n {
				fields += fmt.Sprintf(`"y%d":1,`, i)
			}
			return `{"data":{"multichain_urls":{"` + strings.Repeat("x", n) + `":{` + fields + `"y":1}}}}`
		},
		"getEndpointMetrics": func(n int) string { return fmt.Sprintf(metric, `"a"`, strings.Repeat(`["1",2],`, n)+"1") },
	} {
		work := func(n int) uint64 {
			response := rpcfleettest.NewResponse(200, http.Header{}, []byte(build(n)))
			_, end := hook(t.Context(), operation(t, id))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			end(rpcfleet.CallResult{Response: response})
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		work(1) // Reads the schemas for the first time.
		assert.Less(t, work(4000), 3*work(2000), id)
	}
}
