package rpcfleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// Creates an endpoint once, although the response gets lost. A later run with the same name gets the same endpoint.
func ExampleEndpointsService_Create() {
	service := emulator.Start(emulator.WithFaults(
		emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse}))
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey),
		rpcfleet.WithAttemptTimeout(time.Second)) // The time after which it looks for the endpoint.
	if err != nil {
		log.Fatal(err)
	}

	folder, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	journal := rpcfleet.WithCreateJournal(rpcfleet.FileCheckpointStore{Dir: folder}, "checkout")
	for range 2 {
		request := admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}
		endpoint, err := client.Endpoints.Create(context.Background(), request, journal)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(endpoint.ID, endpoint.Network)
	}
	// Output:
	// 1003 mainnet
	// 1003 mainnet
}

// Counts the active endpoints of each chain, for any size of the service's pages.
func ExampleEndpointsService_All() {
	service := emulator.Start(emulator.WithMaxPageSize(7))
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	service.CreateEndpoints(190)

	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	count := map[string]int{}
	for endpoint, err := range client.Endpoints.All(context.Background(), active) {
		if err != nil {
			log.Fatal(err)
		}
		count[endpoint.Chain]++
	}
	fmt.Println("eth:", count["eth"])
	fmt.Println("sol:", count["sol"])
	// Output:
	// eth: 30
	// sol: 20
}

// Overrides a limit of the plan, and takes the override back.
func ExampleRateLimitsService() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	id := service.CreateEndpoints(1)[0]

	show := func() rpcfleet.RateLimits {
		limits, err := client.RateLimits.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		for _, bucket := range []admin.RateLimitBucket{admin.RateLimitBucketRPS, admin.RateLimitBucketRPD} {
			switch limit, known := limits.Effective(bucket); {
			case known && limit.Unlimited:
				fmt.Println(bucket, "has no limit")
			case known && limit.Requests != nil:
				fmt.Println(bucket, "is limited to", *limit.Requests, "by", limit.Source)
			}
		}
		return limits
	}
	show()

	if _, err := client.RateLimits.Update(ctx, id, rpcfleet.RateLimitOverrides{admin.RateLimitBucketRPS: 50}); err != nil {
		log.Fatal(err)
	}
	limits := show()

	if override, set := limits.OverrideID(admin.RateLimitBucketRPS); set {
		if err := client.RateLimits.RemoveOverride(ctx, id, override); err != nil {
			log.Fatal(err)
		}
	}
	show()
	// Output:
	// rps is limited to 500 by plan_default
	// rpd has no limit
	// rps is limited to 50 by user_override
	// rpd has no limit
	// rps is limited to 500 by plan_default
	// rpd has no limit
}

// Switches the tooling access on and asks the tooling endpoint for the latest block. The session token that this needs
// is made, kept and renewed behind the scenes. The client sends nothing to other addresses.
func ExampleToolingService_HTTPClient() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	access, err := client.Tooling.Enable(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if access.EndpointURL.IsZero() {
		log.Fatal("the service gives no address")
	}

	rpc := client.Tooling.HTTPClient()
	call := `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`
	response, err := rpc.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var block struct {
		Result string `json:"result"`
	}
	if err := json.NewDecoder(response.Body).Decode(&block); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, "with a block:", strings.HasPrefix(block.Result, "0x"))

	response, err = http.Post(access.EndpointURL.Reveal(), "application/json", strings.NewReader(call))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status, "without the session token")
	// Output:
	// 200 OK with a block: true
	// 401 Unauthorized without the session token
}

// Takes session tokens for a client of another kind. The token is the same until shortly before it expires, and it does
// not print.
func ExampleToolingService_TokenSource() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Tooling.Enable(context.Background()); err != nil {
		log.Fatal(err)
	}

	tokens := client.Tooling.TokenSource()
	token, err := tokens.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	again, err := tokens.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same:", token.Token.Equal(again.Token))
	fmt.Println("printed:", token.Token)
	fmt.Println("parts of the JWT:", len(strings.Split(token.Token.Reveal(), ".")))
	// Output:
	// the same: true
	// printed: [redacted]
	// parts of the JWT: 3
}

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

// Looks at the service's response to a wrong query of the program's own. ExampleQuery of package graph has a right one.
func ExampleGraphService_MakeRequest() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	const query = `query Typo { ethereum { colections { totalCount } } }`
	_, err = graph.Query[map[string]any](context.Background(), client.Graph, query, nil)
	var failure *rpcfleet.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Operation, failure.StatusCode, failure.GraphQL[0].Code)
	}
	// Output:
	// Typo 400 INVALID_FIELD
}
