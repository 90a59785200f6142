package transport

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"
)

// NewBase returns a copy of http.DefaultTransport with more idle connections, for the traffic of a fleet, with pings
// over HTTP/2, and without a proxy for loopback addresses. If http.DefaultTransport has another type, NewBase returns
// it unchanged.
func NewBase() http.RoundTripper {
	shared, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	base := shared.Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = 512, 512 // Otherwise many requests need a new handshake.
	if proxy := base.Proxy; proxy != nil {
		// A proxy would receive the key in clear text. net/http's exemption misses some forms that IsLoopback knows.
		base.Proxy = func(req *http.Request) (*url.URL, error) {
			if IsLoopback(req.URL) {
				return nil, nil
			}
			return proxy(req)
		}
	}
	// Without pings, an HTTP/2 connection that has gone silent is reused until TCP gives up, many minutes later.
	base.HTTP2 = cmp.Or(base.HTTP2, &http.HTTP2Config{})
	base.HTTP2.SendPingTimeout = cmp.Or(base.HTTP2.SendPingTimeout, 15*time.Second)
	return base
}

// connections returns a pool on the caller's *http.Transport, or on the result of NewBase if the caller has no
// transport. Any other RoundTripper is used unchanged.
func connections(base http.RoundTripper, origin *url.URL) http.RoundTripper {
	if base == nil {
		base = NewBase()
	}
	own, ok := base.(*http.Transport)
	if !ok || runtime.GOOS == "js" { // Browsers do not expose connections.
		return base
	}
	own = own.Clone()
	if config := own.TLSClientConfig; config != nil && slices.Contains(config.NextProtos, "h2") {
		own.ForceAttemptHTTP2 = true // Clone adds the protocol to the configuration, and would then take it for the caller's.
	}
	if proxy := own.Proxy; proxy != nil {
		// NewClientConn passes a host without its port, and an IPv6 address without its brackets.
		own.Proxy = func(*http.Request) (*url.URL, error) { return proxy(&http.Request{URL: origin}) }
	}
	return &pool{transport: own, direct: quiet(own, origin), origin: origin}
}

// proxyPassword returns the password of the proxy, or "". A proxy that refuses to connect can repeat it in the text of
// its status.
func (t *Transport) proxyPassword() (password string) {
	if t.pool == nil || t.pool.transport.Proxy == nil {
		return ""
	}
	if proxy, err := t.pool.transport.Proxy(&http.Request{URL: t.config.Origin}); err == nil && proxy != nil {
		password, _ = proxy.User.Password() // User may be nil.
	}
	return password
}

// SameOrigin reports whether both URLs have the same scheme, host and port, including default ports.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

var defaultPorts = map[string]string{"https": "443", "http": "80"}

func port(u *url.URL) string { return cmp.Or(u.Port(), defaultPorts[u.Scheme]) }

// IsLoopback reports whether the URL's host is a loopback address or localhost.
func IsLoopback(u *url.URL) bool {
	return strings.EqualFold(u.Hostname(), "localhost") || net.ParseIP(u.Hostname()).IsLoopback()
}
