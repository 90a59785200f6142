// Package examples tests the examples as people use them: as programs, on an account or on their own emulator.
package examples

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// bin is the folder of the programs.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	if file := os.Getenv("EXAMPLES_HOOK"); file != "" {
		os.Exit(hook(file))
	}
	folder, err := os.MkdirTemp("", "examples")
	if err != nil {
		panic(err)
	}
	bin = folder
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// programs builds all examples once.
var programs = sync.OnceValue(func() error {
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin+string(filepath.Separator), "./...").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// program returns the path of an example's program.
func program(t *testing.T, name string) string {
	t.Helper()
	require.NoError(t, programs())
	path := filepath.Join(bin, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	return path
}

// result is the outcome of a program.
type result struct {
	code           int
	stdout, stderr string
}

// output is the output of a program, and can be waited for.
type output struct {
	lock  sync.Mutex
	more  *sync.Cond
	text  bytes.Buffer
	ended bool
}

func newOutput() *output {
	o := &output{}
	o.more = sync.NewCond(&o.lock)
	return o
}

func (o *output) Write(p []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	defer o.more.Broadcast()
	return o.text.Write(p)
}

func (o *output) end() {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.ended = true
	o.more.Broadcast()
}

// wait waits until the program has written a text, and returns all that it has written.
func (o *output) wait(t *testing.T, text string) string {
	t.Helper()
	o.lock.Lock()
	defer o.lock.Unlock()
	for !strings.Contains(o.text.String(), text) {
		require.False(t, o.ended, "the program has ended: %s", &o.text)
		o.more.Wait()
	}
	return o.text.String()
}

// process is a program that runs.
type process struct {
	*exec.Cmd
	stdout, stderr *output
	ended          chan error
}

// of are the variables of an account.
func of(service *emulator.Server) []string {
	return []string{"RPCFLEET_BASE_URL=" + service.URL, "RPCFLEET_API_KEY=" + service.APIKey}
}

// start starts an example with more variables in its environment, in a separate folder.
func start(t *testing.T, variables []string, name string, arguments ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	p := &process{exec.CommandContext(ctx, program(t, name), arguments...), newOutput(), newOutput(), make(chan error, 1)}
	p.Dir, p.Stdout, p.Stderr = t.TempDir(), p.stdout, p.stderr
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "RPCFLEET_") {
			p.Env = append(p.Env, variable)
		}
	}
	p.Env = append(append(p.Env, "TMPDIR="+p.Dir), variables...)
	require.NoError(t, p.Start())
	go func() {
		err := p.Wait()
		p.stdout.end()
		p.stderr.end()
		p.ended <- err
	}()
	return p
}

// finish waits for the end of a program.
func (p *process) finish(t *testing.T) result {
	t.Helper()
	err := <-p.ended
	if exited := new(exec.ExitError); !errors.As(err, &exited) {
		require.NoError(t, err)
	}
	return result{p.ProcessState.ExitCode(), p.stdout.text.String(), p.stderr.text.String()}
}

// interrupt presses Ctrl-C.
func (p *process) interrupt(t *testing.T) result {
	t.Helper()
	require.NoError(t, p.Process.Signal(os.Interrupt))
	return p.finish(t)
}

// run runs an example to its end.
func run(t *testing.T, variables []string, name string, arguments ...string) result {
	t.Helper()
	return start(t, variables, name, arguments...).finish(t)
}

// account starts an emulator that is the account of programs.
func account(t *testing.T, options ...emulator.Option) *emulator.Server {
	t.Helper()
	service := emulator.Start(options...)
	t.Cleanup(service.Close)
	return service
}

// alone contains the behavior of each example without an account: it runs by itself. Services are interrupted after
// they have printed their address.
var alone = map[string]struct {
	arguments []string
	code      int
	says      string // A regular expression.
	until     string
	needs     string // A program of the system.
	lines     int    // At most, if more than 150.
}{
	"anycall":         {says: `"percent": 99.95`},
	"apiserver":       {arguments: []string{"-listen", "127.0.0.1:0"}, code: 130, until: "Listening on http://"},
	"audit":           {code: 3, says: `error +endpoint "\d+" on "base-mainnet": nothing keeps callers out`},
	"backfill":        {says: `^(Wrote .*\n){2}Killed\nBlocks 105 to 109 came again\n(Wrote .*\n){2}$`},
	"costguard":       {code: 3, says: `"staging" +│ +180,000 │ +200,000 │ 90.0% │ warning`},
	"faulttests":      {says: `All endpoints with the tag "staging" are paused`},
	"fleetconfig":     {says: `(?s)10 changes\n.*10 changes\n.*0 changes\n$`, lines: 300},
	"keyrotate":       {says: `The old tokens are deleted`},
	"logtail":         {says: `^$`},
	"metrics":         {says: `rpcfleet_retries_total{operation="listEndpoints"} 1`},
	"nfts":            {says: `(?s)│ ethereum .*│ ethereumSepolia .*│ polygon `},
	"ownqueries":      {says: `"Quiet Harbors", supply 5,000, 5 traits`},
	"quickstart":      {says: `(?s)Created endpoint "1003" .*Tagged 3 endpoints.*"paused" .*Archived 3 endpoints`},
	"report":          {says: `Wrote .*report\.html`},
	"safecreate":      {says: `Endpoint "\d+" is there, once`},
	"walletwatch":     {says: `(?s)there, once\n(Delivery .*){4}added: .*002"\], removed: .*007"\]\n(Delivery .*){4}$`},
	"webhookfile":     {says: `(  "transfers": filter\n  "mints": create\n2 changes\n){2}0 changes\n$`},
	"webhookreceiver": {says: `(?s)(block_number\\":10[0-2].*){3}`},
	"webhookreplicas": {says: `(?s)(handled delivery.*){4}8 requests came for 4 deliveries`, needs: "redis-server"},
}

// TestExamples_runAlone runs each example on its emulator.
func TestExamples_runAlone(t *testing.T) {
	mains := must(filepath.Glob("*/main.go"))(t)
	require.Len(t, mains, len(alone), "every example has a row")
	readme := must(os.ReadFile("README.md"))(t)
	for name, test := range alone {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, string(readme), "["+name+"]("+name+"/main.go)")
			if _, err := exec.LookPath(test.needs); test.needs != "" && err != nil {
				t.Skip(test.needs + " is not installed")
			}
			p := start(t, nil, name, test.arguments...)
			var done result
			if test.until == "" {
				done = p.finish(t)
			} else {
				p.stdout.wait(t, test.until)
				interruptible(t, p)
				done = p.interrupt(t)
			}
			assert.Equal(t, test.code, done.code, "%s", done.stderr)
			assert.Regexp(t, test.says, done.stdout)
		})
	}
}

// interruptible skips a test if a process cannot be interrupted.
func interruptible(t *testing.T, p *process) {
	t.Helper()
	if runtime.GOOS == "windows" {
		_ = p.Process.Kill()
		t.Skip("a process cannot be interrupted on Windows")
	}
}

// TestExamples_areShort counts lines: people read the code that they copy.
func TestExamples_areShort(t *testing.T) {
	for name, test := range alone {
		source := must(os.ReadFile(filepath.Join(name, "main.go")))(t)
		assert.LessOrEqual(t, bytes.Count(source, []byte("\n")), max(test.lines, 150), name)
		assert.Regexp(t, `^// [A-Z][a-z]+ (?s:.*)\n//\tgo run \./examples/`+name+`\b`, string(source),
			"the comment says how to run it")
	}
}

// calls are the arguments with which examples call an account.
func calls(t *testing.T) map[string][]string {
	t.Helper()
	file := must(filepath.Abs("fleetconfig/fleet.yaml"))(t)
	wallets := []string{"-file", declare(t, "0x7"), "-url", "https://hooks.example/wallets"}
	return map[string][]string{
		"anycall": {"GET", "/v0/endpoints"}, "apiserver": nil, "audit": nil, "costguard": {"-budget", "a=1"},
		"faulttests":  nil,
		"fleetconfig": {"-file", file}, "keyrotate": {"-hook", "go"}, "logtail": nil, "metrics": nil,
		"nfts": {"-wallet", "wallet-0.example.eth"}, "ownqueries": nil, "quickstart": nil, "report": nil, "safecreate": nil,
		"walletwatch": wallets, "webhookfile": {"-file", declare(t, "[]")},
	}
}

// TestExamples_wrongKeyNamesVariable looks at the line on standard error.
func TestExamples_wrongKeyNamesVariable(t *testing.T) {
	service := account(t)
	for name, arguments := range calls(t) {
		t.Run(name, func(t *testing.T) {
			done := run(t, []string{"RPCFLEET_BASE_URL=" + service.URL, "RPCFLEET_API_KEY=made-up-wrong-key"}, name,
				arguments...)
			assert.Equal(t, 1, done.code)
			assert.Regexp(t, `(^|\n)`+name+`: .*RPCFLEET_API_KEY.*\n$`, done.stderr)
			assert.NotContains(t, done.stdout+done.stderr, "made-up-wrong-key")
		})
	}
}

// TestExamples_interruptEndsAtOnce presses Ctrl-C while the service leaves a call without a response.
func TestExamples_interruptEndsAtOnce(t *testing.T) {
	arrived := make(chan struct{}, 16)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // Otherwise the server does not see that the caller is gone.
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(service.Close)
	for name, arguments := range calls(t) {
		t.Run(name, func(t *testing.T) {
			p := start(t, []string{"RPCFLEET_BASE_URL=" + service.URL, "RPCFLEET_API_KEY=made-up-key"}, name, arguments...)
			interruptible(t, p)
			<-arrived
			assert.Contains(t, []int{130, -1}, p.interrupt(t).code) // If the signal ends it, a shell shows 130.
			for len(arrived) > 0 {                                  // Calls beside the first one.
				<-arrived
			}
		})
	}
}

// TestExamples_escapeControlCharacters has the service send texts that would act on a terminal.
func TestExamples_escapeControlCharacters(t *testing.T) {
	const hostile = "\x1b[31mmade up\u009b\u202e\U000E0001"
	for name, test := range map[string]struct {
		operation, pointer string
		arguments          []string
	}{
		"quickstart":        {"listEndpoints", "/data/0/label", nil},
		"quickstart -write": {"createEndpoint", "/data/id", []string{"-write"}},
		"audit":             {"listEndpoints", "/data/0/network", nil},
		"ownqueries":        {"graph", "/data/ethereum/collections/edges/0/node/name", nil},
		"costguard":         {"getUsageByTag", "/data/tags/0/label", []string{"-budget", hostile + "=1"}},
		"nfts": {"graph", "/data/chain/wallet/walletNFTs/edges/0/node/nft/name",
			[]string{"-wallet", "wallet-0.example.eth"}},
		"anycall": {"listEndpoints", "/data/0/label", []string{"GET", "/v0/endpoints"}},
	} {
		t.Run(name, func(t *testing.T) {
			service := account(t, emulator.WithFaults(emulator.Fault{Operation: test.operation, Pointer: test.pointer,
				Effect: emulator.EffectSetField, Value: hostile}))
			must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{"a"},
				Options: map[string]bool{"tokens": false},
				Usage:   []emulator.LoggedCall{{Method: "eth_call", Requests: 1}}}))(t)
			name, _, _ := strings.Cut(name, " ")
			done := run(t, of(service), name, test.arguments...)
			assert.Contains(t, done.stdout, "[31mmade up", "%s", done.stderr)
			assert.NotRegexp(t, "[\x1b\u009b\u202e\U000E0001]", done.stdout+done.stderr)
		})
	}
}

// must returns the value of a call that must not fail, as in must(os.ReadFile(name))(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}
