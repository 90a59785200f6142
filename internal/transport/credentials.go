package transport

import (
	"maps"
	"net/http"
	"sync/atomic"

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

// authenticated makes the headers of each request to the configured origin, credentials among them, and takes care that
// no other request carries any. They are beside the request, so that net/http, which repeats the headers of the
// original request after a redirect, never sees them.
func authenticated(config Config, next func(*http.Request, http.Header) (*http.Response, error)) http.RoundTripper {
	userAgent := []string{config.UserAgent} // No list is longer than its capacity: to add to one is to copy it.
	var latest latestProofs
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
		header := make(http.Header, max(len(req.Header)+5, 8))
		maps.Copy(header, req.Header)
		header["Accept"], header["User-Agent"] = typeJSON, userAgent
		if req.Body != nil && req.Body != http.NoBody {
			header["Content-Type"] = typeJSON
		}
		proofs := latest.of(credentials)
		if proofs.key != nil {
			header["X-Api-Key"] = proofs.key
		}
		if state.call.Operation.Bearer && proofs.bearer != nil {
			header["Authorization"] = proofs.bearer
		}
		return next(withHost(req, config.Origin.Host), header)
	})
}

var typeJSON = []string{"application/json"}

// withHost returns the request with the host as configured: a redirect may spell it in a way that a proxy rule does not
// know.
func withHost(req *http.Request, host string) *http.Request {
	if req.URL.Host == host {
		return req
	}
	address, copied := *req.URL, *req
	address.Host = host
	copied.URL = &address
	return &copied
}

// proofs are credentials as the values of their headers. A nil one is not sent.
type proofs struct {
	of          Credentials
	key, bearer []string
}

// latestProofs keeps the values of the credentials that were used last: they seldom change. It lives inside of a
// function only, where nothing that walks through values, as a dumper does, comes upon them.
type latestProofs struct{ kept atomic.Pointer[proofs] }

func (l *latestProofs) of(credentials Credentials) *proofs {
	if kept := l.kept.Load(); kept != nil && kept.of == credentials {
		return kept
	}
	made := &proofs{of: credentials}
	if !credentials.APIKey.IsZero() {
		made.key = []string{credentials.APIKey.Reveal()}
	}
	if !credentials.BearerToken.IsZero() {
		made.bearer = []string{"Bearer " + credentials.BearerToken.Reveal()}
	}
	l.kept.Store(made)
	return made
}
