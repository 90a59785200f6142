// Package payload builds the measured bodies, the same in every run.
package payload

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// The names of the payloads, on the command line and in the names of benchmarks.
const (
	Endpoint  = "endpoint"
	Create    = "create"
	Endpoints = "endpoints"
	Logs      = "logs"
	Usage     = "usage"
	NFTs      = "nfts"
)

// The arguments of the calls.
const (
	EndpointID = "100001"
	Chain      = "eth"
	Network    = "mainnet"
	PageSize   = 250
	LogSize    = 1000
	UsageSize  = 500
	NFTSize    = 100
	Collection = "0x5af0d9827e0c53e4799bb226655a1de152a425a5"
)

// The time range of logs and usage.
var (
	From = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	To   = time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)
)

// The records of some bodies have fields that are unknown to the contract, as a service's have. No contestant needs to
// return them.
type (
	hosted struct {
		record.SingleEndpoint
		Hosts []string `json:"hosts"`
	}
	located struct {
		record.LogEntry
		ClientIP string  `json:"client_ip"`
		Region   string  `json:"region"`
		Duration float64 `json:"response_time_ms"`
	}
)

// Unknown lists the names of these fields.
var Unknown = []string{"hosts", "client_ip", "region", "response_time_ms"}

// Payload is one call and the body of its response.
type Payload struct {
	Name, Title  string
	Method, Path string
	// Query holds parameters that a request must carry.
	Query url.Values
	// Body returns the body of the response.
	Body func() []byte
}

// All lists the payloads in the order of the table.
var All = []Payload{
	{Endpoint, "small record", http.MethodGet, "/v0/endpoints/" + EndpointID, nil, body(single)},
	{Create, "create with a body", http.MethodPost, "/v0/endpoints", nil, body(single)},
	{Endpoints, "page of 250 endpoints", http.MethodGet, "/v0/endpoints",
		url.Values{"limit": {"250"}}, body(endpoints)},
	{Logs, "page of 1,000 log entries", http.MethodGet, "/v0/endpoints/" + EndpointID + "/logs",
		url.Values{"limit": {"1000"}, "include_details": {"true"}}, body(logs)},
	{Usage, "500 usage rows", http.MethodGet, "/v0/usage/rpc/by-method",
		url.Values{"start_time": {"1709251200"}, "end_time": {"1709337600"}}, body(usage)},
	{NFTs, "graph page of 100 NFTs", http.MethodPost, "/graphql", nil, body(nfts)},
}

// body encodes a record built with the same random numbers every time.
func body[T any](fill func(random) T) func() []byte {
	return func() []byte {
		text, err := json.Marshal(fill(random{rand.New(rand.NewPCG(1, 2))}))
		if err != nil {
			panic(err) // All records here can be encoded.
		}
		return text
	}
}

// envelope wraps data as the admin area does.
func envelope[T any](data T) record.Envelope[T] { return record.Envelope[T]{Data: data} }
