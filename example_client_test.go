package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// newClient returns a client for an emulator, in place of rpcfleet.NewFromEnv.
func newClient(options ...emulator.Option) (*rpcfleet.Client, *emulator.Server) {
	service := emulator.Start(options...)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}
	return client, service
}

// Takes the address and the key from the environment, and further settings from options.
func ExampleNewFromEnv() {
	_, service := newClient()
	os.Setenv("RPCFLEET_BASE_URL", service.URL)
	os.Setenv("RPCFLEET_API_KEY", service.APIKey)
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithoutRetries())
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account.Info(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Name)
	// Output:
	// Example Account
}

// All clients of an account share a pacer with the limit of its plan, so that the service refuses no request.
func ExampleWithPacer() {
	service := emulator.Start(emulator.WithPlan(emulator.PlanBuild))
	defer service.Close()
	pacer := rpcfleet.PlanBuild.NewPacer()
	for range 2 {
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithPacer(pacer))
		if err != nil {
			log.Fatal(err)
		}
		chains, err := client.Chains.List(context.Background())
		fmt.Println(len(chains) > 0, err)
	}
	// Output:
	// true <nil>
	// true <nil>
}

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
func ExampleEndpointsService_BulkSetStatus() {
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
	again := slices.Concat(outcome.Unconfirmed, outcome.Unsent)
	outcome, err = client.Endpoints.BulkSetStatus(ctx, again, admin.EndpointStatusPaused)
	fmt.Println(outcome.UpdatedCount, outcome.Failed(), len(outcome.Unconfirmed), err)
	// Output:
	// 199 [archived-long-ago] 50 true
	// 50 [] 0 <nil>
}

// Calls an operation by its method and path, and reads two fields of the record into a separate type. An operation that
// this version does not know is called in the same way.
func ExampleDo() {
	client, service := newClient()

	ctx := context.Background()
	request := rpcfleet.Request{
		Method:     http.MethodGet,
		Path:       "/v0/endpoints/{id}",
		PathParams: map[string]string{"id": service.CreateEndpoints(1)[0]},
	}
	type network struct {
		Chain   string `json:"chain"`
		Network string `json:"network"`
	}
	found, err := rpcfleet.Do[network](ctx, client, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Chain, found.Network)

	request.Path = "/v0/endpoints/{id}/weather"
	_, err = rpcfleet.Do[struct{}](ctx, client, request)
	fmt.Println(err)
	// Output:
	// eth mainnet
	// rpcfleet: GET /v0/endpoints/{id}/weather: 404 Not Found: 404 page not found (GET /v0/endpoints/{id}/weather, request id req-2)
}

// The meaning of a failure is a sentinel, for errors.Is; its details are a record, for errors.As.
func ExampleError() {
	client, _ := newClient()

	_, err := client.Endpoints.Get(context.Background(), "no-such-endpoint")
	fmt.Println(errors.Is(err, rpcfleet.ErrNotFound), errors.Is(err, rpcfleet.ErrServer))
	var failure *rpcfleet.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Operation, failure.StatusCode, "after", failure.Attempts, "attempt")
		fmt.Println(failure.Message)
	}
	// Output:
	// true false
	// getEndpoint 404 after 1 attempt
	// endpoint not found
}

// An argument that breaks a rule of the service is refused before anything is sent.
func ExampleValidationError() {
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey("made-up-key"))
	if err != nil {
		log.Fatal(err)
	}

	params := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive, "asleep"}}
	_, err = client.Endpoints.List(context.Background(), params)
	var invalid *rpcfleet.ValidationError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Operation, invalid.Field, invalid.Rule)
	}
	// Output:
	// listEndpoints statuses[1] must be one of the documented values (active, paused)
}

// The error of a response that arrived and cannot be used contains the reason; WithResponse has the response itself.
// After a write, check whether the write was executed.
func ExampleDecodeError() {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Log in to this network</html>")
	}))
	defer proxy.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(proxy.URL), rpcfleet.WithAPIKey("made-up-key"))
	if err != nil {
		log.Fatal(err)
	}

	var response rpcfleet.Response
	err = client.Endpoints.Pause(context.Background(), "ep-1", rpcfleet.WithResponse(&response))
	var unreadable *rpcfleet.DecodeError
	if errors.As(err, &unreadable) {
		fmt.Println(unreadable.Operation, unreadable.StatusCode, unreadable.Reason == rpcfleet.ReasonHTML)
		fmt.Println(string(response.Body()))
	}
	// Output:
	// setEndpointStatus 200 true
	// <html>Log in to this network</html>
}

// A listing that breaks off has delivered the items before, and its error contains the place to go on from.
func ExamplePageError() {
	service := emulator.Start(emulator.WithMaxPageSize(20),
		emulator.WithFaults(emulator.Fault{Status: 503, After: 1, Times: 1})) // The second page fails once.
	defer service.Close()
	service.CreateEndpoints(50)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey), rpcfleet.WithoutRetries())
	if err != nil {
		log.Fatal(err)
	}

	params, count := admin.ListEndpointsParams{}, 0
	for range 2 {
		for _, err := range client.Endpoints.All(context.Background(), params) {
			var broken *rpcfleet.PageError
			if errors.As(err, &broken) {
				fmt.Println(count, "delivered,", errors.Is(err, rpcfleet.ErrServer), "to go on at", broken.Offset)
				params.Offset = &broken.Offset
				break
			}
			count++
		}
	}
	fmt.Println(count, "delivered")
	// Output:
	// 20 delivered, true to go on at 20
	// 50 delivered
}
