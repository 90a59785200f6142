package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// The meaning of a failure is a sentinel, for errors.Is; its details are a record, for errors.As.
func ExampleError() {
	service := emulator.Start()
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		log.Fatal(err)
	}

	_, err = client.Endpoints.Get(context.Background(), "no-such-endpoint")
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
	list := func() error {
		for _, err := range client.Endpoints.All(context.Background(), params) {
			if err != nil {
				return err
			}
			count++
		}
		return nil
	}
	err = list()
	var broken *rpcfleet.PageError
	if errors.As(err, &broken) {
		fmt.Println(count, "delivered,", errors.Is(err, rpcfleet.ErrServer), "to go on at", broken.Offset)
		params.Offset = &broken.Offset
		fmt.Println(list(), count)
	}
	// Output:
	// 20 delivered, true to go on at 20
	// <nil> 50
}
