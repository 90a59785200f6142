package rpcfleet_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Counts calls by operation and status. Spans and timings begin and end in the same places.
func ExampleWithCallHook() {
	service := emulator.Start()
	defer service.Close()
	observe := func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
		return ctx, func(outcome rpcfleet.CallResult) {
			fmt.Println(op.Method, op.Path, outcome.Response.StatusCode, outcome.Response.Attempts, outcome.Err != nil)
		}
	}
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithCallHook(observe))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	for _, id := range append(service.CreateEndpoints(1), "no-such-endpoint") {
		_, err = client.Endpoints.Get(ctx, id)
	}
	fmt.Println(err)
	// Output:
	// GET /v0/endpoints/{id} 200 1 false
	// GET /v0/endpoints/{id} 404 1 true
	// rpcfleet: getEndpoint: 404 Not Found: endpoint not found (GET /v0/endpoints/{id}, request id req-2)
}

// Retries the calls that may be retried: here more often than by default, but not for one call.
func ExampleRetryPolicy() {
	service := emulator.Start(emulator.WithFaults(
		emulator.Fault{Status: 503, Times: 4}, emulator.Fault{Status: 503, After: 1})) // The fifth request works.
	defer service.Close()
	policy := rpcfleet.DefaultRetryPolicy()
	policy.MaxAttempts, policy.BaseDelay = 5, time.Millisecond
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithRetryPolicy(policy))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	var response rpcfleet.Response
	_, err = client.Chains.List(ctx, rpcfleet.WithResponse(&response))
	fmt.Println(response.Attempts, err)
	_, err = client.Chains.List(ctx, rpcfleet.WithResponse(&response), rpcfleet.WithoutRetries())
	fmt.Println(response.Attempts, err)
	// Output:
	// 5 <nil>
	// 1 rpcfleet: listChains: 503 Service Unavailable: an injected fault (GET /v0/chains, request id req-6)
}

// Hundreds of ids are sent in several requests. If one of them fails, the outcome reports the result for each id.
func ExampleBulkOutcome() {
	service := emulator.Start(emulator.WithFaults(emulator.Fault{Status: 503, After: 2, Times: 1})) // The third request.
	defer service.Close()
	ids := append([]string{"archived-long-ago"}, service.CreateEndpoints(249)...)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithoutRetries())
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	outcome, err := client.Endpoints.BulkSetStatus(ctx, ids, admin.EndpointStatusPaused)
	fmt.Println(outcome.UpdatedCount, outcome.Failed(), len(outcome.Unconfirmed), err != nil)

	// Pausing an endpoint twice does no harm, so that the unconfirmed ones can simply be sent again.
	outcome, err = client.Endpoints.BulkSetStatus(ctx, outcome.Unconfirmed, admin.EndpointStatusPaused)
	fmt.Println(outcome.UpdatedCount, outcome.Failed(), len(outcome.Unconfirmed), err)
	// Output:
	// 199 [archived-long-ago] 50 true
	// 50 [] 0 <nil>
}
