// Package contestant defines a contestant of the benchmarks and checks its results.
package contestant

import (
	"context"
	"net/http"
)

// Contestant is a way to call the service.
type Contestant struct {
	// Name is used on the command line and in names of benchmarks; Title in the table.
	Name, Title string
	// Calls returns the supported calls by the names of the payloads.
	Calls func(Target) (Calls, error)
}

// Target is the server and the connections of a contestant.
type Target struct {
	BaseURL string
	Key     string
	HTTP    *http.Client
}

// Calls are calls by the names of the payloads.
type Calls map[string]Call

// Call makes one call.
type Call func(context.Context) (Result, error)

// Result is the result of a call. It is built without allocations, which would be counted.
type Result struct {
	// Data points to the decoded value, in the contestant's types: for a listing, the items or edges.
	Data any
	// Total is the number of items of the whole listing, if the response has it.
	Total int
	// Next is the cursor of the next page, if there is one.
	Next string
}
