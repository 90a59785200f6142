package rpcfleet

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// LogQuery selects entries of an endpoint's log.
type LogQuery struct {
	// From and To bound the time range; both are required, and From does not come after To. They are sent in RFC 3339
	// (observed).
	From, To time.Time
	// IncludeDetails asks for the request and the response of each call. Whether they come without it is up to the
	// service.
	IncludeDetails bool
	// Limit is the number of entries on a page at most. 0 leaves it to the service in List, and in Pages and All to
	// [WithPageSize], of which logs take 100 at most. Any other is sent as it is: the service documents 1 to 100
	// (observed). The service may send fewer.
	Limit int
	// Cursor is where to start: the NextAt of an earlier page of the same query. It is empty for the beginning.
	Cursor string
}

// maxLogPage is the largest limit that the service documents for logs (observed).
const maxLogPage = 100

// LogPage is one page of an endpoint's log.
type LogPage = CursorPage[admin.LogEntry]

// List returns one page of the endpoint's log. The order of the entries is the service's own, which the contract does
// not state. A query that the service finds invalid, such as a foreign cursor, is [ErrInvalidRequest].
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) List(ctx context.Context, id string, query LogQuery, opts ...CallOption) (*LogPage, error) {
	return listLogs(ctx, s.engine.with(opts), id, query)
}

func listLogs(ctx context.Context, with *caller, id string, query LogQuery) (*LogPage, error) {
	content, err := exchange[[]admin.LogEntry](ctx, with.call(wire.ListLogs(id, query.params()), query.checks()...))
	if err != nil {
		return nil, err
	}
	return newCursorPage(content, query.Cursor), nil
}

// Pages iterates over the log page by page, from the cursor of the query on. A page is asked for when the loop reaches
// it, or with [WithPrefetch] when it reaches the one before, and none after a break. A page's NextAt can be stored: the
// same query with it as its Cursor continues after that page. An error is delivered once, as a [*PageError] with the
// cursor to resume from.
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) Pages(ctx context.Context, id string, query LogQuery, opts ...CallOption) iter.Seq2[*LogPage, error] {
	return logPages(ctx, s.engine.with(opts), id, query)
}

func logPages(ctx context.Context, with *caller, id string, query LogQuery) iter.Seq2[*LogPage, error] {
	fetch := func(ctx context.Context, cursor string) (*LogPage, error) {
		at := query
		at.Cursor = cursor
		if at.Limit == 0 {
			at.Limit = min(with.settings.pageSize, maxLogPage)
		}
		return listLogs(ctx, with, id, at)
	}
	return cursorPages(ctx, query.Cursor, with.settings.pagesAhead(), logIdentity, fetch)
}

// All iterates over every log entry that the query selects. See Pages.
//
//	query := rpcfleet.LogQuery{From: time.Now().Add(-time.Hour), To: time.Now()}
//	for entry, err := range client.Logs.All(ctx, id, query) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(entry.Timestamp, entry.Method, entry.Status)
//	}
//
// GET /v0/endpoints/{id}/logs
func (s *LogsService) All(ctx context.Context, id string, query LogQuery, opts ...CallOption) iter.Seq2[admin.LogEntry, error] {
	return items(s.Pages(ctx, id, query, opts...))
}

// params leaves out what the query does not set.
func (q LogQuery) params() *admin.ListLogsParams {
	params := &admin.ListLogsParams{From: scalar.NewTime(q.From), To: scalar.NewTime(q.To)}
	if q.IncludeDetails {
		params.IncludeDetails = &q.IncludeDetails
	}
	if q.Limit != 0 {
		params.Limit = &q.Limit
	}
	if q.Cursor != "" {
		params.NextAt = &q.Cursor
	}
	return params
}

func (q LogQuery) checks() []*ValidationError {
	return []*ValidationError{requiredTime("from", q.From), requiredTime("to", q.To), ordered("from", q.From, "to", q.To)}
}

// logIdentity tells log entries apart: by the request's id, or, should the service leave it out, by what else the
// service tells of the call.
func logIdentity(entry *admin.LogEntry) string {
	if entry.RequestID != "" {
		return entry.RequestID
	}
	return fmt.Sprint(entry.Timestamp, entry.Method, entry.Network, entry.HTTPMethod, entry.Status)
}
