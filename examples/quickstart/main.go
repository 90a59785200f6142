// Quickstart shows the main use of the library: it creates, lists, tags, pauses and archives endpoints.
//
//	go run ./examples/quickstart
//
// It runs on an emulator in its own process. If RPCFLEET_BASE_URL and RPCFLEET_API_KEY are set, it runs on that account
// and only reads, unless -write is given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	write := flag.Bool("write", false, "create and archive endpoints on a real account, too")
	flag.Parse()
	if err := run(context.Background(), *write); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect() (client *rpcfleet.Client, emulated bool, err error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err = rpcfleet.NewFromEnv()
		return client, false, err
	}
	service := emulator.Start()
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator at", service.URL)
	client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	return client, true, err
}

func run(ctx context.Context, write bool) error {
	client, emulated, err := connect()
	if err != nil {
		return err
	}
	account, err := client.Account.Info(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("Account %d, %q\n", account.ID, account.Name)
	if !write && !emulated {
		return list(ctx, client, admin.ListEndpointsParams{})
	}

	// Create an endpoint on the first network of each of three chains.
	chains, err := client.Chains.List(ctx)
	if err != nil {
		return err
	}
	var ids []string
	for _, chain := range chains[:min(3, len(chains))] {
		if chain.Slug == "" || len(chain.Networks) == 0 || chain.Networks[0].Slug == "" {
			continue // The contract requires neither.
		}
		request := admin.CreateEndpointRequest{Chain: chain.Slug, Network: chain.Networks[0].Slug}
		created, err := client.Endpoints.Create(ctx, request) // The example safecreate handles a lost response.
		if err != nil {
			return err
		}
		// The address contains the endpoint's token and prints without it; created.HTTPURL.URL() returns all of it.
		fmt.Printf("Created endpoint %q at %s\n", created.ID, created.HTTPURL)
		ids = append(ids, created.ID)
	}

	// Tag all of them with one call. One id is wrong on purpose: it fails without affecting the others.
	tagged, err := client.Endpoints.BulkAddTag(ctx, append(ids, "no-such-endpoint"), "quickstart")
	if err != nil {
		return err
	}
	fmt.Printf("Tagged %d endpoints; failed: %q\n", tagged.UpdatedCount, tagged.Failed())

	for i, id := range ids {
		label := fmt.Sprintf("quickstart %d", i+1)
		if err := client.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: new(label)}); err != nil {
			return err
		}
	}
	if err := client.Endpoints.Pause(ctx, ids[0]); err != nil {
		return err
	}
	if err := list(ctx, client, admin.ListEndpointsParams{TagLabels: []string{"quickstart"}}); err != nil {
		return err
	}

	for _, id := range ids {
		if err := client.Endpoints.Archive(ctx, id); err != nil {
			return err
		}
	}
	fmt.Printf("Archived %d endpoints\n", len(ids))

	// Match errors with errors.Is. This one is expected.
	if _, err := client.Endpoints.Get(ctx, ids[0]); !errors.Is(err, rpcfleet.ErrNotFound) {
		return fmt.Errorf("an archived endpoint should be gone, but: %w", err)
	}
	return nil
}

// list prints the endpoints that the parameters select. The iterator fetches the pages.
func list(ctx context.Context, client *rpcfleet.Client, params admin.ListEndpointsParams) error {
	for endpoint, err := range client.Endpoints.All(ctx, params) {
		if err != nil {
			return err
		}
		// %q escapes terminal control characters.
		fmt.Printf("  %-8q %-22q %-8q %q\n", endpoint.ID, endpoint.Network, endpoint.Status, endpoint.Label)
	}
	return nil
}
