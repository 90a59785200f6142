package acceptance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// soakNetworks are where endpoints are created, and by how many players on each.
var soakNetworks = []string{
	"ethereum-mainnet", "ethereum-hoodi", "polygon-mainnet", "polygon-amoy", "base-mainnet", "base-sepolia", "arbitrum-mainnet",
	"optimism-mainnet", "avalanche-fuji", "gnosis-mainnet",
}

const perNetwork = 3

// soaker makes what the next player has. Every other one has a client without a retry quota.
func (run *soak) soaker(kind string) *soaker {
	n := len(run.players)
	w := &soaker{soak: run, Rand: rand.New(rand.NewPCG(*soakSeed, uint64(n))), name: fmt.Sprintf("%s%d", kind, n), client: run.patient}
	if n%2 == 0 {
		w.client = run.hasty
	}
	return w
}

// join adds some players.
func (run *soak) join(n int, player func(*soaker) soakPlayer, kind string) {
	for range n {
		run.players = append(run.players, player(run.soaker(kind)))
	}
}

// gather sets the account up and adds all players.
func (run *soak) gather() {
	now := time.Now()
	populated, err := run.service.Populate(seeded.Fleet{Graph: soakGraph, Endpoints: []seeded.Endpoint{
		{Chain: "ethereum", Network: "ethereum-sepolia", Label: "fixed", Usage: soakUsage},
		{Chain: "bitcoin", Network: "bitcoin-mainnet"}, {Chain: "bitcoin", Network: "bitcoin-mainnet"},
		{Chain: "bitcoin", Network: "bitcoin-mainnet"},
	}})
	require.NoError(run.t, err)
	run.fixed = len(populated.Endpoints)
	used, logged := populated.Endpoints[0], populated.Endpoints[1:]

	for _, slug := range soakNetworks {
		network := networkOf(slug)
		run.join(perNetwork, func(w *soaker) soakPlayer { return newEndpointPlayer(w, network) }, "ep")
	}
	run.join(6, func(w *soaker) soakPlayer { return newTeamPlayer(w, populated.Endpoints) }, "team")
	deleting := &soakDeleting{}
	run.join(6, func(w *soaker) soakPlayer {
		return &alertPlayer{soaker: w, deleting: deleting, destinations: map[string]string{}}
	}, "alert")
	run.join(2, func(w *soaker) soakPlayer { return newHookPlayer(w, deleting) }, "hook")
	run.join(1, func(w *soaker) soakPlayer { return &toolingPlayer{soaker: w} }, "tooling")

	growing := networkOf("solana-devnet")
	run.join(1, func(w *soaker) soakPlayer { return &growPlayer{w, growing} }, "grow")
	run.join(3, func(w *soaker) soakPlayer { return &pagePlayer{w, growing} }, "page")

	logs := &soakLogs{endpoints: logged, begin: now, entries: map[string]int{}}
	run.join(1, func(w *soaker) soakPlayer { return &logPlayer{w, logs} }, "log")
	run.join(2, func(w *soaker) soakPlayer {
		return &followPlayer{soaker: w, logs: logs, entries: map[string]int{}}
	}, "follow")

	readings, listings := run.oldLogs(used, now.Add(-time.Hour))
	readings = append(append(append(readings, accountReadings(now)...), metricReadings(used)...), graphReadings()...)
	listings = append(listings, graphListings()...)
	run.expect(readings, listings)
	run.join(6, func(w *soaker) soakPlayer { return &readPlayer{w, readings, listings} }, "read")
}

// oldLogs fills the log of an endpoint, and reads it.
func (run *soak) oldLogs(endpoint string, from time.Time) ([]soakReading, []soakListing) {
	var calls []emulator.LoggedCall
	for i := range 150 {
		calls = append(calls, emulator.LoggedCall{Method: "eth_call", Timestamp: from.Add(time.Duration(i) * time.Second)})
	}
	ids, err := run.service.AppendLog(endpoint, calls...)
	require.NoError(run.t, err)
	return oldLogs(endpoint, ids[75], from.Add(-time.Second), from.Add(time.Hour))
}

// networkOf is a network by its slug, which begins with that of its chain.
func networkOf(slug string) *soakNetwork {
	chain, _, _ := strings.Cut(slug, "-")
	return &soakNetwork{chain: chain, network: slug}
}
