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

// Start starts an emulator on a free loopback port. Close ends it. It panics if the machine has no free loopback port,
// as httptest.NewServer does: a test could not go on.
func Start(options ...Option) *Server {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("emulator: no loopback port: %v", err))
	}
	e := New(options...)
	s := &Server{
		Emulator: e, URL: "http://" + listener.Addr().String(),
		server: &http.Server{Handler: e, ReadHeaderTimeout: time.Minute},
	}
	go s.server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when Close is called.
	return s
}

// Close stops listening and closes the connections, the ones of [Emulator.Client] as well.
func (s *Server) Close() {
	_ = s.server.Close()
	s.Emulator.Close()
}

// ClientURL is a base address for the client of [Emulator.Client].
const ClientURL = "http://localhost"

// Client returns a client that sends all plain-http requests to the emulator, at any address, over HTTP/1.1 in
// memory, without a port or a socket. All clients of an emulator share their connections. [Emulator.Close] closes
// them.
//
//	service := emulator.New()
//	defer service.Close()
//	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL),
//		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey))
//
// It works inside a testing/synctest bubble, where hours pass in milliseconds. Make and close the emulator inside the
// bubble too.
func (e *Emulator) Client() *http.Client {
	transport, _ := e.memory()
	return &http.Client{Transport: transport}
}

// Close closes the connections of the clients of [Emulator.Client], which cannot be used any more. An emulator without
// such clients need not be closed.
func (e *Emulator) Close() {
	_, server := e.memory()
	_ = server.Close() // This closes the other ends of the connections too.
}

// newMemory makes an HTTP server without a network and the transport to it, which start when they are first needed.
func newMemory(handler http.Handler) func() (*http.Transport, *http.Server) {
	return sync.OnceValues(func() (*http.Transport, *http.Server) {
		listener, server := pipe.Listen(), &http.Server{Handler: handler}
		go server.Serve(listener) //nolint:errcheck // It ends with http.ErrServerClosed when Close is called.
		return &http.Transport{DialContext: listener.Dial, MaxIdleConnsPerHost: 100}, server
	})
}

// knowsHost reports whether a request names a host of the emulator. A request that came over no network, such as one
// to the handler in a test, may name any.
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
