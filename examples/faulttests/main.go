// Faulttests pauses all endpoints with a tag. It demonstrates main_test.go: tests of a program against an emulator that
// fails on command.
//
//	go run ./examples/faulttests -tag staging
//	go test ./examples/faulttests
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	tag := flag.String("tag", "staging", "pause the endpoints with this `tag`")
	flag.Parse()
	client, err := connect(*tag)
	if err == nil {
		err = pauseAll(context.Background(), client, *tag)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faulttests:", err)
		os.Exit(1)
	}
	fmt.Printf("All endpoints with the tag %q are paused\n", *tag)
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect(tag string) (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv()
	}
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator")
	service := emulator.Start()
	_, err := service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-sepolia", Tags: []string{tag}})
	if err != nil {
		return nil, err
	}
	return rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
}

// pauseAll pauses all endpoints with a tag. Its error lists the endpoints that could not be paused.
func pauseAll(ctx context.Context, client *rpcfleet.Client, tag string) error {
	var ids []string
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{tag}}) {
		if err != nil {
			return err
		}
		ids = append(ids, endpoint.ID)
	}
	if len(ids) == 0 {
		return fmt.Errorf("no endpoint has the tag %q", tag)
	}
	outcome, err := client.Endpoints.BulkSetStatus(ctx, ids, admin.EndpointStatusPaused)
	if err != nil {
		return err
	}
	if left := append(outcome.Failed(), outcome.Unreported...); len(left) > 0 {
		return fmt.Errorf("not paused: %q", left)
	}
	return nil
}
