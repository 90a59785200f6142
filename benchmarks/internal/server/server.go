// Package server is the service that the contestants call: bodies that are ready, from a process of its own, so that what
// the server allocates is not counted with what the contestants allocate.
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

// childVariable is set in the environment of the process that serves.
const childVariable = "RPCFLEET_BENCHMARKS_SERVE"

// addresses are what the process that serves says about itself.
type addresses struct {
	HTTP, HTTPS string
	Certificate []byte
}

// ServeIfAsked serves and exits, if this process was started to do so. It goes first in a program that uses Start.
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
	_, _ = io.Copy(io.Discard, os.Stdin) // It ends when the process that started this one does.
	os.Exit(0)
}

// Server is a process that serves.
type Server struct {
	addresses
	roots   *x509.CertPool
	process *exec.Cmd
	stdin   io.Closer
}

// Start starts this program once more, as the server.
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

// Close ends the server.
func (s *Server) Close() error {
	if err := s.stdin.Close(); err != nil {
		return err
	}
	return s.process.Wait()
}
