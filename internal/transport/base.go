package transport

import (
	"net/http"
	"net/url"
)

// maxIdle is how many connections are kept for reuse. The client talks to one host, and a connection that is not kept
// is a handshake for the next of as many callers; idle ones end by themselves after a while.
const maxIdle = 512

// NewBase returns net/http's default transport with room for the connections that a fleet's traffic keeps open, and
// without a proxy for this machine. A program that has put a transport of its own in its place gets that one.
func NewBase() http.RoundTripper {
	shared, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	base := shared.Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = maxIdle, maxIdle
	base.Proxy = exceptLoopback(base.Proxy)
	return base
}

// defaultBase is that base for requests to one origin, with no more connections than calls.
func defaultBase(origin *url.URL) http.RoundTripper {
	base := NewBase()
	if own, ok := base.(*http.Transport); ok {
		return newPool(own, origin.Scheme == "https")
	}
	return base
}

// ownOf returns the transport of net/http's own that a base is, or nil.
func ownOf(base http.RoundTripper) *http.Transport {
	switch base := base.(type) {
	case *http.Transport:
		return base
	case *pool:
		return base.Transport
	}
	return nil
}

// exceptLoopback keeps requests to this machine from going through a proxy, where the key would travel in clear: plain
// http is allowed on loopback because it does not leave the machine. The exemption that net/http makes by itself does
// not know all spellings that IsLoopback does.
func exceptLoopback(proxy func(*http.Request) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	if proxy == nil {
		return nil
	}
	return func(req *http.Request) (*url.URL, error) {
		if IsLoopback(req.URL) {
			return nil, nil
		}
		return proxy(req)
	}
}
