package pacer_test

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
)

// Clients of one key share the service's limit, and so the pacer.
func Example() {
	limit := new(pacer.Adaptive)
	for _, name := range []string{"reports/1.0", "alerts/1.0"} {
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey("the-key"),
			rpcfleet.WithUserAgent(name), rpcfleet.WithPacer(limit), rpcfleet.WithAttemptHook(limit.ObserveAttempt),
		)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer client.CloseIdleConnections()
	}
	fmt.Println("paced")
	// Output: paced
}
