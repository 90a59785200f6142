// Safecreate creates an endpoint exactly once, even if the response to the create is lost.
//
//	go run ./examples/safecreate
//	go run ./examples/safecreate -chain eth -network mainnet
//	go run ./examples/safecreate -name checkout
//
// If the response to a create is lost, the endpoint may or may not exist. A retry could pay for two endpoints, and
// giving up could leave one that is not used. With WithCreateOnce, the library looks for the endpoint. With a name, a
// file in the current directory is the journal of the create, so that the program can be killed and run again.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process, which loses the response.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	var request admin.CreateEndpointRequest
	flag.StringVar(&request.Chain, "chain", "eth", "the `chain` of the endpoint")
	flag.StringVar(&request.Network, "network", "mainnet", "the `network` of the endpoint")
	name := flag.String("name", "", "create the endpoint with this `name` once, over all runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, request, *name); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "safecreate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, request admin.CreateEndpointRequest, name string) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		service := emulator.Start(emulator.WithFaults(
			emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse},
		))
		service.CreateEndpoints(3)
		fmt.Println("No RPCFLEET_BASE_URL: using an emulator that loses the response to the create")
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err != nil {
		return err
	}
	once := rpcfleet.WithCreateOnce()
	if name != "" {
		once = rpcfleet.WithCreateJournal(rpcfleet.FileCheckpointStore{}, "safecreate "+name)
	}
	endpoint, err := client.Endpoints.Create(ctx, request, once)
	if err != nil {
		return err
	}
	fmt.Printf("Endpoint %q is there, once\n", endpoint.ID)
	return nil
}
