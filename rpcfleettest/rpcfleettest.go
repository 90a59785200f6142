// Package rpcfleettest makes values that only the library can make, for tests of programs. Package emulator is the
// service in memory, for tests with a client.
package rpcfleettest

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go"
)

// NewResponse returns the response of a call with a single attempt, for tests of hooks and of code that reads
// responses.
func NewResponse(statusCode int, header http.Header, body []byte) (response rpcfleet.Response) {
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("https://rpcfleet.test"), rpcfleet.WithAPIKey("test"),
		rpcfleet.WithoutRetries(), rpcfleet.WithHTTPClient(&http.Client{Transport: answer{statusCode, header, body}}))
	if err != nil {
		panic(err) // The options are valid.
	}
	request := rpcfleet.Request{Method: http.MethodGet, Path: "/v0/test"}
	_, _ = rpcfleet.Do[struct{}](context.Background(), client, request, rpcfleet.WithResponse(&response))
	return response // An error is part of the response.
}

// answer is the answer to a request.
type answer struct {
	statusCode int
	header     http.Header
	body       []byte
}

// RoundTrip implements http.RoundTripper.
func (a answer) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.statusCode, Header: a.header.Clone(), Request: req, ContentLength: int64(len(a.body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(bytes.NewReader(a.body)),
	}, nil
}
