package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Makes a service that stands still in time, on the program's own server. It begins with the records that a test needs.
func ExampleNew() {
	noon := time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
	service := emulator.New(emulator.WithClock(func() time.Time { return noon }), emulator.WithMaxPageSize(2))
	server := httptest.NewServer(service)
	defer server.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	_, err = service.AddEndpoint(emulator.EndpointSpec{
		Chain: "eth", Network: "mainnet", Label: "backend", Tags: []string{"production"},
		Usage: []emulator.LoggedCall{{Method: "eth_call", Timestamp: noon.Add(-time.Hour)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	service.CreateEndpoints(2)

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

// Loses the response to a create: it was executed, and the client cannot know.
func ExampleEmulator_Inject() {
	service := emulator.New()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(service.Client()),
		rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	lost, err := service.Inject(emulator.Fault{Operation: "createEndpoint", Effect: emulator.EffectLoseResponse})
	if err != nil {
		log.Fatal(err)
	}
	request := admin.CreateEndpointRequest{Chain: "sol", Network: "solana-mainnet"}
	_, err = client.Endpoints.Create(context.Background(), request)
	lost.Remove()
	fmt.Println(errors.Is(err, rpcfleet.ErrOutcomeUnknown))
	call := service.Calls("createEndpoint")[0]
	fmt.Println(lost.Fired(), call.Executed, call.Status, call.Body)
	// Output:
	// true
	// 1 true 0 map[chain:sol network:solana-mainnet]
}
