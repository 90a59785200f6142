package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// LogsService reads the log of the calls that went through an endpoint: as listings, or with Follow, which goes on with
// the log as it grows.
//
// Methods that take an endpoint's id return [ErrNotFound] where there is no such endpoint.
type LogsService struct{ engine *engine }

// Details returns the request and the response of one logged call, both as JSON-RPC texts. The request id is that of a
// log entry. The contract has it as a time-based UUID; versions 1, 6 and 7 are. Anything else is a [*ValidationError]
// and is not sent. An id that the log does not hold is [ErrNotFound].
//
// GET /v0/endpoints/{id}/log_details
func (s *LogsService) Details(ctx context.Context, id, requestID string, opts ...CallOption) (*admin.LogDetails, error) {
	return fetch[*admin.LogDetails](ctx, s.engine.call(api.GetLogDetails(id, &admin.GetLogDetailsParams{RequestID: requestID}), opts))
}
