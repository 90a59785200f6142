package reply

import "github.com/rpcfleet/rpcfleet-go/scalar"

// EncodeRequest encodes the body of a request, with the secrets in it. It is for the service's eyes only: what it
// returns must not be logged.
func EncodeRequest(body any) ([]byte, error) { return scalar.Revealed[any]{Value: body}.MarshalJSON() }
