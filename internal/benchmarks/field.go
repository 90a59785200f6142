package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
)

// field is the setting of a comparison: a server, a protocol and an encoding.
type field struct {
	origin             *server.Server
	protocol, encoding string
}

func newField(origin *server.Server, protocol, encoding string) field {
	return field{origin, protocol, encoding}
}

// calls returns a contestant's calls over its own connections.
func (f field) calls(c contestant.Contestant, transport http.RoundTripper) (contestant.Calls, error) {
	return c.Calls(contestant.Target{
		BaseURL: f.origin.BaseURL(f.protocol, f.encoding),
		Key:     server.Key,
		HTTP:    &http.Client{Transport: transport},
	})
}

// call returns a contestant's call of one payload after checking it once, or nil if the contestant does not have it.
func (f field) call(ctx context.Context, c contestant.Contestant, p payload.Payload) (contestant.Call, error) {
	seen := &witness{base: f.origin.Transport()}
	checked, err := f.calls(c, seen)
	if err != nil || checked[p.Name] == nil {
		return nil, err
	}
	result, err := checked[p.Name](ctx)
	if err == nil {
		err = contestant.Check(p, result)
	}
	if err == nil {
		err = seen.check(f)
	}
	seen.base.CloseIdleConnections()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	calls, err := f.calls(c, f.origin.Transport())
	return calls[p.Name], err
}

// witness records the protocol and encoding of a response.
type witness struct {
	base       *http.Transport
	proto      int
	compressed bool
}

// RoundTrip implements http.RoundTripper.
func (w *witness) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.base.RoundTrip(req)
	if err == nil {
		w.proto, w.compressed = resp.ProtoMajor, resp.Uncompressed || resp.Header.Get("Content-Encoding") == server.Gzip
	}
	return resp, err
}

// check verifies the protocol and encoding of the response.
func (w *witness) check(f field) error {
	if want := map[string]int{server.HTTP1: 1, server.HTTP2: 2}[f.protocol]; w.proto != want {
		return fmt.Errorf("the response came over HTTP/%d", w.proto)
	}
	if w.compressed != (f.encoding == server.Gzip) {
		return fmt.Errorf("whether the response was compressed: %t", w.compressed)
	}
	return nil
}
