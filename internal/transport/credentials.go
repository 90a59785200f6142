package transport

import "github.com/rpcfleet/rpcfleet-go/scalar"

// Credentials is what proves who is calling. A zero field is not sent.
type Credentials struct {
	// APIKey travels as x-api-key on every operation.
	APIKey scalar.Secret
	// BearerToken travels as Authorization on operations that declare a bearer scheme.
	BearerToken scalar.Secret
}
