package emulator

import (
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// The contract states neither the usual size of a page of logs nor the largest.
const (
	defaultLogPage    = 100
	defaultLogPageCap = 1000
)

// WithLogPageCap sets the largest page of a log. A larger limit is lowered silently. It is 1,000 unless set.
func WithLogPageCap(entries int) Option { return func(s *settings) { s.logPageCap = max(entries, 1) } }

// ListLogs is GET /v0/endpoints/{id}/logs.
//
// The contract leaves much open. Here the oldest entry comes first; both ends of the range are part of it; the details
// are shown only when asked for. A cursor stands behind the last entry of its page, wherever that is by then: an entry
// that arrives late, with a time before it, is not on any page that follows, and nothing is shown twice.
func (h adminHandlers) ListLogs(ctx context.Context, r adminapi.ListLogsRequestObject) (adminapi.ListLogsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	for _, end := range []string{"from", "to"} {
		// The generated server takes a date without a time as well.
		if _, err := time.Parse(time.RFC3339, receivedWith(ctx).query.Get(end)); err != nil {
			return nil, badRequest(end + " must be a time as RFC 3339 has it")
		}
	}
	limit := defaultLogPage
	if r.Params.Limit != nil {
		limit = *r.Params.Limit
	}
	if limit < 1 {
		return nil, badRequest("limit must be at least 1")
	}
	limit = min(limit, h.settings.logPageCap)
	if r.Params.From.After(r.Params.To) {
		return nil, badRequest("from must not be after to")
	}
	log := h.state.traffic.of(endpoint)
	first, last := log.from(position{at: r.Params.From}), log.from(position{at: r.Params.To.Add(time.Nanosecond)})
	if r.Params.NextAt != nil && *r.Params.NextAt != "" {
		place, err := parseCursor(*r.Params.NextAt)
		if err != nil {
			return nil, err
		}
		first = max(first, log.behind(place))
	}
	calls := log.calls[min(first, last):last]
	more := len(calls) > limit
	calls = calls[:min(len(calls), limit)]
	page := adminapi.ListLogs200JSONResponse{Data: make([]adminapi.LogEntry, 0, len(calls))}
	for _, call := range calls {
		page.Data = append(page.Data, call.record(r.Params.IncludeDetails != nil && *r.Params.IncludeDetails))
	}
	if more {
		page.NextAt = new(calls[len(calls)-1].cursor())
	}
	return page, nil
}

// record is the call as a log shows it.
func (c *call) record(details bool) adminapi.LogEntry {
	record := adminapi.LogEntry{
		Timestamp:  c.Timestamp,
		Method:     c.Method,
		Network:    c.Network,
		HTTPMethod: c.HTTPMethod,
		Status:     c.Status,
		ErrorCode:  c.ErrorCode,
		URL:        c.URL,
		RequestID:  c.RequestID,
	}
	if details {
		record.Details = &adminapi.LogCallDetails{Request: c.Request, Response: c.Response}
	}
	return record
}

// GetLogDetails is GET /v0/endpoints/{id}/log_details.
func (h adminHandlers) GetLogDetails(_ context.Context, r adminapi.GetLogDetailsRequestObject) (adminapi.GetLogDetailsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	id := strings.ToLower(r.Params.RequestID)
	if !isTimeUUID(id) {
		return nil, badRequest("request_id must be a time-based UUID")
	}
	call, known := h.state.traffic.of(endpoint).byID[id]
	if !known {
		return nil, notFound("log entry not found")
	}
	return adminapi.GetLogDetails200JSONResponse{Data: adminapi.LogDetails{
		Request:  call.Request,
		Response: call.Response,
	}}, nil
}

// timeUUIDs are the UUIDs that hold a time: versions 1, 6 and 7.
var timeUUIDs = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[167][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// isTimeUUID reports whether a text is a time-based UUID, in lower case.
func isTimeUUID(text string) bool { return timeUUIDs.MatchString(text) }

// uuidEpoch is the unix time at which the clock of version 1 UUIDs starts, the 15th of October 1582, negated and in
// their unit of 100 nanoseconds.
const uuidEpoch = 0x01B21DD213814000

// timeUUID is the version 1 UUID of a time to the microsecond. The number takes the place of the node, in the range of
// those that are not a machine's address: it keeps UUIDs of one time apart, and in the order of their numbers.
func timeUUID(at time.Time, number int64) string {
	ticks := uint64(at.UnixMicro()*10 + uuidEpoch)
	const anyNode = 1 << 40
	node := uint64(number)&(anyNode-1) | anyNode
	return fmt.Sprintf("%08x-%04x-1%03x-8000-%012x", ticks&0xffffffff, ticks>>32&0xffff, ticks>>48&0xfff, node)
}

// cursor spells a position for a caller, who has no business reading it.
func (c *call) cursor() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%s", c.Timestamp.UnixMicro(), c.RequestID))
}

// parseCursor reads what cursor wrote.
func parseCursor(cursor string) (position, error) {
	unacceptable := badRequest("next_at is not a cursor of this listing")
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return position{}, unacceptable
	}
	micros, id, _ := strings.Cut(string(text), ".")
	at, err := strconv.ParseInt(micros, 10, 64)
	if err != nil || !isTimeUUID(id) {
		return position{}, unacceptable
	}
	return position{at: time.UnixMicro(at).UTC(), id: id}, nil
}
