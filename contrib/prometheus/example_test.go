package fleetprometheus_test

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/rpcfleet/rpcfleet-go"
	fleetprometheus "github.com/rpcfleet/rpcfleet-go/contrib/prometheus"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Two calls, the first of which meets an overloaded service.
func Example() {
	service := emulator.New(emulator.WithFaults(emulator.Fault{Times: 1, Status: 503}))
	defer service.Close()
	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector)
	client, err := rpcfleet.New(append(collector.ClientOptions(), rpcfleet.WithBaseURL(emulator.ClientURL),
		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		if _, err := client.Tags.List(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
	}
	families, err := registry.Gather() // A program has promhttp.HandlerFor serve them.
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if metric.GetCounter() == nil {
				continue
			}
			fmt.Print(family.GetName())
			for _, label := range metric.GetLabel() {
				fmt.Printf(" %s=%s", label.GetName(), label.GetValue())
			}
			fmt.Println(":", metric.GetCounter().GetValue())
		}
	}
	// Output:
	// rpcfleet_attempts_total operation=listTags status=200: 2
	// rpcfleet_attempts_total operation=listTags status=503: 1
	// rpcfleet_calls_total operation=listTags outcome=ok status=200: 2
	// rpcfleet_retries_total operation=listTags: 1
}
