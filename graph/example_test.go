package graph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// Sends the program's own query, and decodes the response into a type of its own.
func ExampleQuery() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	first, err := client.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}).Page(ctx)
	if err != nil {
		log.Fatal(err)
	}
	address := first.Items[0].GetAddress()

	type response struct {
		Ethereum struct {
			Collection *struct {
				Name   *string `json:"name"`
				Symbol *string `json:"symbol"`
			} `json:"collection"`
		} `json:"ethereum"`
	}
	found, err := graph.Query[response](ctx, client.Graph, `query Name($address: String!) {
		ethereum { collection(contractAddress: $address) { name symbol } }
	}`, map[string]any{"address": address})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*found.Ethereum.Collection.Name, *found.Ethereum.Collection.Symbol)
	// Output:
	// Quiet Harbors QHAR
}

// Looks at the fields that depend on a collection's type, on one of the chains.
func ExampleCollection() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	for listed, err := range client.Graph.Collections(graph.ChainPolygon, graph.CollectionsFilterInput{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		collection, err := client.Graph.Collection(ctx, graph.ChainPolygon, listed.GetAddress())
		if err != nil {
			log.Fatal(err)
		}
		switch c := collection.(type) {
		case *graph.CollectionERC721Collection:
			fmt.Println("ERC-721:", *c.Name, c.TotalSupply)
		case *graph.CollectionERC1155Collection:
			fmt.Println("ERC-1155:", *c.Name)
		case *graph.CollectionUnknown:
			fmt.Println(c.Typename, string(c.Raw)) // A type that is newer than this version.
		}
	}
	// Output:
	// ERC-721: Quiet Harbors 5000
	// ERC-721: Paper Lanterns 40
	// ERC-721: Deep Numbers 25
	// ERC-1155: Field Notes
	// ERC-1155: Tide Tables
}
