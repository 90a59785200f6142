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
		options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey("the-key"),
			rpcfleet.WithUserAgent(name)}
		client, err := rpcfleet.New(append(options, limit.ClientOptions()...)...)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer client.CloseIdleConnections()
	}
	fmt.Println("paced")
	// Output: paced
}
