package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// size is the number of endpoints of a large fleet.
const size = 300

// networks are those that a large fleet is on.
var networks = []string{"ethereum-mainnet", "ethereum-sepolia"}

// large is the file of a large fleet: all that a file can say of an endpoint is said of each.
func large() string {
	var file strings.Builder
	file.WriteString("endpoints:\n")
	for i := range size {
		fmt.Fprintf(&file, `
  - label: node-%03d
    chain: ethereum
    network: %s
    tags: [fleet]
    security: {tokens: 1, ips: [198.51.100.%d], options: {ips: true}}
    rate_limits: {rps: %d}
    method_rate_limits: [{interval: second, methods: [eth_call], rate: 5}]
`, i, networks[i%len(networks)], i%250, 10+i)
	}
	return file.String()
}

// populated is the account of that fleet, of which every tenth endpoint has strayed.
func populated(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	var f emulated.Fleet
	for i := range size {
		rps := 10 + i
		if i%10 == 0 {
			rps = 400
		}
		f.Endpoints = append(f.Endpoints, emulated.Endpoint{
			Label: fmt.Sprintf("node-%03d", i), Chain: "ethereum", Network: networks[i%len(networks)], Tags: []string{"fleet"},
			Security:         emulated.Security{IPs: []string{fmt.Sprintf("198.51.100.%d", i%250)}, Options: map[string]bool{"ips": true}},
			RateLimits:       emulated.RateLimits{RPS: rps},
			MethodRateLimits: []emulated.MethodRateLimit{{Interval: "second", Methods: []string{"eth_call"}, Rate: 5}},
		})
	}
	_, err := e.Populate(f)
	require.NoError(t, err)
}

// TestAPlanOfALargeFleetIsQuick runs in the time of a bubble, in which nothing takes time but the latency: what it
// measures is how many requests wait for one another.
func TestAPlanOfALargeFleetIsQuick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, emulator.WithFaults(emulator.Fault{Latency: 20 * time.Millisecond}))
		defer s.Close()
		populated(t, s.Emulator)
		f := declares(t, large())
		start := time.Now()
		made, err := s.planner(f).plan(t.Context())
		took := time.Since(start)
		require.NoError(t, err)
		assert.Len(t, made.steps(true), size/10)
		assert.Less(t, took, 3*time.Second)
		assert.Len(t, s.Calls("listEndpoints"), 2, "by pages of 250")
		assert.Len(t, s.Calls(), 2+4*size, "no request is made twice")
		t.Logf("%d requests in %v of latency", len(s.Calls()), took)
	})
}

// What a file does not speak of is not read.
func TestAPlanReadsNoMoreThanItNeeds(t *testing.T) {
	s := newService(t)
	populated(t, s.Emulator)
	steps, _ := s.plan(t, declares(t, "endpoints: [{label: node-001, chain: ethereum, network: sepolia, tags: [fleet]}]"))
	assert.Len(t, steps, size-1, "endpoints that are not declared")
	assert.Len(t, s.Calls(), 2)
	s.ResetCalls()
	steps, _ = s.plan(t, declares(t, "destinations: []"))
	assert.Empty(t, steps)
	assert.Len(t, s.Calls(), 1)
}

// A service that limits requests is not met with refusals.
func TestAPlanKeepsWithinTheServicesLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, emulator.WithRequestLimits(200, 0))
		defer s.Close()
		var err error
		s.client, err = rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(s.Client()),
			rpcfleet.WithAPIKey(s.APIKey), rpcfleet.WithPacer(new(pacer.Adaptive)))
		require.NoError(t, err)
		populated(t, s.Emulator)
		_, err = s.planner(declares(t, large())).plan(t.Context())
		require.NoError(t, err)
		for _, call := range s.Calls() {
			assert.Less(t, call.Status, 300)
		}
	})
}
