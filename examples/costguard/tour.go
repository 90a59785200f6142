package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// seed gives an emulator endpoints that have used something.
func seed(e *emulator.Emulator) error {
	endpoint := func(label, tag string, requests int64) emulated.Endpoint {
		return emulated.Endpoint{
			Chain: "ethereum", Network: "ethereum-mainnet", Label: label, Tags: []string{tag},
			Usage: []emulated.Usage{{Method: "eth_call", Requests: requests}},
		}
	}
	_, err := e.Populate(emulated.Fleet{Endpoints: []emulated.Endpoint{
		endpoint("checkout", "production", 40_000), endpoint("indexer", "production", 5_000),
		endpoint("load-test", "staging", 9_000), endpoint("notebook", "research", 100),
	}})
	return err
}

// tour shows what it says, and what it does where it is told to.
func tour(ctx context.Context, client *rpcfleet.Client, o *options, stdout, stderr io.Writer) error {
	o.budgets = budgets{"production": 1_000_000, "staging": 100_000, "research": 50_000}
	const flags = "-budget production=1000000 -budget staging=100000 -budget research=50000"
	for _, pause := range []string{"", " -pause", " -pause    # once more: nothing is left to do"} {
		_, _ = fmt.Fprintf(stdout, "\n$ costguard %s%s\n\n", flags, pause)
		o.pause = pause != ""
		err := guard(ctx, client, o, stdout, stderr)
		var code cli.Code
		if err != nil && !errors.As(err, &code) {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "\nIt ends with %d.\n", int(code))
	}
	return nil
}
