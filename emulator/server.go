package emulator

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

// Server is an emulator that listens on a loopback port.
type Server struct {
	*Emulator
	// URL is the base URL, such as "http://127.0.0.1:40123".
	URL string

	server *http.Server
}

// Start starts an emulator on a free loopback port. Close ends it. It panics where the machine has no loopback port
// to give, as httptest.NewServer does: there is nothing that a test could go on with.
func Start(options ...Option) *Server {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("emulator: no loopback port: %v", err))
	}
	e := New(options...)
	s := &Server{
		Emulator: e,
		URL:      "http://" + listener.Addr().String(),
		server:   &http.Server{Handler: e, ReadHeaderTimeout: time.Minute},
	}
	go s.server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when Close is called.
	return s
}

// Close stops listening and ends the connections, those of [Emulator.Client] as well.
func (s *Server) Close() {
	_ = s.server.Close()
	s.Emulator.Close()
}

// ClientURL is a base address under which the client of [Emulator.Client] reaches its emulator.
const ClientURL = "http://localhost"

// Client returns a client whose every plain-http request reaches the emulator, whatever its address, over HTTP/1.1 in
// memory: there is no port and no socket. All clients of an emulator share their connections. [Emulator.Close] ends
// them.
//
//	service := emulator.New()
//	defer service.Close()
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL),
//		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))
//
// It works inside a testing/synctest bubble, where hours pass in milliseconds: the emulator is to be made and closed
// inside of it.
func (e *Emulator) Client() *http.Client { return &http.Client{Transport: e.memory.transport(e)} }

// Close ends the connections of the clients of [Emulator.Client], and what they are waiting for. They cannot be used
// any more. An emulator without such clients need not be closed.
func (e *Emulator) Close() { e.memory.close() }

// memory is the way to the emulator that is no network.
type memory struct {
	mu     sync.Mutex
	base   *http.Transport
	server *http.Server
	closed bool
}

// transport returns the one transport, and starts the server behind it when it is first needed.
func (m *memory) transport(handler http.Handler) *http.Transport {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.base != nil {
		return m.base
	}
	listener := pipe.Listen()
	m.base = &http.Transport{DialContext: listener.Dial, MaxIdleConnsPerHost: 100}
	if m.closed {
		_ = listener.Close()
		return m.base
	}
	m.server = &http.Server{Handler: handler}
	go m.server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when close is called.
	return m.base
}

func (m *memory) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.server != nil {
		_ = m.server.Close() // The other ends of its connections see that.
	}
}

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
