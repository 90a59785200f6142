package fleetotel_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/rpcfleet/rpcfleet-go"
	fleetotel "github.com/rpcfleet/rpcfleet-go/contrib/otel"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// A call with a first attempt that meets an overloaded service.
func Example() {
	service := emulator.New(emulator.WithFaults(emulator.Fault{Times: 1, Status: 503}))
	defer service.Close()
	exporter := tracetest.NewInMemoryExporter() // A program has one that sends the spans somewhere.
	tracers := trace.NewTracerProvider(trace.WithSyncer(exporter))
	instrumentation, err := fleetotel.New(fleetotel.Options{TracerProvider: tracers})
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := rpcfleet.New(append(instrumentation.ClientOptions(), rpcfleet.WithBaseURL(emulator.ClientURL),
		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := client.Tags.List(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	for _, span := range exporter.GetSpans() {
		fmt.Println(span.Name)
		for _, attribute := range span.Attributes {
			switch attribute.Key {
			case "http.response.status_code", "http.request.resend_count", "rpcfleet.attempts", "error.type":
				fmt.Printf("  %s = %s\n", attribute.Key, attribute.Value.String())
			}
		}
	}
	// Output:
	// GET /v0/endpoints/tags
	//   http.response.status_code = 503
	//   error.type = 503
	// GET /v0/endpoints/tags
	//   http.request.resend_count = 1
	//   http.response.status_code = 200
	// rpcfleet.listTags
	//   rpcfleet.attempts = 2
	//   http.response.status_code = 200
}
