package transport

import (
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Credentials is what proves who is calling. A zero field is not sent.
type Credentials struct {
	// APIKey travels as x-api-key on every operation.
	APIKey scalar.Secret
	// BearerToken travels as Authorization on operations that declare a bearer scheme.
	BearerToken scalar.Secret
}

// roundTrip is an http.RoundTripper made of a function. It deliberately has no CloseIdleConnections method:
// go-retryablehttp calls it after each failed call, which would close the idle connections of all other calls.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// authenticated puts the credentials on requests to the configured origin and takes care that no others carry any. It
// works on a copy, so that net/http, which repeats the headers of the original request after a redirect, never sees
// them.
func authenticated(config Config, next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		if !SameOrigin(req.URL, config.Origin) {
			return nil, &Failure{Kind: Unsent, Err: errForeignOrigin}
		}
		credentials, err := config.Credentials(req.Context())
		if err != nil {
			return nil, &Failure{Kind: Unsent, Err: err}
		}
		state := stateOf(req.Context())
		state.used = append(state.used, credentials)
		req = req.Clone(req.Context())
		req.URL.Host = config.Origin.Host // As configured: a redirect may spell it in a way that a proxy rule does not know.
		if !credentials.APIKey.IsZero() {
			req.Header.Set("X-Api-Key", credentials.APIKey.Reveal())
		}
		if state.call.Operation.Bearer && !credentials.BearerToken.IsZero() {
			req.Header.Set("Authorization", "Bearer "+credentials.BearerToken.Reveal())
		}
		return next.RoundTrip(req)
	})
}
