// Nftreport reports on an NFT collection, on a wallet, or on both: as tables, or as one page of HTML that needs nothing
// else, with a chart of prices.
//
// With no environment set it starts the emulator on a loopback port and reports on its made-up data:
//
//	go run ./examples/nftreport
//	go run ./examples/nftreport -html report.html
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it reads with a real account, and only reads:
//
//	go run ./examples/nftreport -chain polygon -collection ADDRESS
//	go run ./examples/nftreport -wallet name.example.eth -html - >report.html
//
// Without -collection and -wallet it takes the collection that sells most, and the wallet that bought of it last.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// options are the flags.
type options struct {
	chain              string
	collection, wallet string
	html               string
	rows               int
}

func main() {
	var o options
	flag.StringVar(&o.chain, "chain", string(graph.Ethereum), "the `chain`: ethereum, ethereumSepolia or polygon")
	flag.StringVar(&o.collection, "collection", "", "report on the collection with this contract `address`")
	flag.StringVar(&o.wallet, "wallet", "", "report on the wallet with this `address` or ENS name")
	flag.StringVar(&o.html, "html", "", "write a page of HTML to this `file`, or to standard output if it is -")
	flag.IntVar(&o.rows, "rows", 10, "how many rows a table has at most")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "nftreport:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, o options, rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.rows < 1:
		return errors.New("-rows must be at least 1")
	}
	client, done, err := connect()
	if err != nil {
		return err
	}
	defer done()

	reports, err := (&reader{client.Graph, graph.Chain(o.chain), o.rows}).read(ctx, o.collection, o.wallet)
	if err != nil {
		return err
	}
	if o.html == "" {
		return writeText(out, reports)
	}
	var page bytes.Buffer
	if err := writePage(&page, reports, time.Now()); err != nil {
		return err
	}
	if o.html != "-" {
		return os.WriteFile(o.html, page.Bytes(), 0o644)
	}
	_, err = page.WriteTo(out)
	return err
}

// connect makes a client for the account in the environment, or for an emulator. What it has to tell goes to standard
// error: standard output is the report's.
func connect() (*rpcfleet.Client, func(), error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err := rpcfleet.NewFromEnv()
		return client, func() {}, err
	}
	server := emulator.Start()
	fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator at", server.URL)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	return client, server.Close, err
}
