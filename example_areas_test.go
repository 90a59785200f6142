package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// Switches the tooling access on and asks the tooling endpoint for the latest block. The session token that this needs
// is made, kept and renewed behind the scenes. The client sends nothing to other addresses.
func ExampleToolingService_HTTPClient() {
	client, _ := newClient()
	access, err := client.Tooling.Enable(context.Background())
	if err != nil {
		log.Fatal(err)
	}

	rpc := client.Tooling.HTTPClient()
	call := `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`
	response, err := rpc.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status, "with the session token")

	response, err = http.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status, "without the session token")
	// Output:
	// 200 OK with the session token
	// 401 Unauthorized without the session token
}

// Takes session tokens for a client of another kind. The token is the same until shortly before it expires, and it does
// not print.
func ExampleToolingService_TokenSource() {
	client, service := newClient()
	if _, err := client.Tooling.Enable(context.Background()); err != nil {
		log.Fatal(err)
	}

	tokens := client.Tooling.TokenSource()
	for range 2 {
		token, err := tokens.Token(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(token.Token, "of", len(strings.Split(token.Token.Reveal(), ".")), "parts")
	}
	fmt.Println("created:", len(service.Calls("createToolingToken")))
	// Output:
	// [redacted] of 3 parts
	// [redacted] of 3 parts
	// created: 1
}

// Finds the ERC-1155 collections of a chain and counts their tokens.
func ExampleGraphService_CollectionNFTs() {
	client, _ := newClient()
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

// Looks at the service's response to a wrong query of the program's own. ExampleQuery of package graph has a right one.
func ExampleGraphService_MakeRequest() {
	client, _ := newClient()

	const query = `query Typo { ethereum { colections { totalCount } } }`
	_, err := graph.Query[map[string]any](context.Background(), client.Graph, query, nil)
	var failure *rpcfleet.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Operation, failure.StatusCode, failure.GraphQL[0].Code)
	}
	// Output:
	// Typo 400 INVALID_FIELD
}

// Creates a webhook, and gives it another filter while it is active: it continues from the last delivered block.
func ExampleWebhooksService_Change() {
	client, _ := newClient()
	ctx, address := context.Background(), scalar.NewSecretURL("https://hooks.example.com/made-up-secret")
	created, err := client.Webhooks.Create(ctx, webhooks.CreateWebhookRequest{
		Name: "blocks", Network: "ethereum-mainnet", Status: webhooks.StatusActive,
		FilterFunction: "function main(stream) { return stream }",
		Destination:    webhooks.Destination{URL: address, Compression: webhooks.CompressionGzip},
	}, rpcfleet.WithCreateOnce())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.Destination.URL, created.Destination.SecurityToken) // Reveal returns the token, for the receiver.

	update := webhooks.UpdateWebhookRequest{FilterFunction: new(webhooks.Filter("function main(stream) { return null }"))}
	changed, err := client.Webhooks.Change(ctx, created.ID, update)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(changed.Status, changed.FilterFunction)
	// Output:
	// https://hooks.example.com/[redacted] [redacted]
	// active function main(stream) { return null }
}

// Makes a list equal to the wallets to watch, twice. A filter of a webhook or a stream reads the list.
func ExampleKeyValueService_SetList() {
	client, _ := newClient()
	ctx := context.Background()
	for _, wallets := range [][]string{{"0x1", "0x2"}, {"0x2", "0x3"}} {
		change, err := client.KeyValue.SetList(ctx, "wallets", slices.Values(wallets))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("added", change.AddItems, "removed", change.RemoveItems)
	}
	for wallet, err := range client.KeyValue.AllItems(ctx, "wallets", keyvalue.ListValuesParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(wallet)
	}
	// Output:
	// added [0x1 0x2] removed []
	// added [0x3] removed [0x1]
	// 0x2
	// 0x3
}

// Streams a range of past blocks to a receiver.
func ExampleStreamsService_Create() {
	client, _ := newClient()
	stream, err := client.Streams.Create(context.Background(), streams.CreateStreamRequest{
		Name: "backfill", Network: streams.NetworkEthereumMainnet, Dataset: streams.DatasetBlock,
		Region: streams.RegionUsaEast, DatasetBatchSize: 10, StartRange: new(int64(100)), EndRange: new(int64(199)),
		Status: streams.StatusActive,
		Target: streams.To(streams.Webhook{URL: scalar.NewSecretURL("https://hooks.example.com/backfill"),
			Compression: streams.CompressionGzip, MaxRetry: 10, RetryIntervalSec: 5, PostTimeoutSec: 30}),
	}, rpcfleet.WithCreateOnce())
	if err != nil {
		log.Fatal(err)
	}
	done, total, _ := stream.Progress()
	fmt.Println(stream.Status, done, "of", total, "blocks")
	// Output:
	// active 0 of 100 blocks
}

// Creates a destination of alerts. Its token is the secret with which deliveries are signed.
func ExampleDestinationsService_Create() {
	client, _ := newClient()
	destination, err := client.Destinations.Create(context.Background(), alerts.CreateDestinationRequest{
		Name: "on call", ToURL: scalar.NewSecretURL("https://hooks.example.com/made-up-secret"),
		PayloadType: alerts.PayloadTypeLayout1, WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook,
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = alerts.NewHMACVerifier([]scalar.Secret{destination.Token}, nil)
	fmt.Println(destination.To, destination.Token, err)
	// Output:
	// https://hooks.example.com/[redacted] [redacted] <nil>
}

// Creates a notification, which has no destination yet.
func ExampleNotificationsService_Create() {
	client, _ := newClient()
	notification, err := client.Notifications.Create(context.Background(), alerts.CreateNotificationRequest{
		Name: "deposits", Network: alerts.AlertNetworkEthereumMainnet,
		Expression: "tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'", DestinationIDs: []string{},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(notification.Name, notification.Expression)
	// Output:
	// deposits tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'
}

// Tries an expression on three past blocks.
func ExampleExpressionsService_Backtest() {
	client, _ := newClient()
	blocks, err := client.Expressions.Backtest(context.Background(), alerts.BacktestExpressionRequest{
		Network: alerts.AlertNetworkEthereumMainnet, Expression: "tx_to =~ '^0x'", BlockNumber: 100, BacktestCount: 3,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, block := range blocks {
		fmt.Println(block.BlockNumber, block.Evaluation, len(block.MatchedHashes))
	}
	// Output:
	// 100 true 4
	// 99 true 4
	// 98 true 4
}
