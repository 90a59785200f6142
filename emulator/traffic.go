package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// callLog has the calls of one endpoint, sorted by position, so that pages and time ranges are found quickly. Logs,
// metrics and usage are made from it.
type callLog struct {
	Calls []*call

	byID    map[string]*call
	credits int64 // The cost of all calls.
}

func newCallLog() callLog {
	return callLog{byID: make(map[string]*call)}
}

// sum returns the usage of all calls.
func (l *callLog) sum() (sum used) {
	for _, c := range l.Calls {
		sum.add(c)
	}
	return sum
}

// call is one call of an endpoint, or a tally of several equal ones.
type call struct {
	LoggedCall
	used
}

// tally reports whether the call was counted and not logged: it has no id.
func (c *call) tally() bool { return c.RequestID == "" }

// chain returns the slug of the chain of the network that was called.
func (c *call) chain() string {
	chain, _ := networkBySlug(c.Network)
	return chain.slug
}

// failed reports whether the call ended with an error of HTTP or of RPC.
func (c *call) failed() bool { return c.ErrorCode != nil || c.Status >= 400 }

// position is the place of a call in its log. The id decides between calls of the same time.
type position struct {
	at time.Time
	id string
}

// in returns the index of the first call at or behind the position, and whether it is at the position. A position
// without an id comes before all calls of its time.
func (p position) in(calls []*call) (int, bool) {
	return slices.BinarySearchFunc(calls, p, func(c *call, p position) int {
		return cmp.Or(c.Timestamp.Compare(p.at), cmp.Compare(c.RequestID, p.id))
	})
}

// add inserts calls.
func (l *callLog) add(added ...*call) {
	for _, c := range added {
		at, _ := position{c.Timestamp, c.RequestID}.in(l.Calls)
		l.Calls = slices.Insert(l.Calls, at, c)
		l.index(c)
	}
}

func (l *callLog) index(c *call) {
	l.byID[c.RequestID] = c
	l.credits += c.Credits
}

// between returns the calls of a time range, without its end.
func (l *callLog) between(start, end time.Time) []*call {
	first, _ := position{at: start}.in(l.Calls)
	last, _ := position{at: end}.in(l.Calls)
	return l.Calls[min(first, last):last]
}

// LoggedCall is a call of an endpoint. Only Method is required. The other fields have defaults.
type LoggedCall struct {
	// Timestamp is the time of the call, to the microsecond. The default is the emulator's present. An entry may be
	// older than existing ones, as if it was logged late.
	Timestamp time.Time `json:"timestamp"`
	// RequestID is a time-based UUID that no other call of the endpoint has. The default is made from the time.
	RequestID string `json:"requestId,omitempty"`
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
	// URL is the address of the call. The default is the endpoint's own.
	URL string `json:"url,omitempty"`
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
	calls := make([]*call, 0, len(entries))
	taken := make(map[string]bool, len(entries))
	for i, entry := range entries {
		call, err := e.state.newCall(endpoint, entry)
		if err == nil && (taken[call.RequestID] || endpoint.Log.byID[call.RequestID] != nil) {
			err = errors.New("the RequestID is logged already")
		}
		if err != nil {
			return nil, fmt.Errorf("emulator: log entry %d: %w", i, err)
		}
		taken[call.RequestID] = true
		calls = append(calls, call)
	}
	endpoint.Log.add(calls...)
	return idsOf(calls, func(c *call) string { return c.RequestID }), nil
}

// newCall checks an entry and sets its defaults.
func (s *state) newCall(endpoint *endpoint, entry LoggedCall) (*call, error) {
	if entry.Timestamp.IsZero() {
		entry.Timestamp = s.now()
	}
	entry.Timestamp = entry.Timestamp.UTC().Truncate(time.Microsecond)
	// All years in this range have a time-based UUID and a form in RFC 3339.
	if year := entry.Timestamp.Year(); year < 1970 || year > 5000 {
		return nil, errors.New("the Timestamp must be in the years 1970 to 5000")
	}
	if entry.RequestID == "" {
		s.Logged++
		entry.RequestID = timeUUID(entry.Timestamp, s.Logged)
	}
	entry.RequestID = strings.ToLower(entry.RequestID)
	entry.Network = cmp.Or(entry.Network, endpoint.Network)
	chain, _ := networkBySlug(entry.Network)
	switch {
	case entry.Method == "":
		return nil, errors.New("the Method is missing")
	case entry.ResponseTime < 0:
		return nil, errors.New("the ResponseTime must not be negative")
	case !timeUUIDs.MatchString(entry.RequestID):
		return nil, errors.New("the RequestID must be a time-based UUID")
	case chain == nil:
		return nil, errors.New("the Network must be in the catalogue")
	}
	entry.HTTPMethod, entry.Status = cmp.Or(entry.HTTPMethod, "POST"), cmp.Or(entry.Status, 200)
	if entry.URL == "" {
		entry.URL, _ = endpoint.urlsOn(entry.Network)
	}
	if entry.Request == "" {
		entry.Request = rpcText(map[string]any{"method": entry.Method, "params": []any{}})
	}
	if entry.Response == "" {
		entry.Response = rpcText(map[string]any{"result": nil})
		if entry.ErrorCode != nil {
			failure := map[string]any{"code": *entry.ErrorCode, "message": "the call failed"}
			entry.Response = rpcText(map[string]any{"error": failure})
		}
	}
	bytes := int64(len(entry.Request) + len(entry.Response))
	return &call{LoggedCall: entry, used: used{chain.creditsOf(entry.Method), 1, bytes}}, nil
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
// error is a [*fleet.Error].
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
func (s *state) addUsage(to *endpoint, usage []fleet.Usage) error {
	tallies := make([]*call, 0, len(usage))
	for i, u := range usage {
		tally, err := s.newTally(to, u)
		if err != nil {
			return fleet.Item("usage", i, err)
		}
		tallies = append(tallies, tally)
	}
	slices.SortStableFunc(tallies, func(a, b *call) int { return a.Timestamp.Compare(b.Timestamp) })
	to.Log.add(tallies...)
	return nil
}

// newTally checks a usage and sets its defaults.
func (s *state) newTally(endpoint *endpoint, u fleet.Usage) (*call, error) {
	day, err := s.dayOf(u)
	if err != nil {
		return nil, err
	}
	u.Network, u.Status = cmp.Or(u.Network, endpoint.Network), cmp.Or(u.Status, 200)
	chain, _ := networkBySlug(u.Network)
	switch {
	case u.Method == "":
		return nil, fleet.At("method", errors.New("a method is required"))
	case u.Requests < 1 || u.Requests > maxTallied:
		return nil, fleet.At("requests", fmt.Errorf("must be from 1 to %d", int64(maxTallied)))
	case u.Bytes < 0 || u.Bytes > maxTalliedBytes:
		return nil, fleet.At("bytes", fmt.Errorf("must be from 0 to %d", int64(maxTalliedBytes)))
	case chain == nil:
		return nil, fleet.At("network", errors.New("must be in the catalogue"))
	case u.Status < 100 || u.Status > 599:
		return nil, fleet.At("status", errors.New("must be an HTTP status, from 100 to 599"))
	}
	return &call{
		LoggedCall: LoggedCall{
			Timestamp: day, Method: u.Method, Network: u.Network, Status: u.Status, ErrorCode: u.ErrorCode, Archive: u.Archive,
		},
		used: used{chain.creditsOf(u.Method) * u.Requests, u.Requests, u.Bytes},
	}, nil
}

// dayOf returns the beginning of the day of a usage.
func (s *state) dayOf(u fleet.Usage) (time.Time, error) {
	if u.Day == "" {
		const oldest = 10 * 366
		if u.DaysAgo < 0 || u.DaysAgo > oldest {
			return time.Time{}, fleet.At("days_ago", fmt.Errorf("must be from 0 to %d", oldest))
		}
		return s.now().Truncate(24*time.Hour).AddDate(0, 0, -u.DaysAgo), nil
	}
	day, err := time.Parse(time.DateOnly, u.Day)
	switch {
	case u.DaysAgo != 0:
		return time.Time{}, fleet.At("days_ago", errors.New("day and days_ago exclude each other"))
	case err != nil || day.Year() < 1970 || day.Year() > 5000:
		return time.Time{}, fleet.At("day", errors.New("must be a date such as 2026-03-09, of the years 1970 to 5000"))
	}
	return day, nil
}
