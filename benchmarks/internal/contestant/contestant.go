// Package contestant says what is measured, and holds what came of a call against what the server sent.
package contestant

import (
	"context"
	"net/http"
)

// Contestant is a way to call the service.
type Contestant struct {
	// Name is short, for the command line and the names of benchmarks; Title is for the table.
	Name, Title string
	// Calls makes the calls, by the names of the payloads. What a contestant cannot do is not among them.
	Calls func(Target) (Calls, error)
}

// Target is where a contestant sends its calls, and over which connections.
type Target struct {
	BaseURL string
	Key     string
	HTTP    *http.Client
}

// Calls are calls by the names of the payloads.
type Calls map[string]Call

// Call makes one call.
type Call func(context.Context) (Result, error)

// Result is what a call brought. It is put together without allocations, for they would be counted.
type Result struct {
	// Data points to what was decoded, in types of the contestant's own. A listing's data are its items, or its edges.
	Data any
	// Total is the number of items of the whole listing, where there is one.
	Total int
	// Next is the cursor of the next page, where there is one.
	Next string
}
