//go:build gates

package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// commented are the programs that contain the code of the package comments, by the file, and their output. If a comment
// has no code, it has no program.
func commented(t *testing.T) map[string]struct{ text, prints string } {
	receiver, _, _ := strings.Cut(packageCode(t, "../../webhooks/doc.go"), "return server.ListenAndServeTLS") // It serves for ever.
	return map[string]struct{ text, prints string }{
		"../../doc.go": {program(``, packageCode(t, "../../doc.go"), ``, ``), "mainnet active"},
		"../../emulator/doc.go": {program(``, packageCode(t, "../../emulator/doc.go"),
			`account, err := client.Account.Info(ctx); fmt.Println(account); return err`, ``), "AccountInfo{"},
		"../../graph/doc.go": {program(
			`client, err := rpcfleet.NewFromEnv(); if err != nil { return err }; address = os.Getenv("COLLECTION")`,
			packageCode(t, "../../graph/doc.go"),
			`fmt.Println(holders)`,
			`func Holders(context.Context, graphql.Client, string) (string, error) { return "held", nil }`), "held"},
		"../../webhooks/doc.go": {program(
			`token := scalar.NewSecret("qnsec_made-up")
			queue := new(queue); certificate, key := "none", "none"`,
			receiver,
			`_, _ = certificate, key
			sent := httptest.NewRequest(http.MethodPost, "/deliveries", strings.NewReader("{}"))
			signer := webhooks.Signer{Token: token}
			if err := signer.Sign(sent.Header, "n", time.Now(), []byte("{}")); err != nil { return err }
			response := httptest.NewRecorder()
			http.DefaultServeMux.ServeHTTP(response, sent)
			fmt.Println(response.Code, server.Addr, string(queue.held))`,
			`type queue struct { held []byte }
			func (q *queue) Put(_ context.Context, payload []byte) error { q.held = payload; return nil }`), "200 :8443 {}"},
	}
}

// TestDocs_programsRun builds the programs of README.md, the pages of docs and the package comments, and runs
// them against an emulator.
func TestDocs_programsRun(t *testing.T) {
	e := emulator.Start()
	t.Cleanup(e.Close)
	b := &fixture{Emulator: e.Emulator, url: e.URL}
	b.Client = b.client(t)
	p := &pages{t: t, bin: t.TempDir(), sources: map[string]string{}, env: append(os.Environ(),
		"RPCFLEET_BASE_URL="+e.URL, "RPCFLEET_API_KEY="+e.APIKey, "RPCFLEET_TIMEOUT=", "RPCFLEET_ALERTS_PATH=")}

	readme := pagePrograms(t)
	comments := commented(t)
	for heading, text := range readme {
		p.sources[heading] = text
	}
	for _, folder := range []string{"", "admin/", "alerts/", "graph/", "scalar/", "webhooks/", "emulator/"} {
		file := "../../" + folder + "doc.go"
		if has := packageCode(t, file) != ""; assert.Equal(t, has, comments[file].text != "", file) && has {
			p.sources[file] = comments[file].text
		}
	}
	p.build()

	ids := b.CreateEndpoints(3)
	endpoint := ids[1]
	collections := must(b.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	p.env = append(p.env, "COLLECTION="+collections.Items[0].GetAddress())

	for _, file := range slices.Sorted(maps.Keys(comments)) {
		assert.Contains(t, p.ended(file), comments[file].prints, file)
	}
	runs := map[string]func(heading string){
		"First program":    func(h string) { assert.Contains(t, p.ended(h), "mainnet active") },
		"Testing":          p.passes("TestPausing"),
		"Values for stubs": p.passes("TestCreate_anotherCreator"),
		"A receiver":       p.passes("TestReceiver_retriedAfterFailure"),
		"Test a bad day":   p.passes("TestArchivingOnABadDay"),
		"Ask the graph":    func(h string) { assert.Contains(t, p.ended(h), "TrendingStats{") },
		"Follow a log": func(h string) {
			for _, method := range []string{"eth_call", "eth_chainId"} { // The second one goes on after the first.
				require.NoError(t, second(b.AppendLog(endpoint, emulator.LoggedCall{Method: method})))
				before := p.saved("calls")
				run := p.start(h, endpoint)
				run.prints(t, method+"\n")
				require.Eventually(t, func() bool { return p.saved("calls") != before }, patience, time.Millisecond)
				require.NoError(t, run.Process.Signal(os.Interrupt))
				require.NoError(t, run.Wait())
				assert.Equal(t, 1, strings.Count(run.String(), "\n"), run)
			}
		},
		"Receive webhooks": func(h string) {
			address := freeAddress(t)
			p.env = append(p.env, "SECURITY_TOKEN=qnsec_made-up", "LISTEN_ADDRESS="+address)
			run := p.start(h)
			require.Eventually(t, func() bool {
				const payload = `{"block":7}`
				sent := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, strings.NewReader(payload)))(t)
				signer := webhooks.Signer{Token: scalar.NewSecret("qnsec_made-up")}
				require.NoError(t, signer.Sign(sent.Header, "n", time.Now(), []byte(payload)))
				response, err := http.DefaultClient.Do(sent)
				return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
			}, patience, 20*time.Millisecond)
			run.prints(t, `{"block":7}`)
		},
	}
	for _, heading := range slices.Sorted(maps.Keys(readme)) {
		require.Contains(t, runs, heading, "a program that nothing runs")
		t.Run(heading, func(*testing.T) { runs[heading](heading) })
	}
}

var fenced = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// pagePrograms returns the Go programs of README.md and the pages of docs, by the headings above them.
func pagePrograms(t *testing.T) map[string]string {
	t.Helper()
	programs := map[string]string{}
	for _, file := range []string{"../../README.md", "../../docs/recipes.md", "../../docs/testing.md"} {
		page := must(os.ReadFile(file))(t)
		for section := range strings.SplitSeq(string(page), "\n## ") {
			heading, _, _ := strings.Cut(section, "\n")
			for _, found := range fenced.FindAllStringSubmatch(section, -1) {
				require.NotContains(t, programs, heading, "one program a section")
				programs[heading] = found[1]
			}
		}
	}
	return programs
}

// packageCode returns the code of a package's comment, all of its blocks in one.
func packageCode(t *testing.T, file string) string {
	t.Helper()
	syntax := must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly))(t)
	var code strings.Builder
	for _, block := range new(comment.Parser).Parse(syntax.Doc.Text()).Content {
		if block, is := block.(*comment.Code); is {
			code.WriteString(block.Text + "\n")
		}
	}
	return code.String()
}

var qualifier = regexp.MustCompile(`\b(\w+)\.[A-Z]`)

// imports are the paths of the packages that the code of package comments uses.
var imports = map[string]string{
	"rpcfleet": "github.com/rpcfleet/rpcfleet-go", "admin": "github.com/rpcfleet/rpcfleet-go/admin",
	"alerts": "github.com/rpcfleet/rpcfleet-go/alerts", "graph": "github.com/rpcfleet/rpcfleet-go/graph",
	"scalar": "github.com/rpcfleet/rpcfleet-go/scalar", "webhooks": "github.com/rpcfleet/rpcfleet-go/webhooks",
	"emulator": "github.com/rpcfleet/rpcfleet-go/emulator",
	"graphql":  "github.com/Khan/genqlient/graphql",
	"context":  "context", "fmt": "fmt", "log": "log", "os": "os", "http": "net/http", "time": "time", "errors": "errors",
	"httptest": "net/http/httptest", "strings": "strings",
}

// program makes a program of the code in a package's comment. The code is the body of a function. Before it comes the
// setup that the comment assumes, after it a check that it did something, and beside it the declarations that it needs.
func program(before, code, after, beside string) string {
	body := `func main() {
	if err := run(context.Background(), os.Getenv("RPCFLEET_BASE_URL"), os.Getenv("RPCFLEET_API_KEY")); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address, key string) error {
` + before + "\n" + code + "\n" + after + `
	return nil
}

` + beside
	var text strings.Builder
	text.WriteString("package main\n\n")
	seen := map[string]bool{}
	for _, found := range qualifier.FindAllStringSubmatch(body, -1) {
		if path, known := imports[found[1]]; known && !seen[path] {
			seen[path] = true
			text.WriteString("import \"" + path + "\"\n")
		}
	}
	return text.String() + body
}

// patience is the wait for events that happen at once on an idle machine, before they count as never.
const patience = 5 * time.Minute

// freeAddress returns an address without a listener. If all of 127.0.0.0/8 is this machine, no other test uses the
// address before its port is taken.
func freeAddress(t *testing.T) string {
	t.Helper()
	own := fmt.Sprintf("127.%d.%d.%d:0", 1+rand.N(254), rand.N(256), 1+rand.N(254))
	listener, err := net.Listen("tcp", own)
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// pages builds and runs programs.
type pages struct {
	t       *testing.T
	bin     string
	sources map[string]string
	env     []string
}

func (p *pages) path(name string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return filepath.Join(p.bin, letters)
}

// build makes a program of each source. The sources are put into folders of this module that do not exist.
func (p *pages) build() {
	here := must(os.Getwd())(p.t)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var programs []string
	for name, text := range p.sources {
		folder, file := filepath.Base(p.path(name)), "main.go"
		if strings.HasPrefix(text, "package main\n") {
			programs = append(programs, "./programs/"+folder)
		} else {
			file = "x_test.go"
		}
		source := p.path(name) + ".go"
		require.NoError(p.t, os.WriteFile(source, []byte(text), 0o600))
		overlay.Replace[filepath.Join(here, "programs", folder, file)] = source
	}
	file := filepath.Join(p.bin, "overlay.json")
	require.NoError(p.t, os.WriteFile(file, must(json.Marshal(overlay))(p.t), 0o600))
	p.tool(append([]string{"build", "-overlay", file, "-ldflags=-s -w", "-o", p.bin}, programs...)...)
	for name, text := range p.sources {
		if !strings.HasPrefix(text, "package main\n") {
			folder := "./programs/" + filepath.Base(p.path(name))
			p.tool("test", "-vet=off", "-ldflags=-s -w", "-overlay", file, "-c", "-o", p.path(name), folder)
		}
	}
}

func (p *pages) tool(arguments ...string) {
	output, err := exec.Command("go", arguments...).CombinedOutput()
	require.NoError(p.t, err, "go %v\n%s", arguments, output)
}

// start starts a program. It is ended with the test.
func (p *pages) start(name string, arguments ...string) *running {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	p.t.Cleanup(cancel)
	r := &running{Cmd: exec.CommandContext(ctx, p.path(name), arguments...)}
	r.Dir, r.Env, r.Stdout, r.Stderr = p.bin, p.env, r, r
	require.NoError(p.t, r.Start())
	p.t.Cleanup(func() { _ = r.Process.Kill() })
	return r
}

// ended returns the output of a program that ends by itself, without an error.
func (p *pages) ended(name string, arguments ...string) string {
	p.t.Helper()
	r := p.start(name, arguments...)
	require.NoError(p.t, r.Wait(), "%s: %s", name, r)
	return r.String()
}

// passes returns the run of a program that is a test.
func (p *pages) passes(test string) func(heading string) {
	return func(heading string) { assert.Contains(p.t, p.ended(heading, "-test.v"), "PASS: "+test) }
}

// saved returns the file of the checkpoint that a program has saved last under a key, or nothing if there is no
// checkpoint. If FileCheckpointStore read it during a save, it would take that checkpoint for one that a dead program
// has left, and remove it.
func (p *pages) saved(key string) string {
	text, _ := os.ReadFile(filepath.Join(p.bin, key+".checkpoint"))
	return string(text)
}

// running is a program that runs.
type running struct {
	*exec.Cmd

	mu   sync.Mutex
	text bytes.Buffer
}

func (r *running) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(text)
}

// String returns the output of the program so far.
func (r *running) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// prints waits until the program has printed a text.
func (r *running) prints(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(r.String(), text) }, patience, 10*time.Millisecond,
		"%s in %s", text, r)
}
