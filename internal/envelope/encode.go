package envelope

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// forRequests writes what encoding/json writes, which the tags of the generated records are made for, with one
// difference: a secret is written as it is. Everywhere else its JSON is redacted.
var forRequests = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.WithMarshalers(json.JoinMarshalers(
	json.MarshalToFunc(func(enc *jsontext.Encoder, secret scalar.Secret) error {
		return enc.WriteToken(jsontext.String(secret.Reveal()))
	}),
	json.MarshalToFunc(func(enc *jsontext.Encoder, secret scalar.SecretURL) error {
		return enc.WriteToken(jsontext.String(secret.Reveal()))
	}),
)))

// EncodeRequest encodes the body of a request, with the secrets in it. It is for the service's eyes only: what it
// returns must not be logged.
func EncodeRequest(body any) ([]byte, error) { return json.Marshal(body, forRequests) }
