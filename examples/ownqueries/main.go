// Ownqueries calls the graph area with its own query, from which genqlient generates a typed function. The function
// accepts the client's Graph service as its graphql.Client, with the library's credentials, retries and errors.
//
//	go run ./examples/ownqueries
//
// It only reads. RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on
// an emulator in its own process.
//
// For your own module, copy this file, genqlient.yaml and the schema into one folder, and write
// "schema: schema.graphql" into genqlient.yaml:
//
//	go get -tool github.com/Khan/genqlient@v0.8.1
//	go get golang.org/x/tools@latest    # newer than genqlient 0.8.1 asks for
//	go get github.com/rpcfleet/rpcfleet-go
//	cp "$(go list -m -f '{{.Dir}}' github.com/rpcfleet/rpcfleet-go)/graph/schema.graphql" .
//	go tool genqlient    # writes queries.gen.go, after each change of a query
//	go run .
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// The query requests collections with their latest sales.
const _ = `# @genqlient
query LatestSales($collections: Int!, $sales: Int!) {
  ethereum {
    collections(first: $collections) {
      edges {
        # @genqlient(typename: "SoldCollection")
        node {
          name
          totalSupply
          sales(last: $sales) {
            edges {
              node {
                estimatedConfirmedAt
                priceInNativeToken
              }
            }
          }
          ... on ERC721Collection {
            attributes {
              totalCount
            }
          }
        }
      }
    }
  }
}`

// people formats numbers for people: 15,000.
var people = message.NewPrinter(language.English)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "ownqueries:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err != nil {
		return err
	}
	// Options of a call are passed with the client.
	found, err := LatestSales(ctx, client.Graph.With(rpcfleet.WithAttemptTimeout(10*time.Second)), 4, 2)
	if err != nil {
		return err
	}
	for _, edge := range found.Ethereum.Collections.Edges {
		supply := edge.Node.GetTotalSupply()
		fmt.Printf("%q, supply %s", edge.Node.GetName(), people.Sprint(supply.Big().Int64()))
		if collection, ok := edge.Node.(*SoldCollectionERC721Collection); ok {
			fmt.Print(people.Sprintf(", %d traits", collection.Attributes.TotalCount))
		}
		fmt.Println()
		for _, sale := range edge.Node.GetSales().Edges {
			fmt.Printf("  %s  %8.3f ETH\n", sale.Node.EstimatedConfirmedAt.Format(time.DateOnly), sale.Node.PriceInNativeToken)
		}
	}
	return nil
}
