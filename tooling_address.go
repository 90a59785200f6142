package rpcfleet

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

var (
	errNoToolingAddress = errors.New("rpcfleet: the service gave no usable address of the tooling endpoint")
	// A transport of the caller's own may write headers as they are, line ends included.
	errUnsendableToken     = errors.New("rpcfleet: the session token cannot be sent: it is not printable ASCII without spaces")
	errPlainToolingAddress = errors.New("rpcfleet: the tooling endpoint's address is plain http, which would show the session token to the network")
)

// toolingAddress returns the address of the endpoint that a token is for. One that is not even below itself, because of
// dot segments, would keep the token from every request in silence.
func toolingAddress(token admin.ToolingToken) (*url.URL, error) {
	endpoint, err := token.EndpointURL.URL()
	if err != nil || endpoint.Scheme != "https" && endpoint.Scheme != "http" || !below(endpoint, endpoint) {
		return nil, errNoToolingAddress
	}
	return endpoint, nil
}

// below reports whether an address is the endpoint's or below it. Dot segments are not resolved but refused, also
// behind a backslash or before a parameter: a server that resolves them would take the token to another path.
func below(endpoint, address *url.URL) bool {
	prefix, path := strings.TrimRight(endpoint.EscapedPath(), "/"), address.EscapedPath()
	if address.Opaque != "" || !transport.SameOrigin(endpoint, address) || path != prefix && !strings.HasPrefix(path, prefix+"/") {
		return false
	}
	segments := strings.FieldsFunc(address.Path, func(r rune) bool { return strings.ContainsRune(`/\;`, r) })
	return !slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}

// withoutReferer returns the request, or a copy of it that does not say where the endpoint is. net/http adds the
// address that a redirect came from to the request that follows it, path included. That address is looked at by itself
// because the endpoint may have moved since.
func withoutReferer(req *http.Request, endpoint *url.URL) *http.Request {
	secret := []*url.URL{endpoint}
	if from := req.Response; from != nil && from.Request != nil {
		secret = append(secret, from.Request.URL)
	}
	tells := func(referer string) bool {
		address, err := url.Parse(referer)
		return err != nil || slices.ContainsFunc(secret, func(u *url.URL) bool { return transport.SameOrigin(u, address) })
	}
	if !slices.ContainsFunc(req.Header.Values("Referer"), tells) {
		return req
	}
	req = req.Clone(req.Context())
	req.Header.Del("Referer")
	return req
}
