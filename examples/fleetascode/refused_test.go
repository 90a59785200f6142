package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// each declares one of each kind.
const each = `
endpoints:
  - label: a
    chain: ethereum
    network: ethereum-mainnet
    multichain: true
    status: paused
    tags: [x]
    security:
      tokens: 2
      ips: [198.51.100.1]
      referrers: [a.example.com]
      domain_masks: [c.example.com]
      request_filters: [[eth_call]]
      jwts: [{name: n, kid: k, public_key: p}]
      ip_custom_header: X-Client-IP
      options: {ips: true}
    rate_limits: {rps: 5}
    method_rate_limits: [{interval: day, methods: [eth_call], rate: 6, enabled: false}]
teams: [{name: Team one, endpoints: [a], members: [{email: one@example.com, full_name: One, role: viewer}]}]
destinations: [{name: one, url: "https://example.com/1", method: POST, payload_type: 1}]
notifications: [{name: one, network: ethereum-mainnet, expression: tx_to =~ '^0x', destinations: [one], enabled: false}]
`

// A service may fail at any request, once or from then on, and that request may have been carried out. The next apply
// goes on from there, to the same end.
func TestTheServiceFailsAtAnyRequest(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	f := declares(t, each)
	for name, fault := range map[string]emulator.Fault{
		"a refusal":            {Status: http.StatusBadRequest, Times: 1},
		"an outage":            {Effect: emulator.Refuse},
		"an outage after that": {Effect: emulator.LoseResponse},
	} {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for ended := false; !ended; {
				synctest.Test(t, func(t *testing.T) {
					s := newService(t)
					defer s.Close()
					require.NoError(t, seed(s.Emulator))
					fault.After = failed
					injected, err := s.Inject(fault)
					require.NoError(t, err)
					err = s.apply(t, f, false)
					if ended = injected.Fired() == 0; ended {
						require.NoError(t, err)
						return
					}
					require.Error(t, err, "after %d requests", failed)
					s.RemoveFaults()
					require.NoError(t, s.apply(t, f, false), "after %d requests", failed)
					steps, problems := s.plan(t, f)
					for _, step := range steps {
						assert.Contains(t, step, "remove ", "after %d requests", failed)
					}
					assert.Empty(t, problems)
					security, err := s.client.Security.Get(t.Context(), s.planned(t, f, "a"))
					require.NoError(t, err)
					assert.Len(t, security.Tokens, 2, "after %d requests", failed)
				})
				if failed++; race.Thin(failed, 0) {
					failed += 10
				}
			}
			assert.Greater(t, failed, 30, "those of the plan, of all steps, and of a look at what they did")
		})
	}
}

// Commands that only read tell of any request that fails, and show nothing that is half of an account.
func TestAReadingCommandFailsAtAnyRequest(t *testing.T) {
	for _, command := range []string{"plan", "drift", "adopt"} {
		t.Run(command, func(t *testing.T) {
			failed := 0
			for ended := false; !ended; failed++ {
				p := newProgram(t) // Another one each time: what the one before was asked may still be on its way.
				_, err := p.Populate(odd)
				require.NoError(t, err)
				args := []string{command}
				if command != "adopt" {
					args = append(args, "-file", p.file(t, each))
				}
				injected, err := p.Inject(emulator.Fault{Status: http.StatusBadRequest, Times: 1, After: failed})
				require.NoError(t, err)
				code, stdout, stderr := runs(t, args...)
				if ended = injected.Fired() == 0; !ended {
					assert.Equal(t, 1, code)
					assert.Empty(t, stdout)
					assert.Regexp(t, `\Afleetascode: [^\n]*400 Bad Request[^\n]*\n\z`, stderr)
				}
				p.Close()
			}
			assert.Greater(t, failed, 5)
		})
	}
}

// Where the state cannot be kept, nothing is created: after a death nobody would know what for.
func TestAStateThatCannotBeKept(t *testing.T) {
	p := newProgram(t)
	file, folder := p.file(t, pair), t.TempDir()
	foreign := filepath.Join(folder, "foreign")
	require.NoError(t, os.WriteFile(foreign, []byte(`{"account":77}`), 0o600))
	for name, test := range map[string]struct{ state, reason string }{
		"a folder":           {folder, "is a directory"},
		"no folder":          {filepath.Join(folder, "none", "state"), "no such file or directory"},
		"of another account": {foreign, "belongs to account 77, and this is account "},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := runs(t, "apply", "-yes", "-file", file, "-state", test.state)
			assert.Equal(t, 1, code)
			assert.Contains(t, stderr, test.reason)
			assert.Empty(t, writes(p.Emulator))
		})
	}
}

func TestHalfAnAccountInTheEnvironment(t *testing.T) {
	newProgram(t)
	t.Setenv("RPCFLEET_BASE_URL", "")
	for _, args := range [][]string{nil, {"plan"}, {"apply"}, {"drift"}, {"adopt"}} {
		code, stdout, stderr := runs(t, args...)
		assert.Equal(t, 1, code)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, "RPCFLEET_BASE_URL")
	}
}

// A service that accepts a change and does not heed it is not asked for ever.
func TestAServiceThatDoesNotHeed(t *testing.T) {
	p := newProgram(t)
	file := p.file(t, "endpoints: [{label: a, chain: ethereum, network: ethereum-mainnet, tags: [x], status: paused}]")
	_, err := p.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Label: "a"})
	require.NoError(t, err)
	_, err = p.Inject(emulator.Fault{Operation: "listEndpoints", Effect: emulator.SetLeaf, Pointer: "/data/0/status", Value: "active"})
	require.NoError(t, err)
	code, _, stderr := runs(t, "apply", "-yes", "-file", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "fleetascode: the account still differs from the file\n")
	assert.Regexp(t, `set +endpoint "a" +status +active +paused`, stderr)
	assert.Len(t, p.Calls("setEndpointStatus"), rounds)
	assert.Len(t, p.Calls("addEndpointTag"), 1)
}

// Ctrl-C during the wait for what an earlier apply may have sent ends it before anything is asked.
func TestInterruptedBeforeItBegins(t *testing.T) {
	s := newService(t)
	require.NoError(t, s.state.begin(nil, []pending{{"a", "ethereum", "ethereum-mainnet"}}))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	f, format := declares(t, pair), cli.FormatTable
	err := s.planner(f).apply(ctx, &options{yes: true, format: &format, settle: time.Hour}, io.Discard, io.Discard)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, s.Calls())
	assert.Len(t, s.state.pending(), 1)
}

// Ctrl-C during the tour, and an output that nobody reads.
func TestATourThatIsCutShort(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, cli.ExitError, run(ctx, nil, nil, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "\nfleetascode: interrupted: ")
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for _, args := range [][]string{nil, {"plan"}, {"drift"}, {"apply", "-yes"}, {"adopt"}} {
		stderr.Reset()
		assert.Equal(t, cli.ExitError, run(t.Context(), args, nil, closed, &stderr))
		assert.Contains(t, stderr.String(), "file already closed")
	}
}

// Drift tells of what no apply would settle, and ends as where something differs.
func TestDriftThatNoOperationSettles(t *testing.T) {
	p := newProgram(t)
	code, _, stderr := runs(t, "drift", "-file", p.file(t, "endpoints: [{id: '7', chain: c, network: n}]"))
	assert.Equal(t, 3, code)
	assert.Contains(t, stderr, "the account has no endpoint with the id 7\n")
}

// Of two things of a name it cannot be told which one the file means, and adopt tells so.
func TestTwoOfAName(t *testing.T) {
	for section, populated := range map[string]emulated.Fleet{
		"destinations": {Destinations: []emulated.Destination{{Name: "same", URL: "https://example.com/1"}}},
		"notifications": {
			Notifications: []emulated.Notification{{Name: "same", Network: "ethereum-mainnet", Expression: "tx_to == '0x01'", Destinations: []string{"one"}}},
			Destinations:  []emulated.Destination{{Name: "one", URL: "https://example.com/1"}},
		},
		"teams": {Teams: []emulated.Team{{Name: "same"}}},
	} {
		t.Run(section, func(t *testing.T) {
			s := newService(t)
			for range 2 {
				_, err := s.Populate(populated)
				require.NoError(t, err)
			}
			f := declares(t, map[string]string{
				"destinations":  "destinations: [{name: same, url: 'https://example.com/1', method: POST, payload_type: 1}]",
				"notifications": "notifications: [{name: same, network: ethereum-mainnet, expression: tx_to == '0x02', destinations: []}]",
				"teams":         "teams: [{name: same}]",
			}[section])
			assert.ErrorContains(t, s.apply(t, f, true), `the account has 2 `+section+` called "same"`)
			assert.Empty(t, writes(s.Emulator))

			var out, errs bytes.Buffer
			require.NoError(t, adopt(t.Context(), &s.planner(&fleet{}).reader, &out, &errs))
			assert.Contains(t, errs.String(), "The account has what a file cannot say; change the file here:\nline ")
			assert.Contains(t, errs.String(), section+`[1].name: "same" is there twice`)
		})
	}
}

// What a file declares to be empty is emptied with -prune.
func TestPruneTakesAwayEachKind(t *testing.T) {
	s := newService(t)
	_, err := s.Populate(odd)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.NoError(t, adopt(t.Context(), &s.planner(&fleet{}).reader, &out, &errs))
	multichain := declares(t, out.String()).Endpoints[1].ID
	f := declares(t, fmt.Sprintf(`
endpoints:
  - {id: %q, chain: ethereum, network: ethereum-mainnet, multichain: false}
  - label: 'full: "quoted"'
    chain: polygon
    network: polygon-mainnet
    tags: []
    security: {tokens: 1, ips: [], referrers: [], domain_masks: [], request_filters: [], jwts: [], ip_custom_header: ''}
    rate_limits: {}
    method_rate_limits: []
destinations: []
notifications: []
`, multichain))
	require.NoError(t, s.apply(t, f, true))
	s.settled(t, f)
	out.Reset()
	require.NoError(t, adopt(t.Context(), &s.planner(&fleet{}).reader, &out, &errs))
	for _, gone := range []string{"198.51.100.1", "r.example.com", "d.example.com", "eth_call", "X-IP", "kid", "rps", "on-call", "tx_to", "multichain: true"} {
		assert.NotContains(t, out.String(), gone)
	}
	assert.Equal(t, 2, strings.Count(out.String(), "network: "))
}
