package acceptance

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// commented are the programs that contain the code of the package comments, by the file, and their output. If a comment
// has no code, it has no program.
func commented(t *testing.T) map[string]struct{ text, prints string } {
	return map[string]struct{ text, prints string }{
		"../../doc.go": {program(``, packageCode(t, "../../doc.go"), ``, ``), "ethereum-mainnet active"},
		"../../emulator/doc.go": {program(``, packageCode(t, "../../emulator/doc.go"),
			`account, err := client.Account.Info(ctx); fmt.Println(account); return err`, ``), "AccountInfo{"},
		"../../graph/doc.go": {program(
			`client, err := rpcfleet.NewFromEnv(); if err != nil { return err }; address = os.Getenv("COLLECTION")`,
			packageCode(t, "../../graph/doc.go"),
			`fmt.Println(*found.Ethereum.Collection.Name, holders)`,
			`func Holders(context.Context, graphql.Client, string) (string, error) { return "held", nil }`), "held"},
		"../../alerts/doc.go": {program(
			`destination := alerts.Destination{Token: scalar.NewSecret("made-up")}
			queue := new(queue); certificate, key := "none", "none"`,
			served(packageCode(t, "../../alerts/doc.go")),
			`_ = certificate
			sent := httptest.NewRequest(http.MethodPost, "/alerts", strings.NewReader("{}"))
			now := alerts.Headers{Timestamp: time.Now(), Nonce: "n", ContentHash: "h"}
			if err := (alerts.Signer{Token: destination.Token}).Sign(sent.Header, now); err != nil { return err }
			response := httptest.NewRecorder()
			http.DefaultServeMux.ServeHTTP(response, sent)
			fmt.Println(response.Code, server.Addr, string(queue.held))`,
			`type queue struct { held []byte }
			func (q *queue) Put(_ context.Context, payload []byte) error { q.held = payload; return nil }`), "200 :8443 {}"},
	}
}

// served leaves the last line out, which would serve for ever.
func served(code string) string {
	before, _, _ := strings.Cut(code, "return server.ListenAndServeTLS")
	return before + "_ = key\n"
}

// TestTheProgramsOfThePagesRun builds the programs of README.md, the pages of docs and the package comments, and runs
// them against an emulator.
func TestTheProgramsOfThePagesRun(t *testing.T) {
	race.Skip(t)
	if testing.Short() {
		t.Skip("the builds take several seconds")
	}
	e := emulator.Start()
	t.Cleanup(e.Close)
	b := &fixture{Emulator: e.Emulator, url: e.URL}
	b.Client = b.client(t)
	p := &pages{t: t, bin: t.TempDir(), sources: map[string]string{}, env: append(os.Environ(),
		"RPCFLEET_BASE_URL="+e.URL, "RPCFLEET_API_KEY="+e.APIKey, "RPCFLEET_TIMEOUT=", "RPCFLEET_ALERTS_PATH=",
		"RPCFLEET_GRAPH_PATH=")}

	readme := pagePrograms(t)
	comments := commented(t)
	for heading, text := range readme {
		p.sources[heading] = text
	}
	for _, file := range packageComments(t) {
		if has := packageCode(t, file) != ""; assert.Equal(t, has, comments[file].text != "", file) && has {
			p.sources[file] = comments[file].text
		}
	}
	p.build()

	ids := b.CreateEndpoints(3)
	endpoint := ids[1]
	require.Equal(t, "1003", ids[0], "the endpoint that a program pauses")
	collections := must(b.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(t.Context()))(t)
	p.env = append(p.env, "COLLECTION="+collections.Items[0].GetAddress())

	for _, file := range slices.Sorted(maps.Keys(comments)) {
		assert.Contains(t, p.ended(file), comments[file].prints, file)
	}
	runs := map[string]func(heading string){
		"First program": func(h string) { assert.Contains(t, p.ended(h), "ethereum-mainnet active") },
		"Errors": func(h string) {
			assert.Empty(t, p.ended(h))
			found := must(b.Endpoints.Get(t.Context(), "1003"))(t)
			assert.Equal(t, admin.EndpointStatusPaused, found.Status)
			require.NoError(t, b.Endpoints.Activate(t.Context(), "1003"), "the other programs expect it active")
		},
		"Testing": func(h string) { assert.Contains(t, p.ended(h, "-test.v"), "PASS: TestPausing") },
		"Values for stubs": func(h string) {
			assert.Contains(t, p.ended(h, "-test.v"), "PASS: TestCreate_lostResponse")
		},
		"Test a bad day": func(h string) { assert.Contains(t, p.ended(h, "-test.v"), "PASS: TestArchivingOnABadDay") },
		"Ask the graph":  func(h string) { assert.Contains(t, p.ended(h), "TrendingStats{") },
		"Follow a log": func(h string) {
			for _, method := range []string{"eth_call", "eth_chainId"} { // The second one goes on after the first.
				require.NoError(t, second(b.AppendLog(endpoint, emulator.LoggedCall{Method: method})))
				before := p.saved("calls")
				run := p.start(h, endpoint)
				run.prints(t, method+"\n")
				require.Eventually(t, func() bool { return p.saved("calls") != before }, patience, time.Millisecond)
				require.NoError(t, run.Process.Signal(os.Interrupt))
				require.NoError(t, run.Wait())
				assert.Equal(t, 1, strings.Count(run.output(), "\n"), run.output())
			}
		},
		"Receive webhooks": func(h string) {
			address := freeAddress(t)
			to := b.destination(t, "http://"+address+"/", alerts.WebhookTypePOST)
			p.env = append(p.env, "DESTINATION_TOKEN="+to.Token.Reveal(), "LISTEN_ADDRESS="+address)
			run := p.start(h)
			n := b.notification(t, everyBlock, to)
			require.Eventually(t, func() bool {
				outcomes, err := b.Deliver(t.Context(), n.ID, 7)
				return err == nil && len(outcomes) == 1 && outcomes[0].Status == 200
			}, patience, 20*time.Millisecond)
			run.prints(t, `"block_number":7`)
		},
	}
	for _, heading := range slices.Sorted(maps.Keys(readme)) {
		require.Contains(t, runs, heading, "a program that nothing runs")
		t.Run(heading, func(*testing.T) { runs[heading](heading) })
	}
}
