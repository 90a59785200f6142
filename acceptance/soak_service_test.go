package acceptance

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// soakService is an emulator on a socket that counts its connections.
type soakService struct {
	*emulator.Emulator
	server     *httptest.Server
	clients    []*rpcfleet.Client
	injections []soakInjection
	// open is how many connections are open.
	open atomic.Int64
}

// soakInjection is a fault in effect, and the name of its kind.
type soakInjection struct {
	kind string
	*emulator.Injection
}

func startSoakService(t *testing.T) *soakService {
	s := &soakService{
		Emulator: emulator.New(emulator.WithSeed(*soakSeed), emulator.WithMaxUsers(1_000_000), emulator.WithKeptCalls(0)),
	}
	s.server = httptest.NewUnstartedServer(s.Emulator)
	s.server.Config.ConnState = s.count
	s.server.Start()
	t.Cleanup(s.server.Close)
	return s
}

// client makes a client. A response of more than 1 MiB is too large for it, which ends the body without an end.
func (s *soakService) client(t *testing.T, options ...rpcfleet.Option) *rpcfleet.Client {
	client, err := rpcfleet.New(append([]rpcfleet.Option{
		rpcfleet.WithBaseURL(s.server.URL), rpcfleet.WithAPIKey(s.APIKey), rpcfleet.WithMaxBodySize(1 << 20),
	}, options...)...)
	require.NoError(t, err)
	s.clients = append(s.clients, client)
	return client
}

// inject puts the faults into effect, each with a seed of its own.
func (s *soakService) inject(t *testing.T, seed uint64) {
	for i, fault := range soakFaults() {
		fault.Seed = seed*1000 + uint64(i) + 1
		injection, err := s.Inject(fault.Fault)
		require.NoError(t, err, fault.kind)
		s.injections = append(s.injections, soakInjection{fault.kind, injection})
	}
}

// faults counts how often each kind of fault has happened.
func (s *soakService) faults() soakCounts {
	counts := soakCounts{}
	for _, injection := range s.injections {
		counts[injection.kind] += injection.Fired()
	}
	return counts
}

// close lets the clients close their connections, and ends the server. It returns how many were left open before.
func (s *soakService) close() int {
	for _, client := range s.clients {
		client.CloseIdleConnections()
	}
	eventually(func() bool { return s.open.Load() == 0 })
	left := int(s.open.Load())
	s.server.Close()
	s.Close()
	return left
}

// count counts connections. One that a fault has taken over is closed by the fault.
func (s *soakService) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.open.Add(-1)
	}
}

// eventually waits for what other goroutines bring about, a few seconds at most.
func eventually(holds func() bool) {
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
