package rpcfleet

import (
	"context"
	"regexp"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
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
	return fetch[*admin.LogDetails](ctx, s.engine.call(wire.GetLogDetails(id, &admin.GetLogDetailsParams{RequestID: requestID}), opts, timeBasedUUID("request_id", requestID)))
}

// timeBased matches the UUIDs whose version is made of a time: 1 and 6, which count from the Gregorian reform, and 7,
// which counts from 1970.
var timeBased = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

func timeBasedUUID(field, value string) *ValidationError {
	if timeBased.MatchString(value) {
		return nil
	}
	return &ValidationError{Field: field, Rule: "must be a time-based UUID (version 1, 6 or 7)", Value: value}
}
