package emulator

import (
	"fmt"
	"net"
	"net/http"
	"time"
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
