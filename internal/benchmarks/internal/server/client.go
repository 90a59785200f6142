package server

import (
	"crypto/tls"
	"net/http"
)

// The protocols of the server.
const (
	HTTP1 = "http1"
	HTTP2 = "http2"
)

// BaseURL returns the address for a protocol and an encoding.
func (s *Server) BaseURL(protocol, encoding string) string {
	if protocol == HTTP2 {
		return s.HTTPS + "/" + encoding
	}
	return s.HTTP + "/" + encoding
}

// Transport returns a transport with net/http's default settings.
func (s *Server) Transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.TLSClientConfig = &tls.Config{RootCAs: s.roots}
	return t
}
