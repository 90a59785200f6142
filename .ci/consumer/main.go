// This program is somebody else's: the gate consumer builds it with the modules as they are published.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	server := emulator.Start()
	defer server.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	endpoint, err := client.Endpoints.Create(context.Background(),
		admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created an endpoint on", endpoint.Network, "at", endpoint.HTTPURL)
}
