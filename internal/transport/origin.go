package transport

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
)

// NewBase returns a copy of http.DefaultTransport that keeps the connections of a fleet's traffic, and uses no proxy for
// this machine. If a program has replaced http.DefaultTransport by another type, it returns that.
func NewBase() http.RoundTripper {
	shared, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	base := shared.Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = 512, 512 // One that is not kept is a handshake for the next caller.
	base.Proxy = exceptLoopback(base.Proxy)
	return base
}

// connections returns a pool on the caller's *http.Transport, or on a copy of net/http's if there is none. Any other
// RoundTripper is used as it is.
func connections(base http.RoundTripper, origin *url.URL) http.RoundTripper {
	caller := base
	if base == nil {
		base = NewBase()
	}
	own, ok := base.(*http.Transport)
	if !ok || runtime.GOOS == "js" { // A browser has no connections to give.
		return base
	}
	if proxy := own.Proxy; proxy != nil && (caller == nil || strings.Contains(origin.Hostname(), ":")) {
		// NewClientConn asks about the host without its port and an IPv6 address without its brackets.
		own = own.Clone()
		own.Proxy = func(*http.Request) (*url.URL, error) { return proxy(&http.Request{URL: origin}) }
	}
	return newPool(own, origin)
}

// exceptLoopback keeps requests to this machine from going through a proxy, to which the key would travel in clear text.
// net/http's own exemption does not know all spellings that IsLoopback does.
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

// SameOrigin reports whether both URLs have the same scheme, host and port, default ports filled in.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

var defaultPorts = map[string]string{"https": "443", "http": "80"}

func port(u *url.URL) string { return cmp.Or(u.Port(), defaultPorts[u.Scheme]) }

// IsLoopback reports whether the URL's host is this machine.
func IsLoopback(u *url.URL) bool {
	return strings.EqualFold(u.Hostname(), "localhost") || net.ParseIP(u.Hostname()).IsLoopback()
}
