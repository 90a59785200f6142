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
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// options are the flags.
type options struct {
	chain              string
	collection, wallet string
	html               string
	rows               int
}

func main() { cli.Main(run) }

// run returns the code that the program ends with.
func run(ctx context.Context, args []string, _ io.Reader, out, errs io.Writer) int {
	o, err := parse(args, out)
	if err == nil {
		err = writeReports(ctx, out, o, errs)
	}
	return cli.Exit(errs, "nftreport", err)
}

// parse reads the flags. Where help is asked for, it goes to out.
func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := cli.NewFlags("nftreport", "Nftreport reports on a wallet or a collection, as a table or as a page with a chart.")
	flags.StringVar(&o.chain, "chain", string(graph.Ethereum), "the `chain`: ethereum, ethereumSepolia or polygon")
	flags.StringVar(&o.collection, "collection", "", "report on the collection with this contract `address`")
	flags.StringVar(&o.wallet, "wallet", "", "report on the wallet with this `address` or ENS name")
	flags.StringVar(&o.html, "html", "", "write a page of HTML to this `file`, or to standard output if it is -")
	flags.IntVar(&o.rows, "rows", 10, "how many rows a table has at most")
	if err := flags.Parse(args, out); err != nil {
		return o, err
	}
	if o.rows < 1 {
		return o, cli.Usagef("-rows must be at least 1")
	}
	return o, nil
}

func writeReports(ctx context.Context, out io.Writer, o options, errs io.Writer) error {
	client, done, err := connect(errs)
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
func connect(errs io.Writer) (*rpcfleet.Client, func(), error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err := rpcfleet.NewFromEnv()
		return client, func() {}, err
	}
	server := emulator.Start()
	_, _ = fmt.Fprintln(errs, "No RPCFLEET_BASE_URL: using an emulator at", server.URL)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	return client, server.Close, err
}
