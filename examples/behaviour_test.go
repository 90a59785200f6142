package examples

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// writes are the calls that change an account.
func writes(service *emulator.Server) (operations []string) {
	for _, call := range service.Calls() {
		if call.Method != http.MethodGet && call.Executed {
			operations = append(operations, call.Operation)
		}
	}
	return operations
}

// declare writes a file for fleetconfig.
func declare(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "fleet.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestFleetconfig_secondApplySendsNothing(t *testing.T) {
	service := account(t,
		emulator.WithFaults(emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse}))
	id := must(service.AddEndpoint(
		emulator.EndpointSpec{Chain: "matic", Network: "matic", Label: "indexer", Tags: []string{"old"}}))(t)
	must(service.Populate(emulator.SeedRequest{Do: "POST /v0/endpoints/" + id + "/security/ips",
		Body: map[string]string{"ip": "203.0.113.9"}}))(t)
	file := declare(t, `endpoints:
  - {label: checkout, chain: eth, network: mainnet, tags: [production], rate_limits: {rps: 50, rpd: 90000}}
  - {label: indexer, chain: matic, network: matic, status: paused, tags: [new], ips: [],
     options: {cors: true, tokens: false}}
`)
	plan := run(t, of(service), "fleetconfig", "-file", file)
	assert.Equal(t, 3, plan.code, "%s", plan.stderr)
	assert.Equal(t, `9 changes
  "checkout": create on "mainnet"
  "checkout": add tag "production"
  "checkout": set "rate limits"
  "indexer": add tag "new"
  "indexer": remove tag "old"
  "indexer": remove IP "203.0.113.9"
  "indexer": make cors "enabled"
  "indexer": make tokens "disabled"
  "indexer": make it "paused"
`, plan.stdout)
	assert.Empty(t, writes(service))

	applied := run(t, of(service), "fleetconfig", "-file", file, "-apply")
	assert.Equal(t, 0, applied.code, "%s", applied.stderr)
	assert.Len(t, writes(service), 10, "a change is a call, and a create two")
	service.ResetCalls()
	again := run(t, of(service), "fleetconfig", "-file", file, "-apply")
	assert.Equal(t, result{0, "0 changes\n", ""}, again)
	assert.Empty(t, writes(service))
}

// TestFleetconfig_resumesAfterFailure of each of three calls: an endpoint that has no label yet is not left behind.
func TestFleetconfig_resumesAfterFailure(t *testing.T) {
	changes := []string{"createEndpoint", "updateEndpoint", "addEndpointTag"}
	for _, fails := range changes {
		service := account(t, emulator.WithFaults(emulator.Fault{Operation: fails, Status: http.StatusForbidden}))
		file := declare(t, "endpoints:\n  - {label: a, chain: base, network: base-mainnet, tags: [b]}\n")
		failed := run(t, of(service), "fleetconfig", "-file", file, "-apply")
		assert.Equal(t, 1, failed.code)
		assert.Regexp(t, `\([01] of 2 changes made\)\n$`, failed.stderr)
		service.RemoveFaults()
		assert.Equal(t, 0, run(t, of(service), "fleetconfig", "-file", file, "-apply").code)
		assert.Equal(t, changes, writes(service), fails)
	}
}

func TestFleetconfig_refusesInvalidFiles(t *testing.T) {
	service := account(t)
	for range 2 {
		must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: "twin"}))(t)
	}
	const start = "endpoints: [{chain: base, network: base-mainnet"
	twice := strings.Repeat("{label: a, chain: base, network: base-mainnet},", 2)
	for name, test := range map[string]struct{ text, reason string }{
		"a deep file":            {strings.Repeat("[", 100_000), "exceeded max depth"},
		"another key":            {start + ", label: a, tag: b}]", "field tag not found"},
		"a second document":      {"endpoints: []\n---\nendpoints: []\n", "more than one document"},
		"no label":               {start + "}]", "needs a label"},
		"a label twice":          {"endpoints: [" + twice + "]", "a label of its own"},
		"a status":               {start + ", label: a, status: off}]", "active or paused"},
		"an option":              {start + ", label: a, options: {ip: true}}]", `no option "ip"`},
		"an option with a value": {start + ", label: a, options: {ipCustomHeader: true}}]", `no option "ipCustomHeader"`},
		"a network":              {"endpoints: [{label: a, chain: a, network: b}]", `no network "b" of a chain "a"`},
		"a label of two of them": {start + ", label: twin}]", "several have that label"},
		"another text":           {"\t", "found character that cannot start any token"},
	} {
		t.Run(name, func(t *testing.T) {
			done := run(t, of(service), "fleetconfig", "-file", declare(t, test.text), "-apply")
			assert.Equal(t, 1, done.code)
			assert.Contains(t, done.stderr, test.reason)
			assert.Equal(t, 1, strings.Count(done.stderr, "\n"), "one line: %s", done.stderr)
		})
	}
	assert.Empty(t, writes(service))
}

// hook is the command of keyrotate in these tests: it keeps its input, and fails if a file with the suffix .fails
// exists.
func hook(file string) int {
	given, err := io.ReadAll(os.Stdin)
	if _, fails := os.Stat(file + ".fails"); err != nil || fails == nil {
		return 1
	}
	kept, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	_, _ = kept.Write(append(given, '\n'))
	return 0
}

func TestKeyrotate_resumesAfterFailure(t *testing.T) {
	service := account(t,
		emulator.WithFaults(
			emulator.Fault{Operation: "createToken", After: 1, Times: 1, Effect: emulator.EffectLoseResponse}))
	var ids []string
	for range 3 {
		id := must(service.AddEndpoint(
			emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{"production"}}))(t)
		ids = append(ids, id)
	}
	self := must(os.Executable())(t)
	folder := t.TempDir()
	handed := filepath.Join(folder, "handed")
	variables := append(of(service), "EXAMPLES_HOOK="+handed)
	arguments := []string{"-hook", self, "-overlap", "1ms", "-state", folder}

	require.NoError(t, os.WriteFile(handed+".fails", nil, 0o600))
	failed := run(t, variables, "keyrotate", arguments...)
	assert.Equal(t, 1, failed.code)
	assert.Regexp(t, `^keyrotate: endpoint "\d+": the hook: exit status 1 \(run it again to go on\)\n$`, failed.stderr)
	assert.Equal(t, []string{"createToken"}, writes(service), "no token is made that nobody gets")

	require.NoError(t, os.Remove(handed+".fails"))
	done := run(t, variables, "keyrotate", arguments...)
	assert.Equal(t, 0, done.code, "%s", done.stderr)
	assert.Len(t, service.Calls("createToken"), 3, "one for each endpoint, over both runs and a lost response")
	assert.Len(t, service.Calls("deleteToken"), 3)
	text := must(os.ReadFile(handed))(t)
	var got []string
	for line := range strings.Lines(string(text)) {
		var message struct{ Endpoint, Token string }
		require.NoError(t, json.Unmarshal([]byte(line), &message))
		assert.Greater(t, len(message.Token), 20)
		assert.NotContains(t, failed.stdout+done.stdout+failed.stderr+done.stderr, message.Token)
		got = append(got, message.Endpoint)
	}
	assert.ElementsMatch(t, ids, got)
	assert.Equal(t, 0, run(t, variables, "keyrotate", arguments...).code)
	assert.Len(t, service.Calls("deleteToken"), 6, "another rotation")
}

func TestKeyrotate_createsNoTokenOnBadArguments(t *testing.T) {
	service := account(t)
	must(service.AddEndpoint(
		emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{"production"}}))(t)
	for reason, arguments := range map[string][]string{
		"made-up-hook":                   {"-hook", "made-up-hook"},
		`no endpoint has the tag "prod"`: {"-hook", "go", "-tag", "prod"},
	} {
		done := run(t, of(service), "keyrotate", arguments...)
		assert.Equal(t, 1, done.code)
		assert.Contains(t, done.stderr, reason)
	}
	assert.Empty(t, writes(service))
}

func TestCostguard_exitCodes(t *testing.T) {
	service := account(t)
	must(service.AddEndpoint(emulator.EndpointSpec{Chain: "eth", Network: "mainnet", Tags: []string{"漢字"},
		Usage: []emulator.LoggedCall{{Method: "eth_call", Requests: 750}}}))(t) // 15,000 credits.
	must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{"unused"}}))(t)
	for budget, code := range map[string]int{
		"unused=1": 0,
		"漢字=30000": 0, "漢字=16000": 3, "漢字=15000": 3, "漢字=14999": 4, "made up=1": 1, "漢字=0": 2, "漢字": 2,
	} {
		done := run(t, of(service), "costguard", "-budget", budget)
		assert.Equal(t, code, done.code, "%s: %s", budget, done.stderr)
		if code == 4 {
			assert.Contains(t, done.stdout, `│ "漢字" │  15,000 │ 14,999 │ 100.0% │ over budget │`)
		}
	}
}

func TestAudit_formats(t *testing.T) {
	service := account(t)
	assert.Equal(t, result{0, "[]\n", ""}, run(t, of(service), "audit", "-format", "json"))
	must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet",
		Options: map[string]bool{"tokens": false}}))(t)
	done := run(t, of(service), "audit", "-format", "github")
	assert.Equal(t, 3, done.code)
	assert.Regexp(t, `^::error title=rpcfleet audit::endpoint "\d+" on "base-mainnet": nothing keeps callers out.*\n$`,
		done.stdout)
	var found []struct{ Level, Network string }
	require.NoError(t, json.Unmarshal([]byte(run(t, of(service), "audit", "-format", "json").stdout), &found))
	assert.Equal(t, "error", found[0].Level)
}

// TestLogtail_writesEachEntryOnceAfterKill kills the program, cuts nothing itself, and starts it again.
func TestLogtail_writesEachEntryOnceAfterKill(t *testing.T) {
	service := account(t)
	id := service.CreateEndpoints(1)[0]
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	logged := func(n int) (ids []string) {
		for i := range n {
			made := must(service.AppendLog(id,
				emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now().Add(-time.Duration(i) * time.Millisecond)}))(t)
			ids = append(ids, made...)
		}
		return ids
	}
	written := func() (ids []string) {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			var followed rpcfleet.FollowedEntry
			if json.Unmarshal([]byte(line), &followed) == nil { // The last line may be incomplete.
				ids = append(ids, followed.Entry.RequestID)
			}
		}
		return ids
	}
	all := logged(250)
	first := start(t, of(service), "logtail", "-file", file, id)
	require.Eventually(t, func() bool { return len(written()) >= 100 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Process.Kill())
	assert.NotEqual(t, 0, first.finish(t).code)
	all = append(all, logged(50)...)
	second := start(t, of(service), "logtail", "-file", file, id)
	require.Eventually(t, func() bool { return len(written()) >= len(all) }, time.Minute, 10*time.Millisecond)
	interruptible(t, second)
	assert.Equal(t, 130, second.interrupt(t).code)
	assert.ElementsMatch(t, all, written())

	other := declare(t, "somebody else's")
	done := run(t, of(service), "logtail", "-file", other, id)
	assert.Equal(t, 1, done.code, "a file without a checkpoint is not overwritten")
}

func TestApiserver_createsOnceAndFinishesCalls(t *testing.T) {
	service := account(t)
	id := service.CreateEndpoints(1)[0]
	p := start(t, of(service), "apiserver", "-listen", "127.0.0.1:0")
	address := p.stdout.address(t, p)
	ask := func(method, path string) (int, string, string) {
		request := must(http.NewRequestWithContext(t.Context(), method, address+path, nil))(t)
		request.Header.Set("X-Request-Id", "of-the-caller")
		response := must(http.DefaultClient.Do(request))(t)
		defer func() { _ = response.Body.Close() }()
		body := must(io.ReadAll(response.Body))(t)
		return response.StatusCode, response.Header.Get("X-Request-Id"), string(body)
	}
	status, request, body := ask(http.MethodGet, "/endpoints")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "of-the-caller", request)
	assert.Contains(t, body, `"id":"`+id+`"`)
	none, pause := emulator.Fault{Latency: time.Millisecond}, "/endpoints/"+id+"/paused"
	for _, test := range []struct {
		path   string
		fault  emulator.Fault
		status int
	}{
		{pause, none, 200}, {"/endpoints/" + id + "/active", none, 200}, {"/endpoints/made-up/paused", none, 404},
		{"/endpoints/" + id + "/made-up", none, 400},
		{pause, emulator.Fault{Status: 422}, 400}, {pause, emulator.Fault{Status: 409}, 409},
		{pause, emulator.Fault{Status: 429, RetryAfter: "3600"}, 503}, {pause, emulator.Fault{Status: 401}, 502},
	} {
		service.RemoveFaults()
		must(service.Inject(test.fault))(t)
		status, _, body := ask(http.MethodPut, test.path)
		assert.Equal(t, test.status, status, body)
	}
	service.RemoveFaults()
	const create = "/new/checkout?chain=base&network="
	for path, status := range map[string]int{create + "base-mainnet": 200, "/new/other": 400} {
		for range 2 { // A request that is repeated creates no second endpoint.
			got, _, body := ask(http.MethodPut, path)
			assert.Equal(t, status, got, body)
		}
	}
	assert.Len(t, service.Calls("createEndpoint"), 1)

	slow := must(service.Inject(emulator.Fault{Latency: time.Second}))(t)
	go func() {
		for slow.Fired() == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = p.Process.Signal(os.Interrupt)
	}()
	status, _, _ = ask(http.MethodGet, "/endpoints")
	assert.Equal(t, http.StatusOK, status, "a call in progress is finished")
	done := p.finish(t)
	assert.Equal(t, 130, done.code)
	assert.Regexp(t, `request=of-the-caller status=404 .*req-`, done.stderr)
}

func TestAnycall_writes(t *testing.T) {
	service := account(t)
	id := must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: "made up"}))(t)
	done := run(t, of(service), "anycall", "-body", `{"label": "checkout"}`, "PATCH", "/v0/endpoints/{id}", "id="+id)
	assert.Equal(t, 0, done.code, "%s", done.stderr)
	must(service.Inject(emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data", Times: 1}))(t)
	done = run(t, of(service), "anycall", "-body", `{"label": "checkout"}`, "PATCH", "/v0/endpoints/{id}", "id="+id)
	assert.Equal(t, result{0, "", "executed; the response contains no payload\n"}, done)
	done = run(t, of(service), "anycall", "GET", "/v0/endpoints", "limit=1")
	assert.Contains(t, done.stdout, `"label": "checkout"`)
	assert.Equal(t, []string{"1"}, service.Calls("listEndpoints")[0].Query["limit"])
	assert.Equal(t, 1, run(t, of(service), "anycall", "GET", "/v0/made-up").code)
}

func TestSafecreate_createsOnce(t *testing.T) {
	service := account(t,
		emulator.WithFaults(emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse}))
	done := run(t, of(service), "safecreate", "-chain", "base", "-network", "base-mainnet")
	assert.Equal(t, 0, done.code, "%s", done.stderr)
	assert.Equal(t, []string{"createEndpoint"}, writes(service))
}

// TestQuickstart_readsOnlyWithoutFlag unless a flag makes it write.
func TestQuickstart_readsOnlyWithoutFlag(t *testing.T) {
	service := account(t)
	service.CreateEndpoints(2)
	assert.Equal(t, 0, run(t, of(service), "quickstart").code)
	assert.Empty(t, writes(service))
	assert.Equal(t, 0, run(t, of(service), "quickstart", "-write").code)
	assert.Len(t, service.Calls("archiveEndpoint"), 3)
}
