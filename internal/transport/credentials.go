package transport

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Credentials contains the credentials of a request. The root package documents its own type of this name.
type Credentials struct{ APIKey, BearerToken scalar.Secret }

var typeJSON, acceptGzip = []string{"application/json"}, []string{"gzip"}

// authenticator adds the credentials to requests, and rejects requests to other origins.
type authenticator struct {
	next        http.RoundTripper
	origin      *url.URL
	credentials func(context.Context) (Credentials, error)
	gzip        bool // Request compressed responses. net/http would allocate another header map for it.
}

// RoundTrip sets all headers of the request in place: http.Client would copy headers that are set earlier.
func (a *authenticator) RoundTrip(req *http.Request) (*http.Response, error) {
	if !SameOrigin(req.URL, a.origin) {
		return nil, &Failure{Kind: Unsent, Err: errors.New("the request's address is not at the configured base URL")}
	}
	credentials, err := a.credentials(req.Context())
	if err != nil {
		return nil, &Failure{Kind: Unsent, Err: err}
	}
	if err := req.Context().Err(); err != nil {
		return nil, &Failure{Kind: Canceled, Err: err, reach: unsent}
	}
	s := stateOf(req)
	s.result.Credentials = append(s.result.Credentials, credentials)
	req.Host = req.URL.Host // If it were set earlier, http.Client would copy the URL.
	req.Header["Accept"] = typeJSON
	req.Header["User-Agent"] = s.transport.userAgent
	if len(s.call.Body) > 0 {
		req.Header["Content-Type"] = typeJSON
	}
	if a.gzip {
		req.Header["Accept-Encoding"] = acceptGzip
	}
	maps.Copy(req.Header, s.call.Header)
	if !credentials.APIKey.IsZero() {
		req.Header["X-Api-Key"] = []string{credentials.APIKey.Reveal()}
	}
	if s.call.Operation.Bearer && !credentials.BearerToken.IsZero() {
		req.Header["Authorization"] = []string{"Bearer " + credentials.BearerToken.Reveal()}
	}
	return a.next.RoundTrip(req)
}
