package emulator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// defaultLogPage is the size of a page of logs without a limit (assumed), and the largest one (observed).
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
		if _, err := time.Parse(time.RFC3339, infoOf(ctx).query.Get(end)); err != nil {
			return nil, badRequest(end + " must be a time as RFC 3339 has it")
		}
	}
	limit := min(valueOr(params.Limit, defaultLogPage), h.settings.pageCap, defaultLogPage)
	if limit < 1 {
		return nil, badRequest("limit must be at least 1")
	}
	if params.From.After(params.To) {
		return nil, badRequest("from must not be after to")
	}
	log := &infoOf(ctx).endpoint.log
	calls := log.between(params.From, params.To.Add(time.Nanosecond))
	if cursor := valueOr(params.NextAt, ""); cursor != "" {
		previous := log.byID[cursor]
		if previous == nil {
			return nil, badRequest("next_at is not a cursor of this listing")
		}
		at, within := slices.BinarySearchFunc(calls, previous, (*callData).compare)
		if within {
			at++
		}
		calls = calls[at:]
	}
	page := &adminapi.LogPageEnvelope{Data: []adminapi.LogEntry{}}
	for _, c := range calls {
		if c.tally() {
			continue
		}
		if len(page.Data) == limit {
			page.NextAt = new(page.Data[limit-1].RequestID)
			break
		}
		entry := adminapi.LogEntry{
			Timestamp: c.Timestamp, Method: c.Method, Network: c.Network, HTTPMethod: c.HTTPMethod, Status: c.Status,
			ErrorCode: c.ErrorCode, RequestID: c.id,
		}
		entry.URL, _ = c.endpoint.urlsOn(c.Network)
		if valueOr(params.IncludeDetails, false) {
			entry.Details = &adminapi.LogCallDetails{Request: c.Request, Response: c.Response}
		}
		page.Data = append(page.Data, entry)
	}
	return page, nil
}

func (h adminHandlers) GetLogDetails(ctx context.Context, params adminapi.GetLogDetailsParams) (
	*adminapi.LogDetails, error) {
	id := strings.ToLower(params.RequestID)
	if !timeUUIDs.MatchString(id) {
		return nil, badRequest("request_id must be a time-based UUID")
	}
	call, known := infoOf(ctx).endpoint.log.byID[id]
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

// callLog has the calls of one endpoint by time and id, so that pages and time ranges are found quickly. Logs, metrics
// and usage are made from it.
type callLog struct {
	calls []*callData
	byID  map[string]*callData
	total used
}

// callData is one call of an endpoint, or a tally of several equal ones.
type callData struct {
	LoggedCall
	used

	endpoint *endpointData
	id       string // A time-based UUID.
}

// tally reports whether the call was counted and not logged: it has no id.
func (c *callData) tally() bool { return c.id == "" }

// compare decides which call comes first. A call without an id comes before all calls of its time.
func (c *callData) compare(other *callData) int {
	return cmp.Or(c.Timestamp.Compare(other.Timestamp), cmp.Compare(c.id, other.id))
}

// add inserts calls of the log's endpoint.
func (e *endpointData) add(added ...*callData) {
	for _, c := range added {
		c.endpoint = e
		at, _ := slices.BinarySearchFunc(e.log.calls, c, (*callData).compare)
		e.log.calls = slices.Insert(e.log.calls, at, c)
		e.log.byID[c.id] = c
		e.log.total.add(c.used)
	}
}

// between returns the calls of a time range, without its end.
func (l *callLog) between(start, end time.Time) []*callData {
	index := func(at time.Time) int {
		first := &callData{LoggedCall: LoggedCall{Timestamp: at}}
		i, _ := slices.BinarySearchFunc(l.calls, first, (*callData).compare)
		return i
	}
	last := index(end)
	return l.calls[min(index(start), last):last]
}

// LoggedCall is a call of an endpoint. Only Method is required. The other fields have defaults.
type LoggedCall struct {
	// Timestamp is the time of the call, to the microsecond. The default is the emulator's present. An entry may be
	// older than existing ones, as if it was logged late.
	Timestamp time.Time `json:"timestamp"`
	// Method is the RPC method. It also decides the cost of the call.
	Method string `json:"method"`
	// Network is the slug of a network of the catalogue. The default is the endpoint's own.
	Network string `json:"network,omitempty"`
	// HTTPMethod is POST by default.
	HTTPMethod string `json:"httpMethod,omitempty"`
	// Status is the HTTP status of the response, and 200 by default.
	Status int `json:"status,omitempty"`
	// ErrorCode is the error code of the RPC call, or nil if it succeeded.
	ErrorCode *int `json:"errorCode,omitempty"`
	// Request and Response are JSON-RPC texts. Their lengths are the metered data of the call.
	Request  string `json:"request,omitempty"`
	Response string `json:"response,omitempty"`
	// ResponseTime is the time until the response. Its JSON form is in nanoseconds.
	ResponseTime time.Duration `json:"responseTime,omitempty"`
	// Archive reports whether the call was on archived state. It costs the same, and is counted apart by method.
	Archive bool `json:"archive,omitempty"`
}

// Format prints the record.
func (c LoggedCall) Format(state fmt.State, _ rune) { redact.Record(state, c) }

// AppendLog logs calls of an endpoint and returns their request ids in the same order. Listings, metrics and usage
// include them from then on. If one entry is not acceptable, none is logged, and the error names the entry.
func (e *Emulator) AppendLog(endpointID string, entries ...LoggedCall) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	var calls []*callData
	for i, entry := range entries {
		call, err := e.state.newCall(endpoint, entry)
		if err != nil {
			return nil, fmt.Errorf("emulator: log entry %d: %w", i, err)
		}
		calls = append(calls, call)
	}
	endpoint.add(calls...)
	return each(calls, func(c *callData) string { return c.id }), nil
}

// newCall checks an entry and sets its defaults.
func (s *state) newCall(endpoint *endpointData, entry LoggedCall) (*callData, error) {
	if entry.Timestamp.IsZero() {
		entry.Timestamp = s.now()
	}
	entry.Timestamp = entry.Timestamp.UTC().Truncate(time.Microsecond)
	// All years in this range have a time-based UUID and a form in RFC 3339.
	if year := entry.Timestamp.Year(); year < 1970 || year > 5000 {
		return nil, errors.New("the Timestamp must be in the years 1970 to 5000")
	}
	entry.Network = cmp.Or(entry.Network, endpoint.Network)
	chain := chainOf(entry.Network)
	switch {
	case entry.Method == "":
		return nil, errors.New("the Method is missing")
	case entry.ResponseTime < 0:
		return nil, errors.New("the ResponseTime must not be negative")
	case chain == "":
		return nil, errors.New("the Network must be in the catalogue")
	}
	entry.HTTPMethod, entry.Status = cmp.Or(entry.HTTPMethod, "POST"), cmp.Or(entry.Status, 200)
	result := map[string]any{"result": nil}
	if entry.ErrorCode != nil {
		result = map[string]any{"error": map[string]any{"code": *entry.ErrorCode, "message": "the call failed"}}
	}
	entry.Request = cmp.Or(entry.Request, rpcText(map[string]any{"method": entry.Method, "params": []any{}}))
	entry.Response = cmp.Or(entry.Response, rpcText(result))
	bytes := int64(len(entry.Request) + len(entry.Response))
	s.logged++
	return &callData{
		LoggedCall: entry, used: used{creditsOf(chain, entry.Method), 1, bytes}, id: timeUUID(entry.Timestamp, s.logged),
	}, nil
}

// rpcText makes a JSON-RPC text of a message. The version and the id are always the same.
func rpcText(message map[string]any) string {
	message["jsonrpc"], message["id"] = "2.0", 1
	text, _ := json.Marshal(message) // Texts and numbers always have a JSON form.
	return string(text)
}

// Sums of the largest tallies fit in an int64.
const (
	maxTallied      = 1_000_000_000_000
	maxTalliedBytes = 1_000_000_000_000_000
)

// AddUsage counts calls of an endpoint without log entries. If one usage is not acceptable, none is counted, and the
// error names it.
func (e *Emulator) AddUsage(endpointID string, usage ...fleet.Usage) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err == nil {
		err = e.state.addUsage(endpoint, usage)
	}
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	return nil
}

// addUsage counts all of the usage, or nothing if a part is not acceptable.
func (s *state) addUsage(to *endpointData, usage []fleet.Usage) error {
	var tallies []*callData
	err := addEach("usage", usage, func(u fleet.Usage) error {
		u.Network, u.Status = cmp.Or(u.Network, to.Network), cmp.Or(u.Status, 200)
		chain := chainOf(u.Network)
		const oldest = 10 * 366
		switch {
		case u.DaysAgo < 0 || u.DaysAgo > oldest:
			return fmt.Errorf("days_ago must be from 0 to %d", oldest)
		case u.Method == "":
			return errors.New("method is required")
		case u.Requests < 1 || u.Requests > maxTallied:
			return fmt.Errorf("requests must be from 1 to %d", int64(maxTallied))
		case u.Bytes < 0 || u.Bytes > maxTalliedBytes:
			return fmt.Errorf("bytes must be from 0 to %d", int64(maxTalliedBytes))
		case chain == "":
			return errors.New("network must be in the catalogue")
		case u.Status < 100 || u.Status > 599:
			return errors.New("status must be an HTTP status, from 100 to 599")
		}
		tallies = append(tallies, &callData{
			LoggedCall: LoggedCall{
				Timestamp: s.now().Truncate(24*time.Hour).AddDate(0, 0, -u.DaysAgo), Method: u.Method, Network: u.Network,
				Status: u.Status, ErrorCode: u.ErrorCode, Archive: u.Archive,
			},
			used: used{creditsOf(chain, u.Method) * u.Requests, u.Requests, u.Bytes},
		})
		return nil
	})
	if err == nil {
		to.add(tallies...)
	}
	return err
}
