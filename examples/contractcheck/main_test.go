package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// account is a service with an account that has some of everything. It changes what it says with mutate.
type account struct {
	emulator *emulator.Emulator
	mutate   *strings.Replacer

	mu   sync.Mutex
	seen map[string]bool // The methods of requests.
}

func startAccount(t *testing.T, mutations ...string) *account {
	t.Helper()
	a := &account{emulator: emulator.New(), mutate: strings.NewReplacer(), seen: map[string]bool{}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", a.emulator.APIKey)
	client, err := rpcfleet.NewFromEnv()
	require.NoError(t, err)
	for range 3 {
		id, err := a.emulator.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"fleet"}})
		require.NoError(t, err)
		_, err = a.emulator.AppendLog(id, emulator.LoggedCall{Timestamp: time.Now().Add(-time.Minute), Method: "eth_call"})
		require.NoError(t, err)
	}
	_, err = client.Teams.Create(t.Context(), "Core")
	require.NoError(t, err)
	to, err := client.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
		Name: "Hook", ToURL: scalar.NewSecretURL("http://127.0.0.1:1/"), WebhookType: alerts.WebhookTypePOST, Service: alerts.DestinationServiceWebhook,
		PayloadType: alerts.PayloadTypeLayout1,
	})
	require.NoError(t, err)
	_, err = client.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
		Name: "Blocks", Expression: "tx_to == '0x000000000000000000000000000000000000dead'", Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: []string{to.ID},
	})
	require.NoError(t, err)
	a.mutate, a.seen = strings.NewReplacer(mutations...), map[string]bool{}
	return a
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.seen[r.Method] = true
	a.mu.Unlock()
	said := httptest.NewRecorder()
	a.emulator.ServeHTTP(said, r)
	w.Header().Set("Content-Type", said.Header().Get("Content-Type"))
	w.WriteHeader(said.Code)
	_, _ = w.Write([]byte(a.mutate.Replace(said.Body.String())))
}

// check runs the program.
func check(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, nil, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// written is the report in JSON.
type written struct {
	Calls      int
	Operations []string
	Drift      []counted
	Failures   map[string]int
}

func checkJSON(t *testing.T, args ...string) (int, written) {
	t.Helper()
	code, out, errs := check(t, append([]string{"-o", "json"}, args...)...)
	assert.Empty(t, errs)
	var report written
	require.NoError(t, json.Unmarshal([]byte(out), &report), "%s", out)
	return code, report
}

// TestEverythingIsReadAndNothingElse holds the operations that were called against the table of operations.
func TestEverythingIsReadAndNothingElse(t *testing.T) {
	a := startAccount(t)
	code, report := checkJSON(t)
	assert.Equal(t, exitClean, code)
	assert.Empty(t, report.Drift)
	assert.Empty(t, report.Failures)
	assert.Equal(t, map[string]bool{http.MethodGet: true}, a.seen)
	var reads []string
	for _, op := range rpcfleet.Operations() {
		if op.Method == http.MethodGet {
			reads = append(reads, op.ID)
		}
	}
	assert.ElementsMatch(t, reads, report.Operations)
}

func TestDriftIsReported(t *testing.T) {
	startAccount(t, `"is_flat_rate":false`, `"is_flat_rate":"made-up-secret","made":"up"`, `"usage_count"`, `"usage"`)
	code, report := checkJSON(t)
	assert.Equal(t, exitDrift, code)
	assert.Empty(t, report.Failures)
	list := row{"listEndpoints", "GET", "/v0/endpoints", 200, rpcfleet.DriftUnread, "/data/*/is_flat_rate", "boolean", "string"}
	assert.Contains(t, report.Drift, counted{list, 3})
	list.Kind, list.Place, list.Expected = rpcfleet.DriftUnknownMember, "/data/*/made", "no such member"
	assert.Contains(t, report.Drift, counted{list, 3})
	tags := row{"listTags", "GET", "/v0/endpoints/tags", 200, rpcfleet.DriftMissing, "/data/tags/*/usage_count", "integer", "nothing"}
	assert.Contains(t, report.Drift, counted{tags, 1})

	code, out, _ := check(t)
	assert.Equal(t, exitDrift, code)
	assert.Regexp(t, `(?m)^3 +listEndpoints +200 +unread +/data/\*/is_flat_rate +boolean +string$`, out)
	assert.NotContains(t, out, "made-up-secret")
}

// TestFewEndpoints looks into one endpoint, and into none.
func TestFewEndpoints(t *testing.T) {
	startAccount(t)
	_, all := checkJSON(t)
	_, one := checkJSON(t, "-endpoints", "1")
	_, none := checkJSON(t, "-endpoints", "0")
	assert.Greater(t, all.Calls, one.Calls)
	assert.Greater(t, one.Calls, none.Calls)
	assert.NotContains(t, none.Operations, "getEndpoint")
	assert.Contains(t, none.Operations, "listEndpoints")
}

// TestFailuresAreReported breaks one kind of response, and goes on with the others.
func TestFailuresAreReported(t *testing.T) {
	startAccount(t, `"tags":[{"id"`, `"tags":[{"id":{},"_"`)
	code, report := checkJSON(t)
	assert.Equal(t, exitDrift, code, "an id that cannot be read is drift, too")
	assert.Len(t, report.Failures, 1)
	a := startAccount(t, `{"data":{"tags"`, `{"data" {"tags"`)
	code, out, _ := check(t)
	assert.Equal(t, exitError, code)
	assert.Contains(t, out, "failed 1 times: ")
	assert.NotContains(t, out, a.emulator.APIKey)
}

func TestAWrongKeyStopsTheCheck(t *testing.T) {
	startAccount(t)
	t.Setenv("RPCFLEET_API_KEY", "made-up-and-wrong")
	code, out, errs := check(t)
	assert.Equal(t, exitError, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "getAccountInfo")
}

func TestAnInterruptionStopsTheCheck(t *testing.T) {
	startAccount(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, exitError, run(ctx, nil, nil, &bytes.Buffer{}, &bytes.Buffer{}))
}

func TestWithoutAnAccountTheEmulatorIsRead(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	code, out, _ := check(t)
	assert.Equal(t, exitClean, code)
	assert.Contains(t, out, " 0 places that stray\n")
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-o", "xml"}, {"-endpoints", "-1"}, {"-logs", "0s"}, {"-write"}, {"more"}} {
		code, out, errs := check(t, args...)
		assert.Equal(t, exitUsage, code, "%v", args)
		assert.Empty(t, out)
		assert.NotEmpty(t, errs)
	}
	code, out, errs := check(t, "-h")
	assert.Equal(t, exitClean, code)
	assert.Contains(t, out, "-endpoints")
	assert.Empty(t, errs)
}

// TestManyDriftsAreCounted has the drift that stands for many.
func TestManyDriftsAreCounted(t *testing.T) {
	r := newReport()
	r.strayed(t.Context(), rpcfleet.Drift{Operation: "listTags", Kind: rpcfleet.DriftMore, Found: "899"})
	r.strayed(t.Context(), rpcfleet.Drift{Operation: "listTags", Kind: rpcfleet.DriftMore, Found: "1"})
	require.Len(t, r.sorted(), 1)
	assert.Equal(t, 900, r.sorted()[0].Count)
}
