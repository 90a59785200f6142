package rpcfleet_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Reads a log page by page, and stores the cursor of the page that it stopped at: another run goes on from there.
func ExampleLogsService_Pages() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	id := service.CreateEndpoints(1)[0]
	begin := time.Date(2026, time.March, 10, 0, 0, 0, 0, time.UTC)
	for i := range 250 {
		call := emulator.LoggedCall{Method: "eth_call", Timestamp: begin.Add(time.Duration(i) * time.Minute)}
		if _, err := service.AppendLog(id, call); err != nil {
			log.Fatal(err)
		}
	}

	query := admin.ListLogsParams{From: scalar.NewTime(begin), To: scalar.NewTime(begin.Add(24 * time.Hour)), Limit: new(100)}
	for page, err := range client.Logs.Pages(ctx, id, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "entries from", page.Items[0].Timestamp)
		query.NextAt = &page.NextCursor
		break
	}
	for page, err := range client.Logs.Pages(ctx, id, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "entries from", page.Items[0].Timestamp)
	}
	// Output:
	// 100 entries from 2026-03-10T00:00:00Z
	// 100 entries from 2026-03-10T01:40:00Z
	// 50 entries from 2026-03-10T03:20:00Z
}

// Looks at the request and the response of a call that was logged.
func ExampleLogsService_Details() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	id := service.CreateEndpoints(1)[0]
	requests, err := service.AppendLog(id, emulator.LoggedCall{
		Method: "eth_chainId", Response: `{"jsonrpc":"2.0","id":1,"result":"0x1"}`,
	})
	if err != nil {
		log.Fatal(err)
	}

	details, err := client.Logs.Details(context.Background(), id, requests[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(details.Response)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":"0x1"}
}
