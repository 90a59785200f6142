// Package tools tests programs that a company would write with the library, against an emulator.
package tools

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// bin is the folder of the programs, with a slash.
var bin string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "tools")
	bin = folder + string(filepath.Separator)
	programs, _ := filepath.Glob("./testdata/*")
	for i := range programs {
		programs[i] = "./" + programs[i] // No pattern of go build finds a folder in testdata.
	}
	out, buildErr := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", bin}, programs...)...).CombinedOutput()
	code := 1
	if fmt.Printf("%s", out); err == nil && buildErr == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// lines are the maximum numbers of lines.
var lines = map[string]int{"reconcile": 200, "limits": 95, "rotate": 100, "inventory": 75, "errorrate": 70}

// TestTools_areShort counts lines: what a program has to contain is what the library does not know.
func TestTools_areShort(t *testing.T) {
	for name, most := range lines {
		text := must(os.ReadFile(filepath.Join("testdata", name, "main.go")))(t)
		assert.LessOrEqual(t, bytes.Count(text, []byte("\n")), most, name)
		assert.NotRegexp(t, `.{121}`, string(text), name)
	}
}

// account is an account, with a folder for the files of a program.
type account struct {
	*emulator.Server
	*rpcfleet.Client
	folder string
}

func newAccount(t *testing.T) *account {
	a := &account{Server: emulator.Start(), folder: t.TempDir()}
	t.Cleanup(a.Server.Close)
	a.Client = must(rpcfleet.New(rpcfleet.WithBaseURL(a.URL), rpcfleet.WithAPIKey(a.APIKey)))(t)
	return a
}

// add adds an endpoint.
func (a *account) add(t *testing.T, label string, tags ...string) string {
	spec := emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: label, Tags: tags}
	return must(a.AddEndpoint(spec))(t)
}

// labels returns the ids of the endpoints by label, each of which is unique.
func (a *account) labels(t *testing.T) map[string]string {
	ids := map[string]string{}
	for e, err := range a.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
		require.NoError(t, err)
		require.NotContains(t, ids, e.Label)
		ids[e.Label] = e.ID
	}
	return ids
}

// tokens returns the tokens of an endpoint.
func (a *account) tokens(t *testing.T, id string) (values []string) {
	for _, token := range must(a.Security.Tokens(t.Context(), id))(t) {
		values = append(values, token.Token.Reveal())
	}
	return values
}

// command returns a program, whose file and standard input has the text.
func (a *account) command(t *testing.T, text, line string) *exec.Cmd {
	require.NoError(t, os.WriteFile(filepath.Join(a.folder, "fleet.yaml"), []byte(text), 0o600))
	arguments := strings.Fields(line)
	c := exec.CommandContext(t.Context(), bin+arguments[0], arguments[1:]...)
	c.Dir, c.Stdin = a.folder, strings.NewReader(text)
	c.Env = append(os.Environ(), "RPCFLEET_BASE_URL="+a.URL, "RPCFLEET_API_KEY="+a.APIKey, "RPCFLEET_TIMEOUT=500ms")
	return c
}

// run runs a program to its end, and returns its output.
func (a *account) run(t *testing.T, code int, text, line string, env ...string) string {
	c := a.command(t, text, line)
	c.Env = append(c.Env, env...)
	out, _ := c.CombinedOutput()
	require.Equal(t, code, c.ProcessState.ExitCode(), "%s", out)
	return string(out)
}

// reads runs a program that must not change the account.
func (a *account) reads(t *testing.T, code int, text, line string) string {
	a.ResetCalls()
	out := a.run(t, code, text, line)
	for _, call := range a.Calls() {
		assert.Equal(t, http.MethodGet, call.Method, "%s: %s", call.Operation, out)
	}
	return out
}

// killed kills a program at each of its requests, before the service executes it and after, and runs it again.
func killed(t *testing.T, prepare func(*testing.T) *account, text, line string, check func(*testing.T, *account)) {
	whole := prepare(t)
	whole.run(t, 0, text, line)
	require.Greater(t, len(whole.Calls()), 5)
	for i := range whole.Calls() {
		for _, fault := range []emulator.Fault{{Latency: time.Hour}, {Effect: emulator.EffectSlowBody, Interval: time.Hour}} {
			t.Run(fmt.Sprint(i, " ", fault.Effect), func(t *testing.T) {
				t.Parallel()
				a := prepare(t)
				fault.After, fault.Times = i, 1
				injected := must(a.Inject(fault))(t)
				c := a.command(t, text, line)
				require.NoError(t, c.Start())
				require.Eventually(t, func() bool { return injected.Fired() > 0 }, time.Minute, time.Millisecond)
				require.NoError(t, c.Process.Kill())
				_ = c.Wait()
				a.run(t, 0, text, line)
				check(t, a)
			})
		}
	}
}

const fleet = `
checkout: {network: base-mainnet, tags: [eu], options: {cors: false, ipCustomHeader: true}, limits: {rps: 50}}
search: {network: ethereum-mainnet, status: paused}
`

func TestReconcile(t *testing.T) {
	a := newAccount(t)
	foreign := a.add(t, "foreign", "eu")
	assert.Contains(t, a.reads(t, 3, fleet, "reconcile"), "checkout: create on base-mainnet\n")
	a.run(t, 0, fleet, "reconcile -apply")
	assert.Equal(t, "0 changes\n", a.reads(t, 0, fleet, "reconcile -apply"))
	ids := a.labels(t)
	e := must(a.Endpoints.Get(t.Context(), ids["checkout"]))(t)
	on := must(a.Security.Options(t.Context(), e.ID))(t)
	assert.Equal(t, "base-mainnet eu 50 false true\n",
		fmt.Sprintln(e.Network, e.Tags[0].Label, *e.RateLimits.RPS, on["cors"], on["ipCustomHeader"]))
	assert.Equal(t, admin.EndpointStatusPaused, must(a.Endpoints.Get(t.Context(), ids["search"]))(t).Status)

	require.NoError(t, a.Endpoints.Archive(t.Context(), ids["search"])) // By somebody else.
	const changed = "checkout: {network: mainnet, tags: [us]}\nledger: {network: base-mainnet}"
	assert.Equal(t, "checkout: archive "+ids["checkout"]+"\ncheckout: create on ethereum-mainnet\n"+
		"ledger: create on base-mainnet\nsearch: archive "+ids["search"]+"\n4 changes\n", a.reads(t, 3, changed, "reconcile"))
	a.run(t, 0, changed, "reconcile -apply")
	assert.Equal(t, "0 changes\n", a.reads(t, 0, changed, "reconcile -apply"))
	after := a.labels(t)
	assert.NotEqual(t, ids["checkout"], after["checkout"])
	assert.Len(t, after, 3)
	a.run(t, 0, "{}", "reconcile -apply")
	assert.Equal(t, map[string]string{"foreign": foreign}, a.labels(t))
}

func TestReconcile_killed(t *testing.T) {
	killed(t, newAccount, fleet, "reconcile -apply", func(t *testing.T, a *account) {
		assert.Equal(t, "0 changes\n", a.reads(t, 0, fleet, "reconcile -apply"))
		assert.Len(t, a.labels(t), 2)
	})
}

func TestLimits(t *testing.T) {
	a := newAccount(t)
	id, other := a.add(t, "", "production"), a.add(t, "other")
	must(a.RateLimits.Update(t.Context(), id, map[admin.RateLimitBucket]int{"rps": 7, "rpd": 1000}))(t)
	limit := admin.CreateMethodRateLimitRequest{Methods: []string{"eth_getLogs", "eth_call"}, Interval: "second"}
	for limit.Rate = 5; limit.Rate < 7; limit.Rate++ {
		must(a.RateLimits.CreateMethodLimit(t.Context(), id, limit))(t)
	}
	const policy = `{tag: production, limits: {rps: 50}, methods: [
		{methods: [eth_call, eth_getLogs], interval: second, rate: 5}, {methods: [eth_chainId], interval: day, rate: 9}]}`
	assert.Equal(t, 4, strings.Count(a.reads(t, 0, policy, "limits"), "\n"))
	a.run(t, 0, policy, "limits -apply")
	assert.Empty(t, a.reads(t, 0, policy, "limits -apply"))
	assert.Equal(t, map[admin.RateLimitBucket]int{"rps": 50}, must(a.RateLimits.Get(t.Context(), id))(t).Overrides())
	methods := must(a.RateLimits.ListMethodLimits(t.Context(), id))(t)
	assert.Equal(t, "5 9", fmt.Sprint(methods[0].Rate, " ", methods[1].Rate))
	assert.Empty(t, must(a.RateLimits.ListMethodLimits(t.Context(), other))(t))
}

func TestRotate(t *testing.T) {
	killed(t, func(t *testing.T) *account {
		a := newAccount(t)
		must(a.Security.CreateToken(t.Context(), a.add(t, "", "production")))(t) // Its second one.
		a.ResetCalls()
		return a
	}, "", "rotate -apply -overlap 1ms", func(t *testing.T, a *account) {
		var written []string
		id := a.labels(t)[""]
		for _, file := range must(filepath.Glob(filepath.Join(a.folder, id+".*")))(t) {
			written = append(written, string(must(os.ReadFile(file))(t)))
		}
		assert.Len(t, written, 2)
		assert.ElementsMatch(t, written, a.tokens(t, id), "the new ones and no others")
	})
	a := newAccount(t)
	id := a.add(t, "", "production")
	a.reads(t, 0, "", "rotate")
	old := a.tokens(t, id)
	for range 2 { // A second rotation is another one.
		out, before := a.run(t, 0, "", "rotate -apply -overlap 1ms"), old
		old = a.tokens(t, id)
		assert.NotContains(t, before, old[0])
		assert.NotContains(t, out, old[0])
	}
}

func TestInventory(t *testing.T) {
	a := newAccount(t)
	ids := []string{a.add(t, "checkout", "eu", "production"), a.add(t, "search"), a.add(t, "gone")}
	for _, id := range ids[1:] {
		must(a.AppendLog(id, emulator.LoggedCall{Method: "eth_call", Requests: 3}))(t)
	}
	require.NoError(t, a.Endpoints.Archive(t.Context(), ids[2]))
	payments := must(a.Teams.Create(t.Context(), "Payments"))(t)
	require.NoError(t, a.Teams.SetEndpoints(t.Context(), payments.ID, ids[:1]))
	for _, team := range []string{"all", "Payments"} { // With one team, nobody knows.
		assert.Regexp(t, `2 of 2 endpoints\nid,name,label,network,status,tags,teams,credits\n`+
			ids[0]+`,[\w-]+,checkout,base-mainnet,active,eu;production,`+team+`,0\n`+
			ids[1]+`,[\w-]+,search,base-mainnet,active,,all,60\n`+
			`,[\w-]+,,,archived,,,60\n$`, a.reads(t, 0, "", "inventory"))
		must(a.Teams.Create(t.Context(), "Search"))(t)
	}
}

func TestErrorrate(t *testing.T) {
	a := newAccount(t)
	id := a.add(t, "checkout", "production")
	calls := []emulator.LoggedCall{{Method: "eth_call", Status: 500, DaysAgo: 1}}
	for i := range 150 { // More than a page.
		calls = append(calls, emulator.LoggedCall{Method: "eth_call", Status: []int{503, 200}[min(i/3, 1)]})
	}
	must(a.AppendLog(id, calls...))(t)
	assert.Contains(t, a.reads(t, 0, "", "errorrate -max 0.02"), `"checkout": 3 of 150 calls failed, 2.00%`)
	assert.Contains(t, a.reads(t, 3, "", "errorrate"), "1 of 1 endpoints are above 1.00%")
}

func TestTools_fail(t *testing.T) {
	a := newAccount(t)
	a.add(t, "", "production")
	for _, test := range []struct{ text, line, says string }{
		{"a: {tag: [b]}", "reconcile -apply", "field tag not found"},
		{"a: {network: moon}", "reconcile", `a: there is no network "moon"`},
		{"", "reconcile -apply", "fleet.yaml: EOF"},
		{"{tag: none}", "limits", `no endpoint has the tag "none"`},
		{"{tag: production, limit: {rps: 1}}", "limits", "field limit not found"},
		{"{tag: production, limits: {rpx: 1}}", "limits -apply", "rate_limits must have names among"},
		{"", "rotate -tag none", `no endpoint with the tag "none" has a token`},
		{"", "errorrate -tag none", `no endpoint has the tag "none"`},
	} {
		assert.Contains(t, a.reads(t, 1, test.text, test.line), test.says)
	}
	for name := range lines {
		t.Run(name, func(t *testing.T) {
			out := a.run(t, 1, "{}", name, "RPCFLEET_API_KEY=made-up-wrong-key")
			assert.Regexp(t, `^`+name+`: .*RPCFLEET_API_KEY.*\n$`, out)
			assert.NotContains(t, out, "made-up-wrong-key")
			if runtime.GOOS == "windows" {
				t.Skip("a process cannot be interrupted on Windows")
			}
			hangs := must(a.Inject(emulator.Fault{Latency: time.Hour}))(t)
			defer hangs.Remove()
			c := a.command(t, "{}", name)
			c.Env = append(c.Env, "RPCFLEET_TIMEOUT=1h")
			require.NoError(t, c.Start())
			require.Eventually(t, func() bool { return hangs.Fired() > 0 }, time.Minute, time.Millisecond)
			require.NoError(t, c.Process.Signal(os.Interrupt))
			require.Error(t, c.Wait())
			assert.Equal(t, 130, c.ProcessState.ExitCode())
		})
	}
}

// must returns the value of a call that must not fail, as in must(os.ReadFile(name))(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		require.NoError(t, err)
		return value
	}
}
