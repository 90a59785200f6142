package rpcfleet_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Counts the active endpoints of each chain, for any size of the service's pages.
func ExampleEndpointsService_All() {
	service := emulator.Start(emulator.WithMaxPageSize(7))
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	service.CreateEndpoints(170)

	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	count := map[string]int{}
	for endpoint, err := range client.Endpoints.All(context.Background(), active) {
		if err != nil {
			log.Fatal(err)
		}
		count[endpoint.Chain]++
	}
	fmt.Println("ethereum:", count["ethereum"])
	fmt.Println("solana:", count["solana"])
	// Output:
	// ethereum: 30
	// solana: 20
}

// Pauses many endpoints and looks at the endpoints that could not be paused.
func ExampleEndpointsService_BulkSetStatus() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ids := append(service.CreateEndpoints(250), "archived-long-ago")

	outcome, err := client.Endpoints.BulkSetStatus(context.Background(), ids, admin.EndpointStatusPaused)
	if err != nil {
		log.Fatal(err) // The outcome has the changes before the error, and Unconfirmed the rest.
	}
	fmt.Println("paused:", outcome.UpdatedCount)
	fmt.Println("failed:", outcome.Failed())
	// Output:
	// paused: 250
	// failed: [archived-long-ago]
}
