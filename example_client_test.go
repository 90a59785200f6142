package rpcfleet_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
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
			fmt.Println(op.Method, op.Path, outcome.StatusCode, outcome.Attempts, outcome.Err != nil)
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
	service := emulator.New()
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests%5 != 0 {
			http.Error(w, "in maintenance", http.StatusServiceUnavailable)
			return
		}
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	policy := rpcfleet.DefaultRetryPolicy()
	policy.MaxAttempts, policy.BaseDelay = 5, time.Millisecond
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithRetryPolicy(policy))
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
	// 1 rpcfleet: listChains: 503 Service Unavailable: in maintenance (GET /v0/chains)
}

// Hundreds of ids are sent in several requests. If one of them fails, the outcome reports the result for each id.
func ExampleBulkOutcome() {
	service := emulator.New()
	ids := append([]string{"archived-long-ago"}, service.CreateEndpoints(249)...)
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == 3 {
			http.Error(w, "in maintenance", http.StatusServiceUnavailable)
			return
		}
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithoutRetries())
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
