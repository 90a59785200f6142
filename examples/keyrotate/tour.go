package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// seed gives the emulator endpoints to rotate.
func seed(e *emulator.Emulator) error {
	_, err := e.Populate(fleet.Fleet{Endpoints: []fleet.Endpoint{
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "checkout", Tags: []string{"production"}},
		{Chain: "polygon", Network: "polygon-mainnet", Label: "search", Tags: []string{"production"}},
		{Chain: "ethereum", Network: "ethereum-sepolia", Label: "playground"},
	}})
	return err
}

// tour rotates the endpoints with a tag on an emulator, with a short overlap and a function in the place of the hook.
func tour(ctx context.Context, client *rpcfleet.Client, stdout, stderr io.Writer) error {
	folder, err := os.MkdirTemp("", "keyrotate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	journal, err := openJournal(filepath.Join(folder, "state"), 1, true)
	if err != nil {
		return err
	}
	defer func() { _ = journal.Close() }()
	r := &rotation{
		client: client, journal: journal, overlap: time.Second, settle: time.Second,
		say: func(format string, arguments ...any) { _, _ = fmt.Fprintf(stderr, format+"\n", arguments...) },
		handOver: func(_ context.Context, m *message) error {
			_, err := fmt.Fprintf(stdout, "The hook gets token %s of endpoint %s.\n", m.TokenID, m.EndpointID)
			return err
		},
	}
	title := func(text string) { _, _ = fmt.Fprintf(stdout, "\n%s\n\n", text) }
	title("$ keyrotate -tag production    # a plan")
	if err := r.begin(ctx, selection{tag: "production"}); err != nil {
		return err
	}
	if err := r.show(stdout, cli.FormatTable); err != nil {
		return err
	}
	title("$ keyrotate -tag production -hook ./hand-over -overlap 1s -yes")
	if err := r.run(ctx); err != nil {
		return err
	}
	return r.show(stdout, cli.FormatTable)
}
