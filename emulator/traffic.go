package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// trafficState holds what went through the endpoints. Logs, metrics and usage are all read off it.
type trafficState struct {
	logs map[string]*callLog
	// logged counts the calls, which keeps their ids apart.
	logged int64
	// made holds the texts that were made up, once each: many calls have the same, and logs can be long.
	made map[string]string
}

// callLog is what went through one endpoint.
type callLog struct {
	// calls are sorted by position, so that a page and a time range are found quickly among any number.
	calls []*call
	byID  map[string]*call
	// tallies are calls that were counted and not logged, sorted by position as well.
	tallies []*call
	byTally map[tallyKey]*call
	// credits is what all the calls have cost.
	credits int64
}

// sum is what all the calls have used.
func (l *callLog) sum() used {
	sum := used{credits: l.credits, requests: int64(len(l.calls))}
	for _, tally := range l.tallies {
		sum.requests += tally.requests
	}
	return sum
}

// call is one call that went through an endpoint, or for a tally several that are alike.
type call struct {
	LoggedCall
	chain *chain
	used
	tally bool
}

// failed reports whether the call ended in an error, of HTTP or of RPC.
func (c *call) failed() bool { return c.ErrorCode != nil || c.Status >= 400 }

// newTraffic is what a fresh account has.
func newTraffic(*state) trafficState {
	return trafficState{logs: make(map[string]*callLog), made: make(map[string]string)}
}

// shared returns the one copy of a text that was made up.
func (t *trafficState) shared(text string) string {
	if made, known := t.made[text]; known {
		return made
	}
	t.made[text] = text
	return text
}

// of is the log of an endpoint, which is made when there is none.
func (t *trafficState) of(endpoint *endpoint) *callLog {
	log, known := t.logs[endpoint.id]
	if !known {
		log = &callLog{byID: make(map[string]*call), byTally: make(map[tallyKey]*call)}
		t.logs[endpoint.id] = log
	}
	return log
}

// creditsUsed is what the calls through an endpoint have cost. The listing sorts by it.
func (t *trafficState) creditsUsed(endpoint *endpoint) int64 { return t.of(endpoint).credits }

// position is the place of a call in its log. The id decides between calls of the same time.
type position struct {
	at time.Time
	id string
}

func (c *call) compare(to position) int {
	return cmp.Or(c.Timestamp.Compare(to.at), cmp.Compare(c.RequestID, to.id))
}

// add puts a call in its place.
func (l *callLog) add(added *call) {
	at := l.from(position{added.Timestamp, added.RequestID})
	l.calls = slices.Insert(l.calls, at, added)
	l.byID[added.RequestID] = added
	l.credits += added.credits
}

// from is the index of the first call at a position or behind it. No call has an empty id, so that a position without
// one is before all calls of its time.
func (l *callLog) from(place position) int { return firstFrom(l.calls, place) }

func firstFrom(calls []*call, place position) int {
	at, _ := slices.BinarySearchFunc(calls, place, (*call).compare)
	return at
}

// behind is the index of the first call behind a position.
func (l *callLog) behind(place position) int {
	at, found := slices.BinarySearchFunc(l.calls, place, (*call).compare)
	if found {
		at++
	}
	return at
}

// between returns the calls and the tallies of a time range, the start included and the end not.
func (l *callLog) between(start, end time.Time) []*call {
	return slices.Concat(callsBetween(l.calls, start, end), callsBetween(l.tallies, start, end))
}

func callsBetween(calls []*call, start, end time.Time) []*call {
	first, last := firstFrom(calls, position{at: start}), firstFrom(calls, position{at: end})
	return calls[min(first, last):last]
}

// LoggedCall is a call that went through an endpoint. Only Method is needed; the rest is made up where it is zero.
type LoggedCall struct {
	// Timestamp is when the call came in, to the microsecond. It is the emulator's present where it is zero. An entry
	// may be older than entries that are there already, as one that arrives late is.
	Timestamp time.Time
	// RequestID is a time-based UUID that no other call of the endpoint has. It is made from the time where it is
	// empty.
	RequestID string
	// Method is the RPC method, which also decides what the call costs.
	Method string
	// Network is the slug of a network of the catalogue. It is the endpoint's own where it is empty.
	Network string
	// HTTPMethod is POST where it is empty.
	HTTPMethod string
	// Status is the HTTP status of the response, and 200 where it is 0.
	Status int
	// ErrorCode is the error code of the RPC call, or nil for one that succeeded.
	ErrorCode *int
	// URL is the address that was called. It is the endpoint's own where it is empty.
	URL string
	// Request and Response are JSON-RPC texts. Their lengths are the data that the call is metered with.
	Request, Response string
	// ResponseTime is how long the response took.
	ResponseTime time.Duration
	// Archive reports whether the call was on archived state. It costs the same here, and is counted apart by method.
	Archive bool
}

// Format prints the record.
func (c LoggedCall) Format(state fmt.State, _ rune) { redact.Record(state, c) }

// AppendLog logs calls of an endpoint and returns their request ids in the same order. Listings show them from then
// on, and metrics and usage count them. It logs all of the entries, or none when one is not acceptable, which the error
// then tells.
func (e *Emulator) AppendLog(endpointID string, entries ...LoggedCall) ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	log := e.state.traffic.of(endpoint)
	calls := make([]*call, 0, len(entries))
	taken := make(map[string]bool, len(entries))
	for i, entry := range entries {
		call, err := e.state.newCall(endpoint, entry)
		if err == nil && (taken[call.RequestID] || log.byID[call.RequestID] != nil) {
			err = errors.New("the RequestID is logged already")
		}
		if err != nil {
			return nil, fmt.Errorf("emulator: log entry %d: %w", i, err)
		}
		taken[call.RequestID] = true
		calls = append(calls, call)
	}
	ids := make([]string, 0, len(calls))
	for _, call := range calls {
		log.add(call)
		ids = append(ids, call.RequestID)
	}
	return ids, nil
}

// newCall fills in what an entry leaves out.
func (s *state) newCall(endpoint *endpoint, entry LoggedCall) (*call, error) {
	if entry.Method == "" {
		return nil, errors.New("the Method is missing")
	}
	if entry.ResponseTime < 0 {
		return nil, errors.New("the ResponseTime must not be negative")
	}
	if entry.Timestamp.IsZero() {
		entry.Timestamp = s.now()
	}
	entry.Timestamp = entry.Timestamp.UTC().Truncate(time.Microsecond)
	// Any year within these has a time-based UUID and a spelling in RFC 3339.
	if year := entry.Timestamp.Year(); year < 1970 || year > 5000 {
		return nil, errors.New("the Timestamp must be in the years 1970 to 5000")
	}
	if entry.RequestID == "" {
		s.traffic.logged++
		entry.RequestID = timeUUID(entry.Timestamp, s.traffic.logged)
	}
	entry.RequestID = strings.ToLower(entry.RequestID)
	if !isTimeUUID(entry.RequestID) {
		return nil, errors.New("the RequestID must be a time-based UUID")
	}
	chain, network := endpoint.chain, endpoint.network
	if entry.Network != "" {
		var known bool
		if chain, network, known = networkBySlug(entry.Network); !known {
			return nil, errors.New("the Network must be in the catalogue")
		}
	}
	entry.Network = network.slug
	if entry.HTTPMethod == "" {
		entry.HTTPMethod = "POST"
	}
	if entry.Status == 0 {
		entry.Status = 200
	}
	if entry.URL == "" {
		url, _ := endpoint.urlsOn(network)
		entry.URL = s.traffic.shared(url)
	}
	if entry.Request == "" {
		entry.Request = s.traffic.shared(rpcText(map[string]any{"method": entry.Method, "params": []any{}}))
	}
	if entry.Response == "" {
		response := rpcText(map[string]any{"result": nil})
		if entry.ErrorCode != nil {
			failure := map[string]any{"code": *entry.ErrorCode, "message": "the call failed"}
			response = rpcText(map[string]any{"error": failure})
		}
		entry.Response = s.traffic.shared(response)
	}
	bytes := int64(len(entry.Request) + len(entry.Response))
	return &call{LoggedCall: entry, chain: chain, used: used{chain.creditsOf(entry.Method), 1, bytes}}, nil
}

// rpcText makes a JSON-RPC text of a message, of which the version and the id are the same everywhere.
func rpcText(message map[string]any) string {
	message["jsonrpc"], message["id"] = "2.0", 1
	text, _ := json.Marshal(message) // Texts and numbers: this cannot fail.
	return string(text)
}

// networkBySlug finds a network of the catalogue, and its chain.
func networkBySlug(slug string) (*chain, *network, bool) {
	for chain, network := range everyNetwork {
		if network.slug == slug {
			return chain, network, true
		}
	}
	return nil, nil, false
}

// tallyKey is what tallies keep apart.
type tallyKey struct {
	day             time.Time
	method, network string
	archive         bool
	status          int
	// errorCode is empty for none.
	errorCode string
}

// Sums of the largest tallies stay far within an int64.
const (
	mostTallied      = 1_000_000_000_000
	mostTalliedBytes = 1_000_000_000_000_000
)

// AddUsage counts calls of an endpoint without an entry in its log for each. It counts all of them, or none where one
// is not acceptable: the error is then a [*fleet.Error].
func (e *Emulator) AddUsage(endpointID string, usage ...fleet.Usage) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	endpoint, err := e.state.endpoint(endpointID)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	tallies, err := e.state.newTallies(endpoint, usage)
	if err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	e.state.traffic.of(endpoint).count(tallies)
	return nil
}

func (s *state) newTallies(endpoint *endpoint, usage []fleet.Usage) ([]*call, error) {
	tallies := make([]*call, 0, len(usage))
	for i, u := range usage {
		tally, err := s.newTally(endpoint, u)
		if err != nil {
			return nil, fleet.Item("usage", i, err)
		}
		tallies = append(tallies, tally)
	}
	return tallies, nil
}

// newTally fills in what is left out.
func (s *state) newTally(endpoint *endpoint, u fleet.Usage) (*call, error) {
	day, err := s.dayOf(u)
	if err != nil {
		return nil, err
	}
	chain, network := endpoint.chain, endpoint.network
	known := true
	if u.Network != "" {
		chain, network, known = networkBySlug(u.Network)
	}
	switch {
	case u.Method == "":
		return nil, fleet.At("method", errors.New("a method is required"))
	case u.Requests < 1 || u.Requests > mostTallied:
		return nil, fleet.At("requests", fmt.Errorf("must be from 1 to %d", int64(mostTallied)))
	case u.Bytes < 0 || u.Bytes > mostTalliedBytes:
		return nil, fleet.At("bytes", fmt.Errorf("must be from 0 to %d", int64(mostTalliedBytes)))
	case !known:
		return nil, fleet.At("network", errors.New("must be in the catalogue"))
	case u.Status != 0 && (u.Status < 100 || u.Status > 599):
		return nil, fleet.At("status", errors.New("must be an HTTP status, from 100 to 599"))
	case u.Status == 0:
		u.Status = 200
	}
	return &call{
		LoggedCall: LoggedCall{
			Timestamp: day, Method: u.Method, Network: network.slug, Status: u.Status, ErrorCode: u.ErrorCode,
			Archive: u.Archive,
		},
		chain: chain,
		used:  used{chain.creditsOf(u.Method) * u.Requests, u.Requests, u.Bytes},
		tally: true,
	}, nil
}

// dayOf is the first moment of the day of a usage.
func (s *state) dayOf(u fleet.Usage) (time.Time, error) {
	today := s.now().Truncate(24 * time.Hour)
	if u.Day == "" {
		const oldest = 10 * 366
		if u.DaysAgo < 0 || u.DaysAgo > oldest {
			return time.Time{}, fleet.At("days_ago", fmt.Errorf("must be from 0 to %d", oldest))
		}
		return today.AddDate(0, 0, -u.DaysAgo), nil
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

func (c *call) tallyKey() tallyKey {
	code := ""
	if c.ErrorCode != nil {
		code = strconv.Itoa(*c.ErrorCode)
	}
	return tallyKey{c.Timestamp, c.Method, c.Network, c.Archive, c.Status, code}
}

// count adds tallies to the log. Those that are alike become one.
func (l *callLog) count(tallies []*call) {
	for _, tally := range tallies {
		l.credits += tally.credits
		if known := l.byTally[tally.tallyKey()]; known != nil {
			known.add(tally)
			continue
		}
		l.byTally[tally.tallyKey()] = tally
		l.tallies = append(l.tallies, tally)
	}
	slices.SortStableFunc(l.tallies, func(a, b *call) int { return a.Timestamp.Compare(b.Timestamp) })
}
