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

	filter := graph.CollectionsFilterInput{
		ERCStandard: &graph.CollectionStandardInput{Eq: new(graph.CollectionStandardERC1155)},
	}
	for collection, err := range client.Graph.Collections(graph.ChainPolygon, filter).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		count := 0
		for _, err := range client.Graph.CollectionNFTs(graph.ChainPolygon, collection.GetAddress()).All(ctx) {
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

// Sends a query that the library has no method for, and looks at the service's response to a wrong one.
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

// Reads a listing that is in a query of the program's own: here the holders of a collection, the last ones first.
func ExampleQueryConnection() {
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

	const query = `query Holders($address: String!, $last: Int, $before: String) {
		ethereum { collection(contractAddress: $address) { wallets(last: $last, before: $before) {
			edges { cursor node { ensName } }
			pageInfo { hasPreviousPage startCursor }
		} } }
	}`
	type holder struct {
		ENSName *string `json:"ensName"`
	}
	holders := rpcfleet.QueryConnection[holder](client.Graph, query,
		map[string]any{"address": first.Items[0].GetAddress()}, "ethereum.collection.wallets", rpcfleet.WithPageSize(2))
	count := 0
	for holder, err := range holders.Before("").All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if holder.ENSName != nil && count < 3 {
			count++
			fmt.Println(*holder.ENSName)
		}
	}
	// Output:
	// wallet-22.example.eth
	// wallet-20.example.eth
	// wallet-18.example.eth
}
