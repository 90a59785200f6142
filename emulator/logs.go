package emulator

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// defaultLogPage is the size of a page of logs without a limit. The contract states none.
const defaultLogPage = 100

// ListLogs is GET /v0/endpoints/{id}/logs.
//
// The contract leaves much open. Here the oldest entry comes first, both ends of the range are included, and details
// are shown on request. A cursor is the id of the last entry of its page: an older entry that is logged late is on no
// later page, and no entry is shown twice.
func (h adminHandlers) ListLogs(ctx context.Context, params adminapi.ListLogsParams) (
	*adminapi.LogPageEnvelope, error) {
	for _, end := range []string{"from", "to"} {
		// The generated server accepts a date without a time as well.
		if _, err := time.Parse(time.RFC3339, info(ctx).query.Get(end)); err != nil {
			return nil, badRequest(end + " must be a time as RFC 3339 has it")
		}
	}
	limit := min(valueOr(params.Limit, defaultLogPage), h.settings.logPageCap)
	if limit < 1 {
		return nil, badRequest("limit must be at least 1")
	}
	if params.From.After(params.To) {
		return nil, badRequest("from must not be after to")
	}
	log := &info(ctx).endpoint.Log
	first, _ := position{at: params.From}.in(log.Calls)
	last, _ := position{at: params.To.Add(time.Nanosecond)}.in(log.Calls)
	if cursor := valueOr(params.NextAt, ""); cursor != "" {
		previous, known := log.byID[cursor]
		if !known {
			return nil, badRequest("next_at is not a cursor of this listing")
		}
		at, _ := position{previous.Timestamp, cursor}.in(log.Calls)
		first = max(first, at+1)
	}
	page := &adminapi.LogPageEnvelope{Data: []adminapi.LogEntry{}}
	for _, c := range log.Calls[min(first, last):last] {
		if c.tally() {
			continue
		}
		if len(page.Data) == limit {
			page.NextAt = new(page.Data[limit-1].RequestID)
			break
		}
		entry := adminapi.LogEntry{
			Timestamp: c.Timestamp, Method: c.Method, Network: c.Network, HTTPMethod: c.HTTPMethod, Status: c.Status,
			ErrorCode: c.ErrorCode, URL: c.URL, RequestID: c.RequestID,
		}
		if valueOr(params.IncludeDetails, false) {
			entry.Details = &adminapi.LogCallDetails{Request: c.Request, Response: c.Response}
		}
		page.Data = append(page.Data, entry)
	}
	return page, nil
}

// GetLogDetails is GET /v0/endpoints/{id}/log_details.
func (h adminHandlers) GetLogDetails(ctx context.Context, params adminapi.GetLogDetailsParams) (
	*adminapi.LogDetails, error) {
	id := strings.ToLower(params.RequestID)
	if !timeUUIDs.MatchString(id) {
		return nil, badRequest("request_id must be a time-based UUID")
	}
	call, known := info(ctx).endpoint.Log.byID[id]
	if !known {
		return nil, notFound("log entry not found")
	}
	return &adminapi.LogDetails{Request: call.Request, Response: call.Response}, nil
}

// timeUUIDs matches the UUIDs that contain a time, in lower case: versions 1, 6 and 7.
var timeUUIDs = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[167][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// timeUUID returns the UUID of version 1 of a time to the microsecond. The number takes the place of the node: it makes
// UUIDs of the same time unique, and sorts them. It is in a range that no network card uses.
func timeUUID(at time.Time, number int64) string {
	// Version 1 counts in steps of 100 nanoseconds since 15 October 1582.
	const epoch, anyNode = 0x01B21DD213814000, 1 << 40
	ticks := uint64(at.UnixMicro()*10 + epoch)
	node := uint64(number)&(anyNode-1) | anyNode
	return fmt.Sprintf("%08x-%04x-1%03x-8000-%012x", ticks&0xffffffff, ticks>>32&0xffff, ticks>>48&0xfff, node)
}
