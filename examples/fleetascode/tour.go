package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// seed gives the emulator something that was there before the file.
func seed(e *emulator.Emulator) error {
	_, err := e.Populate(emulated.Fleet{
		Endpoints: []emulated.Endpoint{
			{Chain: "ethereum", Network: "ethereum-mainnet", Label: "checkout", Tags: []string{"legacy"},
				Security: emulated.Security{IPs: []string{"198.51.100.7"}}},
			{Chain: "polygon", Network: "polygon-mainnet", Label: "forgotten", Paused: true},
		},
		Destinations: []emulated.Destination{{Name: "on-call", URL: "https://hooks.example.com/made-up-secret"}},
	})
	return err
}

// tour shows all commands on an emulator.
func tour(ctx context.Context, stdout, stderr io.Writer) error {
	account, err := connect(stderr)
	if err != nil {
		return err
	}
	defer account.Close()
	if account.Emulator == nil {
		return cli.Usagef("name a command: plan, apply, drift or adopt")
	}
	f, err := read(bundled, os.Getenv)
	if err != nil {
		return err
	}
	format := cli.FormatTable
	o := &options{yes: true, format: &format, settle: time.Second}
	p := newPlanner(account.Client, f, &state{}, 24, o.settle)
	title := func(text string) { _, _ = fmt.Fprintf(stdout, "\n%s\n\n", text) }

	title("$ fleetascode apply -yes")
	if err := p.apply(ctx, o, stdout, stderr); err != nil {
		return err
	}
	title("$ fleetascode apply -yes    # once more: nothing is left to do")
	if err := p.apply(ctx, o, stdout, stderr); err != nil {
		return err
	}
	title("# somebody changes the fleet by hand, and then: $ fleetascode drift")
	if err := p.client.Endpoints.Pause(ctx, p.id("endpoint", "checkout")); err != nil {
		return err
	}
	if _, err := p.client.Security.SetOptions(ctx, p.id("endpoint", "checkout"),
		admin.SecurityOptionSwitches{IPs: new(admin.SwitchDisabled)}); err != nil {
		return err
	}
	if _, err := p.show(ctx, format, true, stdout, stderr); err != nil {
		return err
	}
	title("$ fleetascode adopt")
	var adopted bytes.Buffer
	if err := adopt(ctx, &p.reader, &adopted, stderr); err != nil {
		return err
	}
	_, err = adopted.WriteTo(stdout)
	return err
}
