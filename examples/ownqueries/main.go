// Ownqueries asks the graph area what the library has no method for: with queries of its own, from which genqlient
// generates typed functions. The library's Graph service is the client that those functions take, so that they have its
// credentials, its repetitions and its errors.
//
// With no environment set it starts the emulator on a loopback port:
//
//	go run ./examples/ownqueries
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it asks a real account. After a change of the queries:
//
//	go tool genqlient
package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

func main() { cli.Main(run) }

// run returns the code that the program ends with. What it had written before an error is printed too.
func run(ctx context.Context, args []string, _ io.Reader, out, errs io.Writer) int {
	flags := cli.NewFlags("ownqueries", "Ownqueries asks the graph area with queries of its own. It has no flags.")
	if err := flags.Parse(args, out); err != nil {
		return cli.Exit(errs, "ownqueries", err)
	}
	var text bytes.Buffer
	err := write(ctx, &text)
	if _, failed := text.WriteTo(out); err == nil {
		err = failed
	}
	return cli.Exit(errs, "ownqueries", err)
}

func write(ctx context.Context, out *bytes.Buffer) error {
	client, done, err := connect()
	if err != nil {
		return err
	}
	defer done()
	sold, err := writeSales(ctx, out, client.Graph)
	if err != nil || sold == "" {
		return err
	}
	// Options of a call are given to the client that the generated functions take.
	return writeHolders(ctx, out, client.Graph.With(rpcfleet.WithTimeout(10*time.Second)), sold)
}

// connect makes a client for the account in the environment, or for an emulator.
func connect() (*rpcfleet.Client, func(), error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err := rpcfleet.NewFromEnv()
		return client, func() {}, err
	}
	server := emulator.Start()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	return client, server.Close, err
}

// writeSales writes the latest sales of a few collections, and returns the address of the first.
func writeSales(ctx context.Context, out *bytes.Buffer, client graphql.Client) (first string, err error) {
	found, err := LatestSales(ctx, client, 4, 2)
	if err != nil {
		return "", err
	}
	for _, edge := range found.Ethereum.Collections.Edges {
		first = cmp.Or(first, edge.Node.GetAddress())
		supply := edge.Node.GetTotalSupply()
		fmt.Fprintf(out, "%s, supply %s", edge.Node.GetName(), supply.String())
		if c, ok := edge.Node.(*SoldCollectionERC721Collection); ok {
			fmt.Fprintf(out, ", %d traits", c.Attributes.TotalCount)
		}
		fmt.Fprintln(out)
		for _, sale := range edge.Node.GetSales().Edges {
			fmt.Fprintf(out, "  %s  %.3f\n", sale.Node.EstimatedConfirmedAt.Format(time.DateOnly), sale.Node.PriceInNativeToken)
		}
	}
	return first, nil
}

// writeHolders writes the names of those who hold tokens of a collection, the last first.
func writeHolders(ctx context.Context, out *bytes.Buffer, client graphql.Client, address string) error {
	for before, more := "", true; more; {
		page, err := Holders(ctx, client, address, 10, before)
		if err != nil {
			return err
		}
		if page.Ethereum.Collection == nil {
			return fmt.Errorf("%s: %w", address, rpcfleet.ErrNotFound)
		}
		wallets := page.Ethereum.Collection.GetWallets()
		if before == "" {
			fmt.Fprintln(out, wallets.TotalCount, "holders")
		}
		for _, edge := range slices.Backward(wallets.Edges) {
			if edge.Node.EnsName != "" {
				fmt.Fprintln(out, " ", edge.Node.EnsName)
			}
		}
		before = wallets.PageInfo.StartCursor
		more = wallets.PageInfo.HasPreviousPage && before != ""
	}
	return nil
}
