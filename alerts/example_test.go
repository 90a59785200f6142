package alerts_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// An expression is plain text in a program and base64 in a request.
func ExampleExpression() {
	request := alerts.ValidateExpressionRequest{Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet}
	body, err := json.Marshal(request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
	// Output: {"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet"}
}
