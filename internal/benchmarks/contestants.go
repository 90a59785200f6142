package main

import (
	"context"
	"net/http"
	"slices"
)

// contestant is a way to call the service.
type contestant struct {
	// name is used in names of benchmarks; title in the table.
	name, title string
	// calls returns the supported calls, by the names of the payloads, to a base URL.
	calls func(url string, client *http.Client) (map[string]call, error)
}

// call makes one call.
type call func(context.Context) (result, error)

// result is the result of a call. It is built without allocations, which would be counted.
type result struct {
	// data is the decoded value, in the contestant's types: for a listing, the items or edges.
	data any
	// total is the number of items of the whole listing, if the response has it.
	total int
	// next is the cursor of the next page, if there is one.
	next string
}

// generated are the contestants of the generators, if they are compiled in.
var generated []contestant

// contestants lists all contestants in the order of the table. The first is the reference.
func contestants() []contestant {
	return slices.Concat([]contestant{encodingJSON, jsonV2}, generated, []contestant{fleet})
}
