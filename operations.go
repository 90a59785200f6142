package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Operation describes one operation of the service: its id, method, path template and what the client knows of it.
type Operation = operation.Operation

// OperationFromContext returns the operation that a request belongs to. An http.RoundTripper given by WithHTTPClient
// can use it to name spans and metrics by operation or path template, so that ids never become labels.
func OperationFromContext(ctx context.Context) (Operation, bool) { return transport.OperationOf(ctx) }
