package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
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
		call := emulator.LoggedCall{Method: "eth_call", Timestamp: begin.Add(time.Duration(i) * time.Minute)}
		if _, err := service.AppendLog(id, call); err != nil {
			log.Fatal(err)
		}
	}

	query := admin.ListLogsParams{From: begin, To: begin.Add(24 * time.Hour), Limit: new(100)}
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
	// 100 entries from 2026-03-10 00:00:00 +0000 UTC
	// 100 entries from 2026-03-10 01:40:00 +0000 UTC
	// 50 entries from 2026-03-10 03:20:00 +0000 UTC
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

// Follows the logs of two endpoints: first the entries that they contain already, then the entries that come while the
// loop runs.
func ExampleLogsService_Follow() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ids := service.CreateEndpoints(2)
	called := func(id, method string, ago time.Duration) {
		if _, err := service.AppendLog(id, emulator.LoggedCall{Method: method, Timestamp: time.Now().Add(-ago)}); err != nil {
			log.Fatal(err)
		}
	}
	called(ids[0], "eth_chainId", 2*time.Minute)
	called(ids[0], "eth_call", time.Minute)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour), MinInterval: 10 * time.Millisecond}
	for followed, err := range client.Logs.Follow(ctx, ids, options) {
		if errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(followed.EndpointID == ids[0], followed.Entry.Method)
		switch followed.Entry.Method {
		case "eth_call":
			called(ids[0], "eth_getLogs", 5*time.Second) // It turns up late, and is not missed.
		case "eth_getLogs":
			called(ids[1], "eth_blockNumber", 0)
		case "eth_blockNumber":
			cancel()
		}
	}
	// Output:
	// true eth_chainId
	// true eth_call
	// true eth_getLogs
	// false eth_blockNumber
}

// Goes on where the program ended before, with a checkpoint in a file. The program logtail of the examples keeps the
// length of its output in the checkpoint as well, so that every entry is once in it whenever the program is killed.
func ExampleLogsService_Follow_checkpoint() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ids := service.CreateEndpoints(1)
	for i := range 4 {
		call := emulator.LoggedCall{Method: fmt.Sprint("call ", i), Timestamp: time.Now().Add(time.Duration(i-60) * time.Second)}
		if _, err := service.AppendLog(ids[0], call); err != nil {
			log.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "follow")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx, store := context.Background(), rpcfleet.FileCheckpointStore{Dir: dir}
	program := func(entries int) error {
		checkpoint, err := store.Load(ctx, "calls")
		if err != nil {
			return err
		}
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour), Checkpoint: checkpoint}
		for followed, err := range client.Logs.Follow(ctx, ids, options) {
			if err != nil {
				return err
			}
			fmt.Println(followed.Entry.Method)
			if err := store.Save(ctx, "calls", followed.Checkpoint); err != nil {
				return err
			}
			if entries--; entries == 0 {
				break
			}
		}
		return nil
	}
	for range 2 {
		if err := program(2); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// call 0
	// call 1
	// call 2
	// call 3
}
