// Quickstart walks through the main job of the library: a fleet of endpoints, created, listed, tagged, paused, looked
// at and archived again.
//
// With no environment set it starts the emulator on a loopback port and does everything over HTTP:
//
//	go run ./examples/quickstart
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it talks to a real account, and only reads; -write makes it do the
// rest there too, on endpoints of its own, which it archives at the end, and after Ctrl-C or a failure as well. A
// second Ctrl-C ends it at once.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

func main() {
	flags := cli.NewFlags("quickstart", "Quickstart creates, lists, tags, pauses and archives endpoints. It only reads a real account, unless -write is set.")
	write := flags.Bool("write", false, "create, change and archive endpoints on a real account too")
	if err := flags.Parse(os.Args[1:], os.Stdout); err != nil {
		os.Exit(cli.Exit(os.Stderr, "quickstart", err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // From then on a signal ends the program, as it does by default.
	outliveReaders()
	if err := run(ctx, *write); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write bool) error {
	client, done, err := connect(&write)
	if err != nil {
		return err
	}
	defer done()

	if err := look(ctx, client); err != nil {
		return err
	}
	if write {
		if err := work(ctx, client); err != nil {
			return err
		}
	}
	return stumble(ctx, client)
}

// connect makes a client for the account in the environment, or for an emulator, where writing does no harm.
func connect(write *bool) (*rpcfleet.Client, func(), error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err := rpcfleet.NewFromEnv()
		return client, func() {}, err
	}
	server := emulator.Start()
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator at", server.URL)
	*write = true
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	return client, server.Close, err
}
