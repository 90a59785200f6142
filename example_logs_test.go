package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
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
		call := emulator.LogEntry{Method: "eth_call", Timestamp: begin.Add(time.Duration(i) * time.Minute)}
		if _, err := service.AppendLog(id, call); err != nil {
			log.Fatal(err)
		}
	}

	query := rpcfleet.LogQuery{From: begin, To: begin.Add(24 * time.Hour), Limit: 100}
	for page, err := range client.Logs.Pages(ctx, id, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "entries from", page.Items[0].Timestamp)
		query.Cursor = page.NextAt
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

// Follows a log: first what it holds already, then what comes while the loop runs.
func ExampleLogsService_Follow() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	id := service.CreateEndpoints(1)[0]
	called := func(method string, ago time.Duration) {
		if _, err := service.AppendLog(id, emulator.LogEntry{Method: method, Timestamp: time.Now().Add(-ago)}); err != nil {
			log.Fatal(err)
		}
	}
	called("eth_chainId", 2*time.Minute)
	called("eth_call", time.Minute)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	anHourAgo := time.Now().Add(-time.Hour)
	for entry, err := range client.Logs.Follow(ctx, id, anHourAgo, rpcfleet.FollowOptions{MinInterval: 10 * time.Millisecond}) {
		if errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.Method)
		switch entry.Method {
		case "eth_call":
			called("eth_getLogs", 5*time.Second) // It turns up late, and is not missed.
		case "eth_getLogs":
			cancel()
		}
	}
	// Output:
	// eth_chainId
	// eth_call
	// eth_getLogs
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
	requests, err := service.AppendLog(id, emulator.LogEntry{
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
