package emulator

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// WithHosts lets requests reach the emulator under these names and IP addresses as well. A request over a network is
// otherwise refused with 421 unless its Host is the address that it came to, a loopback address, localhost, or the host
// of [WithPublicURL]: a page in a browser could reach the emulator under a name of its own that leads here (DNS
// rebinding), and the keys are known to all. Ports do not matter, and are left out here.
func WithHosts(hosts ...string) Option {
	return func(s *settings) { s.hosts = append(s.hosts, hosts...) }
}

// knowsHost reports whether a request names a host of the emulator's. What comes over no network, such as a request to
// the handler in a test, may name any.
func (e *Emulator) knowsHost(r *http.Request) bool {
	local, networked := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !networked {
		return true
	}
	host := (&url.URL{Host: r.Host}).Hostname()
	if ip, err := netip.ParseAddr(host); err == nil && (ip.Unmap().IsLoopback() || local.IP.Equal(ip.AsSlice())) {
		return true
	}
	named := func(name string) bool { return strings.EqualFold(name, host) }
	return named("localhost") || slices.ContainsFunc(e.settings.hosts, named)
}
