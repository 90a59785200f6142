package emulator_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Starts the service on a loopback port and uses a client with it.
func ExampleStart() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	created, err := client.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "sol", Network: "solana-mainnet"})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Endpoints.Pause(ctx, created.ID); err != nil {
		log.Fatal(err)
	}
	endpoint, err := client.Endpoints.Get(ctx, created.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.Network, endpoint.Status)
	// Output:
	// solana-mainnet paused
}

// Makes a service that stands still in time and has small pages, on the program's own server. It
// begins with the records that a test needs.
func ExampleNew() {
	noon := time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
	service := emulator.New(
		emulator.WithSeed(7), emulator.WithClock(func() time.Time { return noon }), emulator.WithMaxPageSize(2))
	server := httptest.NewServer(service)
	defer server.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	spec := emulator.EndpointSpec{Chain: "eth", Network: "mainnet", Label: "backend", Tags: []string{"production"}}
	id, err := service.AddEndpoint(spec)
	if err != nil {
		log.Fatal(err)
	}
	service.CreateEndpoints(2)
	if _, err := service.AppendLog(id, emulator.LoggedCall{Method: "eth_call", Timestamp: noon.Add(-time.Hour)}); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(endpoint.Network)
	}
	usage, err := client.Usage.Total(ctx, admin.GetUsageParams{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(usage.CreditsUsed, "credits until", usage.EndTime)
	// Output:
	// mainnet
	// mainnet
	// ethereum-sepolia
	// 20 credits until 2026-03-10 12:00:00 +0000 UTC
}
