// Package server serves prepared bodies to the contestants from a separate process, so that its allocations are not
// counted with theirs.
package server

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
)

// childVariable is set in the environment of the serving process.
const childVariable = "RPCFLEET_BENCHMARKS_SERVE"

// addresses are printed by the serving process.
type addresses struct {
	HTTP, HTTPS string
	Certificate []byte
}

// ServeIfAsked serves and exits if Start has started this process. Call it first in main.
func ServeIfAsked() {
	if os.Getenv(childVariable) == "" {
		return
	}
	h := handler()
	plain, secure := httptest.NewServer(h), httptest.NewUnstartedServer(h)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	err := json.NewEncoder(os.Stdout).Encode(addresses{plain.URL, secure.URL, secure.Certificate().Raw})
	if err != nil {
		os.Exit(1)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // The parent has ended.
	os.Exit(0)
}

// Server is a serving process.
type Server struct {
	addresses
	roots   *x509.CertPool
	process *exec.Cmd
	stdin   io.Closer
}

// Start runs this program again as the server.
func Start() (*Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &Server{process: exec.Command(self), roots: x509.NewCertPool()}
	s.process.Env = append(os.Environ(), childVariable+"=1")
	s.process.Stderr = os.Stderr
	if s.stdin, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	if err := json.NewDecoder(stdout).Decode(&s.addresses); err != nil {
		return nil, fmt.Errorf("the server did not start: %w", err)
	}
	certificate, err := x509.ParseCertificate(s.Certificate)
	if err != nil {
		return nil, err
	}
	s.roots.AddCert(certificate)
	return s, nil
}

// Close stops the server.
func (s *Server) Close() error {
	if err := s.stdin.Close(); err != nil {
		return err
	}
	return s.process.Wait()
}
