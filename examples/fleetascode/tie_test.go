package main

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

const pair = `
endpoints:
  - {label: a, chain: ethereum, network: ethereum-mainnet}
  - {label: b, chain: ethereum, network: ethereum-mainnet}
`

func TestWhatNoOperationSettles(t *testing.T) {
	for name, test := range map[string]struct{ file, problem string }{
		"another network":    {"endpoints: [{label: on-polygon, chain: ethereum, network: ethereum-mainnet}]", "cannot be changed: give the one on ethereum"},
		"a label twice":      {"endpoints: [{label: twice, chain: ethereum, network: ethereum-mainnet}]", `the account has 2 endpoints labelled "twice"`},
		"an unknown id":      {"endpoints: [{id: '1', chain: ethereum, network: ethereum-mainnet}]", "the account has no endpoint with the id 1"},
		"another URL":        {"destinations: [{name: hook, url: 'https://example.com/secret', method: POST, payload_type: 1}]", `destination "hook" has another url, and`},
		"another layout":     {"destinations: [{name: hook, url_from: X, method: GET, payload_type: 2}]", "has another method, payload_type"},
		"a URL that is away": {"destinations: [{name: new, url_from: NEW_URL, method: GET, payload_type: 2}]", "the environment variable NEW_URL is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			_, err := s.Populate(emulated.Fleet{
				Endpoints: []emulated.Endpoint{
					{Label: "on-polygon", Chain: "polygon", Network: "polygon-mainnet"},
					{Label: "twice", Chain: "ethereum", Network: "ethereum-mainnet"}, {Label: "twice", Chain: "ethereum", Network: "ethereum-mainnet"},
				},
				Destinations: []emulated.Destination{{Name: "hook", URL: "https://example.com/other"}},
			})
			require.NoError(t, err)
			f := declares(t, test.file)
			_, problems := s.plan(t, f)
			require.Len(t, problems, 1)
			assert.Contains(t, problems[0], test.problem)
			assert.NotContains(t, problems[0], "secret")
			assert.ErrorContains(t, s.apply(t, f, true), "nothing was changed")
			assert.Empty(t, writes(s.Emulator))
		})
	}
}

// A wrong expression is found before anything is changed.
func TestAWrongExpression(t *testing.T) {
	s := newService(t)
	f := declares(t, pair+"notifications: [{name: n, network: ethereum-mainnet, expression: 'tx_to ==', destinations: []}]")
	assert.ErrorContains(t, s.apply(t, f, false), `notification "n"`)
	assert.Empty(t, writes(s.Emulator))
}

func TestAnIDTiesAnEndpointThatGetsAnotherLabel(t *testing.T) {
	s := newService(t)
	id := s.CreateEndpoints(1)[0]
	f := declares(t, "endpoints: [{id: '"+id+"', label: new name, chain: arbitrum, network: arbitrum-mainnet}]")
	have, err := s.client.Endpoints.Get(t.Context(), id)
	require.NoError(t, err)
	f.Endpoints[0].Chain, f.Endpoints[0].Network = have.Chain, have.Network
	require.NoError(t, s.apply(t, f, false))
	assert.Equal(t, []string{"updateEndpoint"}, writes(s.Emulator))
	s.settled(t, f)
}

// Where both an interrupted apply and somebody else may have created an endpoint, nothing is guessed.
func TestSomebodyElseCreatesEndpointsToo(t *testing.T) {
	s := newService(t)
	require.NoError(t, s.state.begin(nil, []pending{{"a", "ethereum", "ethereum-mainnet"}}))
	for range 2 {
		_, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet"})
		require.NoError(t, err)
	}
	_, problems := s.plan(t, declares(t, pair))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], `may have created the endpoint for "a", and so may somebody else`)
}

// resume applies a file as a program does that has been started anew.
func (s *service) resume(t *testing.T, path string) error {
	t.Helper()
	var err error
	s.state, err = openState(path)
	require.NoError(t, err)
	return s.apply(t, declares(t, pair), false)
}

// An apply that ends by an error keeps in mind what has no label.
func TestALabelThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, emulator.WithFaults(emulator.Fault{Operation: "updateEndpoint", Status: 403, Times: 3}))
		defer s.Close()
		path := filepath.Join(t.TempDir(), "state.json")
		assert.ErrorIs(t, s.resume(t, path), rpcfleet.ErrForbidden)
		assert.NotEmpty(t, s.state.pending())
		for s.resume(t, path) != nil && len(s.Calls("updateEndpoint")) < 10 {
		}
		assert.Len(t, s.Calls("createEndpoint"), 2)
		s.settled(t, declares(t, pair))
		assert.Empty(t, s.state.pending())
	})
}

func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	s, err := openState(path)
	require.NoError(t, err)
	require.NoError(t, s.of(7))
	require.NoError(t, s.begin([]string{"1"}, []pending{{"a", "ethereum", "mainnet"}, {"b", "ethereum", "mainnet"}, {"c", "ethereum", "mainnet"}}))
	require.NoError(t, s.assigned("3", []string{"1"}))
	s, err = openState(path)
	require.NoError(t, err)
	assert.Len(t, s.pending(), 3)
	assert.ErrorContains(t, s.of(8), "belongs to account 7, and this is account 8")
	s.labelled("a")
	require.NoError(t, s.end(func(label string) bool { return label == "b" }))
	s, err = openState(path)
	require.NoError(t, err)
	assert.Equal(t, []pending{{"b", "ethereum", "mainnet"}}, s.pending())
	assert.Equal(t, map[string][]string{"3": {"1"}}, s.Teams)

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = openState(path)
	assert.ErrorContains(t, err, "is no state of an apply")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing temporary stays")
}
