package rpcfleet

import (
	"context"
	"fmt"
	"iter"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// LogsService lists the log of an endpoint's calls, or follows it.
type LogsService engine

// Details returns a logged call's request and response as JSON-RPC text. The id is a UUID of version 1, 6 or 7.
// GET /v0/endpoints/{id}/log_details
func (s *LogsService) Details(ctx context.Context, id, requestID string,
	opts ...CallOption) (*admin.LogDetails, error) {
	request := api.GetLogDetails(id, &api.GetLogDetailsParams{RequestID: requestID})
	return fetchPayload[*admin.LogDetails](ctx, (*engine)(s).call(request, opts))
}

// maxLogPage is the largest limit that the service documents for logs (observed).
const maxLogPage = 100

type logPage = CursorPage[admin.LogEntry]

// List returns a page of the log between two required times, in no stated order. The limit is at most 100 (observed).
// GET /v0/endpoints/{id}/logs
func (s *LogsService) List(ctx context.Context, id string, params admin.ListLogsParams,
	opts ...CallOption) (*CursorPage[admin.LogEntry], error) {
	return listLogs(ctx, (*engine)(s).with(opts), id, params)
}

func listLogs(ctx context.Context, with callContext, id string, params admin.ListLogsParams) (*logPage, error) {
	cursor := deref(params.NextAt)
	params.NextAt = ptrOrNil(cursor) // An empty cursor is the beginning.
	content, err := exchange[[]admin.LogEntry](ctx, with.call(api.ListLogs(id, &params),
		ordered("from", params.From.Time, "to", params.To.Time)))
	if err != nil {
		return nil, err
	}
	return newCursorPage(content, cursor), nil
}

// Pages begins at NextAt in params. The page size is Limit or [WithPageSize], at most 100. NextCursor can be stored.
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Pages(ctx context.Context, id string, params admin.ListLogsParams,
	opts ...CallOption) iter.Seq2[*CursorPage[admin.LogEntry], error] {
	return logPages(ctx, (*engine)(s).with(opts), id, params)
}

func logPages(ctx context.Context, with callContext, id string,
	params admin.ListLogsParams) iter.Seq2[*CursorPage[admin.LogEntry], error] {
	params = deepCopy(params)
	if params.Limit == nil {
		params.Limit = new(min(with.settings.pageSize, maxLogPage))
	}
	fetch := func(ctx context.Context, cursor string) (*CursorPage[admin.LogEntry], error) {
		at := params
		at.NextAt = &cursor
		return listLogs(ctx, with, id, at)
	}
	from := cursorPosition[admin.LogEntry]{operation: "listLogs", cursor: deref(params.NextAt), id: logIdentity}
	return cursorPages(ctx, with.settings.pagesAhead(), from, fetch)
}

// All iterates over every log entry: see Pages.
// GET /v0/endpoints/{id}/logs
func (s *LogsService) All(ctx context.Context, id string, params admin.ListLogsParams,
	opts ...CallOption) iter.Seq2[admin.LogEntry, error] {
	return itemsOf(s.Pages(ctx, id, params, opts...))
}

// logIdentity identifies a log entry by the request's id or, if the id is missing, by the other fields of the call.
func logIdentity(entry *admin.LogEntry) string {
	if entry.RequestID != "" {
		return entry.RequestID
	}
	return fmt.Sprint(entry.Timestamp, entry.Method, entry.Network, entry.HTTPMethod, entry.Status)
}
