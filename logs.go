package rpcfleet

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// LogsService lists the logs of endpoints' calls, at most 100 on a page (observed), or follows them.
type LogsService engine

// maxLogPage is the largest limit that the service documents for logs (observed).
const maxLogPage = 100

type logPage = Page[admin.LogEntry]

// List returns a page of the log between two required times, in no stated order. The limit is at most 100 (observed).
// GET /v0/endpoints/{id}/logs
func (s *LogsService) List(ctx context.Context, id string, params admin.ListLogsParams,
	opts ...CallOption) (*Page[admin.LogEntry], error) {
	params.NextAt = ptrOrNil(deref(params.NextAt)) // An empty cursor is the beginning.
	return fetchPage(ctx, (*engine)(s), api.ListLogs(id, &params), opts)
}

// Pages begins at NextAt in params. The page size is Limit or [WithPageSize], at most 100. NextCursor can be stored. If
// pages overlap, an entry whose request id was among the last 10,000 is omitted.
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Pages(ctx context.Context, id string, params admin.ListLogsParams,
	opts ...CallOption) iter.Seq2[*Page[admin.LogEntry], error] {
	settings, _ := (*engine)(s).settings(opts) // The calls return the error.
	params.Limit = cmp.Or(params.Limit, new(settings.logLimit()))
	begin := deref(params.NextAt)
	params.NextAt = nil
	request := api.ListLogs(id, &params)
	fetch := func(ctx context.Context, cursor string) (*Page[admin.LogEntry], error) {
		at := request
		if cursor != "" {
			at.Query = request.Query.With("next_at", cursor)
		}
		page, err := fetchPage(ctx, (*engine)(s), at, opts)
		for i := 0; err == nil && i < len(page.Items); i++ {
			page.ids = append(page.ids, page.Items[i].RequestID)
		}
		return page, err
	}
	return cursorPages(ctx, settings, logsFrom(begin), fetch)
}

// logLimit returns the default size of a page of logs.
func (s *callSettings) logLimit() int { return min(s.pageSize, maxLogPage) }

// logsFrom returns the position of an iteration over a log from a cursor on.
func logsFrom(cursor string) cursorPosition[admin.LogEntry] {
	return cursorPosition[admin.LogEntry]{operation: "listLogs", cursor: cursor, identity: logIdentity}
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
	unread, _ := entry.Extra.Get("timestamp") // A text that is not a time.
	at := entry.Timestamp.Format(time.RFC3339Nano) + string(unread)
	return fmt.Sprint(at, entry.Method, entry.Network, entry.HTTPMethod, entry.Status)
}
