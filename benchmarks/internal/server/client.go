package server

import (
	"crypto/tls"
	"net/http"
)

// The protocols that the server speaks.
const (
	HTTP1 = "http1"
	HTTP2 = "http2"
)

// BaseURL is the address for a protocol and an encoding.
func (s *Server) BaseURL(protocol, encoding string) string {
	if protocol == HTTP2 {
		return s.HTTPS + "/" + encoding
	}
	return s.HTTP + "/" + encoding
}

// Transport makes connections to the server, set up as net/http's own are.
func (s *Server) Transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.TLSClientConfig = &tls.Config{RootCAs: s.roots}
	return t
}
