package webhooks_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// A delivery that comes again gets the same response, and the callback is not run for it. Two tokens are good while one
// takes the other's place.
func ExampleReceiver() {
	old, current := scalar.NewSecret("qnsec_made-up-1"), scalar.NewSecret("qnsec_made-up-2")
	verifier, err := webhooks.NewVerifier([]scalar.Secret{old, current})
	if err != nil {
		log.Fatal(err)
	}
	receiver, err := webhooks.NewReceiver(verifier, func(_ context.Context, delivery *webhooks.Delivery) error {
		fmt.Printf("executed: %s\n", delivery.Payload)
		return nil
	}, webhooks.WithMaxBody(16<<20))
	if err != nil {
		log.Fatal(err)
	}

	payload, now := `{"block":7}`, time.Now()
	for range 2 {
		request := httptest.NewRequest(http.MethodPost, "/deliveries", strings.NewReader(payload))
		if err := (webhooks.Signer{Token: old}).Sign(request.Header, "nonce-1", now, []byte(payload)); err != nil {
			log.Fatal(err)
		}
		response := httptest.NewRecorder()
		receiver.ServeHTTP(response, request)
		fmt.Println(response.Code)
	}
	// Output:
	// executed: {"block":7}
	// 200
	// 200
}
