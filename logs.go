package rpcfleet

import (
	"context"
	"fmt"
	"iter"

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
func (s *LogsService) Details(
	ctx context.Context, id, requestID string, opts ...CallOption,
) (*admin.LogDetails, error) {
	request := api.GetLogDetails(id, &admin.GetLogDetailsParams{RequestID: requestID})
	return fetch[*admin.LogDetails](ctx, s.engine.call(request, opts))
}

// maxLogPage is the largest limit that the service documents for logs (observed).
const maxLogPage = 100

// LogPage is one page of an endpoint's log.
type LogPage = CursorPage[admin.LogEntry]

// List returns one page of the endpoint's log between two times, which are both required and of which From does not
// come after To; they are sent in RFC 3339 (observed). The order of the entries is the service's own, which the
// contract does not state. A limit is sent as it is: the service documents 1 to 100 (observed), and may send fewer.
// Parameters that the service finds invalid, such as a foreign cursor, are [ErrInvalidRequest]. Whether details come
// without being asked for is up to the service.
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) List(
	ctx context.Context, id string, params admin.ListLogsParams, opts ...CallOption,
) (*LogPage, error) {
	return listLogs(ctx, s.engine.with(opts), id, params)
}

func listLogs(ctx context.Context, with *caller, id string, params admin.ListLogsParams) (*LogPage, error) {
	cursor := orZero(params.NextAt)
	if cursor == "" {
		params.NextAt = nil // The cursor of the beginning.
	}
	content, err := exchange[[]admin.LogEntry](ctx, with.call(api.ListLogs(id, &params),
		ordered("from", params.From.Time, "to", params.To.Time)))
	if err != nil {
		return nil, err
	}
	return newCursorPage(content, cursor), nil
}

// Pages iterates over the log page by page, from the cursor NextAt of the parameters on. A page has as many entries as
// their limit says, or [WithPageSize], of which logs take 100 at most. A page is asked for when the loop reaches it, or
// with [WithPrefetch] when it reaches the one before, and none after a break. A page's NextCursor can be stored: the same
// parameters with it continue after that page. An error is delivered once, as a [*PageError] with the cursor to resume
// from.
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Pages(
	ctx context.Context, id string, params admin.ListLogsParams, opts ...CallOption,
) iter.Seq2[*LogPage, error] {
	return logPages(ctx, s.engine.with(opts), id, params)
}

func logPages(ctx context.Context, with *caller, id string, params admin.ListLogsParams) iter.Seq2[*LogPage, error] {
	params = deepCopy(params)
	if params.Limit == nil {
		params.Limit = new(min(with.settings.pageSize, maxLogPage))
	}
	fetch := func(ctx context.Context, cursor string) (*LogPage, error) {
		at := params
		at.NextAt = &cursor
		return listLogs(ctx, with, id, at)
	}
	from := cursorPosition[admin.LogEntry]{operation: "listLogs", cursor: orZero(params.NextAt), id: logIdentity}
	return cursorPages(ctx, with.settings.pagesAhead(), from, fetch)
}

// All iterates over every log entry between the two times. See Pages.
//
//	now := time.Now()
//	hour := admin.ListLogsParams{From: scalar.NewTime(now.Add(-time.Hour)), To: scalar.NewTime(now)}
//	for entry, err := range client.Logs.All(ctx, id, hour) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(entry.Timestamp, entry.Method, entry.Status)
//	}
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) All(
	ctx context.Context, id string, params admin.ListLogsParams, opts ...CallOption,
) iter.Seq2[admin.LogEntry, error] {
	return items(s.Pages(ctx, id, params, opts...))
}

// logIdentity tells log entries apart: by the request's id, or, should the service leave it out, by what else the
// service tells of the call.
func logIdentity(entry *admin.LogEntry) string {
	if entry.RequestID != "" {
		return entry.RequestID
	}
	return fmt.Sprint(entry.Timestamp, entry.Method, entry.Network, entry.HTTPMethod, entry.Status)
}
