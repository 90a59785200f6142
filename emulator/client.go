package emulator

import (
	"net/http"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipe"
)

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
