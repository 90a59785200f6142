package main

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// apiKey is the accepted API key.
const apiKey = "made-up-key"

// serveVariable is set in the environment of the serving process.
const serveVariable = "RPCFLEET_BENCHMARKS_SERVE"

// serveIfAsked serves and exits if startServer has started this process.
func serveIfAsked() {
	if os.Getenv(serveVariable) == "" {
		return
	}
	plain, secure := httptest.NewServer(handler()), httptest.NewUnstartedServer(handler())
	secure.EnableHTTP2 = true
	secure.StartTLS()
	fmt.Println(plain.URL, secure.URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // The parent has ended.
	os.Exit(0)
}

// server serves prepared bodies from a separate process, so that its allocations are not counted with the contestants'.
type server struct {
	plain, secure string // The addresses.
	config        *tls.Config
	process       *exec.Cmd
	stdin         io.Closer
}

// startServer runs this program again as the server.
func startServer() (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	pattern := httptest.NewTLSServer(nil) // All servers of httptest have the same certificate.
	defer pattern.Close()
	s := &server{process: exec.Command(self), config: pattern.Client().Transport.(*http.Transport).TLSClientConfig}
	s.process.Env = append(os.Environ(), serveVariable+"=1")
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
	if _, err := fmt.Fscan(stdout, &s.plain, &s.secure); err != nil {
		return nil, fmt.Errorf("the server did not start: %w", err)
	}
	return s, nil
}

// close stops the server.
func (s *server) close() error {
	if err := s.stdin.Close(); err != nil {
		return err
	}
	return s.process.Wait()
}

// field is the setting of a comparison: a protocol and an encoding.
type field struct {
	title          string
	secure, zipped bool
}

// fields lists the settings in the order of the page, which shows the first in full.
var fields = []field{
	{"HTTP/1.1, not compressed", false, false},
	{"HTTP/1.1, compressed", false, true},
	{"HTTP/2 over TLS, not compressed", true, false},
	{"HTTP/2 over TLS, compressed", true, true},
}

// url returns the base URL for a field. Its path is the encoding of bodies.
func (s *server) url(f field) string {
	base := s.plain
	if f.secure {
		base = s.secure
	}
	if f.zipped {
		return base + "/gzip"
	}
	return base + "/identity"
}

// client returns a client with connections of its own and net/http's default settings.
func (s *server) client() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy, t.TLSClientConfig = nil, s.config.Clone()
	return &http.Client{Transport: t}
}

// handler serves prepared bodies from memory.
func handler() http.Handler {
	mux := http.NewServeMux()
	for _, p := range payloads {
		body := []byte(p.body())
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, _ = w.Write(body) // A buffer never fails.
		_ = w.Close()
		mux.Handle(p.method+" /identity"+p.path, p.respond(body, ""))
		mux.Handle(p.method+" /gzip"+p.path, p.respond(zipped.Bytes(), "gzip"))
	}
	return mux
}

func (p payload) respond(body []byte, encoding string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if fault := p.wrong(r, encoding); fault != "" {
			http.Error(w, fault, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		_, _ = w.Write(body) // The client has gone away.
	}
}

// wrong checks a request, so that no contestant gains by sending less or over another protocol.
func (p payload) wrong(r *http.Request, encoding string) string {
	var body struct {
		newEndpoint
		graphRequest
	}
	if r.Method == http.MethodPost {
		_ = json.NewDecoder(r.Body).Decode(&body) // It is checked below.
	}
	for name := range p.query {
		if r.URL.Query().Get(name) != p.query.Get(name) {
			return name + " is wrong"
		}
	}
	switch asked := body.Variables; {
	case r.Header.Get("x-api-key") != apiKey:
		return "the key is wrong"
	case encoding != "" && !strings.Contains(r.Header.Get("Accept-Encoding"), encoding):
		return "the encoding is wrong"
	case r.TLS != nil && r.ProtoMajor != 2:
		return "the protocol is wrong"
	case p.name == createEndpoint && body.newEndpoint != newEndpoint{chain, network}:
		return "the endpoint is wrong"
	case p.name == listNFTs && (asked.First != nftSize || asked.ContractAddress != collectionAddress ||
		body.OperationName == "" || !strings.Contains(body.Query, body.OperationName)):
		return "the query is wrong"
	}
	return ""
}
