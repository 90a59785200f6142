package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Finds the ERC-1155 collections of a chain and counts their tokens.
func ExampleGraphService_CollectionNFTs() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	filter := &graph.CollectionsFilterInput{
		ERCStandard: &graph.CollectionStandardInput{Eq: new(graph.CollectionStandardERC1155)},
	}
	for collection, err := range client.Graph.Collections(ctx, graph.Polygon, filter).All() {
		if err != nil {
			log.Fatal(err)
		}
		count := 0
		for _, err := range client.Graph.CollectionNFTs(ctx, graph.Polygon, collection.GetAddress()).All() {
			if err != nil {
				log.Fatal(err)
			}
			count++
		}
		fmt.Println(*collection.GetName(), count)
	}
	// Output:
	// Field Notes 30
	// Tide Tables 8
}

// Sends a query that the library has no method for, and looks at what the service says of one that is wrong.
func ExampleGraphService_MakeRequest() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	type supplies struct {
		Ethereum struct {
			Collections struct {
				Edges []struct {
					Node struct {
						Name        string         `json:"name"`
						TotalSupply *scalar.BigInt `json:"totalSupply"`
					} `json:"node"`
				} `json:"edges"`
			} `json:"collections"`
		} `json:"ethereum"`
	}
	found, err := graph.Query[supplies](ctx, client.Graph,
		`query Supplies($n: Int!) { ethereum { collections(first: $n) { edges { node { name totalSupply } } } } }`,
		map[string]any{"n": 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, edge := range found.Ethereum.Collections.Edges {
		fmt.Println(edge.Node.Name, edge.Node.TotalSupply)
	}

	_, err = graph.Query[supplies](ctx, client.Graph, `query Typo { ethereum { colections { totalCount } } }`, nil)
	var failure *rpcfleet.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Operation, failure.StatusCode, failure.GraphQL[0].Code)
	}
	// Output:
	// Quiet Harbors 5000
	// Paper Lanterns 40
	// Typo 400 INVALID_FIELD
}
