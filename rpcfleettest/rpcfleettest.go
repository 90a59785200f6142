// Package rpcfleettest makes values that only the library can make, for tests of programs. Package emulator is the
// service in memory, for tests with a client.
package rpcfleettest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// NewResponse returns the response of a call with a single attempt, for tests of hooks and of code that reads responses.
func NewResponse(statusCode int, header http.Header, body []byte) (response rpcfleet.Response) {
	client := newClient(answer{statusCode, header, body})
	request := rpcfleet.Request{Method: http.MethodGet, Path: "/v0/test"}
	_, _ = rpcfleet.Do[struct{}](context.Background(), client, request, rpcfleet.WithResponse(&response))
	return response // An error is part of the response.
}

// NewFollowedEntry returns an entry of [rpcfleet.LogsService.Follow], with the checkpoint after it. It fails if the entry
// has no time of the past.
func NewFollowedEntry(endpointID string, entry admin.LogEntry) (rpcfleet.FollowedEntry, error) {
	text, err := scalar.WithSecrets[[]admin.LogEntry]{Value: []admin.LogEntry{entry}}.MarshalJSON()
	if err != nil {
		return rpcfleet.FollowedEntry{}, fmt.Errorf("rpcfleettest: encoding the entry: %w", err)
	}
	client := newClient(answer{http.StatusOK, nil, []byte(`{"data":` + string(text) + `,"next_at":null}`)})
	options := rpcfleet.FollowOptions{From: entry.Timestamp}
	for followed, err := range client.Logs.Follow(context.Background(), []string{endpointID}, options) {
		return followed, err
	}
	panic("rpcfleettest: Follow ended without an entry and without an error")
}

// newClient returns a client of a service that sends one answer.
func newClient(of answer) *rpcfleet.Client {
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("https://rpcfleet.test"), rpcfleet.WithAPIKey("test"),
		rpcfleet.WithoutRetries(), rpcfleet.WithHTTPClient(&http.Client{Transport: of}))
	if err != nil {
		panic(err) // The options are constant.
	}
	return client
}

// answer is the answer to all requests.
type answer struct {
	statusCode int
	header     http.Header
	body       []byte
}

// RoundTrip implements http.RoundTripper.
func (a answer) RoundTrip(req *http.Request) (*http.Response, error) {
	header := a.header.Clone()
	if header == nil {
		header = http.Header{"Content-Type": {"application/json"}}
	}
	return &http.Response{
		StatusCode: a.statusCode, Header: header, Request: req, ContentLength: int64(len(a.body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(bytes.NewReader(a.body)),
	}, nil
}
