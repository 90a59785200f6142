package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Operation describes one operation of the service: what the contract states of it, and what the client knows of it.
// Its values are few and hold nothing of a call's arguments, so that they can be names and labels of spans and metrics.
type Operation struct {
	// ID is the operation's id, such as "getEndpoint". For a query of the graph area it is the name of the query, and for
	// a call of [Do] it is the name that the caller gave, if any.
	ID string
	// Method is the HTTP method.
	Method string
	// Path is the path template below the address of the area, such as "/v0/endpoints/{id}".
	Path string
	// Area is the part of the service that the operation belongs to: "admin", "alerts" or "graph".
	Area string
	// Tag is the name of the field of Client whose methods send the operation, such as "Endpoints". It is empty where only
	// [Do] does.
	Tag string
	// Source says how well the operation is known: "contract", "observed" or "assumed".
	Source string
	// Idempotent reports whether a repetition does no harm: it is set for reads and for writes that set a value.
	Idempotent bool
	// Deprecated reports whether the operation has a successor.
	Deprecated bool
	// Bearer reports whether the operation takes a bearer token beside the API key.
	Bearer bool
	// Paging is how the operation divides a long listing: "none", "offset" or "cursor".
	Paging string
	// Response is the kind of response, such as "data", "page" or "confirm".
	Response string
	// Statuses are the documented statuses, in ascending order.
	Statuses []int
}

// Operations returns all operations that the services of Client send, in the order of the contract, and after them the
// queries of the graph area, for allow-lists, metrics and documentation. Queries of the caller's own, which the graph
// area takes as well, are not among them.
func Operations() []Operation {
	var all []Operation
	for _, op := range slices.Concat(api.Admin, api.Alerts, queries.Graph) {
		all = append(all, public(op))
	}
	return all
}

// public is an operation as callers see it. They may change what they are given.
func public(op *api.Operation) Operation {
	seen := Operation(*op)
	seen.Statuses = slices.Clone(op.Statuses)
	return seen
}

// OperationFromContext returns the operation that a request belongs to. An http.RoundTripper given by [WithHTTPClient]
// can use it to name spans and metrics by operation or path template, so that ids never become labels.
func OperationFromContext(ctx context.Context) (Operation, bool) {
	op, found := transport.OperationOf(ctx)
	if !found {
		return Operation{}, false
	}
	return public(op), true
}
