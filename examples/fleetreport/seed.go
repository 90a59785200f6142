package main

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// seed fills the emulator with a fleet that has something of everything, and something of it wrong.
func seed(e *emulator.Emulator) error {
	off := map[string]bool{"tokens": false}
	endpoints := []fleet.Endpoint{
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "checkout", Tags: []string{"shop", "production"},
			Security:   fleet.Security{IPs: []string{"198.51.100.7", "203.0.113.0/24"}, Options: map[string]bool{"ips": true}},
			RateLimits: fleet.RateLimits{RPS: 50}, MethodRateLimits: []fleet.MethodRateLimit{{Interval: "second", Methods: []string{"eth_getLogs"}, Rate: 5}},
			Usage: traffics("eth_call", 90_000, 40)},
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "indexer of everything that ever happened", Tags: []string{"data", "production"},
			Security: fleet.Security{RequestFilters: [][]string{{"eth_getLogs", "eth_getBlockByNumber"}}, Options: map[string]bool{"requestFilters": true}},
			Usage:    traffics("eth_getLogs", 60_000, 900)},
		{Chain: "polygon", Network: "polygon-mainnet", Label: "wallet", Tags: []string{"mobile"},
			Security: fleet.Security{Referrers: []string{"app.example.com"}}, Usage: traffics("eth_getBalance", 35_000, 3_000)},
		{Chain: "base", Network: "base-mainnet", Label: "experiment", Security: fleet.Security{Options: off}, Usage: traffics("trace_block", 700, 0)},
		{Chain: "solana", Network: "solana-mainnet", Label: "bridge", Tags: []string{"production"}, Multichain: true, Dedicated: true,
			Security: fleet.Security{JWTs: []fleet.JWT{{PublicKey: "made-up-public-key", Kid: "1", Name: "bridge"}}, Options: map[string]bool{"jwts": true, "domainMasks": true}},
			Usage:    traffics("getProgramAccounts", 2_500, 12)},
		{Chain: "arbitrum", Network: "arbitrum-sepolia", Label: "left over", Tags: []string{"shop"}},
		{Chain: "polygon", Network: "polygon-amoy", Paused: true},
	}
	for i := range 9 {
		endpoints = append(endpoints, fleet.Endpoint{Chain: "base", Network: "base-sepolia", Label: fmt.Sprintf("test-%d", i+1), Tags: []string{"test"},
			Usage: traffics("eth_call", int64(400*(i+1)), int64(i))})
	}
	_, err := e.Populate(fleet.Fleet{Endpoints: endpoints})
	return err
}

// traffics are calls of a method on each of the last days, more on some than on others, and failed ones.
func traffics(method string, calls, failed int64) (all []fleet.Usage) {
	for day := range 7 {
		weight := int64(7 + 3*(day%3))
		all = append(all, fleet.Usage{DaysAgo: day, Method: method, Requests: calls * weight / 10})
		if failures := failed * int64(1+day*day%4) / 2; failures > 0 {
			all = append(all, fleet.Usage{DaysAgo: day, Method: method, Requests: failures, Status: 500})
		}
	}
	return all
}
