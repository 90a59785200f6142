// Safecreate creates an endpoint exactly once, even if the response to the create is lost.
//
//	go run ./examples/safecreate
//	go run ./examples/safecreate -chain eth -network mainnet
//
// If the response to a create is lost, the endpoint may or may not exist. A retry could pay for two endpoints, and
// giving up could leave one that is not used. The program lists the endpoints before and after the create, and compares
// the lists.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process, which loses the response.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// A create may still be in progress after its timeout. The program looks for its endpoint this often, at this interval.
const (
	lookups  = 6
	lookWait = 5 * time.Second
)

func main() {
	var request admin.CreateEndpointRequest
	flag.StringVar(&request.Chain, "chain", "eth", "the `chain` of the endpoint")
	flag.StringVar(&request.Network, "network", "mainnet", "the `network` of the endpoint")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, request)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "safecreate:", err)
		os.Exit(1)
	}
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect() (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv()
	}
	service := emulator.Start(emulator.WithFaults(
		emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse},
	))
	service.CreateEndpoints(3)
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator that loses the response to the create")
	return rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
}

func run(ctx context.Context, request admin.CreateEndpointRequest) error {
	client, err := connect()
	if err != nil {
		return err
	}
	id, err := create(ctx, client, request)
	if err != nil {
		return err
	}
	fmt.Printf("Endpoint %q is there, once\n", id)
	return nil
}

// create creates an endpoint and returns its id.
func create(ctx context.Context, client *rpcfleet.Client, request admin.CreateEndpointRequest) (string, error) {
	before, err := client.Endpoints.FindCreated(ctx, request) // The existing endpoints on this network.
	if err != nil {
		return "", err
	}
	endpoint, err := client.Endpoints.Create(ctx, request)
	switch {
	case err == nil:
		return endpoint.ID, nil
	case !errors.Is(err, rpcfleet.ErrOutcomeUnknown):
		return "", err // Nothing was created.
	}
	fmt.Println("The outcome is open:", err)
	for range lookups {
		after, err := client.Endpoints.FindCreated(ctx, request)
		if err != nil {
			return "", fmt.Errorf("an endpoint may have been created: %w", err)
		}
		created := after.Diff(before)
		switch len(created.Records) {
		case 0: // It is not there, or not yet.
		case 1:
			return created.Records[0].ID, nil
		default: // Another program has created some at the same time.
			return "", fmt.Errorf("one of the endpoints %q may be the new one: look which of them nobody uses", created.IDs())
		}
		select {
		case <-time.After(lookWait):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return "", errors.New("nothing was created: run it again")
}
