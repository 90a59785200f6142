package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// defaultLogPage is the size of a page of logs without a limit (assumed), and the largest one (observed).
const defaultLogPage = 100

// ListLogs is GET /v0/endpoints/{id}/logs.
//
// The contract leaves much open. Here the oldest entry comes first, both ends of the range are included, and details
// are shown on request. A cursor is the id of the last entry of its page: an older entry that is logged late is on no
// later page, and no entry is shown twice.
func (r *request) ListLogs(params adminapi.ListLogsParams) (*adminapi.LogPageEnvelope, error) {
	limit, log := min(valueOr(params.Limit, defaultLogPage), r.settings.pageCap, defaultLogPage), &r.endpoint.log
	calls, cursor := log.between(params.From, params.To.Add(time.Nanosecond)), valueOr(params.NextAt, "")
	previous := log.byID[cursor]
	switch {
	case params.From.After(params.To):
		return nil, serve.BadRequest("from must not be after to")
	case cursor != "" && previous == nil:
		return nil, serve.BadRequest("next_at is not a cursor of this listing")
	case cursor != "":
		calls = calls[sort.Search(len(calls), func(i int) bool { return calls[i].compare(previous) > 0 }):]
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
			entry.Details = &adminapi.LogDetails{Request: c.Request, Response: c.Response}
		}
		page.Data = append(page.Data, entry)
	}
	return page, nil
}

func (r *request) GetLogDetails(params adminapi.GetLogDetailsParams) (*adminapi.LogDetails, error) {
	id := strings.ToLower(params.RequestID)
	if !timeUUIDs.MatchString(id) {
		return nil, serve.BadRequest("request_id must be a time-based UUID")
	}
	call, known := r.endpoint.log.byID[id]
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

// LoggedCall is a call of an endpoint, or many equal ones. Only Method is required. The other fields have defaults.
type LoggedCall struct {
	// Timestamp is the time of the call, to the microsecond. The default is the emulator's present. An entry may be
	// older than existing ones, as if it was logged late.
	Timestamp time.Time `json:"timestamp"`
	// DaysAgo is the number of days that the call is older than Timestamp.
	DaysAgo int `json:"daysAgo,omitempty"`
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
	// Requests is a number of equal calls, and Bytes the metered data of all of them. They are in usage and metrics and in
	// no log, and metrics of response times leave them out. A million take as little memory as one. 0 is one call that is
	// logged.
	Requests int64 `json:"requests,omitempty"`
	Bytes    int64 `json:"bytes,omitempty"`
}

// Format prints the record.
func (c LoggedCall) Format(state fmt.State, _ rune) { redact.Record(state, c) }

// callLog has the calls of one endpoint by time and id, so that pages and time ranges are found quickly. Logs, metrics
// and usage are made from it.
type callLog struct {
	calls   []*callData
	byID    map[string]*callData
	credits int64
}

// callData is an entry of a log, with all defaults.
type callData struct {
	LoggedCall

	credits  int64
	endpoint *endpointData
	id       string // A time-based UUID, or empty for a tally of calls that are not logged.
}

func (c *callData) tally() bool { return c.id == "" }

// compare decides which call comes first. A call without an id comes before all calls of its time.
func (c *callData) compare(other *callData) int {
	return cmp.Or(c.Timestamp.Compare(other.Timestamp), cmp.Compare(c.id, other.id))
}

// between returns the calls of a time range, without its end.
func (l *callLog) between(start, end time.Time) []*callData {
	index := func(at time.Time) int {
		return sort.Search(len(l.calls), func(i int) bool { return !l.calls[i].Timestamp.Before(at) })
	}
	last := index(end)
	return l.calls[min(index(start), last):last]
}

// AppendLog logs calls of an endpoint and returns the request ids of those that are in the log, in the same order.
// Listings, metrics and usage include them from then on. If one entry is not acceptable, none is logged, and the error
// names the entry.
func (e *Emulator) AppendLog(endpointID string, entries ...LoggedCall) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err == nil {
		return e.state.appendLog(endpoint, entries)
	}
	return nil, fmt.Errorf("emulator: %w", err)
}

func (s *state) appendLog(to *endpointData, entries []LoggedCall) (ids []string, err error) {
	var calls []*callData
	for i, entry := range entries {
		call, err := s.newCall(to, entry)
		if err != nil {
			return nil, fmt.Errorf("emulator: log entry %d: %w", i, err)
		}
		calls = append(calls, call)
	}
	for _, c := range calls {
		at, _ := slices.BinarySearchFunc(to.log.calls, c, (*callData).compare)
		to.log.calls = slices.Insert(to.log.calls, at, c)
		to.log.credits += c.credits
		if !c.tally() {
			to.log.byID[c.id] = c
			ids = append(ids, c.id)
		}
	}
	return ids, nil
}

// newCall checks an entry and sets its defaults.
func (s *state) newCall(endpoint *endpointData, entry LoggedCall) (*callData, error) {
	if entry.Timestamp.IsZero() {
		entry.Timestamp = s.settings.clock()
	}
	entry.Timestamp = entry.Timestamp.UTC().AddDate(0, 0, -entry.DaysAgo).Truncate(time.Microsecond)
	entry.Network, entry.Status = cmp.Or(entry.Network, endpoint.Network), cmp.Or(entry.Status, 200)
	chain, year := chainOf(entry.Network), entry.Timestamp.Year()
	switch {
	case year < 1970 || year > 5000: // All years in this range have a time-based UUID and a form in RFC 3339.
		return nil, errors.New("the Timestamp must be in the years 1970 to 5000")
	case entry.Method == "":
		return nil, errors.New("the Method is missing")
	case entry.ResponseTime < 0:
		return nil, errors.New("the ResponseTime must not be negative")
	case chain == "":
		return nil, errors.New("the Network must be in the catalogue")
	case entry.Requests < 0 || entry.Bytes < 0:
		return nil, errors.New("the Requests and the Bytes must not be negative")
	}
	call := &callData{LoggedCall: entry, endpoint: endpoint}
	if entry.Requests == 0 {
		s.logged++
		call.id, call.HTTPMethod = timeUUID(entry.Timestamp, s.logged), cmp.Or(entry.HTTPMethod, "POST")
		result := map[string]any{"result": nil}
		if entry.ErrorCode != nil {
			result = map[string]any{"error": map[string]any{"code": *entry.ErrorCode, "message": "the call failed"}}
		}
		call.Request = cmp.Or(entry.Request, rpcText(map[string]any{"method": entry.Method, "params": []any{}}))
		call.Response = cmp.Or(entry.Response, rpcText(result))
		call.Requests, call.Bytes = 1, int64(len(call.Request)+len(call.Response))
	}
	call.credits = creditsOf(chain, entry.Method) * call.Requests
	return call, nil
}

// rpcText makes a JSON-RPC text of a message. The version and the id are always the same.
func rpcText(message map[string]any) string {
	message["jsonrpc"], message["id"] = "2.0", 1
	text, _ := json.Marshal(message) // Texts and numbers always have a JSON form.
	return string(text)
}
