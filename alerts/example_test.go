package alerts_test

import (
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// An expression is plain text in a program and base64 on the wire. An expression that is base64 already is parsed.
func ExampleExpression() {
	expression := alerts.Expression("tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'")
	fmt.Println(expression.Base64()[:20] + "...")

	parsed, err := alerts.ParseExpression("dHhfdG8gPT0gJzB4MSc=")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parsed)
	// Output:
	// dHhfdG8gPT0gJzB4MDAw...
	// tx_to == '0x1'
}
